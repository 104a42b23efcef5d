package coherence

import "math"

// ranked holds pages by a key in a tree that knows the sizes of its subtrees, so that the page of
// any rank is taken in O(log n). What is taken is the strategy's choice:
//
//	hottest-first   the last
//	hottest-last    the first
//	freshness       the last, by utility
//	measurable      the hottest whose conflict since the start is below eta, else the coldest;
//	                inducible too, where there are no revisits
//	sharc, varve    at elapsed time x of n: that share x/(n-x) of those left has to be kept for the
//	                instants farther from the middle, which are all still to come: skip as many
type ranked struct {
	s    Strategy
	root *node
	keys map[uint64]nodeKey
}

func newRanked(s Strategy) *ranked {
	return &ranked{s: s, keys: map[uint64]nodeKey{}}
}

// key is what the strategy orders by.
func (q *ranked) key(pg Candidate) float64 {
	if q.s == Freshness {
		age := pg.Age
		if age == 0 {
			age = math.MaxFloat32 // never fetched: its last change is news, and the coldest lasts longest
		}
		return utility(pg.Rate, age)
	}
	return pg.Rate
}

func (q *ranked) add(pg Candidate) {
	k := nodeKey{q.key(pg), pg.seq}
	q.keys[pg.ID] = k
	q.root = insert(q.root, &node{nodeKey: k, id: pg.ID, size: 1, prio: scramble(pg.seq)})
}

func (q *ranked) remove(pg Candidate) {
	k := q.keys[pg.ID]
	delete(q.keys, pg.ID)
	q.root = remove(q.root, k)
}

func (q *ranked) rerate(old, pg Candidate) {
	q.remove(old)
	q.add(pg)
}

func (q *ranked) unsettle() {}

func (q *ranked) take(p *Planner) uint64 {
	n := at0(q.root, q.pick(p))
	n = at0(q.root, below(q.root, n.key)) // of equal ones that found first
	delete(q.keys, n.id)
	q.root = remove(q.root, n.nodeKey)
	return n.id
}

// pick is the rank, from the lowest key, of the page to take.
func (q *ranked) pick(p *Planner) int {
	last := q.root.size - 1
	switch q.s {
	case HottestLast:
		return 0
	case MeasurableThreshold, InducibleThreshold:
		// kappa = 1-exp(-l*x) < eta  <=>  l*x < -ln(1-eta)
		if p.elapsed <= 0 {
			return last
		}
		return max(0, below(q.root, -math.Log1p(-p.opt.Eta)/p.elapsed)-1)
	case SHARC, Varve:
		left := p.left()
		return min(last, int(p.elapsed/left*float64(q.root.size)+1e-9))
	}
	return last
}
