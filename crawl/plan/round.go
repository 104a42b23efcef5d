package plan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/coherence"
	"varve/coherence/changerate"
	"varve/crawl"
	"varve/crawl/frontier"
	"varve/text/layer"
)

// advance moves the groups on whose visits or revisits are over, and tells whether one was. A group's
// visits are over when nothing of it is queued or under way, but for guesses: these come after the
// revisits, so that they cost no coherence. Groups that no seed is in wait for those with one, which find
// their pages.
func (c *Stage) advance() (bool, error) {
	c.step.Lock()
	defer c.step.Unlock()
	moved := false
	for {
		due := c.due()
		for _, g := range due {
			do := c.next(g) // the steps of others may have changed it
			if do == nil {
				continue
			}
			moved = true
			if err := do(g); err != nil {
				return moved, fmt.Errorf("group %s: %w", g.record.Name, err)
			}
		}
		if len(due) == 0 {
			return moved, nil
		}
	}
}

// due returns the groups that are to move on, in the order of their numbers: to their revisits, to a new order of them, or
// to the end of their round. Those that only wait for the groups with seeds are set aside until these are done, so that a
// crawl of many hosts does not look at all of them with each commit.
func (c *Stage) due() (list []*group) {
	now := c.r.Clock().Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.countSeeded()
	for g := range c.touched {
		switch {
		case c.stepOf(g, now) != nil:
			list = append(list, g)
		case g.dirty:
		default:
			delete(c.touched, g)
			if !g.record.Seeded && c.seeded > 0 && g.record.Now.Phase == crawl.PhaseVisits {
				c.aside[g] = struct{}{}
			}
		}
	}
	slices.SortFunc(list, func(a, b *group) int { return cmp.Compare(a.number, b.number) })
	return list
}

// next tells what a group is to do next; nil: go on.
func (c *Stage) next(g *group) func(*group) error {
	now := c.r.Clock().Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stepOf(g, now)
}

// stepOf tells what a group is to do next; nil: go on. The lock is held.
func (c *Stage) stepOf(g *group, now time.Time) func(*group) error {
	waiting, placed := g.revisits()
	switch rep := &g.record.Now; {
	case rep.Phase == crawl.PhaseRevisits && placed == 0:
		return c.endRound
	case rep.Phase == crawl.PhaseRevisits && c.isOff(g, now):
		return c.planAgain
	case rep.Phase == crawl.PhaseVisits && waiting+placed > 0 && c.visitsOver(g):
		return c.beginRevisits
	case rep.Phase == crawl.PhaseVisits && !c.def.Revisits() && rep.Visited > 0 && c.visitsOver(g):
		return c.endRound
	}
	return nil
}

// A plan of revisits is off when the pace is not what it was made for, by more than a quarter, and enough is left to be
// worth another; or when the time for revisits is used up.
const (
	maxOff  = 0.25
	minLeft = 32
)

func (c *Stage) isOff(g *group, now time.Time) bool {
	if c.timeIsUp(g, now) && g.cutRound != g.record.Now.Round {
		return true
	}
	for _, l := range g.lanes {
		if c.def.Revisit == coherence.Plan && l.placed >= minLeft && math.Abs(l.record.Pace-l.planned) > maxOff*l.planned {
			return true
		}
	}
	return false
}

// timeIsUp tells that the time for the revisits of a group is used up.
func (c *Stage) timeIsUp(g *group, now time.Time) bool {
	d := time.Duration(c.def.RevisitTime)
	return d > 0 && now.Sub(g.record.Now.Reference) > d
}

// planAgain orders what is left of a group's revisits anew. It may find nothing to order, because all
// that is left is under way: then too the plan is made for the pace and the time that are, or it would
// be asked for again at once, for ever.
func (c *Stage) planAgain(g *group) error {
	c.mu.Lock()
	for _, l := range g.lanes {
		l.planned = l.record.Pace
	}
	if c.timeIsUp(g, c.r.Clock().Now()) {
		g.cutRound = g.record.Now.Round
	}
	plan := planning{c: c, g: g, lanes: slices.Clone(g.lanes), round: uint32(g.record.Now.Round), again: true}
	c.mu.Unlock()
	plan.start = c.r.Clock().Now()
	return plan.make(func(rep *crawl.GroupReport) {
		rep.Replans++
		rep.Planned -= plan.skipped
		rep.Skipped += plan.skipped
	})
}

// countSeeded counts the groups with seeds that still visit. When there are none the others have their turn.
func (c *Stage) countSeeded() {
	for g := range c.touched {
		open := g.record.Seeded && !g.idle(c.closed)
		if open == g.counted {
			continue
		}
		if g.counted = open; open {
			c.seeded++
		} else {
			c.seeded--
		}
	}
	if c.seeded == 0 {
		maps.Copy(c.touched, c.aside)
		clear(c.aside)
	}
}

// visitsOver tells whether the visits of a group are over. The lock is held.
func (c *Stage) visitsOver(g *group) bool {
	return g.idle(c.closed) && (g.record.Seeded || c.seeded == 0)
}

// idle tells that nothing of the group waits for its visit or is under way. When no more visits are
// made, what waits does not count; what is under way is over by then.
func (g *group) idle(closed bool) bool {
	for _, l := range g.lanes {
		if l.queued > 0 && !l.shut && !l.parked && !closed {
			return false
		}
	}
	return true
}

func (g *group) revisits() (waiting, placed int64) {
	for _, l := range g.lanes {
		if !l.parked {
			waiting += l.waiting
			placed += l.placed
		}
	}
	return waiting, placed
}

// beginRevisits ends the visits of a group: it fixes the reference point, plans the revisits and gives
// each its turn. While that is done nothing of its hosts is given out, so a kill leaves either no turn
// taken, and all is planned again, or all turns fixed.
func (c *Stage) beginRevisits(g *group) error {
	c.mu.Lock()
	rep := c.change(g)
	if rep.Reference.IsZero() {
		rep.Reference = c.r.Clock().Now()
	}
	plan := planning{c: c, g: g, lanes: slices.Clone(g.lanes), round: uint32(rep.Round), start: rep.Reference}
	c.mu.Unlock()
	return plan.make(func(rep *crawl.GroupReport) {
		rep.Phase, rep.Planned, rep.Skipped = crawl.PhaseRevisits, plan.planned, plan.skipped
		rep.Forecast = plan.chance / float64(max(1, plan.planned))
		if plan.share.Pages() > 0 {
			rep.Forecast = plan.share.Expected()
			rep.ForecastLow, rep.ForecastHigh = plan.share.Interval(changerate.Level)
		}
		rep.Expected = plan.expected
	})
}

// endRound closes the books of a round. What was found meanwhile makes the next.
func (c *Stage) endRound(g *group) error {
	c.mu.Lock()
	rep := c.change(g)
	rep.Phase, rep.Ended = crawl.PhaseOver, c.r.Clock().Now()
	if rep.Reference.IsZero() {
		rep.Reference = rep.Ended
	}
	settleReport(rep)
	done := copyOf(rep)
	g.record.Past = append(g.record.Past, done)
	if len(g.record.Past) > maxPast {
		g.record.Past = g.record.Past[1:]
	}
	g.record.Now = c.newRound(g.record.Name, done.Round+1)
	g.record.Now.Visited, g.record.Early = g.record.Early, 0
	for _, l := range g.lanes {
		l.record.Begun = time.Time{}
		c.stir(l)
	}
	notes, err := c.notes()
	c.mu.Unlock()
	if err == nil {
		_, err = c.r.Frontier().Place(notes)
	}
	c.r.Event("round", eventFields(&done)...)
	return err
}

// load makes the index of a crawl that is resumed from what the frontier has.
func (c *Stage) load() error {
	notes, err := c.r.Frontier().Notes("group ", "lane ")
	if err != nil {
		return err
	}
	if err := c.loadGroups(notes); err != nil {
		return err
	}
	for cursor := ""; ; {
		list, next, err := c.r.Frontier().List("", cursor, 1000)
		if err != nil {
			return err
		}
		for i := range list {
			c.loadItem(&list[i].Item)
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	_, err = c.advance() // a kill may have come between the end of a phase and the next
	return err
}

// loadGroups reads the records of the groups.
func (c *Stage) loadGroups(notes map[string][]byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	unreadable := func(name string, err error) error {
		return &varve.Error{Kind: varve.Internal, Op: "resume crawl", Msg: name + " cannot be read", Err: err}
	}
	c.kept = map[string]*laneRecord{}
	for name, note := range notes {
		var number uint32
		if strings.HasPrefix(name, "lane ") {
			rec := &laneRecord{}
			if err := json.Unmarshal(note, rec); err != nil {
				return unreadable(name, err)
			}
			c.kept[name] = rec
			continue
		}
		if _, err := fmt.Sscanf(name, groupFormat, &number); err != nil || number >= maxGroups+1 {
			continue
		}
		var rec groupRecord
		if err := json.Unmarshal(note, &rec); err != nil {
			return unreadable(name, err)
		}
		if rec.Now.Unchanged == nil {
			rec.Now.Unchanged = map[layer.Name]int64{}
		}
		if rec.Now.Rates == nil {
			rec.Now.Rates = map[string]int64{}
		}
		c.addGroup(rec, number)
	}
	return nil
}

// loadItem puts a queued URL into the index.
func (c *Stage) loadItem(it *frontier.Item) {
	c.watch(frontier.Entered, it)
	if !crawl.IsAgain(it.Key) {
		return
	}
	first, err := parseFirst(it.Meta)
	if err == nil && c.pool != nil {
		c.pool.Told(changerate.Subject{URL: it.URL, MIME: first.mime}, first.own)
	}
	if err != nil || !first.placed {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if int(first.group) >= len(c.numbers) || c.numbers[first.group] == nil {
		return
	}
	l := c.laneOf(c.numbers[first.group], it.Host)
	l.waiting--
	l.placed++
}

// planning gives the revisits of a group, or what is left of them, their turns. Each lane is planned by
// itself, from the same instant on.
type planning struct {
	c     *Stage
	g     *group
	lanes []*lane
	round uint32
	start time.Time // of the revisits
	again bool      // of what is left: pages without a turn are not of this plan

	planned, skipped int64
	chance           float64 // sum of the chances of pages to be found unchanged, by given rates
	share            changerate.Share
	expected         int
}

// make plans, and stores the turns and then, with the last of them, what note writes into the record.
// While that is done nothing of the hosts is given out, so a kill leaves no turn taken, and all is
// planned again, or all turns fixed.
func (p *planning) make(note func(*crawl.GroupReport)) error {
	c := p.c
	for _, l := range p.lanes {
		c.r.Frontier().Only(l.host, bandAgain)
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
func (c *Stage) unbar(l *lane) {
	c.mu.Lock()
	band := uint8(frontier.AllBands)
	if l.shut {
		band = bandUrgent
	}
	c.mu.Unlock()
	c.r.Frontier().Only(l.host, band)
	c.r.Wake()
}

func (p *planning) store(note func(*crawl.GroupReport)) error {
	c := p.c
	c.mu.Lock()
	rep := c.change(p.g)
	note(rep)
	told := copyOf(rep)
	notes, err := c.notes()
	c.mu.Unlock()
	if err == nil {
		_, err = c.r.Frontier().Place(notes)
	}
	c.r.Event("plan", planFields(&told)...)
	return err
}

// lane plans one lane: it reads what was visited, orders it, and reads it again to give out turns.
func (p *planning) lane(l *lane) error {
	var visited []coherence.Visited
	beliefs := map[uint64]believed{}
	p.c.mu.Lock()
	lasts := l.lasts().Seconds()
	p.c.mu.Unlock()
	err := p.scan(l, func(it frontier.Item, first *firstLook) error {
		v := coherence.Visited{ID: first.seq, Rate: first.rate, At: first.at.Sub(p.start).Seconds()}
		if pool := p.c.pool; pool != nil {
			b := pool.Belief(changerate.Subject{URL: it.URL, MIME: first.mime}, first.own, true)
			beliefs[v.ID] = believed{b, v.At}
			v.Rate = b.Over(lasts)
		}
		visited = append(visited, v)
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
			if b, ok := beliefs[r.ID]; ok {
				p.share.Add(b.Belief, r.At-b.at)
			}
		}
	}
	p.planned += int64(len(turns))
	p.expected += l.expected
	return p.give(l, turns)
}

// believed is what is believed of a page that was visited.
type believed struct {
	changerate.Belief
	at float64 // of its visit, seconds before the revisits
}

// startOf stands for the reference point among the visited pages: RevisitOrder leaves out the page
// that was visited last, as the seed does, but here every page is to be revisited.
const startOf = ^uint64(0)

// revisitOrder orders revisits that begin at the instant 0.
func (c *Stage) revisitOrder(visited []coherence.Visited, l *lane, budget int) []coherence.Revisit {
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
		if _, err := c.r.Frontier().Place(nil, b.places...); err != nil {
			return err
		}
	}
	if len(b.beyond) > 0 {
		if _, err := c.r.Frontier().Finish(b.beyond...); err != nil {
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
		list, next, err := p.c.r.Frontier().List(l.host, cursor, placeStep)
		if err != nil {
			return err
		}
		for i := range list {
			it := list[i].Item
			if !crawl.IsAgain(it.Key) {
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
