package plan

import (
	"math"
	"time"

	"varve/crawl"
)

// Settle takes note of visits whose records are durable: it queues the revisits of pages with the commit
// of their visits, counts what revisits found, and notes the records of the groups.
func (c *Stage) Settle(visits []*crawl.Visit, notes *crawl.Notes) error {
	rates := make([]float64, len(visits))
	for i, v := range visits {
		if c.isPage(v) && c.def.Revisits() {
			rate, _ := c.rateOf(arrival{v.Item().Key, v.URL().String(), foundOf(v)}, v.Fetched())
			rates[i] = rate.Value
			if !rate.Known() {
				rates[i] = PriorRate
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, v := range visits {
		p := c.lookOf(v)
		if p == nil || v.Later() {
			continue
		}
		l := c.laneOf(p.group, v.Item().Host)
		c.keepPace(l, v)
		switch {
		case p.first != nil:
			c.settleAgain(l, v, p)
		case c.isPage(v):
			if c.def.Revisits() {
				v.Queue(c.againItem(v, p, l, rates[i]))
			}
			c.settlePage(l, v)
		}
	}
	changed, err := c.notes()
	for name, note := range changed {
		notes.Put(name, note)
	}
	return err
}

// Committed moves groups on whose visits or revisits are over with the last commit.
func (c *Stage) Committed() error {
	_, err := c.advance()
	return err
}

func foundOf(v *crawl.Visit) found {
	f, _ := parseFound(v.Item().Meta)
	return f
}

// isPage tells first looks at pages with an answer that a second one can be compared with.
func (c *Stage) isPage(v *crawl.Visit) bool {
	return c.lookOf(v) != nil && !v.Again() && v.Settles() && v.Status() > 0 && v.Status() < 400
}

// settlePage counts a page that was visited.
func (c *Stage) settlePage(l *lane, v *crawl.Visit) {
	rep := c.change(l.group)
	c.stir(l)
	l.record.Visited++
	if rep.Phase == crawl.PhaseRevisits {
		l.group.record.Early++ // it belongs to the next round
		return
	}
	rep.Visited++
	if rep.Begun.IsZero() {
		rep.Begun = v.Fetched()
	}
}

// settleAgain counts a revisit.
func (c *Stage) settleAgain(l *lane, v *crawl.Visit, p *pageLook) {
	if v.Refused() {
		p.outcome = outcome{}
	}
	count(c.change(l.group), p.outcome)
	c.stir(l)
	l.record.Revisited++
}

// paceMemory is the weight of the last interval in the mean.
const paceMemory = 0.2

// keepPace measures the time from one fetch of a lane to the next. Long pauses are cut: they are no pace.
func (c *Stage) keepPace(l *lane, v *crawl.Visit) {
	if v.Fetched().IsZero() {
		return
	}
	c.stir(l)
	if l.record.Begun.IsZero() {
		l.record.Begun = v.Fetched()
	}
	last := l.record.Last
	l.record.Last = v.Fetched()
	d := v.Fetched().Sub(last).Seconds()
	if last.IsZero() || d <= 0 {
		return
	}
	p := &l.record.Pace
	d = min(d, 10**p)
	*p += paceMemory * (d - *p)
	if math.Abs(*p-l.told) > maxOff*l.told { // a new plan costs more than a small change of pace
		l.told = *p
		l.planner.SetPace(*p)
	}
}

// firstPace is that of a lane without fetches, in seconds.
func (c *Stage) firstPace() float64 {
	if d := c.delay; d != nil && *d > 0 {
		return time.Duration(*d).Seconds()
	}
	return 1
}
