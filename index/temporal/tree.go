package temporal

import (
	"encoding/binary"
	"fmt"
	"math"
)

// interval is [lo, hi) in seconds, of version id.
type interval struct{ lo, hi, id uint32 }

// forever is the end of a validity that is open.
const forever = math.MaxUint32

const (
	fan     = 16          // intervals of a leaf, and nodes below a node
	leaf    = 3 * fan * 4 // bytes of a leaf: sixteen ends, ids and starts
	node    = 2 * 4       // bytes of a node: greatest and least end below it
	maxDeep = 8           // levels of the pyramid: 16^8 leaves are more than a uint32 counts
)

// tree is a tree of intervals in the bytes of a file.
//
//	leaves   leaf 0: hi*16 id*16 lo*16 ┃ leaf 1 ┃ ...     sorted by lo, then id
//	level 1  node of leaf 0: max min ┃ node of leaf 1 ┃ ...
//	level 2  node of 16 nodes of level 1 ┃ ...
//	...      until one node is left
type tree struct {
	file   *pages
	n      int // intervals
	leaves int64
	levels []int64 // offsets of the levels, from 1
	sizes  []int   // nodes of each
}

// layout computes where the parts of a tree of n intervals lie.
func layout(n int, start int64) (leaves int64, levels []int64, sizes []int, end int64) {
	count := (n + fan - 1) / fan
	end = start + int64(count)*leaf
	for count > 0 {
		levels, sizes = append(levels, end), append(sizes, count)
		end += int64(count) * node
		if count == 1 {
			break
		}
		count = (count + fan - 1) / fan
	}
	return start, levels, sizes, end
}

func (t *tree) word(off int64) uint32 {
	return binary.LittleEndian.Uint32(t.file.at(off))
}

func (t *tree) lo(i int) uint32 {
	return t.word(t.leaves + int64(i/fan)*leaf + int64(2*fan+i%fan)*4)
}

// below gives the number of intervals whose start is less than v.
func (t *tree) below(v uint32) int {
	a, b := 0, t.n
	for a < b {
		m := a + (b-a)/2
		if t.lo(m) < v {
			a = m + 1
		} else {
			b = m
		}
	}
	return a
}

// visit gives all intervals at positions from <= i < to whose end is in [least, most], in the order
// of their starts, until f answers false.
func (t *tree) visit(from, to int, least, most uint32, f func(interval) bool) error {
	if from < to && len(t.levels) > 0 {
		v := visitor{t: t, from: from, to: to, least: least, most: most, f: f}
		v.nodes(len(t.levels)-1, 0, t.sizes[len(t.sizes)-1])
	}
	return t.file.err()
}

type visitor struct {
	t           *tree
	from, to    int
	least, most uint32
	f           func(interval) bool
}

// nodes looks at nodes first <= k < end of a level (0 is the one above the leaves).
func (v *visitor) nodes(level, first, end int) bool {
	span := fan // intervals below a node
	for range level {
		span *= fan
	}
	first = max(first, v.from/span)
	end = min(end, (v.to+span-1)/span)
	base := v.t.levels[level]
	for k := first; k < end; k++ {
		b := v.t.file.at(base + int64(k)*node)
		if binary.LittleEndian.Uint32(b) < v.least || binary.LittleEndian.Uint32(b[4:]) > v.most {
			continue
		}
		if level == 0 {
			if !v.leaf(k) {
				return false
			}
		} else if !v.nodes(level-1, k*fan, min((k+1)*fan, v.t.sizes[level-1])) {
			return false
		}
	}
	return true
}

func (v *visitor) leaf(k int) bool {
	b := v.t.file.at(v.t.leaves + int64(k)*leaf)[:leaf]
	first := max(0, v.from-k*fan)
	end := min(fan, v.to-k*fan)
	for i := first; i < end; i++ {
		hi := binary.LittleEndian.Uint32(b[i*4:])
		if hi < v.least || hi > v.most {
			continue
		}
		id := binary.LittleEndian.Uint32(b[(fan+i)*4:])
		lo := binary.LittleEndian.Uint32(b[(2*fan+i)*4:])
		if !v.f(interval{lo, hi, id}) {
			return false
		}
	}
	return true
}

// Relation is how the validity of a version and the question lie to each other.
type Relation string

// The relations.
const (
	Alive      Relation = "alive"      // valid at an instant: stabbing
	Inside     Relation = "inside"     // valid within a span only: containment A
	Contains   Relation = "contains"   // valid throughout a span: containment B
	Intersects Relation = "intersects" // valid at some instant of a span
)

// ask gives all intervals with a relation to [s, e); e does not count for Alive.
func (t *tree) ask(rel Relation, s, e uint32, f func(interval) bool) error {
	switch rel {
	case Alive:
		return t.visit(0, t.below(add(s, 1)), add(s, 1), forever, f)
	case Inside:
		return t.visit(t.below(s), t.below(e), 0, e, f)
	case Contains:
		return t.visit(0, t.below(add(s, 1)), e, forever, f)
	case Intersects:
		return t.visit(0, t.below(e), add(s, 1), forever, f)
	}
	return fmt.Errorf("%w: relation %q: want alive, inside, contains or intersects", ErrQuery, rel)
}

func add(a, b uint32) uint32 {
	if a > forever-b {
		return forever
	}
	return a + b
}
