package near

import (
	"container/list"
	"math"
)

// Index groups texts by resemblance. It keeps one text of each group, the first, and at most a given
// number of groups: the one not met for longest is forgotten. It is not safe for concurrent use.
type Index struct {
	threshold float64
	rows      int
	most      int
	members   map[uint64]*list.Element // by id
	recent    *list.List               // of *member, last met first
	buckets   map[bucket][]*member
}

// member is the first text of a group.
type member struct {
	id   uint64
	hash Minhash
}

// bucket is one band of one text.
type bucket struct {
	band uint16
	hash uint64
}

// Match is a group that a text belongs to.
type Match struct {
	ID         uint64  // of the first text of the group
	Similarity float64 // to that text, estimated
}

// NewIndex makes an index for texts of at least the given resemblance.
func NewIndex(threshold float64, most int) *Index {
	return &Index{
		threshold: min(max(threshold, 1.0/Permutations), 1), rows: rowsFor(threshold), most: max(most, 1),
		members: map[uint64]*list.Element{}, recent: list.New(), buckets: map[bucket][]*member{},
	}
}

// rowsFor gives the widest band with which a pair at the threshold is met with probability 0.99.
func rowsFor(threshold float64) int {
	for _, r := range []int{16, 8, 4, 2} {
		if MeetProbability(threshold, r) >= 0.99 {
			return r
		}
	}
	return 1
}

// MeetProbability is the probability that two texts agree in at least one band of r rows.
func MeetProbability(resemblance float64, r int) float64 {
	return 1 - math.Pow(1-math.Pow(resemblance, float64(r)), float64(Permutations/r))
}

// Len counts the groups.
func (x *Index) Len() int { return len(x.members) }

// Add puts a text into the group it is most similar to, or begins a new one with it. It tells which, and
// whether it was there before.
func (x *Index) Add(id uint64, m *Minhash) (Match, bool) {
	if best, ok := x.find(m); ok {
		x.recent.MoveToFront(x.members[best.ID])
		return best, true
	}
	if _, known := x.members[id]; known { // the same id with another text: the old one is out of date
		x.Remove(id)
	}
	for len(x.members) >= x.most {
		x.Remove(x.recent.Back().Value.(*member).id)
	}
	e := &member{id: id, hash: *m}
	x.members[id] = x.recent.PushFront(e)
	for band := range Permutations / x.rows {
		b := x.bucket(band, m)
		if list := x.buckets[b]; len(list) < maxBucket {
			x.buckets[b] = append(list, e)
		}
	}
	return Match{ID: id, Similarity: 1}, false
}

// maxBucket bounds the candidates of one band. Texts that share a menu but little else fill such buckets;
// near ones meet in other bands too.
const maxBucket = 16

// Find gives the group a text belongs to, without adding it.
func (x *Index) Find(m *Minhash) (Match, bool) { return x.find(m) }

func (x *Index) find(m *Minhash) (best Match, found bool) {
	for band := range Permutations / x.rows {
		for _, e := range x.buckets[x.bucket(band, m)] {
			s := m.Similarity(&e.hash)
			if s >= x.threshold && (!found || s > best.Similarity || s == best.Similarity && e.id < best.ID) {
				best, found = Match{e.id, s}, true
			}
		}
		if best.Similarity == 1 {
			break
		}
	}
	return best, found
}

// Remove forgets a group by the id of its first text.
func (x *Index) Remove(id uint64) {
	elem, ok := x.members[id]
	if !ok {
		return
	}
	e := elem.Value.(*member)
	delete(x.members, id)
	x.recent.Remove(elem)
	for band := range Permutations / x.rows {
		b := x.bucket(band, &e.hash)
		list := x.buckets[b]
		for i, o := range list {
			if o == e {
				list = append(list[:i:i], list[i+1:]...)
				break
			}
		}
		if len(list) == 0 {
			delete(x.buckets, b)
		} else {
			x.buckets[b] = list
		}
	}
}

// bucket hashes one band.
func (x *Index) bucket(band int, m *Minhash) bucket {
	h := uint64(hashSeed)
	for _, v := range m[band*x.rows : (band+1)*x.rows] {
		h = mix(h ^ uint64(v))
	}
	return bucket{uint16(band), h}
}
