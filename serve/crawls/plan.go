package crawls

import (
	"fmt"
	"time"

	"varve"
	"varve/crawl"
	"varve/serve/holdings"
)

// Plan is what a collection is to crawl, and what can be done about it now.
type Plan struct {
	Collection string          `json:"collection"`
	Crawls     []Planned       `json:"crawls"`
	Running    *holdings.Crawl `json:"running,omitempty"`
	Unfinished *holdings.Crawl `json:"unfinished,omitempty"` // can be resumed
	Job        *Job            `json:"job,omitempty"`        // the last that was started here
	Problem    string          `json:"problem,omitempty"`    // why collection.toml could not be read
}

// Planned is a crawl of the plan.
type Planned struct {
	holdings.Planned
	Due        bool              `json:"due"`
	Definition *crawl.Definition `json:"definition"`
}

// PlanOf gives the plan of a collection whose running crawls were followed.
func PlanOf(c *holdings.Collection, now time.Time) Plan {
	p := Plan{Collection: c.Name, Problem: c.Problem, Crawls: make([]Planned, 0, len(c.Plans))}
	now = c.Now(now)
	for _, x := range c.Plans {
		p.Crawls = append(p.Crawls, Planned{Planned: x, Due: x.Every > 0 && !now.Before(x.Next), Definition: x.Definition})
	}
	for i := len(c.Crawls) - 1; i >= 0; i-- {
		k := c.Crawls[i]
		if k.State == holdings.Live {
			p.Running, p.Unfinished = k, nil
			return p
		}
		if k.State != holdings.Complete && k.State != holdings.Finished && p.Unfinished == nil {
			p.Unfinished = k
		}
	}
	if u := p.Unfinished; u != nil && (Spent(u.Why) || !u.HasDefinition()) {
		p.Unfinished = nil
	}
	return p
}

// Named gives the planned crawl of that name.
func (p Plan) Named(name string) (Planned, error) {
	for _, c := range p.Crawls {
		if c.Name == name {
			return c, nil
		}
	}
	return Planned{}, &varve.Error{Kind: varve.NotFound, Op: fmt.Sprintf("find crawl %q of %s", name, p.Collection), Msg: "the plan of the collection has no such crawl"}
}

// TestScope asks the rules of the planned crawl about a URL.
func (p Planned) TestScope(url, hops, via string, now time.Time) (crawl.ScopeTest, error) {
	tester, err := crawl.NewScopeTester(p.Definition.Scope, p.Seeds)
	if err != nil {
		return crawl.ScopeTest{}, &varve.Error{Kind: varve.Invalid, Op: "rules of crawl " + p.Name, Err: err}
	}
	if hops == "" {
		hops = "L"
	}
	return tester.Test(url, hops, via, now)
}
