package near

import (
	"cmp"
	"slices"
	"time"
)

// Grouper puts the texts of a whole collection into groups of near-duplicates, where an Index sees one after the
// other. Two texts are in one group if a chain of texts leads from one to the other in which neighbours have at least
// the wanted resemblance. The groups do not depend on the order in which texts come.
//
// Equal minhashes are kept once, so a collection with many captures of the same text costs little: about 270 bytes for
// each different text and 24 for each capture; Groups needs 16 bytes more per text and band for a while, one band
// after the other. Time is that of sorting, and of comparing the texts that share a band with the groups found in it.
type Grouper struct {
	threshold float64
	rows      int
	number    map[Minhash]int32
	texts     []Minhash
	captures  []capture
}

// capture is one occurrence of a text.
type capture struct {
	id   uint64
	at   int64 // unix nanoseconds
	text int32
}

// Group is a set of near-duplicates.
type Group struct {
	IDs         []uint64  // in order of time, the first seen first
	Texts       int       // different minhashes among them
	First, Last time.Time // when the first and the last of them were seen
}

// NewGrouper makes a grouper for texts of at least the given resemblance.
func NewGrouper(threshold float64) *Grouper {
	threshold = min(max(threshold, 1.0/Permutations), 1)
	return &Grouper{threshold: threshold, rows: rowsFor(threshold), number: map[Minhash]int32{}}
}

// Add notes a text that was seen at a time.
func (g *Grouper) Add(id uint64, at time.Time, m *Minhash) {
	n, known := g.number[*m]
	if !known {
		n = int32(len(g.texts))
		g.number[*m] = n
		g.texts = append(g.texts, *m)
	}
	g.captures = append(g.captures, capture{id, at.UnixNano(), n})
}

// Len counts the captures that were added.
func (g *Grouper) Len() int { return len(g.captures) }

// Groups gives all groups, those of one capture too, in order of First.
func (g *Grouper) Groups() []Group {
	sets := newSets(len(g.texts))
	for band := range Permutations / g.rows {
		g.unite(band, sets)
	}
	return g.collect(sets)
}

// entry is the band of a text.
type entry struct {
	hash uint64
	text int32
}

// unite joins the texts that share a band and resemble each other. In each bucket a text is compared with one text of
// every group that is there; texts of one group that met in another band are not compared again.
func (g *Grouper) unite(band int, s sets) {
	list := make([]entry, len(g.texts))
	for i := range g.texts {
		h := uint64(hashSeed)
		for _, v := range g.texts[i][band*g.rows : (band+1)*g.rows] {
			h = mix(h ^ uint64(v))
		}
		list[i] = entry{h, int32(i)}
	}
	// Equal bands in an order that depends on the texts only, so that the comparisons do not depend on who came first.
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), slices.Compare(g.texts[a.text][:], g.texts[b.text][:]))
	})
	for from := 0; from < len(list); {
		to := from + 1
		for to < len(list) && list[to].hash == list[from].hash {
			to++
		}
		if to-from > 1 {
			g.bucket(list[from:to], s)
		}
		from = to
	}
}

// bucket joins the texts of one bucket.
func (g *Grouper) bucket(list []entry, s sets) {
	for i, e := range list {
		for _, o := range list[max(0, i-compared):i] {
			if s.find(o.text) != s.find(e.text) && g.texts[o.text].Similarity(&g.texts[e.text]) >= g.threshold {
				s.join(o.text, e.text)
			}
		}
	}
}

// compared bounds the comparisons of a text within a bucket: buckets of thousands are texts that share a menu. Real
// neighbours meet in other bands as well.
const compared = 256

// collect makes groups of sets.
func (g *Grouper) collect(s sets) []Group {
	order := slices.Clone(g.captures)
	slices.SortFunc(order, func(a, b capture) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id)) })
	place := make(map[int32]int)
	var groups []Group
	counted := make([]bool, len(g.texts))
	for _, c := range order {
		root := s.find(c.text)
		i, ok := place[root]
		if !ok {
			i = len(groups)
			place[root] = i
			groups = append(groups, Group{First: time.Unix(0, c.at).UTC()})
		}
		x := &groups[i]
		x.IDs, x.Last = append(x.IDs, c.id), time.Unix(0, c.at).UTC()
		if !counted[c.text] {
			counted[c.text] = true
			x.Texts++
		}
	}
	return groups
}

// sets is a forest of disjoint sets (union by size, path halving).
type sets []int32 // the parent, or the negative size of a root

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = -1
	}
	return s
}

func (s sets) find(i int32) int32 {
	for s[i] >= 0 {
		if p := s[i]; s[p] >= 0 {
			s[i] = s[p]
		}
		i = s[i]
	}
	return i
}

func (s sets) join(a, b int32) {
	a, b = s.find(a), s.find(b)
	if a == b {
		return
	}
	if s[a] > s[b] { // b is larger
		a, b = b, a
	}
	s[a] += s[b]
	s[b] = a
}
