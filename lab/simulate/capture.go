package simulate

import (
	"slices"
	"time"

	"varve/coherence"
	"varve/coherence/changerate"
	"varve/crawl/plan"
	"varve/lab/websim/truth"
)

// capture is one capture of a site: what the strategy believes, and what it finds.
type capture struct {
	site     *site
	strategy coherence.Strategy
	options  coherence.Options
	rates    []float64 // believed: of the oracle or of the predictor
	online   bool      // pages have to be found
	pool     *changerate.Pool
	looks    [][]changerate.Observation // of pool: what was seen of each page before and so far
	own      []changerate.Own           // of looks
}

// learn has the capture learn from each page that it meets, beginning with nothing, with the dates of the sitemap, or with earlier captures too. Times are in slots.
func (c *capture) learn(v variant) {
	n := len(c.rates)
	slot := c.site.slot.Seconds()
	c.pool = &changerate.Pool{Prior: slot * plan.PriorRate, Vanish: slot * plan.VanishRate, Horizon: float64(n)}
	c.rates, c.own, c.looks = slices.Clone(c.rates), make([]changerate.Own, n), make([][]changerate.Observation, n)
	listed := v.listed && c.site.isListed()
	for i := range n {
		if v.later {
			c.looks[i] = c.site.earlier(i)
		}
		if listed {
			if at, ok := c.site.web.Listed(c.site.ids[i], c.site.start); ok {
				c.looks[i] = append(c.looks[i], changerate.Observation{At: c.site.start, Modified: at})
			}
		}
		c.pool.Saw(c.site.page(i), c.compared(i))
	}
	for i := range c.rates {
		c.own[i] = changerate.Summary(c.compared(i), c.typical(i))
		c.believe(i)
	}
}

// compared is what was seen of a page, in slots.
func (c *capture) compared(i int) []changerate.Comparison {
	cs := changerate.Compare(c.looks[i])
	for k := range cs {
		cs[k].Interval /= c.site.slot.Seconds()
		cs[k].Since /= c.site.slot.Seconds()
	}
	return cs
}

func (c *capture) typical(i int) float64 {
	return c.pool.Belief(c.site.page(i), changerate.Own{}, true).Typical()
}

// believe gives a page the rate that follows from what is known of it and of those like it.
func (c *capture) believe(i int) {
	if c.pool != nil {
		c.rates[i] = c.pool.Rate(c.site.page(i), c.own[i], true).Value
	}
}

// met learns from the visit of page i at slot t.
func (c *capture) met(i int, t float64) {
	before := c.own[i].IsZero()
	look := c.site.look(i, c.site.start.Add(time.Duration(t*float64(c.site.slot))))
	list := c.looks[i]
	if n := len(list); n > 0 && list[n-1].At.Equal(c.site.start) {
		if look.Modified.IsZero() {
			return // what the sitemap said is all that is known
		}
		list = list[:n-1]
	}
	if n := len(list); n > 0 {
		look.Compared, look.Changed = true, c.site.web.Changed(c.site.ids[i], list[n-1].At, look.At, truth.Main)
	}
	c.looks[i] = append(list, look)
	cs := c.compared(i)
	if before {
		c.pool.Saw(c.site.page(i), cs)
	}
	c.own[i] = changerate.Summary(cs, c.typical(i))
}

// visits gives the order of visits. Online, pages are discovered by links of pages visited.
func (c capture) visits() ([]int, error) {
	if !c.online {
		pages := make([]coherence.Candidate, len(c.rates))
		for i, l := range c.rates {
			pages[i].Rate = l
		}
		return coherence.Order(c.strategy, pages, c.options)
	}
	p, err := coherence.NewPlanner(c.strategy, c.options)
	if err != nil {
		return nil, err
	}
	seen := make([]bool, len(c.rates))
	discover := func(i int) {
		if !seen[i] {
			seen[i] = true
			c.believe(i)
			p.Discover(coherence.Candidate{ID: uint64(i), Rate: c.rates[i]})
		}
	}
	discover(0)
	var out []int
	for {
		pg, ok := p.Next()
		if !ok {
			return out, nil
		}
		if c.pool != nil {
			c.met(int(pg.ID), float64(len(out)))
		}
		out = append(out, int(pg.ID))
		for _, to := range c.site.links[pg.ID] {
			discover(to)
		}
	}
}

// blur is the actual blur per page of visits at slots 0, 1, ...
func (c capture) blur(visits []int) float64 {
	n := float64(len(visits) - 1)
	sum := 0.0
	for t, i := range visits {
		sum += coherence.ActualBlur(c.site.changes[i], float64(t), n)
	}
	return sum / float64(len(visits))
}

// revisits plans the revisits by all that was met.
func (c capture) revisits(visits []int, kind coherence.RevisitKind) []coherence.Revisit {
	for i := range c.own {
		c.believe(i)
	}
	v := make([]coherence.Visited, len(visits))
	for t, i := range visits {
		v[t] = coherence.Visited{ID: uint64(i), Rate: c.rates[i], At: float64(t)}
	}
	return coherence.RevisitOrder(v, coherence.Revisits{Kind: kind})
}

// incoherence is the share of pages that change between visit and revisit.
func (c capture) incoherence(visits []int, kind coherence.RevisitKind) float64 {
	at := make([]float64, len(visits))
	for t, i := range visits {
		at[i] = float64(t)
	}
	bad := 0
	for _, r := range c.revisits(visits, kind) {
		if c.site.changed(int(r.ID), at[r.ID], r.At) {
			bad++
		}
	}
	return float64(bad) / float64(len(visits))
}
