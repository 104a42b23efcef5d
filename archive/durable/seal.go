package durable

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/atomicfs"
)

// ErrDamaged is that of a store that is not what was acknowledged: bytes of it were changed from outside, or the disk lost some.
var ErrDamaged = errors.New("the store is damaged")

// seal is what a store has to hold at least, kept beside it in the file "sealed". Pebble takes a record that cannot be read, at the
// end of its log or of its manifest, for one that a crash cut, and goes on without it and all that follows: right after a
// crash, and a silent step back after a flipped byte. So the seal keeps the number of the last commit that was acknowledged, and
// length and checksum of the manifest when it was last synced. Both are written after the fact, so a store is never behind its
// seal unless it lost something.
//
//	sealed:   two slots of 128 bytes, written in turn: the newest that can be read counts
//	slot:     "varve2", turn (8), commit (8), manifest number (8), its length (8), its CRC-32C (4), the last three again of the manifest
//	          before, CRC-32C of the slot (4); "varve1" has no manifest before
//
// The manifest before is there because Pebble syncs a new one before it is the one in use.
//
// A slot is written without a sync after each commit (a kill keeps it, a power cut may lose the last ones, and then less is
// checked), and with one when the manifest was synced and when the store is closed. Without the file nothing is checked.
type seal struct {
	order sync.Mutex // of commits; held while Pebble may wait for a flush, which syncs the manifest: so it is not mu
	next  uint64     // number of the last commit that was applied

	mu     sync.Mutex // all below
	file   vfs.File
	turn   uint64
	commit uint64 // acknowledged
	manifestMark
	before manifestMark             // of the manifest before it
	number map[*pebble.Batch]uint64 // of those under way
}

// manifestMark is what a manifest had when it was last synced.
type manifestMark struct {
	manifest uint64 // its number
	length   uint64
	sum      uint32
}

const (
	sealName  = "sealed"
	sealMagic = "varve2"
	sealFirst = "varve1"
	sealSlot  = 128
	firstUsed = len(sealMagic) + 4*8 + 4
	sealUsed  = firstUsed + 2*8 + 4
)

// keyCommit holds the number of the last commit, written with it. No other key of a store begins with a zero byte.
var keyCommit = []byte("\x00commit")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// openSeal reads the seal of a store and holds its manifest against it.
func openSeal(disk vfs.FS, dir string) (*seal, error) {
	s := &seal{number: map[*pebble.Batch]uint64{}}
	old, err := readWhole(disk, disk.PathJoin(dir, sealName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for slot := 0; slot+sealUsed+4 <= len(old); slot += sealSlot {
		s.take(old[slot : slot+sealUsed+4])
	}
	return s, s.checkManifest(disk, dir)
}

// create opens the file of the seal, or makes it. Pebble has opened the store before: it makes the folder so that a power cut keeps it,
// which it would not do for a folder that is there.
func (s *seal) create(disk vfs.FS, dir string) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file, err = disk.OpenReadWrite(disk.PathJoin(dir, sealName), vfs.WriteCategoryUnspecified); err != nil {
		return err
	}
	return s.write()
}

func readWhole(disk vfs.FS, path string) ([]byte, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// take reads a slot, if it is a whole one and newer than what was read.
func (s *seal) take(b []byte) {
	used := sealUsed
	if string(b[:len(sealMagic)]) == sealFirst {
		used = firstUsed
	} else if string(b[:len(sealMagic)]) != sealMagic {
		return
	}
	if crc32.Checksum(b[:used], castagnoli) != binary.BigEndian.Uint32(b[used:]) {
		return
	}
	n := b[len(sealMagic):used]
	if turn := binary.BigEndian.Uint64(n); turn > s.turn {
		s.turn, s.commit = turn, binary.BigEndian.Uint64(n[8:])
		s.manifestMark, s.before = readMark(n[16:]), manifestMark{}
		if used == sealUsed {
			s.before = readMark(n[36:])
		}
	}
}

func readMark(b []byte) manifestMark {
	return manifestMark{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:]), binary.BigEndian.Uint32(b[16:])}
}

func (m manifestMark) append(b []byte) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(b, m.manifest), m.length), m.sum)
}

// write puts the seal into the next slot.
func (s *seal) write() error {
	if s.file == nil {
		return nil // the store is being opened: create will write it
	}
	s.turn++
	b := make([]byte, 0, sealSlot)
	b = append(b, sealMagic...)
	for _, n := range []uint64{s.turn, s.commit} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	b = s.before.append(s.manifestMark.append(b))
	b = binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	_, err := s.file.WriteAt(b[:sealSlot], int64(s.turn%2)*sealSlot)
	return err
}

// checkManifest holds the manifest in use against what was sealed of it. One with a higher number is newer than the seal. Which one is in use, a marker
// says: a file with a higher number may be one that was not finished.
func (s *seal) checkManifest(disk vfs.FS, dir string) error {
	if s.manifest == 0 {
		return nil
	}
	name, err := atomicfs.ReadMarker(disk, dir, "manifest")
	if err != nil {
		return err
	}
	sealed := s.manifestMark
	switch number, ok := manifestNumber(name); {
	case ok && number == s.before.manifest:
		sealed = s.before
	case !ok || number != s.manifest:
		return nil // newer than the seal; or Pebble will miss it
	}
	b, err := readWhole(disk, disk.PathJoin(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // Pebble will miss it
	}
	if err != nil {
		return err
	}
	if uint64(len(b)) < sealed.length || crc32.Checksum(b[:sealed.length], castagnoli) != sealed.sum {
		return fmt.Errorf("%w: %s is not what was written (it has %d bytes; %d were sealed)", ErrDamaged, name, len(b), sealed.length)
	}
	return nil
}

// manifestNumber tells whether a file is a manifest of Pebble.
func manifestNumber(name string) (n uint64, ok bool) {
	digits, ok := strings.CutPrefix(name, "MANIFEST-")
	if !ok {
		return 0, false
	}
	_, err := fmt.Sscanf(digits, "%d", &n)
	return n, err == nil
}

// opened holds the last commit of an opened store against the seal.
func (s *seal) opened(db *pebble.DB) error {
	v, err := Get(db, keyCommit)
	if err != nil {
		return err
	}
	if v != nil {
		var n int
		if s.next, n = binary.Uvarint(v); n != len(v) {
			return fmt.Errorf("%w: the number of its last commit cannot be read", ErrDamaged)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next < s.commit {
		return fmt.Errorf("%w: %d commits were acknowledged, and it holds only the first %d of them", ErrDamaged, s.commit, s.next)
	}
	s.commit = s.next
	return nil
}

// apply numbers a batch and applies it: numbers and batches have the same order.
func (s *seal) apply(db *pebble.DB, b *pebble.Batch, o *pebble.WriteOptions) error {
	s.order.Lock()
	defer s.order.Unlock()
	if err := b.Set(keyCommit, binary.AppendUvarint(nil, s.next+1), nil); err != nil {
		return err
	}
	if err := db.ApplyNoSyncWait(b, o); err != nil {
		return err
	}
	s.next++
	s.mu.Lock()
	s.number[b] = s.next
	s.mu.Unlock()
	return nil
}

// acknowledged notes that a batch is durable, and with it all before it.
func (s *seal) acknowledged(b *pebble.Batch) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := s.number[b]
	delete(s.number, b)
	if !ok || n <= s.commit {
		return nil
	}
	s.commit = n
	return s.write()
}

// synced notes the manifest as it is on the disk.
func (s *seal) synced(m manifestMark) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.manifest < s.manifest || m == s.manifestMark {
		return nil
	}
	if m.manifest > s.manifest {
		s.before = s.manifestMark
	}
	s.manifestMark = m
	if s.file == nil {
		return nil
	}
	return errors.Join(s.write(), s.file.Sync())
}

// close makes the seal durable.
func (s *seal) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		return nil
	}
	return errors.Join(s.file.Sync(), s.file.Close())
}

// manifestSum follows what is written to a manifest.
type manifestSum struct{ manifestMark }

func newManifestSum(number uint64) *manifestSum {
	return &manifestSum{manifestMark{manifest: number}}
}

// with is the mark after p was written. It is asked before: files may change p while they write it.
func (m *manifestSum) with(p []byte) manifestMark {
	return manifestMark{m.manifest, m.length + uint64(len(p)), crc32.Update(m.sum, castagnoli, p)}
}
