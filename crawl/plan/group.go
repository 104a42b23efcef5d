package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"varve/crawl"
	"varve/text/layer"
)

// group is a set of pages with one reference point: the end of their visits. Pages that are found
// when the revisits have begun make a further *round*, with a reference point of its own, so each
// page is visited and revisited once, and no statement mixes two instants.
type group struct {
	number  uint32
	record  groupRecord
	lanes   []*lane
	dirty   bool // the record is not stored yet
	counted bool // among the groups with seeds that still visit

	cutRound int // the round whose revisits were cut because their time was used up
}

// groupRecord is what a resume must know of a group. It is stored with the commits that change it.
type groupRecord struct {
	Name   string              `json:"name"`
	Seeded bool                `json:"seeded,omitempty"` // a seed is in it
	Early  int64               `json:"early,omitempty"`  // pages visited for the next round
	Now    crawl.GroupReport   `json:"now"`
	Past   []crawl.GroupReport `json:"past,omitempty"` // of rounds that are over, oldest first
}

// laneRecord is what a resume must know of the pages of a group on one host.
type laneRecord struct {
	Visited   uint64    `json:"visited"` // pages, also in earlier rounds
	Revisited uint64    `json:"revisited"`
	Begun     time.Time `json:"begun,omitzero"` // start of the first fetch of the round
	Last      time.Time `json:"last,omitzero"`  // start of the last fetch
	Pace      float64   `json:"pace,omitempty"`
}

// label names group and round in the metadata records.
func label(group string, round int) string {
	if round <= 1 {
		return group
	}
	return group + "#" + strconv.Itoa(round)
}

// maxPast bounds the rounds that are kept of a group; older ones are in the events.
const maxPast = 16

// maxGroups bounds the groups of a crawl. Hosts beyond are planned together.
const maxGroups = 100_000

// restGroup is where pages go when there are too many groups.
const restGroup = "rest"

// group gives the group of that name, new where there is none. The lock is held.
func (c *Stage) group(name string) *group {
	g := c.groups[name]
	if g == nil && len(c.groups) >= maxGroups {
		name = restGroup
		g = c.groups[name]
	}
	if g == nil {
		g = c.addGroup(groupRecord{Name: name}, uint32(len(c.numbers)))
		g.record.Now = c.newRound(name, 1)
		g.dirty = true
	}
	return g
}

func (c *Stage) addGroup(rec groupRecord, number uint32) *group {
	g := &group{number: number, record: rec}
	for uint32(len(c.numbers)) <= number {
		c.numbers = append(c.numbers, nil)
	}
	c.groups[rec.Name], c.numbers[number] = g, g
	c.touched[g] = struct{}{}
	return g
}

func (c *Stage) newRound(name string, round int) crawl.GroupReport {
	rep := crawl.GroupReport{
		Group: name, Round: round, Phase: crawl.PhaseVisits, Strategy: c.def.Strategy, Revisit: c.def.Revisit,
		Unchanged: map[layer.Name]int64{}, Rates: map[string]int64{},
	}
	if c.def.Revisits() {
		rep.Layer = c.level()
	}
	return rep
}

// level is the layer on which coherence is forecast and counted: the main text if it is looked at, which is what pages and sitemaps date, else the visible text,
// since what a server writes anew for each answer says nothing about a page.
func (c *Stage) level() layer.Name {
	for _, n := range []layer.Name{layer.Main, layer.Text} {
		if c.r.Layers().Has(n) {
			return n
		}
	}
	return layer.Bytes
}

// The names under which the frontier keeps the records of groups, and of their lanes before the host.
const (
	groupFormat = "group %08x"
	laneFormat  = "lane %08x "
)

// notes gives the records of groups and lanes that changed since they were stored. The lock is held.
func (c *Stage) notes() (map[string][]byte, error) {
	out := map[string][]byte{}
	for g := range c.touched {
		if !g.dirty {
			continue
		}
		b, err := json.Marshal(&g.record)
		if err != nil {
			return nil, fmt.Errorf("group %s: %w", g.record.Name, err)
		}
		out[fmt.Sprintf(groupFormat, g.number)] = b
		g.dirty = false
	}
	for _, l := range c.stirred {
		b, err := json.Marshal(l.record)
		if err != nil {
			return nil, fmt.Errorf("group %s on %s: %w", l.group.record.Name, l.host, err)
		}
		out[fmt.Sprintf(laneFormat, l.group.number)+l.host] = b
		l.dirty = false
	}
	c.stirred = c.stirred[:0]
	return out, nil
}

// stir marks a lane as changed. The lock is held.
func (c *Stage) stir(l *lane) {
	if !l.dirty {
		l.dirty = true
		c.stirred = append(c.stirred, l)
	}
}

// change marks a group as changed. The lock is held.
func (c *Stage) change(g *group) *crawl.GroupReport {
	g.dirty = true
	c.touched[g] = struct{}{}
	return &g.record.Now
}

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
		"forecast", g.Forecast, "forecastLow", g.ForecastLow, "forecastHigh", g.ForecastHigh, "replans", g.Replans, "rates", g.Rates,
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
