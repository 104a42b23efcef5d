package crawl

import (
	"math"
	"time"

	"varve/crawl/frontier"
)

// settle takes note of visits whose records are durable: it queues the revisits of pages with the commit
// of their visits, counts what revisits found, and gives the records of the groups to be stored in the same
// commit.
func (c *coherent) settle(visits []*Visit) (map[string][]byte, error) {
	rates := make([]float64, len(visits))
	for i, v := range visits {
		if c.isPage(v) && c.def.revisits() {
			rate, _ := c.rateOf(arrival{v.item.Key, v.url.String(), foundOf(v)}, v.fetched)
			rates[i] = rate.Value
			if !rate.Known() {
				rates[i] = PriorRate
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, v := range visits {
		if v.page == nil || v.verdict == frontier.Later {
			continue
		}
		l := c.laneOf(v.page.group, v.item.Host)
		c.keepPace(l, v)
		switch {
		case v.again():
			c.settleAgain(l, v)
		case c.isPage(v):
			if c.def.revisits() {
				v.links = append(v.links, c.againItem(v, l, rates[i]))
			}
			c.settlePage(l, v)
		}
	}
	return c.notes()
}

func foundOf(v *Visit) found {
	f, _ := parseFound(v.item.Meta)
	return f
}

// isPage tells first looks at pages with an answer that a second one can be compared with.
func (c *coherent) isPage(v *Visit) bool {
	return v.page != nil && !v.again() && v.settles() && v.status > 0 && v.status < 400
}

// settlePage counts a page that was visited.
func (c *coherent) settlePage(l *lane, v *Visit) {
	rep := c.change(l.group)
	c.stir(l)
	l.record.Visited++
	if rep.Phase == PhaseRevisits {
		l.group.record.Early++ // it belongs to the next round
		return
	}
	rep.Visited++
	if rep.Begun.IsZero() {
		rep.Begun = v.fetched
	}
}

// settleAgain counts a revisit.
func (c *coherent) settleAgain(l *lane, v *Visit) {
	if v.verdict == frontier.Refused {
		v.page.outcome = outcome{}
	}
	c.change(l.group).add(v.page.outcome)
	c.stir(l)
	l.record.Revisited++
}

// paceMemory is the weight of the last interval in the mean.
const paceMemory = 0.2

// keepPace measures the time from one fetch of a lane to the next. Long pauses are cut: they are no pace.
func (c *coherent) keepPace(l *lane, v *Visit) {
	if v.fetched.IsZero() {
		return
	}
	c.stir(l)
	if l.record.Begun.IsZero() {
		l.record.Begun = v.fetched
	}
	last := l.record.Last
	l.record.Last = v.fetched
	d := v.fetched.Sub(last).Seconds()
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
func (c *coherent) firstPace() float64 {
	if d := c.r.Def.Delay; d != nil && *d > 0 {
		return time.Duration(*d).Seconds()
	}
	return 1
}
