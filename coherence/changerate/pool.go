package changerate

import (
	"strings"
	"sync"
	"unicode"
)

// Pool learns rates while a crawl runs, so that a first crawl is not blind. Each visit that tells when its page last changed says something of the pages that
// look like it: those of the same template, of the same section, of the same host. The age a of a version is distributed as the time to the next change (the process
// has no memory), so n pages of a kind with ages of the sum T have the rate n/T. Kinds with few pages lean on the wider kind around them, as if that had been seen
// with k changes there (a Gamma prior of shape k):
//
//	l(kind) = (n + k) / (T + k/l(wider))        l(all) = the forecast of Base, or Prior
//
// It is safe for concurrent use. It holds three sums of each kind, of maxKinds kinds; pages of kinds beyond that count for the wider ones.
type Pool struct {
	Base  Forecaster // asked first; may be nil
	Prior float64    // changes per second of pages of which Base knows nothing

	mu    sync.Mutex
	kinds map[string]*kindSum
}

type kindSum struct{ n, t float64 }

const (
	poolShape = 1.0    // k
	maxKinds  = 20_000 // of which sums are held
)

// Learn takes note of a page that was met when its content was so many seconds old.
func (p *Pool) Learn(page Subject, age float64) {
	if !(age >= 0) {
		return
	}
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
		s.t += max(age, granule/2)
	}
}

// Forecast gives the rate of the narrowest kinds of a page that are known.
func (p *Pool) Forecast(page Subject) Rate {
	r := Rate{Value: p.Prior}
	if p.Base != nil {
		if base := p.Base.Forecast(page); base.Known() && base.Value > 0 {
			r = base
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, kind := range kindsOf(page.URL) {
		if s := p.kinds[kind]; s != nil && r.Value > 0 {
			r = Rate{Value: (s.n + poolShape) / (s.t + poolShape/r.Value), Source: FromCrawl}
		}
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
