package shared

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"io"

	"varve/crawl/polite"
)

// The file is a table of buckets, mostly holes; a key has its place in one bucket. docs/formats/politeness.md draws it.
//
//	bucket   25 slots of 160 bytes, 96 unused
//	slot     key 16 | next 8 | trouble 8 | set 8 | heir 8 | due 8 | 4 places of 24 | reserved 4 | crc32 4
//	place    member 8 | since 8 | rest 4 (ms) | count 4
const (
	slotSize   = 160
	bucketSize = 4096
	perBucket  = bucketSize / slotSize
	buckets    = 8192
	tableSize  = buckets * bucketSize
	placeSize  = 24
	placesAt   = 56
	checkAt    = slotSize - 4
)

type keyHash [16]byte

func hashOf(key string) keyHash {
	sum := sha256.Sum256([]byte(key))
	return keyHash(sum[:16])
}

func (k keyHash) bucket() int64 { return int64(binary.LittleEndian.Uint64(k[:]) % buckets) }

// table reads and writes slots; the caller has the lock.
type table struct {
	disk interface {
		io.ReaderAt
		io.WriterAt
	}
	buf     [bucketSize]byte
	damaged int // slots whose checksum was wrong
	evicted int // slots that were given to others before their rest was over
}

// find returns the slot of a key and where it is or would be; not at other, which is another's.
func (t *table) find(key keyHash, other, rest, now int64) (slot, int64, error) {
	base := key.bucket() * bucketSize
	if _, err := t.disk.ReadAt(t.buf[:], base); err != nil {
		return slot{}, 0, err
	}
	free, freeAt := -1, int64(0) // the slot that is missed least
	for i := range perBucket {
		b := t.buf[i*slotSize : (i+1)*slotSize]
		s, sound := decode(b)
		if keyHash(b[:16]) == key {
			if !sound {
				t.damaged++
				s = slot{next: now + rest, set: now} // nobody knows who was there
			}
			return s, base + int64(i*slotSize), nil
		}
		if base+int64(i*slotSize) == other {
			continue
		}
		at := max(s.next, s.trouble)
		if !sound || s.idle(now) {
			at = 0
		} else if s.taken() {
			continue
		}
		if free < 0 || at < freeAt {
			free, freeAt = i, at
		}
	}
	if free < 0 {
		free, freeAt = 0, now+1 // every slot is in use: one is lost
		if base == other {
			free = 1
		}
	}
	if freeAt > now {
		t.evicted++
	}
	return slot{}, base + int64(free*slotSize), nil
}

func (s *slot) taken() bool {
	for _, p := range s.places {
		if p.count > 0 {
			return true
		}
	}
	return false
}

// put writes a slot; one that says nothing is emptied.
func (t *table) put(key keyHash, s *slot, at, now int64) error {
	var b [slotSize]byte
	if !s.idle(now) {
		encode(b[:], key, s)
	}
	_, err := t.disk.WriteAt(b[:], at)
	return err
}

func encode(b []byte, key keyHash, s *slot) {
	le := binary.LittleEndian
	copy(b, key[:])
	le.PutUint64(b[16:], uint64(s.next))
	le.PutUint64(b[24:], uint64(s.trouble))
	le.PutUint64(b[32:], uint64(s.set))
	le.PutUint64(b[40:], s.heir)
	le.PutUint64(b[48:], uint64(s.due))
	for i, p := range s.places {
		q := b[placesAt+i*placeSize:]
		le.PutUint64(q, p.member)
		le.PutUint64(q[8:], uint64(p.since))
		le.PutUint32(q[16:], uint32(min(p.rest/1e6+1, 1<<32-1))) // rounded up
		le.PutUint32(q[20:], p.count)
	}
	le.PutUint32(b[checkAt:], crc32.ChecksumIEEE(b[:checkAt]))
}

// decode reads a slot, and reports whether its checksum is right; one of zeros is empty.
func decode(b []byte) (s slot, sound bool) {
	le := binary.LittleEndian
	if keyHash(b[:16]) == (keyHash{}) {
		return slot{}, true
	}
	if le.Uint32(b[checkAt:]) != crc32.ChecksumIEEE(b[:checkAt]) {
		return slot{}, false
	}
	s.next, s.trouble, s.set = int64(le.Uint64(b[16:])), int64(le.Uint64(b[24:])), int64(le.Uint64(b[32:]))
	s.heir, s.due = le.Uint64(b[40:]), int64(le.Uint64(b[48:]))
	for i := range s.places {
		q := b[placesAt+i*placeSize:]
		s.places[i] = place{
			member: le.Uint64(q), since: int64(le.Uint64(q[8:])), rest: int64(le.Uint32(q[16:])) * 1e6, count: le.Uint32(q[20:]),
		}
	}
	return s, true
}

// enter does a claim on the table.
func (t *table) enter(claims []polite.Claim, m member, now int64) (polite.Denial, bool, error) {
	var keys [2]keyHash
	var slots [2]slot
	var at [2]int64
	pointers := [2]*slot{&slots[0], &slots[1]}
	other := int64(-1)
	for i, c := range claims {
		var err error
		keys[i] = hashOf(c.Key)
		if slots[i], at[i], err = t.find(keys[i], other, int64(c.Rest), now); err != nil {
			return polite.Denial{}, true, err
		}
		other = at[i]
	}
	d, ok := claim(pointers[:len(claims)], claims, m, now)
	for i := range claims {
		if !ok && i > d.Claim {
			break // not looked at
		}
		if err := t.put(keys[i], &slots[i], at[i], now); err != nil {
			return polite.Denial{}, true, err
		}
	}
	return d, ok, nil
}

// leave ends stays on the table.
func (t *table) leave(stays []polite.Stay, m member, now int64) error {
	for _, st := range stays {
		key := hashOf(st.Key)
		s, at, err := t.find(key, -1, 0, now)
		if err != nil {
			return err
		}
		s.leave(st, m, now)
		if err := t.put(key, &s, at, now); err != nil {
			return err
		}
	}
	return nil
}
