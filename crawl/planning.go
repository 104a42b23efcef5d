package crawl

import (
	"fmt"
	"time"

	"varve/coherence"
	"varve/crawl/frontier"
)

// planning gives the revisits of a group, or what is left of them, their turns. Each lane is planned by
// itself, from the same instant on.
type planning struct {
	c     *coherent
	g     *group
	lanes []*lane
	round uint32
	start time.Time // of the revisits
	again bool      // of what is left: pages without a turn are not of this plan

	planned, skipped int64
	chance           float64 // sum of the chances of pages to be found unchanged
	expected         int
}

// make plans, and stores the turns and then, with the last of them, what note writes into the record.
// While that is done nothing of the hosts is given out, so a kill leaves no turn taken, and all is
// planned again, or all turns fixed.
func (p *planning) make(note func(*GroupReport)) error {
	c := p.c
	for _, l := range p.lanes {
		c.r.frontier.Only(l.host, bandAgain)
	}
	var err error
	for _, l := range p.lanes {
		if err = p.lane(l); err != nil {
			break
		}
	}
	if err == nil {
		err = p.store(note)
	}
	for _, l := range p.lanes {
		c.unbar(l)
	}
	return err
}

// unbar lets the frontier give out what a lane's host may give.
func (c *coherent) unbar(l *lane) {
	c.mu.Lock()
	band := uint8(frontier.AllBands)
	if l.shut {
		band = bandUrgent
	}
	c.mu.Unlock()
	c.r.frontier.Only(l.host, band)
	c.r.Wake()
}

func (p *planning) store(note func(*GroupReport)) error {
	c := p.c
	c.mu.Lock()
	rep := c.change(p.g)
	note(rep)
	told := rep.copy()
	notes, err := c.notes()
	c.mu.Unlock()
	if err == nil {
		_, err = c.r.frontier.Place(notes)
	}
	c.r.events.add("plan", told.planFields()...)
	return err
}

// lane plans one lane: it reads what was visited, orders it, and reads it again to give out turns.
func (p *planning) lane(l *lane) error {
	var visited []coherence.Visited
	err := p.scan(l, func(_ frontier.Item, first *firstLook) error {
		visited = append(visited, coherence.Visited{ID: first.seq, Rate: first.rate, At: first.at.Sub(p.start).Seconds()})
		return nil
	})
	if err != nil || len(visited) == 0 {
		return err
	}
	turns := map[uint64]turn{}
	if budget := p.budget(l, len(visited)); budget > 0 {
		for k, r := range p.c.revisitOrder(visited, l, budget) {
			turns[r.ID] = turn{rank: uint64(k)}
			p.chance += r.Chance
		}
	}
	p.planned += int64(len(turns))
	p.expected += l.expected
	return p.give(l, turns)
}

// startOf stands for the reference point among the visited pages: RevisitOrder leaves out the page
// that was visited last, as the seed does, but here every page is to be revisited.
const startOf = ^uint64(0)

// revisitOrder orders revisits that begin at the instant 0.
func (c *coherent) revisitOrder(visited []coherence.Visited, l *lane, budget int) []coherence.Revisit {
	list := append(visited, coherence.Visited{ID: startOf})
	c.mu.Lock()
	l.planned = l.record.Pace
	o := coherence.Revisits{Kind: c.def.Revisit, Pace: l.planned, Budget: budget}
	c.mu.Unlock()
	if o.Budget >= len(visited) {
		o.Budget = 0 // all
	}
	order := coherence.RevisitOrder(list, o)
	out := order[:0]
	for _, r := range order {
		if r.ID != startOf {
			out = append(out, r)
		}
	}
	return out
}

// budget is how many of n pages of a lane may be revisited: its share of the pages, and what there is time for.
func (p *planning) budget(l *lane, n int) int {
	c := p.c
	c.mu.Lock()
	defer c.mu.Unlock()
	most := n
	if b := c.def.RevisitPages; b > 0 && !p.again { // those with a turn are within it
		all := int64(0)
		for _, l := range p.lanes {
			all += l.waiting + l.placed
		}
		most = min(most, int((b*int64(n)+all-1)/max(1, all)))
	}
	if d := time.Duration(c.def.RevisitTime); d > 0 {
		left := d - p.start.Sub(p.g.record.Now.Reference)
		most = min(most, max(0, int(left.Seconds()/l.record.Pace)))
	}
	return most
}

// placeStep is how many turns one commit gives out.
const placeStep = 1024

// turn is the place of a revisit among those of its lane.
type turn struct {
	rank  uint64
	given bool
}

// give stores the turns of a lane's pages. Pages without a turn are beyond the budget.
func (p *planning) give(l *lane, turns map[uint64]turn) error {
	b := batch{p: p, l: l}
	err := p.scan(l, func(it frontier.Item, first *firstLook) error {
		t, ok := turns[first.seq]
		switch {
		case t.given:
			return nil // met again at its new place
		case ok:
			turns[first.seq] = turn{t.rank, true}
			b.place(it.Key, t.rank, first)
		default:
			b.beyond = append(b.beyond, frontier.Result{Item: it, Verdict: frontier.Refused, Reason: beyondBudget})
		}
		if len(b.places)+len(b.beyond) < placeStep {
			return nil
		}
		return b.store()
	})
	if err != nil {
		return err
	}
	return b.store()
}

// beyondBudget is why a page is not revisited.
const beyondBudget = "budget of revisits used up"

// batch is what is stored together.
type batch struct {
	p      *planning
	l      *lane
	places []frontier.Placement
	beyond []frontier.Result
	fresh  int64 // of places: had none before
}

func (b *batch) place(key string, rank uint64, first *firstLook) {
	if !first.placed {
		b.fresh++
	}
	first.placed, first.round = true, b.p.round
	b.places = append(b.places, frontier.Placement{Key: key, Rank: rank, Meta: first.append(nil)})
}

func (b *batch) store() error {
	c := b.p.c
	if len(b.places) > 0 {
		if _, err := c.r.frontier.Place(nil, b.places...); err != nil {
			return err
		}
	}
	if len(b.beyond) > 0 {
		if _, err := c.r.frontier.Finish(b.beyond...); err != nil {
			return err
		}
		b.p.skipped += int64(len(b.beyond))
	}
	c.mu.Lock()
	b.l.waiting -= b.fresh
	b.l.placed += b.fresh
	c.mu.Unlock()
	b.places, b.beyond, b.fresh = b.places[:0], b.beyond[:0], 0
	return nil
}

// scan goes through the pages of a lane that wait for their revisit.
func (p *planning) scan(l *lane, do func(frontier.Item, *firstLook) error) error {
	for cursor := ""; ; {
		list, next, err := p.c.r.frontier.List(l.host, cursor, placeStep)
		if err != nil {
			return err
		}
		for i := range list {
			it := list[i].Item
			if !isAgain(it.Key) {
				continue
			}
			first, err := parseFirst(it.Meta)
			if err != nil {
				return fmt.Errorf("%s: %w", it.Key, err)
			}
			if first.group != p.g.number || p.again && !first.placed || list[i].State != frontier.Queued {
				continue
			}
			if err := do(it, first); err != nil {
				return err
			}
		}
		if cursor = next; cursor == "" {
			return nil
		}
	}
}
