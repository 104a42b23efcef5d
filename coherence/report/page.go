package report

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"varve/coherence"
	"varve/coherence/changerate"
	"varve/coherence/evidence"
	"varve/text/layer"
)

// State is what became of a page between the visit and the reference point or the revisit, in the
// words of the seed papers.
type State string

// The states, from the best to the most serious; Unproven is where nothing is proven.
const (
	Coherent State = "coherent"
	Changed  State = "changed"
	Relinked State = "links" // the link structure changed
	Lost     State = "missing"
	Unproven State = "unknown"
)

// States lists the states in the order of tables and legends.
func States() []State { return []State{Coherent, Changed, Relinked, Lost, Unproven} }

// Judged is what one crawl proves about a page.
type Judged struct {
	URL, Key string
	Host     string
	Group    string
	MIME     string
	Depth    int // hops from a seed; -1 if not known
	Visit    *evidence.Observation
	Revisit  *evidence.Observation // nil without one
	Pair     *Pair                 // nil without a revisit
	Dating   Dating                // of the visit
	Rate     changerate.Rate       // of changes to the visible text, from all captures of the page
	Together *Together             // the page with its parts; nil for what shows no parts of its own
}

// Absent reports whether an address was never there: it gave nothing but errors, and is not among the pages counted.
func (p *Judged) Absent() bool { return absent(p.Visit, p.Revisit) }

func absent(visit, revisit *evidence.Observation) bool {
	return visit.Missing() && (revisit == nil || revisit.Missing())
}

// choose picks visit and revisit of a page among the captures of a crawl (of all if crawl is empty):
// by the passes that the crawler noted, else the first capture and the next.
func choose(page *evidence.History, crawl string) (visit, revisit *evidence.Observation) {
	var first, again, plain []*evidence.Observation
	for i := range page.Captures {
		c := &page.Captures[i]
		if crawl != "" && c.Crawl != crawl || !c.Plain() || c.IsProbe() {
			continue
		}
		switch c.Pass {
		case evidence.Visit:
			first = append(first, c)
		case evidence.Revisit:
			again = append(again, c)
		default:
			plain = append(plain, c)
		}
	}
	if len(first)+len(again) == 0 {
		return firstAndNext(plain)
	}
	if len(first) == 0 {
		return firstAndNext(again)
	}
	visit = answered(first)[0]
	for _, c := range answered(again) {
		if !c.Time.Before(visit.Time) { // dates of some crawlers have only seconds
			revisit = c // the last one
		}
	}
	return visit, revisit
}

func firstAndNext(all []*evidence.Observation) (visit, revisit *evidence.Observation) {
	if len(all) == 0 {
		return nil, nil
	}
	visit = answered(all)[0]
	if next := slices.Index(all, visit) + 1; next < len(all) {
		return visit, all[next]
	}
	return visit, nil
}

// judge makes the page of a crawl; nil if the crawl has no capture of it.
func judge(set *evidence.Set, page *evidence.History, o *Options) (*Judged, error) {
	if o.Alone {
		page.Captures = slices.DeleteFunc(page.Captures, func(c evidence.Observation) bool { return c.Crawl != o.Crawl })
	}
	visit, revisit := choose(page, o.Crawl)
	if visit == nil {
		return nil, nil
	}
	p := &Judged{URL: page.URL, Key: page.Key, Host: hostOf(page.URL), Group: visit.Group, MIME: visit.MIME, Depth: depthOf(visit), Visit: visit, Revisit: revisit}
	p.Dating, p.Rate = o.Dates.Of(visit, before(page, visit)), rateOf(page, o.Dates)
	if revisit == nil {
		return p, nil
	}
	pair, err := comparePair(set, visit, revisit, o.Layers)
	if err != nil {
		return nil, err
	}
	p.Pair = &pair
	return p, nil
}

// before is the last capture with a content before another.
func before(page *evidence.History, c *evidence.Observation) (last *evidence.Observation) {
	for i := range page.Captures {
		p := &page.Captures[i]
		if !p.Time.Before(c.Time) {
			break
		}
		if p.Plain() && p.OK() && p.Layers != nil {
			last = p
		}
	}
	return last
}

func depthOf(c *evidence.Observation) int {
	if !c.Known {
		return -1
	}
	return len(c.Hops)
}

func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

// Captured says in the terms of the model what is known of the page on a layer.
//
// A revisit counts if it can be compared on the layer and both contents are whole. A 304 is the word
// of the server: to a strong ETag for every layer, to a weak one from the visible text on (a weak
// validator is kept when nothing of meaning changed), to a date if that is trusted.
func (p *Judged) Captured(n layer.Name) coherence.Captured {
	c := coherence.Captured{Visit: p.Visit.Time, Modified: p.Dating.Trusted(n)}
	if p.Visit.Missing() {
		return coherence.Captured{}
	}
	if p.Pair == nil || p.Pair.Defect == Unknown {
		return c
	}
	if p.Pair.Defect == Missing {
		c.Revisit = p.Revisit.Time
		return c
	}
	same, known := p.Pair.Same(n)
	if !known || same && (p.Visit.Truncated != "" || p.Revisit.Truncated != "") {
		return c
	}
	if p.Revisit.NotModified {
		if !vouched(p.Revisit, n, p.Dating) {
			return c
		}
		c.Asserted = true
	}
	c.Revisit, c.Same = p.Revisit.Time, same
	return c
}

// vouched tells whether a 304 says something about a layer.
func vouched(c *evidence.Observation, n layer.Name, d Dating) bool {
	switch {
	case strings.HasPrefix(c.ETag, "W/"):
		return n != layer.Bytes && n != layer.DOM
	case c.ETag != "":
		return true
	}
	return !d.Trusted(n).IsZero()
}

// State gives the state of the page on a layer at the reference point, and how well it is known.
func (p *Judged) State(n layer.Name, reference time.Time) (State, coherence.Level) {
	if p.Visit.Missing() {
		return Lost, coherence.Witnessed
	}
	f := p.Captured(n).At(reference)
	switch f.Verdict {
	case coherence.Coherent:
		return Coherent, f.Level
	case coherence.Violated:
		return p.defect(n), f.Level
	}
	return Unproven, coherence.Unproven
}

// defect says what a page that is not coherent on a layer lacks.
func (p *Judged) defect(n layer.Name) State {
	switch {
	case p.Pair == nil:
		return Changed // shown by a date alone
	case p.Pair.Defect == Missing:
		return Lost
	case p.Pair.Defect == layer.LinksDefect:
		return Relinked
	}
	return Changed
}
