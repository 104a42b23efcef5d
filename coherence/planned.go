package coherence

import (
	"cmp"
	"slices"
)

// planned is a queue for visits that will be followed by revisits. It keeps a plan, the order from
// the outermost position to the innermost, and pages that were found since. When these are a
// sixteenth of the plan, it plans anew.
//
// Pages expected but not yet found take part in the plan as placeholders with the rates of pages
// that were found, spread evenly: so that the first pages of a crawl are not taken for the last.
// Placeholders have no turn.
type planned struct {
	arrange arranger
	sketch  arranger    // in place of arrange while pages are still to be found
	plan    []Candidate // in reverse: the next is the last
	news    []Candidate
	gone    int // pages of the plan that were removed or have another rate
	stale   bool
	moved   map[uint64]bool // pages whose entry in plan or news does not count
}

// maxHidden bounds the placeholders in a plan, as a multiple of the pages that wait. More are
// stood for by longer intervals.
const maxHidden = 4

// arranger gives the pages that positions get, for rates in descending order.
type arranger func(l, gaps []float64) []int

func newPlanned(arrange, sketch arranger) *planned {
	return &planned{arrange: arrange, sketch: sketch, moved: map[uint64]bool{}}
}

func (q *planned) add(pg Candidate) { q.news = append(q.news, pg) }

func (q *planned) remove(Candidate) { q.gone++ }

// rerate leaves the old place in the plan until enough has changed.
func (q *planned) rerate(_, _ Candidate) { q.gone++ }

func (q *planned) unsettle() { q.stale = true }

func (q *planned) take(p *Planner) uint64 {
	for {
		if q.stale || len(q.plan) == 0 || 16*(len(q.news)+q.gone) > len(q.plan) {
			q.replan(p)
		}
		next := q.plan[len(q.plan)-1]
		q.plan = q.plan[:len(q.plan)-1]
		if _, ok := p.waiting[next.ID]; ok {
			return next.ID
		}
		q.gone-- // it was removed
	}
}

// replan puts all pages that wait into a new plan.
func (q *planned) replan(p *Planner) {
	pages := make([]Candidate, 0, len(p.waiting))
	for _, pg := range append(q.plan, q.news...) {
		if now, ok := p.waiting[pg.ID]; ok && !q.moved[pg.ID] {
			q.moved[pg.ID] = true
			pages = append(pages, now)
		}
	}
	clear(q.moved)
	hidden := min(p.hidden(), maxHidden*len(pages)+ExactLimit)
	stretch := float64(len(pages)+p.hidden()) / float64(len(pages)+hidden)
	arrange := q.arrange
	if hidden > 0 {
		arrange = q.sketch
	}
	order := outward(arrange, withHidden(pages, hidden, p.rates), p.opt.Pace*stretch)
	q.plan = q.plan[:0]
	for _, pg := range order {
		if pg.Cost >= 0 {
			q.plan = append(q.plan, pg)
		}
	}
	q.news, q.gone, q.stale = q.news[:0], 0, false
}

// withHidden adds placeholders, marked by a negative cost.
func withHidden(pages []Candidate, hidden int, rates []float64) []Candidate {
	for i := range hidden {
		pages = append(pages, Candidate{Rate: rates[i*len(rates)/hidden], Cost: -1})
	}
	return pages
}

// outward gives the pages from the innermost position to the outermost.
func outward(arrange arranger, pages []Candidate, pace float64) []Candidate {
	slices.SortFunc(pages, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Rate, a.Rate), cmp.Compare(a.seq, b.seq))
	})
	mean, even := meanCost(pages, pace)
	l := make([]float64, len(pages))
	for i, pg := range pages {
		l[i] = pg.Rate
	}
	at := arrange(l, Gaps(len(pages), mean))
	if even {
		firstFound(l, at)
	} else {
		at = settle(pages, at, pace)
	}
	out := make([]Candidate, len(pages))
	for k, i := range at {
		out[k] = pages[i]
	}
	return out
}

// firstFound gives, of pages of equal rate, the outer positions to those that were found first. The
// value is the same, and with nothing known about rates the order is that of discovery.
func firstFound(l []float64, at []int) {
	group := make([]int, len(l)) // first page of the same rate
	next := make([]int, len(l))
	for i := range l {
		if group[i] = i; i > 0 && l[i] == l[i-1] {
			group[i] = group[i-1]
		}
		next[i] = i
	}
	for k := len(at) - 1; k >= 0; k-- {
		g := group[at[k]]
		at[k] = next[g]
		next[g]++
	}
}

// meanCost is the mean time of a fetch, and whether all take the same.
func meanCost(pages []Candidate, pace float64) (mean float64, even bool) {
	sum, even := 0.0, true
	for _, pg := range pages {
		sum += costOf(pg, pace)
		even = even && costOf(pg, pace) == costOf(pages[0], pace)
	}
	if len(pages) == 0 {
		return pace, true
	}
	return sum / float64(len(pages)), even
}

func costOf(pg Candidate, pace float64) float64 {
	if pg.Cost > 0 {
		return pg.Cost
	}
	return pace
}
