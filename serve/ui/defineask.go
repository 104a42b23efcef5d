package ui

import (
	"net/http"
	"time"

	"varve/crawl"
	"varve/serve/crawls"
	"varve/serve/holdings"
	"varve/serve/message"
)

// newAsk is the form of the scope tester.
func newAsk(url, hops, via string) scopeAsk {
	a := scopeAsk{URL: url, Hops: hops, Via: via}
	if a.Hops == "" {
		a.Hops = "L"
	}
	known := false
	for _, w := range ways {
		w.On = w.Hops == a.Hops
		known = known || w.On
		a.Ways = append(a.Ways, w)
	}
	if !known {
		a.Ways = append(a.Ways, way{a.Hops, "the way " + a.Hops, true})
	}
	return a
}

// answer keeps what the rules said.
func (a *scopeAsk) answer(l *message.Language, t crawl.ScopeTest, err error) {
	if err != nil {
		trouble := newTrouble(l, err)
		a.Trouble, a.Hint = trouble.Why, trouble.Hint
		return
	}
	a.Test = &t
}

// ask asks the rules of a draft about the address in the form.
func (d *defineData) ask(r *http.Request, p crawl.Planned, now time.Time) {
	f := r.PostForm
	d.Ask = newAsk(f.Get("url"), f.Get("hops"), f.Get("via"))
	if d.Ask.URL == "" {
		return
	}
	for _, field := range []string{"scope", "max-hops", "include", "exclude", "rules", "seeds"} {
		if why := d.Faults.Of(field); why != "" {
			d.Ask.Trouble = "First put " + field + " right: " + why
			return
		}
	}
	c := crawls.Planned{Planned: holdings.Planned{Name: p.Name, Seeds: p.Seeds}, Definition: &p.Definition}
	got, err := c.TestScope(d.Ask.URL, d.Ask.Hops, d.Ask.Via, now)
	d.Ask.answer(message.From(r.Context()), got, err)
}

// foretellDraft weighs pages against pace for what was typed.
func (u *UI) foretellDraft(r *http.Request, collection string, p crawl.Planned) (whatIf, error) {
	pages, delay := proposed(crawls.Plan{Crawls: []crawls.Planned{{Definition: &p.Definition}}})
	return u.reckon(r, collection, pages, delay)
}
