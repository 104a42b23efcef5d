package ui

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"varve"
	"varve/coherence/report"
	"varve/serve/access"
	"varve/serve/strip"
	"varve/text/layer"
)

// coherenceData is what the page on coherence shows.
type coherenceData struct {
	*crawlData
	Report   *report.Report // nil: not measured
	Why      string         // why there is no report, if it is not just missing
	Withheld bool           // access rules are why
	Can      bool           // may measure
	Layers   []layerRow
	Layer    layer.Name
	Sections []worstSection
	Worst    []report.Defect
	Pager    pager
	Section  string
	Parts    []partRow
	GraphURL string
	Job      *jobData
	Whole    *wholeData // pages with their parts; nil in older reports
}

// wholeData is how many pages stood together with their parts, and which did not.
type wholeData struct {
	*report.Composites
	Collection string
	Shown      []report.Incomplete // of Worst
	Href       string              // where all of Worst are shown; "" for here
}

// wholes returns what a report says of pages with their parts, at most so many of the broken ones; nil if it says nothing.
func wholes(k *crawlData, rep *report.Report, most int) *wholeData {
	if rep.Composite == nil || rep.Composite.Pages == 0 {
		return nil
	}
	return &wholeData{Composites: rep.Composite, Collection: k.Collection, Shown: rep.Composite.Worst[:min(len(rep.Composite.Worst), most)]}
}

// jobData is a measurement under way, or one that failed.
type jobData struct {
	Done, Total int
	Running     bool
	Trouble     string
	Here        string // address of the page, to be loaded again
}

// job tells of the measurement of a collection, if it is of interest.
func (u *UI) job(r *http.Request, collection string) *jobData {
	if u.cfg.Coherence == nil {
		return nil
	}
	j, ok := u.cfg.Coherence.Job(collection)
	if !ok || !j.Running && j.Err == nil {
		return nil
	}
	d := &jobData{Done: j.Done, Total: j.Total, Running: j.Running, Here: r.URL.RequestURI()}
	if j.Err != nil {
		d.Trouble = j.Err.Error()
	}
	return d
}

// layerRow is one layer of equality.
type layerRow struct {
	Name  layer.Name
	Tally *report.Tally
	Total int64
	Bar   strip.Bar
}

// worstSection is a part of the site with its defects.
type worstSection struct {
	Prefix                  string
	Missing, Links, Content int
	Total                   int
	Href                    string
}

// partRow is a breakdown by type.
type partRow struct {
	*report.Part
	Bar   strip.Bar
	Tally *report.Tally
}

// coherence answers: how well does this capture hang together?
func (u *UI) coherence(r *http.Request) (*view, error) {
	k, err := u.crawlData(r)
	if err != nil {
		return nil, err
	}
	k.Tab = "coherence"
	d := coherenceData{crawlData: k, Can: access.From(r.Context()).Can(access.Curator), Layer: layer.Text, Section: r.URL.Query().Get("section"), Job: u.job(r, k.Collection)}
	v := &view{template: "coherence", title: "Coherence of crawl " + k.ID, section: "crawls", data: &d}
	if u.cfg.Coherence == nil {
		return v, nil
	}
	rep, err := u.cfg.Coherence.Report(r.Context(), k.Collection, k.ID)
	if varve.KindOf(err) == varve.NotFound && err != nil {
		return v, nil
	}
	if err != nil {
		d.Why, d.Withheld = err.Error(), varve.KindOf(err) == varve.Forbidden
		return v, nil
	}
	d.Report = rep
	d.addLayers()
	d.addParts()
	d.addWorst(r)
	d.Whole = wholes(k, rep, 200)
	d.GraphURL = "/api/collections/" + url.PathEscape(k.Collection) + "/crawls/" + url.PathEscape(k.ID) + "/coherence/graph"
	v.scripts = []string{"graph.js"}
	return v, nil
}

// tallied parts of a layer, in the colours of all strips.
func reportParts(t *report.Tally, total int64) []strip.Part {
	n := float64(max(total, 1))
	return []strip.Part{
		{Class: "coherent", Share: float64(t.Coherent) / n},
		{Class: "unknown", Share: float64(t.Unknown) / n},
		{Class: "content", Share: float64(t.Changed) / n},
		{Class: "links", Share: float64(t.Links) / n},
		{Class: "missing", Share: float64(t.Missing) / n},
	}
}

func totalOf(t *report.Tally) int64 {
	return t.Coherent + t.Changed + t.Links + t.Missing + t.Unknown
}

func barOf(t *report.Tally, label string, height int) strip.Bar {
	return strip.Bar{Parts: reportParts(t, totalOf(t)), Height: height, Label: label}
}

func (d *coherenceData) addLayers() {
	for _, n := range layer.Names() {
		if t := d.Report.Layers[n]; t != nil {
			d.Layers = append(d.Layers, layerRow{n, t, totalOf(t), barOf(t, string(n), 14)})
		}
	}
}

func (d *coherenceData) addParts() {
	for _, p := range d.Report.MIME[:min(len(d.Report.MIME), 10)] {
		if t := p.Layers[d.Layer]; t != nil {
			d.Parts = append(d.Parts, partRow{p, barOf(t, p.Name, 12), t})
		}
	}
}

// addWorst groups the defects by section of the site, and lists those of the section asked for.
func (d *coherenceData) addWorst(r *http.Request) {
	by := map[string]*worstSection{}
	var list []report.Defect
	for _, w := range d.Report.Worst {
		name := sectionName(w.URL)
		s := by[name]
		if s == nil {
			q := url.Values{"section": {name}}
			s = &worstSection{Prefix: name, Href: crawlPath(d.Crawl) + "/coherence?" + q.Encode() + "#worst"}
			by[name] = s
		}
		s.count(w.State)
		if d.Section == "" || name == d.Section {
			list = append(list, w)
		}
	}
	for _, s := range by {
		d.Sections = append(d.Sections, *s)
	}
	slices.SortFunc(d.Sections, func(a, b worstSection) int {
		if a.Total != b.Total {
			return b.Total - a.Total
		}
		return strings.Compare(a.Prefix, b.Prefix)
	})
	d.Sections = d.Sections[:min(len(d.Sections), 12)]
	d.Pager = newPager(r, len(list), 50)
	d.Worst = list[d.Pager.From:d.Pager.To]
}

func (s *worstSection) count(state report.State) {
	s.Total++
	switch state {
	case report.Lost:
		s.Missing++
	case report.Relinked:
		s.Links++
	default:
		s.Content++
	}
}

// sectionName is host and first path segment.
func sectionName(target string) string {
	_, rest, ok := strings.Cut(target, "://")
	if !ok {
		return target
	}
	host, path, _ := strings.Cut(rest, "/")
	first, _, deeper := strings.Cut(path, "/")
	if !deeper {
		return host + "/"
	}
	return host + "/" + first + "/"
}

// measure reads the WARC files and writes the report of one crawl.
func (u *UI) measure(r *http.Request) (*view, error) {
	k, err := u.cfg.Holdings.Crawl(r.Context(), r.PathValue("collection"), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	if err := u.cfg.Coherence.Begin(u.cfg.Background, k.Collection, k.ID); err != nil {
		return nil, err
	}
	return &view{to: crawlPath(k) + "/coherence"}, nil
}

// measureAll does so for all crawls of a collection that have none.
func (u *UI) measureAll(r *http.Request) (*view, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	var ids []string
	for k, err := range c.All(r.Context()) {
		if err != nil {
			return nil, err
		}
		if k.Coherence == nil && k.HasReport() {
			ids = append(ids, k.ID)
		}
	}
	slices.Reverse(ids)
	if len(ids) > 0 {
		if err := u.cfg.Coherence.Begin(u.cfg.Background, c.Name, ids...); err != nil {
			return nil, err
		}
	}
	return &view{to: collectionPath(c.Name)}, nil
}
