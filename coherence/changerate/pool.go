package changerate

import (
	"strings"
	"sync"
	"unicode"
)

// Pool learns rates while a crawl runs, so that a first crawl is not blind. Each visit that tells when its page last changed says something of the pages that
// look like it: those of the same template, of the same section, of the same host. The age a of a version is distributed as the time to the next change (the process
// has no memory): of a page with the rate b that Base forecasts, b*a changes were to be expected since then, and one there was. So the forecasts of a kind
// of pages are wrong by the factor n/E, where n pages were met that E changes were expected of. Kinds with few pages lean on the wider kind around them, as if that had
// been seen with k changes there (a Gamma prior of shape k):
//
//	f(kind) = (n + k) / (E + k/f(wider))        f(all) = 1        l(page) = b * f(its narrowest kind)
//
// It is safe for concurrent use. It holds two sums of each kind, of maxKinds kinds; pages of kinds beyond that count for the wider ones.
type Pool struct {
	Base  Forecaster // b; may be nil
	Prior float64    // b of pages of which Base knows nothing, changes per second

	mu    sync.Mutex
	kinds map[string]*kindSum
}

type kindSum struct{ n, expected float64 }

const (
	poolShape = 1.0    // k
	maxKinds  = 20_000 // of which sums are held
)

// Learn takes note of a page that was met when its content was so many seconds old.
func (p *Pool) Learn(page Subject, age float64) {
	if !(age >= 0) {
		return
	}
	expected := p.base(page).Value * max(age, granule/2)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kinds == nil {
		p.kinds = map[string]*kindSum{}
	}
	for _, kind := range kindsOf(page.URL) {
		s := p.kinds[kind]
		if s == nil {
			if len(p.kinds) >= maxKinds {
				continue
			}
			s = &kindSum{}
			p.kinds[kind] = s
		}
		s.n++
		s.expected += expected
	}
}

// base is what is known of a page without the crawl.
func (p *Pool) base(page Subject) Rate {
	if p.Base != nil {
		if r := p.Base.Forecast(page); r.Known() && r.Value > 0 {
			return r
		}
	}
	return Rate{Value: p.Prior}
}

// Forecast gives the rate of a page by the narrowest of its kinds that is known.
func (p *Pool) Forecast(page Subject) Rate {
	r := p.base(page)
	factor := 1.0
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, kind := range kindsOf(page.URL) {
		if s := p.kinds[kind]; s != nil {
			factor = (s.n + poolShape) / (s.expected + poolShape/factor)
			r.Source = FromCrawl
		}
	}
	if r.Source == FromCrawl {
		r = Rate{Value: r.Value * factor, Source: FromCrawl}
	}
	return r
}

// kindsOf are the kinds of a page, from wide to narrow: its host, its section (the first folder), and its template: the path without its last word, numbers as
// numbers.
func kindsOf(raw string) [3]string {
	rest := raw
	if _, after, ok := strings.Cut(raw, "://"); ok {
		rest = after
	}
	path, query, _ := strings.Cut(rest, "?")
	host, path, _ := strings.Cut(path, "/")
	section := host + "/"
	if first, _, deeper := strings.Cut(path, "/"); deeper {
		section += first + "/"
	}
	var b strings.Builder
	b.WriteString("=")
	b.WriteString(host)
	folders := strings.Split(path, "/")
	for i, f := range folders {
		b.WriteByte('/')
		switch {
		case i == len(folders)-1 && f != "":
			b.WriteByte('*')
		case strings.ContainsFunc(f, unicode.IsDigit):
			b.WriteByte('#')
		default:
			b.WriteString(f)
		}
	}
	if name, _, ok := strings.Cut(query, "="); ok {
		b.WriteByte('?')
		b.WriteString(name)
	}
	return [3]string{host, section, b.String()}
}
