package simulate

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
)

// What could be done with full knowledge of all changes. Distances are in slots from the reference
// point, the end of the visits: visits have the distances 0..n-1 before it, revisits 0..n-1 after
// it. A page whose last change before the reference point lies back steps before it, and the next
// ahead steps after it, is coherent when its visit has a distance below back and its revisit one
// below ahead. So each visit and each revisit has a deadline, counted from the middle.
//
// That the page visited at distance 0 is the one not revisited is left out of account: the limits
// are too generous by one page at most.

// optimum is the highest number of coherent pages that any order of visits and any order of
// revisits has: the largest set that keeps all deadlines of visits and all of revisits. Pages are
// taken up by the deadline of the visit; when the set would miss a deadline of either kind, the
// page with the earliest deadline of the revisit is given up. (All pages in the set have the same
// worth for visits still to be placed, so that the one that is hardest to revisit is the one to
// lose.)
func optimum(back, ahead []float64) int {
	n := len(back)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	visit := func(i int) int { return deadline(back[i], n) }
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(visit(a), visit(b)) })
	kept := &deadlines{}
	slack := newSlack(n)
	for _, i := range order {
		r := deadline(ahead[i], n)
		heap.Push(kept, r)
		slack.add(r, -1)
		if kept.Len() > visit(i) || slack.least() < 0 {
			slack.add(heap.Pop(kept).(int), 1)
		}
	}
	return kept.Len()
}

// deadline is the number of slots of a distance below x.
func deadline(x float64, n int) int { return int(min(math.Ceil(x), float64(n))) }

// worst is the lowest number of coherent pages that any order of visits and revisits has: all
// pages less the most that can be given a visit or a revisit at which they have changed. In the
// row of visits from the middle outwards and then revisits from the outside inwards, the slots at
// which a page has changed stand side by side; so the greedy rule is exact (Glover, 1967): each slot
// takes the page that has to be served first.
func worst(back, ahead []float64) int {
	n := len(back)
	type span struct{ from, to int }
	var spans []span
	for i := range back {
		s := span{deadline(back[i], n), 2*n - 1 - deadline(ahead[i], n)}
		if s.from <= s.to {
			spans = append(spans, s)
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	open, broken := &deadlines{}, 0
	for slot, next := 0, 0; slot < 2*n; slot++ {
		for ; next < len(spans) && spans[next].from <= slot; next++ {
			heap.Push(open, spans[next].to)
		}
		for open.Len() > 0 && (*open)[0] < slot {
			heap.Pop(open)
		}
		if open.Len() > 0 {
			heap.Pop(open)
			broken++
		}
	}
	return n - broken
}

// deadlines is a heap, the earliest first.
type deadlines []int

// Len is the number of deadlines.
func (d deadlines) Len() int { return len(d) }

// Less tells which is earlier.
func (d deadlines) Less(i, j int) bool { return d[i] < d[j] }

// Swap exchanges two.
func (d deadlines) Swap(i, j int) { d[i], d[j] = d[j], d[i] }

// Push adds a deadline.
func (d *deadlines) Push(x any) { *d = append(*d, x.(int)) }

// Pop takes the last one.
func (d *deadlines) Pop() any {
	old := *d
	x := old[len(old)-1]
	*d = old[:len(old)-1]
	return x
}

// slack knows, for every y in 0..n, y less the number of deadlines up to y, and the least of them:
// a tree of minima to which ranges are added.
type slack struct {
	size int
	min  []int // of the subtree, with what was added to it
	all  []int // added to the whole subtree
}

func newSlack(n int) *slack {
	s := &slack{size: 1}
	for s.size < n+1 {
		s.size *= 2
	}
	s.min, s.all = make([]int, 2*s.size), make([]int, 2*s.size)
	for y := range s.size {
		s.min[s.size+y] = y
	}
	for i := s.size - 1; i > 0; i-- {
		s.min[i] = min(s.min[2*i], s.min[2*i+1])
	}
	return s
}

func (s *slack) least() int { return s.min[1] }

// add adds v for all y from a deadline on.
func (s *slack) add(from, v int) {
	i := s.size + from
	s.min[i] += v
	s.all[i] += v
	for ; i > 1; i /= 2 {
		if i%2 == 0 { // the right neighbour is wholly above
			s.min[i+1] += v
			s.all[i+1] += v
		}
		s.min[i/2] = min(s.min[i/2*2], s.min[i/2*2+1]) + s.all[i/2]
	}
}
