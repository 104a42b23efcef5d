package report

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"varve/coherence/evidence"
	"varve/text/layer"
)

// Version is the version of the report's JSON form.
const Version = 1

// Report says how well a crawl hangs together. All counts are of pages: web addresses that were
// visited and there, robots.txt and probes left out.
type Report struct {
	Format     string `json:"format"` // "varve-coherence-report"
	Version    int    `json:"version"`
	Collection string `json:"collection,omitempty"`
	Crawl      string `json:"crawl,omitempty"`

	Start     time.Time `json:"start"`     // first visit
	Visited   time.Time `json:"visited"`   // last visit
	End       time.Time `json:"end"`       // last capture
	Reference time.Time `json:"reference"` // of the capture as a whole; groups have their own
	Pages     int64     `json:"pages"`
	Revisited int64     `json:"revisited"` // of Pages
	Absent    int64     `json:"absent"`    // addresses that only ever gave errors: not among Pages
	Data      *Part     `json:"data"`      // answers to programs, JSON and XML: not among Pages

	Clock    evidence.Skew        `json:"clock"`    // over visits and revisits
	Evidence evidence.Totals      `json:"evidence"` // of all files that were read
	Layers   Layers               `json:"layers"`
	Rescued  map[layer.Name]int64 `json:"rescued"` // pairs by the first layer on which they are equal, bytes being different

	Measurable Share                `json:"measurable"`
	Inducible  map[layer.Name]Share `json:"inducible"`
	Observable Observed             `json:"observable"`
	Forecast   Forecast             `json:"forecast"`
	Composite  *Composites          `json:"composite,omitempty"` // pages with their parts; nil in reports of before 2026-11-16
	Dating     DatingReport         `json:"dating"`

	MIME   []*Part  `json:"mime"`
	Depth  []*Part  `json:"depth"`
	Hosts  []*Part  `json:"hosts"`
	Groups []*Group `json:"groups"`
	Worst  []Defect `json:"worst"` // pages with defects, the most serious first

	WorstData []Defect `json:"worst_data,omitempty"` // answers to programs with defects, each with the page that showed it: what applications show is there, and not in their pages

	Noise []evidence.Noisy `json:"noise"` // what is left out of comparisons, by template
}

// Group is the part of a crawl that has a reference point of its own.
type Group struct {
	Frame
	Reference time.Time            `json:"reference"`
	Layers    Layers               `json:"layers"`
	Inducible map[layer.Name]Share `json:"inducible"`

	quality *quality
}

// Defect is a page that is not coherent.
type Defect struct {
	URL     string     `json:"url"`
	Page    string     `json:"page,omitempty"` // of an answer to a program: the page that asked for it first
	State   State      `json:"state"`
	Layer   layer.Name `json:"layer"` // the coarsest on which it differs
	Visit   time.Time  `json:"visit"`
	Revisit time.Time  `json:"revisit,omitzero"`
	Records []string   `json:"records"` // of visit and revisit
}

// maxWorst bounds the list of defects in a report.
const maxWorst = 1000

// builder collects a report.
type builder struct {
	r                 *Report
	mime, depth, host parts
	groups            map[string]*Group
	quality           *quality
	forecast          forecast
	dating            datingTally
	skew              evidence.SkewTally
}

// Make judges all pages of a crawl. layer.Text decides which pages are listed as worst. If also is not
// nil, it gets every page that counts, in order.
func Make(ctx context.Context, set *evidence.Set, o Options, also func(*Judged, *Frame) error) (_ *Report, err error) {
	frames, err := Frames(set, o.Crawl)
	if err != nil {
		return nil, err
	}
	with, err := compose(ctx, set, &o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, with.close()) }()
	b := &builder{
		r: &Report{
			Format: "varve-coherence-report", Version: Version, Crawl: o.Crawl, Evidence: set.Totals,
			Data: newPart("data"), Noise: set.Noise(), Layers: newLayers(), Rescued: map[layer.Name]int64{}, Inducible: map[layer.Name]Share{}, Worst: []Defect{}, WorstData: []Defect{},
			Composite: &Composites{Worst: []Incomplete{}},
		},
		mime: parts{}, depth: parts{}, host: parts{}, groups: map[string]*Group{}, quality: newQuality(),
	}
	err = Each(ctx, set, frames, o, func(p *Judged, f *Frame) (err error) {
		if p.Together, err = with.of(p.URL); err != nil || !b.add(p, f) || also == nil {
			return err
		}
		return also(p, f)
	})
	if err != nil {
		return nil, err
	}
	return b.report(frames, o.Dates), nil
}

// add counts one page; false if it was never there, or is none.
func (b *builder) add(p *Judged, f *Frame) bool {
	if p.Absent() {
		b.r.Absent++
		return false
	}
	r, ref := b.r, f.Reference()
	if p.Visit.IsData() {
		r.Data.add(p, ref)
		r.WorstData = worst(r.WorstData, p, ref)
		return false
	}
	r.Pages++
	if p.Revisit != nil {
		r.Revisited++
	}
	r.Layers.add(p, ref)
	if p.Pair != nil && p.Pair.Rescued != "" {
		r.Rescued[p.Pair.Rescued]++
	}
	b.mime.add(p.MIME, p, ref)
	b.host.add(p.Host, p, ref)
	depth := ""
	if p.Depth >= 0 {
		depth = strconv.Itoa(p.Depth)
	}
	b.depth.add(depth, p, ref)
	b.group(p, f)
	b.quality.add(p, f)
	b.forecast.add(p, f)
	b.dating.add(p)
	r.Worst = worst(r.Worst, p, ref)
	r.Composite.add(p)
	b.skew.Add(p.Visit)
	if p.Revisit != nil {
		b.skew.Add(p.Revisit)
	}
	return true
}

func (b *builder) group(p *Judged, f *Frame) {
	g := b.groups[p.Group]
	if g == nil {
		g = &Group{Frame: *f, Reference: f.Reference(), Layers: newLayers(), quality: newQuality()}
		b.groups[p.Group] = g
	}
	g.Layers.add(p, g.Reference)
	g.quality.add(p, f)
}

// severity orders states from the most serious.
var severity = map[State]int{Lost: 0, Relinked: 1, Changed: 2}

// worst keeps the most serious defects; pages come in order, so the first of equal ones stay.
func worst(list []Defect, p *Judged, reference time.Time) []Defect {
	state, _ := p.State(layer.Text, reference)
	rank, bad := severity[state]
	if !bad {
		return list
	}
	at, _ := slices.BinarySearchFunc(list, rank, func(d Defect, rank int) int {
		if severity[d.State] <= rank {
			return -1
		}
		return 1
	})
	if at >= maxWorst {
		return list
	}
	d := Defect{URL: p.URL, State: state, Visit: p.Visit.Time, Records: []string{p.Visit.Place.Record}}
	if p.Visit.IsData() {
		d.Page = p.Visit.Via
	}
	if p.Pair != nil {
		d.Layer, d.Revisit = p.Pair.Layer, p.Revisit.Time
		d.Records = append(d.Records, p.Revisit.Place.Record)
	}
	list = slices.Insert(list, at, d)
	return list[:min(len(list), maxWorst)]
}

// report closes the counts.
func (b *builder) report(frames map[string]*Frame, dates *Dates) *Report {
	r := b.r
	var all Frame
	for _, f := range frames {
		all.merge(f)
	}
	r.Start, r.Visited, r.End, r.Reference = all.Start, all.Visited, all.End, all.Reference()
	r.Clock = b.skew.Skew()
	r.Measurable = shareOf(b.quality.measurable)
	for n, q := range b.quality.inducible {
		r.Inducible[n] = shareOf(q)
	}
	r.Observable, r.Forecast, r.Dating = b.quality.observed(), b.forecast.forecast(), b.dating.report(dates)
	r.MIME, r.Depth, r.Hosts = b.mime.list(), b.depth.byDepth(), b.host.list()
	r.Groups = []*Group{}
	for _, g := range b.groups {
		g.Inducible = map[layer.Name]Share{}
		for n, q := range g.quality.inducible {
			g.Inducible[n] = shareOf(q)
		}
		r.Groups = append(r.Groups, g)
	}
	slices.SortFunc(r.Groups, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Group, b.Group))
	})
	return r
}

// merge widens a frame by another.
func (f *Frame) merge(o *Frame) {
	f.Pages, f.Revisited, f.twice = f.Pages+o.Pages, f.Revisited+o.Revisited, f.twice || o.twice
	if f.Start.IsZero() || o.Start.Before(f.Start) {
		f.Start = o.Start
	}
	if o.Visited.After(f.Visited) {
		f.Visited = o.Visited
	}
	if o.End.After(f.End) {
		f.End = o.End
	}
}
