package changerate

import (
	"slices"
	"strings"
	"sync"

	"varve/web/canon"
)

// Pool learns rates while a crawl runs, so that a first crawl is not blind. Each visit that tells when its page last changed, and each revisit, says something of the
// pages that look like it: those of the same template, of the same section, of the same host (kind.go has the model). Kinds with few pages lean on the wider kind
// around them, and what nobody knows stays uncertain: a [Belief] says how much.
//
// It is safe for concurrent use. It holds what was seen of maxKinds kinds, about a kilobyte each; pages of kinds beyond that count for the wider ones.
type Pool struct {
	Base    Forecaster // rates of pages without the crawl; may be nil
	Prior   float64    // the rate of pages of which Base knows nothing, changes per second
	Vanish  float64    // pages that vanish or move, of one, per second: no page says it of itself
	Horizon float64    // seconds between two looks at a page for which Forecast is right; 0: the mean rate

	mu    sync.Mutex
	kinds map[string]*kind
}

const maxKinds = 20_000 // that are held

// Learn takes note of a page that was met when its content was so many seconds old.
func (p *Pool) Learn(page Subject, age float64) {
	if age >= 0 {
		p.see(page, dated, max(age, granule/2))
	}
}

// Compared takes note of a page that was looked at twice, so many seconds apart.
func (p *Pool) Compared(page Subject, interval float64, changed bool) {
	switch {
	case !(interval > 0):
	case changed:
		p.see(page, unnoticed, interval)
	default:
		p.see(page, quiet, interval)
	}
}

// Saw takes note of all comparisons of one page: summed up, or one by one where changes are not dated, since a sum then says more of pages that change often than was seen.
func (p *Pool) Saw(page Subject, cs []Comparison) {
	if !slices.ContainsFunc(cs, func(c Comparison) bool { return c.Changed && !c.Dated }) {
		p.Told(page, Summary(cs, 0))
		return
	}
	for _, c := range cs {
		for range max(c.N, 1) {
			if c.Changed && c.Dated {
				p.Learn(page, c.Since)
			} else {
				p.Compared(page, c.Interval, c.Changed)
			}
		}
	}
}

// Told takes note of what a page showed, summed up: as one page of that many changes in that time.
func (p *Pool) Told(page Subject, o Own) {
	switch {
	case o.Changes > 0 && o.Changes < 0.5: // it changes too often to have been seen
	case o.Changes > 0 && o.Quiet > 0:
		p.see(page, dated, o.Quiet/o.Changes)
	case o.Quiet > 0:
		p.see(page, quiet, o.Quiet)
	}
}

func (p *Pool) see(page Subject, how how, t float64) {
	b, _ := p.base(page)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kinds == nil {
		p.kinds = map[string]*kind{}
	}
	for _, name := range kindsOf(page.URL) {
		k := p.kinds[name]
		if k == nil {
			if len(p.kinds) >= maxKinds {
				continue
			}
			k = &kind{}
			p.kinds[name] = k
		}
		k.see(how, b*t)
	}
}

// base is what is known of a page without the crawl.
func (p *Pool) base(page Subject) (rate float64, source Source) {
	if p.Base != nil {
		if r := p.Base.Forecast(page); r.Known() && r.Value > 0 {
			return r.Value, r.Source
		}
	}
	return p.Prior, Unknown
}

// Belief tells what is believed of the rate of a page: by the narrowest of its kinds that is known, and by what the page itself showed. learnt says that the pool
// was told of that too.
func (p *Pool) Belief(page Subject, own Own, learnt bool) Belief {
	b, source := p.base(page)
	var wider *kind
	p.mu.Lock()
	for _, name := range kindsOf(page.URL) {
		if k := p.kinds[name]; k != nil {
			if k.isStale(wider) {
				k.compute(wider)
			}
			wider = k
		}
	}
	if wider != nil {
		source = FromCrawl
	} else {
		wider = &kind{}
		wider.compute(nil)
	}
	out := Belief{parts: make([]part, levels), known: source != Unknown, source: source, vanish: p.Vanish}
	for i, l := range wider.levels {
		out.parts[i] = part{weight: 1.0 / levels, shape: l.shape, time: l.time / b}
	}
	p.mu.Unlock()
	return out.with(own, learnt)
}

// Forecast gives the rate of a page by the narrowest of its kinds that is known.
func (p *Pool) Forecast(page Subject) Rate { return p.Rate(page, Own{}, false) }

// Rate is the rate of a page over the horizon; unknown, and that of the prior, where nothing was learnt.
func (p *Pool) Rate(page Subject, own Own, learnt bool) Rate {
	b := p.Belief(page, own, learnt)
	if !b.known {
		return Rate{Value: p.Prior}
	}
	return Rate{Value: b.Over(p.Horizon), Source: b.source}
}

// kindsOf are the kinds of a page, from wide to narrow: its host, its section (the first folder), and its template. Host and section have the ending of the name: pictures
// do not speak for pages.
func kindsOf(raw string) [3]string {
	host, template := canon.Template(raw, canon.TemplateLevels)
	path, _, _ := strings.Cut(strings.TrimPrefix(template, host), "?")
	ending := ""
	if at := strings.LastIndexByte(path, '.'); at > strings.LastIndexByte(path, '/') {
		ending = path[at:]
	}
	section := host + "/"
	if first, _, deeper := strings.Cut(strings.TrimPrefix(path, "/"), "/"); deeper {
		section += first + "/"
	}
	return [3]string{host + ending, section + ending, "=" + template}
}
