package coherence

import "math"

// Planner has the pages of one group that wait to be visited and says which comes next. It is
// deterministic and not safe for concurrent use.
type Planner struct {
	opt     Options
	queue   queue
	waiting map[uint64]Candidate
	rates   []float64 // of all pages ever discovered: what those not yet found may be like
	elapsed float64   // time since the first visit
	visited int
	plain   int     // pages that wait and take the pace
	cost    float64 // sum over the others that wait
	window  *window // nil: all pages that wait are chosen among
}

// queue orders the pages that wait.
type queue interface {
	add(Candidate)
	remove(Candidate)
	rerate(old, pg Candidate)
	take(*Planner) uint64 // only called when pages wait
	unsettle()            // an estimate moved
}

// NewPlanner gives a planner for one group of pages.
func NewPlanner(s Strategy, o Options) (*Planner, error) {
	s, err := ParseStrategy(string(s))
	if err != nil {
		return nil, err
	}
	p := &Planner{opt: o.withDefaults(), waiting: map[uint64]Candidate{}}
	p.queue = newQueue(s, p.opt)
	if o.Focus {
		p.window = newWindow(p.opt.Leeway)
	}
	return p, nil
}

func newQueue(s Strategy, o Options) queue {
	switch {
	case s == BFS:
		return &line{}
	case s == DFS:
		return &line{lifo: true}
	case s == InducibleThreshold && o.Revisit:
		return byThreshold(o.Eta)
	case s == SHARC && o.Revisit:
		return byThreshold(hopeless)
	case s == Varve && o.Revisit:
		return newPlanned(Arrange, sketch)
	}
	return newRanked(s)
}

func byThreshold(eta float64) queue {
	rule := func(l, gaps []float64) []int { return Threshold(l, gaps, eta) }
	return newPlanned(rule, rule)
}

// Discover adds a page that was found. A page that waits already keeps its place, and takes a new
// rate when one is known.
func (p *Planner) Discover(pg Candidate) {
	if p.waits(pg.ID) {
		if finite(pg.Rate) {
			p.SetRate(pg.ID, pg.Rate)
		}
		return
	}
	pg = p.clean(pg)
	p.rates = append(p.rates, pg.Rate)
	pg.seq = uint64(len(p.rates))
	if p.window == nil {
		p.insert(pg)
		return
	}
	p.window.put(pg, false)
	p.fit()
}

// waits reports whether a page waits to be visited.
func (p *Planner) waits(id uint64) bool {
	if _, ok := p.waiting[id]; ok || p.window == nil {
		return ok
	}
	_, ok := p.window.outside[id]
	return ok
}

// clean puts usable values in place of unknown ones.
func (p *Planner) clean(pg Candidate) Candidate {
	if !finite(pg.Rate) {
		pg.Rate = p.opt.Prior
	}
	if !(pg.Cost > 0) || math.IsInf(pg.Cost, 1) {
		pg.Cost = 0
	}
	if !finite(pg.Age) {
		pg.Age = 0
	}
	if !finite(pg.Value) {
		pg.Value = 0
	}
	return pg
}

func (p *Planner) insert(pg Candidate) {
	p.waiting[pg.ID] = pg
	p.count(pg, 1)
	p.queue.add(pg)
	if p.window != nil {
		p.window.put(pg, true)
	}
}

// count adds a page to the time that those waiting will take, or takes it out.
func (p *Planner) count(pg Candidate, sign int) {
	if pg.Cost == 0 {
		p.plain += sign
	} else {
		p.cost = max(0, p.cost+float64(sign)*pg.Cost)
	}
}

// left is the time that all visits still to come will take.
func (p *Planner) left() float64 { return p.cost + float64(p.plain+p.hidden())*p.opt.Pace }

// SetRate says that the rate of a page that waits is now better known.
func (p *Planner) SetRate(id uint64, rate float64) {
	if p.window != nil {
		if pg, out := p.window.outside[id]; out && finite(rate) {
			pg.Rate = rate
			p.window.outside[id] = pg
			return
		}
	}
	pg, ok := p.waiting[id]
	if !ok || !finite(rate) || rate == pg.Rate {
		return
	}
	old := pg
	pg.Rate = rate
	p.waiting[id] = pg
	p.queue.rerate(old, pg)
}

// Remove takes a page out that will not be visited, and tells whether it waited.
func (p *Planner) Remove(id uint64) bool {
	pg, ok := p.waiting[id]
	switch {
	case ok:
		p.queue.remove(pg)
		p.drop(pg)
	case p.waits(id):
		p.window.forget(id)
		return true
	default:
		return false
	}
	if p.window != nil {
		p.fit()
	}
	return true
}

func (p *Planner) drop(pg Candidate) {
	delete(p.waiting, pg.ID)
	p.count(pg, -1)
	if p.window != nil {
		p.window.forget(pg.ID)
	}
}

// Expect gives a new estimate of the number of all pages of the group, visited, waiting and not
// yet found: from a sitemap, an earlier capture or the curve of discovery.
func (p *Planner) Expect(n int) {
	if off(float64(p.opt.Expected), float64(n)) {
		p.queue.unsettle()
	}
	p.opt.Expected = n
}

// SetPace gives the measured time from one fetch to the next.
func (p *Planner) SetPace(pace float64) {
	if !(pace > 0) || math.IsInf(pace, 1) {
		return
	}
	if off(p.opt.Pace, pace) {
		p.queue.unsettle()
	}
	p.opt.Pace = pace
}

// off tells whether an estimate moved by more than a sixteenth.
func off(from, to float64) bool { return math.Abs(to-from)*16 > math.Abs(from) }

// SetElapsed gives the measured time since the first visit; else the planner adds up costs.
func (p *Planner) SetElapsed(t float64) {
	if finite(t) {
		p.elapsed = t
	}
}

// Len is the number of pages that wait.
func (p *Planner) Len() int {
	if p.window != nil {
		return len(p.waiting) + len(p.window.outside)
	}
	return len(p.waiting)
}

// Next takes out the page to visit next. It is false when none waits.
func (p *Planner) Next() (Candidate, bool) {
	if p.window != nil {
		p.fit()
	}
	if len(p.waiting) == 0 {
		return Candidate{}, false
	}
	pg := p.waiting[p.queue.take(p)]
	p.drop(pg)
	if pg.Cost > 0 {
		p.elapsed += pg.Cost
	} else {
		p.elapsed += p.opt.Pace
	}
	p.visited++
	return pg, true
}

// hidden is the expected number of pages that were not yet found, or wait outside the window.
func (p *Planner) hidden() int { return max(0, p.opt.Expected-p.visited-len(p.waiting)) }

// Order gives the order of visits when all pages are known from the start, as indexes of pages.
func Order(s Strategy, pages []Candidate, o Options) ([]int, error) {
	o.Expected = len(pages)
	p, err := NewPlanner(s, o)
	if err != nil {
		return nil, err
	}
	for i, pg := range pages {
		pg.ID = uint64(i)
		p.Discover(pg)
	}
	out := make([]int, 0, len(pages))
	for {
		pg, ok := p.Next()
		if !ok {
			return out, nil
		}
		out = append(out, int(pg.ID))
	}
}
