package tool

import (
	"hash/maphash"
)

// MaxIDs is how many record ids of one file are remembered to find those used twice. The table
// then takes 128 MiB; a file of 1 GiB has some 100,000 records and takes 4 MiB.
const MaxIDs = 4 << 20

// idTable remembers where each id was first seen, by a 64-bit hash of it. It is a table with
// open addressing: 16 bytes a slot, at most half full. A hit is a suspicion: the caller reads the
// first record again and compares the ids themselves.
type idTable struct {
	slots []idSlot // length is a power of two
	used  int
	limit int // MaxIDs, smaller in tests
	over  int64
}

type idSlot struct {
	hash uint64 // 0: free
	at   int64
}

// idSeed differs from run to run, so that nobody can prepare ids that fall on one slot.
var idSeed = maphash.MakeSeed()

func hashID(id string) uint64 {
	if h := maphash.String(idSeed, id); h != 0 {
		return h
	}
	return 1
}

// seen looks up a hash; if it is new it is noted with its offset. Beyond the limit new hashes are
// only counted.
func (t *idTable) seen(hash uint64, at int64) (first int64, hit bool) {
	if 2*t.used >= len(t.slots) && t.used < t.limit {
		t.grow()
	}
	if len(t.slots) == 0 {
		return 0, false
	}
	i := t.find(hash)
	if t.slots[i].hash == hash {
		return t.slots[i].at, true
	}
	if t.used >= t.limit {
		t.over++
		return 0, false
	}
	t.slots[i] = idSlot{hash, at}
	t.used++
	return 0, false
}

func (t *idTable) find(hash uint64) int {
	mask := len(t.slots) - 1
	i := int(hash) & mask
	for t.slots[i].hash != 0 && t.slots[i].hash != hash {
		i = (i + 1) & mask
	}
	return i
}

func (t *idTable) grow() {
	old := t.slots
	t.slots = make([]idSlot, max(1024, 2*len(old)))
	for _, s := range old {
		if s.hash != 0 {
			t.slots[t.find(s.hash)] = s
		}
	}
}
