package plan

import (
	"maps"
	"slices"

	"varve/crawl"
	"varve/text/layer"
)

// settleReport computes the shares of a round.
func settleReport(g *crawl.GroupReport) {
	if g.Revisited > 0 {
		g.Actual = float64(g.Unchanged[g.Layer]) / float64(g.Revisited)
	}
}

// copyOf returns a copy that nobody changes.
func copyOf(g *crawl.GroupReport) crawl.GroupReport {
	out := *g
	out.Unchanged, out.Rates = maps.Clone(g.Unchanged), maps.Clone(g.Rates)
	return out
}

// planFields are what the events say of a plan.
func planFields(g *crawl.GroupReport) []any {
	return []any{
		"group", g.Group, "round", g.Round, "strategy", g.Strategy, "revisit", g.Revisit, "reference", g.Reference,
		"visited", g.Visited, "expected", g.Expected, "planned", g.Planned, "skipped", g.Skipped, "layer", g.Layer,
		"forecast", g.Forecast, "replans", g.Replans, "rates", g.Rates,
	}
}

// eventFields are what the events say of a round that is over.
func eventFields(g *crawl.GroupReport) []any {
	return append(planFields(g), "revisited", g.Revisited, "unchanged", g.Unchanged, "changed", g.Changed,
		"links", g.Links, "vouched", g.Vouched, "missing", g.Missing, "unknown", g.Unknown, "actual", g.Actual)
}

// maxGroupReports bounds the groups in a report; those with most pages are told.
const maxGroupReports = 200

// Groups returns the rounds of all groups: those that are over and those with anything in them.
func (c *Stage) Groups() []crawl.GroupReport {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []crawl.GroupReport
	for _, g := range c.numbers {
		if g == nil {
			continue
		}
		for i := range g.record.Past {
			out = append(out, copyOf(&g.record.Past[i]))
		}
		if now := &g.record.Now; now.Visited > 0 {
			settleReport(now)
			out = append(out, copyOf(now))
		}
	}
	if len(out) > maxGroupReports {
		slices.SortStableFunc(out, func(a, b crawl.GroupReport) int { return int(b.Visited - a.Visited) })
		out = out[:maxGroupReports]
	}
	return out
}

// Report adds the rounds of the groups.
func (c *Stage) Report(rep *crawl.Report) { rep.Groups = c.Groups() }

// Progress says which phase the crawl is in, and how many revisits are left.
func (c *Stage) Progress(p *crawl.Progress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p.Phase, p.Left = crawl.PhaseVisits, c.again
	if c.closed || c.open == 0 && c.again > 0 {
		p.Phase = crawl.PhaseRevisits
	}
}

// outcome is what a revisit found.
type outcome struct {
	known   bool // there is something to compare
	missing bool
	vouched bool // not modified, by a weak validator: the bytes are not known
	equal   layer.Set
	links   bool // the set of links differs
}

// count counts a revisit.
func count(g *crawl.GroupReport, o outcome) {
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
