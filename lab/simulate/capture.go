package simulate

import (
	"slices"
	"time"

	"varve/coherence"
	"varve/coherence/changerate"
)

// capture is one capture of a site: what the strategy believes, and what it finds.
type capture struct {
	site     *site
	strategy coherence.Strategy
	options  coherence.Options
	rates    []float64 // believed: of the oracle or of the predictor
	online   bool      // pages have to be found
	pool     *changerate.Pool
}

// learn has the capture learn from each page that it meets, beginning with a forecast or with nothing.
func (c *capture) learn(forecast bool) {
	c.pool = &changerate.Pool{Prior: float64(c.site.slot) / float64(30*24*time.Hour)}
	if forecast {
		c.pool.Base = c.site.predictor
	}
	c.rates = slices.Clone(c.rates)
	for i := range c.rates {
		if !forecast || !c.site.known[i] {
			c.rates[i] = c.pool.Forecast(c.site.page(i)).Value
		}
	}
}

// foresee gives a page that was found and not yet visited the rate of those like it.
func (c *capture) foresee(i int) {
	if c.pool != nil && (c.pool.Base == nil || !c.site.known[i]) {
		c.rates[i] = c.pool.Forecast(c.site.page(i)).Value
	}
}

// met learns from the visit of page i at slot t.
func (c *capture) met(i int, t float64) {
	page := c.site.page(i)
	visits := []changerate.Observation{{At: time.Unix(0, 0)}}
	if age := c.site.age(i, t); age >= 0 {
		c.pool.Learn(page, age)
		visits[0].Modified = visits[0].At.Add(-time.Duration(age * float64(time.Second)))
	}
	if c.pool.Base != nil && c.site.known[i] {
		return
	}
	c.rates[i] = (&changerate.Estimator{Forecaster: c.pool, Weight: 0.5}).Rate(changerate.Facts{Page: page, Visits: visits}).Value
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
			c.foresee(i)
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

// incoherence is the share of pages that change between visit and revisit.
func (c capture) incoherence(visits []int, kind coherence.RevisitKind) float64 {
	v := make([]coherence.Visited, len(visits))
	at := make([]float64, len(visits))
	for t, i := range visits {
		v[t] = coherence.Visited{ID: uint64(i), Rate: c.rates[i], At: float64(t)}
		at[i] = float64(t)
	}
	bad := 0
	for _, r := range coherence.RevisitOrder(v, coherence.Revisits{Kind: kind}) {
		if c.site.changed(int(r.ID), at[r.ID], r.At) {
			bad++
		}
	}
	return float64(bad) / float64(len(visits))
}
