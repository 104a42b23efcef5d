package ui

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/archive/cdxj"
	"varve/serve/access"
	"varve/serve/message"
	"varve/serve/pulse"
	"varve/serve/review"
	"varve/serve/strip"
)

// Pulse tells what the archive holds at a glance; *pulse.Desk is one.
type Pulse interface {
	Of(ctx context.Context, ask pulse.Ask) (*pulse.Pulse, error)
}

// pulseData is what the first page shows.
type pulseData struct {
	*pulse.Pulse
	At         string // 2025 or 2025-03: only what belongs to this time; empty: all
	AtName     string
	Collection string     // only this one; empty: all
	Rows       []pulseRow // of this page
	Pager      pager
	Months     months
	Changes    []changeRow
	Words      []wordLink
	WordsOf    string // name of the interval
	Cloud      string // address of all words of it
	Tops       []alertView
	Chief      bool   // the visitor may curate
	Here       string // address of this view
	Said       string // the sentence above the months
}

// pulseRow is a collection in the list.
type pulseRow struct {
	pulse.Collection
	Strip  strip.Strip
	Bars   []monthBar
	Manner string
}

// changeRow is a change with where it can be seen.
type changeRow struct {
	pulse.Change
	Page, Compare string
}

// wordLink is a rising word with the search for it.
type wordLink struct {
	Term  string
	Hits  int64
	Href  string
	Title string
}

// ownPulse takes the pulse from what the screens have. Without an index that tells its size, some figures are unknown.
func (u *UI) ownPulse() Pulse {
	cfg := pulse.Config{
		Archive: u.cfg.Archive, Holdings: u.cfg.Holdings, Texts: u.cfg.Texts, Tray: u.cfg.Tray, Disk: review.DiskOf, Background: u.cfg.Background, Now: u.cfg.Now,
	}
	if u.cfg.Rules != nil {
		cfg.Rules = u.cfg.Rules
	}
	return pulse.New(cfg)
}

// pulse is the first page: what the archive holds, and how it lives.
func (u *UI) pulse(r *http.Request) (*view, error) {
	q := r.URL.Query()
	ask := pulse.Ask{Collection: q.Get("collection"), Limit: collectionsShown, After: q.Get("from")}
	d := &pulseData{At: q.Get("at"), Collection: ask.Collection, Here: r.URL.RequestURI(), Chief: access.From(r.Context()).Can(access.Curator)}
	if d.At != "" {
		var err error
		if ask.From, ask.To, d.AtName, err = span(message.From(r.Context()), d.At); err != nil {
			return nil, err
		}
	}
	var err error
	if d.Pulse, err = u.cfg.Pulse.Of(r.Context(), ask); err != nil {
		return nil, err
	}
	d.Pager = newPager(r, d.Totals.Collections, collectionsShown)
	l := message.From(r.Context())
	d.draw(l)
	d.Said = d.sentence(l)
	d.link(l, ask)
	return &view{template: "pulse", title: l.Text("Archive pulse"), section: "pulse", data: d}, nil
}

// span reads a year or a month of the calendar.
func span(l *message.Language, at string) (from, to time.Time, name string, err error) {
	if from, err = time.Parse("2006-01", at); err == nil {
		return from, from.AddDate(0, 1, 0), l.MonthName(from), nil
	}
	if from, err = time.Parse("2006", at); err == nil {
		return from, from.AddDate(1, 0, 0), at, nil
	}
	return from, to, "", &varve.Error{Kind: varve.Invalid, Op: "show a time", Msg: fmt.Sprintf("at=%.20q is neither a year nor a month", at), Hint: "at=2026 or at=2026-05"}
}

// link adds the addresses of what is shown.
func (d *pulseData) link(l *message.Language, ask pulse.Ask) {
	for _, c := range d.Pulse.Changes {
		row := changeRow{Change: c, Page: collectionPath(c.Collection) + "/page?" + url.Values{"url": {c.URL}}.Encode()}
		if !c.New() {
			row.Compare = collectionPath(c.Collection) + "/compare?" + url.Values{"url": {c.URL}, "a": {cdxj.Timestamp(c.Before)}, "b": {cdxj.Timestamp(c.At)}}.Encode()
		}
		d.Changes = append(d.Changes, row)
	}
	if d.Tray != nil {
		for _, a := range d.Tray.Top {
			d.Tops = append(d.Tops, viewOf(a))
		}
	}
	if w := d.Pulse.Words; w != nil {
		d.linkWords(l, w, ask.Collection)
	}
}

func (d *pulseData) linkWords(l *message.Language, w *pulse.Words, collection string) {
	last := w.To.Add(-time.Second)
	name, layout, bucket := "", time.DateOnly, "day"
	switch {
	case w.To.Sub(w.From) > 32*24*time.Hour:
		name, layout, bucket = w.From.Format("2006"), "2006", "year"
	case w.To.Sub(w.From) > 24*time.Hour:
		name, layout, bucket = l.MonthName(w.From), "2006-01", "month"
	default:
		name = l.Spelled(w.From)
	}
	d.WordsOf = name
	q := url.Values{"at": {w.From.Format(layout)}, "bucket": {bucket}}
	if collection != "" {
		q.Set("collection", collection)
	}
	d.Cloud = address("/cloud", q)
	for _, t := range w.Terms {
		q := url.Values{"q": {t.Term}, "from": {w.From.Format(layout)}, "to": {last.Format(layout)}}
		if collection != "" {
			q.Set("collection", collection)
		}
		d.Words = append(d.Words, wordLink{t.Term, t.Hits, address("/search", q), l.Text("in {0}, {1} times its share of other times", l.Count(t.Hits, "version"), l.Decimal(t.Times, 1))})
	}
}

// with is the address of this view with one part of it changed.
func (d *pulseData) with(name, value string) string {
	q := url.Values{}
	for k, v := range map[string]string{"at": d.At, "collection": d.Collection} {
		if k == name {
			v = value
		}
		if v != "" {
			q.Set(k, v)
		}
	}
	return address("/", q)
}

// AllTimes is the view without its time.
func (d *pulseData) AllTimes() string { return d.with("at", "") }

// AllCollections is the view of all collections.
func (d *pulseData) AllCollections() string { return d.with("collection", "") }

// Only is the view of one collection.
func (d *pulseData) Only(name string) string { return d.with("collection", name) }

// Counting tells whether what the visitor may see of some collection is being counted.
func (d *pulseData) Counting() bool {
	return slices.ContainsFunc(d.Collections, func(c pulse.Collection) bool { return c.Source == pulse.Counting })
}

// When is the view of a year or a month.
func (d *pulseData) When(at string) string { return d.with("at", at) }

// Title is the title of the collection that is chosen.
func (d *pulseData) Title() string {
	i := slices.IndexFunc(d.Collections, func(c pulse.Collection) bool { return c.Name == d.Collection })
	if i < 0 {
		return d.Collection
	}
	return d.Collections[i].Title
}

// Kinds are the kinds of what needs a look, in words.
func (d *pulseData) Kinds() string {
	var out []string
	for _, k := range d.Tray.Kinds[:min(len(d.Tray.Kinds), 4)] {
		out = append(out, fmt.Sprintf("%s: %d", k.Kind.Words(), k.Count))
	}
	return strings.Join(out, " · ")
}
