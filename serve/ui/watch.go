package ui

import (
	"context"
	"net/http"
	"time"

	"varve"
	"varve/crawl/control"
	"varve/serve/crawls"
	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/thumb"
)

// watchData is what those see who watch a running crawl.
type watchData struct {
	*control.Watch
	Tiles    []tile
	Charts   []chart
	Errors   []tallied[string]
	Refusals []tallied[string]
	Forecast *crawls.Forecast
	Left     []limitLeft
}

// tile is a page that was captured a moment ago.
type tile struct {
	control.NewPage
	Picture string // address of its picture, if it has one
	Open    string // where it is shown again, once it is indexed
}

// limitLeft is a limit and how far it is used.
type limitLeft struct {
	Name       string
	Used, Most string
	Share      float64 // percent
}

// tilesShown is the number of newest pages on a page.
const tilesShown = 12

// watch gathers what a running crawl shows; nil when it cannot be asked.
func (u *UI) watch(r *http.Request, k *holdings.Crawl) *watchData {
	w, err := k.Watch(r.Context())
	if err != nil {
		return nil // the page shows what is known without
	}
	d := &watchData{Watch: w, Charts: chartsOf(message.From(r.Context()), w.Readings, w.At), Left: leftOf(message.From(r.Context()), w)}
	for e, n := range w.Errors {
		d.Errors = append(d.Errors, tallied[string]{Name: e, Count: n})
	}
	for e, n := range w.Refusals {
		d.Refusals = append(d.Refusals, tallied[string]{Name: e, Count: n})
	}
	d.Errors, d.Refusals = most(d.Errors), most(d.Refusals)
	for _, p := range w.Newest[:min(len(w.Newest), tilesShown)] {
		d.Tiles = append(d.Tiles, u.tile(r.Context(), k, p))
	}
	if f, err := u.forecasts.Of(r.Context(), k, w); err == nil {
		d.Forecast = &f
	}
	return d
}

// tile looks whether a page can be shown already. While its file is being written it cannot.
func (u *UI) tile(ctx context.Context, k *holdings.Crawl, p control.NewPage) tile {
	t := tile{NewPage: p}
	if u.cfg.Index == nil {
		return t
	}
	q := holdings.Query{Collection: k.Collection, URL: p.URL, From: p.At.Add(-2 * time.Second), To: p.At.Add(2 * time.Second), Limit: 1}
	for c, err := range u.cfg.Index.Captures(ctx, q) {
		if err == nil {
			t.Open = u.replayURL(k.Collection, c)
			if _, ok := thumb.FindTaken(ctx, u.cfg.Index, k.Collection, p.URL, c.Time); ok {
				t.Picture = collectionPath(k.Collection) + "/picture?" + string(mustQuery("url", p.URL, "at", c.Time.UTC().Format(time.RFC3339)))
			}
		}
		break
	}
	return t
}

func mustQuery(pairs ...any) string {
	q, err := query(pairs...)
	if err != nil {
		return ""
	}
	return string(q)
}

// picture sends the picture of a page, to those who may see the page itself.
func (u *UI) picture(r *http.Request) (*view, error) {
	collection, page := r.PathValue("collection"), r.URL.Query().Get("url")
	none := &varve.Error{Kind: varve.NotFound, Op: "show a picture of " + short(page, 200), Msg: "there is none"}
	at, err := time.Parse(time.RFC3339, r.URL.Query().Get("at"))
	if err != nil || u.cfg.Index == nil || u.cfg.Contents == nil {
		return nil, none
	}
	q := holdings.Query{Collection: collection, URL: page, From: at.Add(-time.Second), To: at.Add(time.Second), Limit: 1}
	for c, err := range u.cfg.Index.Captures(r.Context(), q) { // without those that are withheld
		if err != nil {
			return nil, err
		}
		png, err := thumb.Taken(r.Context(), u.cfg.Index, u.cfg.Contents, collection, page, c.Time)
		if err != nil {
			return nil, none
		}
		return &view{file: &file{name: "picture.png", mime: "image/png", body: png}}, nil
	}
	return nil, none
}

// leftOf tells how far the limits of a crawl are used.
func leftOf(say *message.Language, w *control.Watch) (out []limitLeft) {
	add := func(name, used, most string, share float64) {
		out = append(out, limitLeft{say.Word(name), used, most, min(100, 100*share)})
	}
	if v := w.Revisited; v != nil && v.Planned > 0 {
		add("revisits", say.Number(v.Revisited), say.Number(v.Planned), float64(v.Revisited)/float64(v.Planned))
	}
	l := w.Limits
	if l.MaxPages > 0 {
		add("pages", say.Number(w.Pages), say.Number(l.MaxPages), float64(w.Pages)/float64(l.MaxPages))
	}
	if l.MaxURLs > 0 {
		add("captures", say.Number(w.URLs), say.Number(l.MaxURLs), float64(w.URLs)/float64(l.MaxURLs))
	}
	if l.MaxBytes > 0 {
		add("bytes", say.Bytes(w.Bytes), say.Bytes(l.MaxBytes), float64(w.Bytes)/float64(l.MaxBytes))
	}
	if l.MaxTime > 0 {
		add("time", say.Duration(w.Elapsed), say.Duration(time.Duration(l.MaxTime)), float64(w.Elapsed)/float64(l.MaxTime))
	}
	return out
}
