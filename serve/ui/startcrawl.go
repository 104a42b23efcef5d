package ui

import (
	"context"
	"net/http"
	"time"

	"varve"
	"varve/crawl"
	"varve/serve/access"
	"varve/serve/crawls"
	"varve/serve/holdings"
	"varve/serve/message"
)

// Crawls starts crawls; *crawls.Launcher is one.
type Crawls interface {
	Start(ctx context.Context, collection, definition, by string) (crawls.Job, error)
	Resume(ctx context.Context, collection, by string) (crawls.Job, error)
	Refer(ctx context.Context, collection, definition, by string) (crawls.Job, error)
	Job(collection string) (crawls.Job, bool)
}

// planData is what the page of planned crawls shows.
type planData struct {
	*holdings.Collection
	Tab      string
	Plan     crawls.Plan
	Busy     bool // a crawl runs or is about to
	Starting bool // the program runs, its crawl is not to be seen yet
	CanStart bool
	CanPlan  bool
	CSRF     string
	Here     string
	Ask      scopeAsk
	WhatIf   whatIf
	say      *message.Language
}

// Limits names what a planned crawl may not go beyond.
func (x planData) Limits(p crawls.Planned) (out []string) {
	d := p.Definition
	if d.MaxPages > 0 {
		out = append(out, x.say.Count(d.MaxPages, "page"))
	}
	if d.MaxURLs > 0 {
		out = append(out, x.say.Count(d.MaxURLs, "capture"))
	}
	if d.MaxBytes > 0 {
		out = append(out, x.say.Bytes(d.MaxBytes))
	}
	if d.MaxTime > 0 {
		out = append(out, x.say.Duration(time.Duration(d.MaxTime)))
	}
	return out
}

// plan shows the planned crawls of a collection and asks their rules about addresses.
func (u *UI) plan(r *http.Request) (*view, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	for _, k := range c.Crawls {
		k.Follow(r.Context())
	}
	who := access.From(r.Context())
	d := planData{say: message.From(r.Context()), Collection: c, Tab: "plan", Plan: crawls.PlanOf(c, u.cfg.Now()), CSRF: who.CSRF, Here: r.URL.RequestURI()}
	d.CanStart = u.cfg.Crawls != nil && who.Can(access.Curator)
	d.CanPlan = u.cfg.Plans != nil && who.Can(access.Curator) && c.Problem == ""
	if u.cfg.Crawls != nil {
		if j, ok := u.cfg.Crawls.Job(c.Name); ok {
			d.Plan.Job = &j
			d.Starting = j.State == crawls.Running && d.Plan.Running == nil
		}
	}
	d.Busy = d.Starting || d.Plan.Running != nil
	d.Ask = askScope(r, d.Plan, u.cfg.Now())
	if d.WhatIf, err = u.foretell(r, d.Plan); err != nil {
		return nil, err
	}
	return &view{template: "plan", title: "Plan of " + c.Title, section: "collections", data: d, said: true}, nil
}

// startCrawl starts a planned crawl.
func (u *UI) startCrawl(r *http.Request) (*view, error) {
	return u.launch(r, func(by string) error {
		_, err := u.cfg.Crawls.Start(r.Context(), r.PathValue("collection"), r.PostFormValue("definition"), by)
		return err
	})
}

// resumeCrawl goes on with the unfinished crawl.
func (u *UI) resumeCrawl(r *http.Request) (*view, error) {
	return u.launch(r, func(by string) error {
		_, err := u.cfg.Crawls.Resume(r.Context(), r.PathValue("collection"), by)
		return err
	})
}

func (u *UI) launch(r *http.Request, start func(by string) error) (*view, error) {
	if u.cfg.Crawls == nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "start a crawl", Msg: "this server starts none", Hint: "use 'varve crawl --definition NAME' where the archive is"}
	}
	if err := start(access.From(r.Context()).Label()); err != nil {
		return nil, err
	}
	return &view{to: collectionPath(r.PathValue("collection")) + "/plan"}, nil
}

// scopeAsk is the form of the scope tester, and its answer.
type scopeAsk struct {
	Definition, URL, Hops, Via string
	Ways                       []way
	Test                       *crawl.ScopeTest
	Trouble, Hint              string
}

// way is how an address may have been found.
type way struct {
	Hops, Label string
	On          bool
}

// ways are those that people ask about; others can stand in the address of the page.
var ways = []way{
	{Hops: "L", Label: "a link on a seed"},
	{Hops: "LL", Label: "a link two steps from a seed"},
	{Hops: "LLL", Label: "a link three steps from a seed"},
	{Hops: "E", Label: "part of a seed: picture, style, script"},
	{Hops: "LE", Label: "part of a linked page"},
	{Hops: "M", Label: "listed in a sitemap or feed"},
	{Hops: "LR", Label: "where a link was redirected to"},
	{Hops: "X", Label: "guessed from a script"},
}

func askScope(r *http.Request, p crawls.Plan, now time.Time) scopeAsk {
	q := r.URL.Query()
	a := newAsk(q.Get("url"), q.Get("hops"), q.Get("via"))
	a.Definition = q.Get("definition")
	if a.Definition == "" && len(p.Crawls) > 0 {
		a.Definition = p.Crawls[0].Name
	}
	if a.URL == "" {
		return a
	}
	l := message.From(r.Context())
	c, err := p.Named(a.Definition)
	if err != nil {
		a.answer(l, crawl.ScopeTest{}, err)
		return a
	}
	got, err := c.TestScope(a.URL, a.Hops, a.Via, now)
	a.answer(l, got, err)
	return a
}
