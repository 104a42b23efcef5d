package crawl

import (
	"maps"
	"slices"

	"varve/text/layer"
)

// settle computes the shares of a round.
func (g *GroupReport) settle() {
	if g.Revisited > 0 {
		g.Actual = float64(g.Unchanged[g.Layer]) / float64(g.Revisited)
	}
}

func (g *GroupReport) copy() GroupReport {
	out := *g
	out.Unchanged, out.Rates = maps.Clone(g.Unchanged), maps.Clone(g.Rates)
	return out
}

// planFields are what the events say of a plan.
func (g *GroupReport) planFields() []any {
	return []any{
		"group", g.Group, "round", g.Round, "strategy", g.Strategy, "revisit", g.Revisit, "reference", g.Reference,
		"visited", g.Visited, "expected", g.Expected, "planned", g.Planned, "skipped", g.Skipped, "layer", g.Layer,
		"forecast", g.Forecast, "replans", g.Replans, "rates", g.Rates,
	}
}

// eventFields are what the events say of a round that is over.
func (g *GroupReport) eventFields() []any {
	return append(g.planFields(), "revisited", g.Revisited, "unchanged", g.Unchanged, "changed", g.Changed,
		"links", g.Links, "vouched", g.Vouched, "missing", g.Missing, "unknown", g.Unknown, "actual", g.Actual)
}

// maxGroupReports bounds the groups in a report; those with most pages are told.
const maxGroupReports = 200

// reports gives the rounds of all groups: those that are over and those with anything in them.
func (c *coherent) reports() []GroupReport {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []GroupReport
	for _, g := range c.numbers {
		if g == nil {
			continue
		}
		for i := range g.record.Past {
			out = append(out, g.record.Past[i].copy())
		}
		if now := &g.record.Now; now.Visited > 0 {
			now.settle()
			out = append(out, now.copy())
		}
	}
	if len(out) > maxGroupReports {
		slices.SortStableFunc(out, func(a, b GroupReport) int { return int(b.Visited - a.Visited) })
		out = out[:maxGroupReports]
	}
	return out
}

// progress counts the groups by phase and the revisits left.
func (c *coherent) progress() (phase string, again int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	phase = PhaseVisits
	if c.closed || c.open == 0 && c.again > 0 {
		phase = PhaseRevisits
	}
	return phase, c.again
}

// outcome is what a revisit found.
type outcome struct {
	known   bool // there is something to compare
	missing bool
	vouched bool // not modified, by a weak validator: the bytes are not known
	equal   layer.Set
	links   bool // the set of links differs
}

// add counts a revisit.
func (g *GroupReport) add(o outcome) {
	if !o.known {
		g.Unknown++
		return
	}
	g.Revisited++
	for n := range o.equal.All() {
		g.Unchanged[n]++
	}
	switch {
	case o.missing:
		g.Missing++
	case o.vouched:
		g.Vouched++
	case !o.equal.Has(layer.Bytes):
		g.Changed++
		if o.links {
			g.Links++
		}
	}
}
