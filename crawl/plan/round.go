package plan

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/coherence"
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
		g, do := c.due()
		if g == nil {
			return moved, nil
		}
		moved = true
		if err := do(g); err != nil {
			return moved, fmt.Errorf("group %s: %w", g.record.Name, err)
		}
	}
}

// due gives the first group that is to move on, and how: to its revisits, to a new order of them, or to the end of
// its round.
func (c *Stage) due() (first *group, do func(*group) error) {
	now := c.r.Clock().Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.countSeeded()
	for g := range c.touched {
		if first != nil && first.number < g.number {
			continue
		}
		if step := c.stepOf(g, now); step != nil {
			first, do = g, step
			continue
		}
		if waiting, placed := g.revisits(); !g.dirty && (g.record.Seeded || waiting+placed == 0) {
			delete(c.touched, g)
		}
	}
	return first, do
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

// countSeeded counts the groups with seeds that still visit.
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
	first, err := parseFirst(it.Meta)
	if !crawl.IsAgain(it.Key) || err != nil || !first.placed {
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
