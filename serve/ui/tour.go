package ui

import (
	"context"
	"net/http"
	"strconv"

	"varve/curate/tour"
	"varve/serve/access"
	"varve/serve/message"
	"varve/serve/veil"
)

// tourBar is the guided tour as a screen shows it: the stop that the visitor is at, or, on the first page, that there is one.
type tourBar struct {
	Title       string // of the tour
	Stop        string // title of the stop; "": the tour is offered
	Text        string
	N, Of       int
	Back, Next  string // addresses; "" where there is none
	Here, First string // this screen without the tour; the first stop
	At          string // this stop
	Trouble     string // what is wrong with the file, for curators
}

type tourKey struct{}

// touring takes the stop of the tour out of a request, since screens know nothing of it.
func touring(r *http.Request) *http.Request {
	q := r.URL.Query()
	n, err := strconv.Atoi(q.Get(tour.Param))
	if err != nil || r.Method != http.MethodGet {
		return r
	}
	q.Del(tour.Param)
	out := r.WithContext(context.WithValue(r.Context(), tourKey{}, n))
	u := *r.URL
	u.RawQuery = q.Encode()
	out.URL = &u
	return out
}

// tour returns the tour for a screen; nil where there is nothing to show of it.
func (u *UI) tour(r *http.Request, section string, over *veil.Veil) *tourBar {
	n, on := r.Context().Value(tourKey{}).(int)
	who := access.From(r.Context())
	if !on && section != "pulse" || !who.Can(access.Viewer) || u.cfg.Archive == "" {
		return nil
	}
	t, err := tour.Read(u.cfg.Archive)
	switch {
	case err != nil && who.Can(access.Curator):
		return &tourBar{Trouble: over.Text(err.Error())}
	case err != nil || t == nil:
		return nil
	}
	l := message.From(r.Context())
	said := t.Said(l.Tag())
	b := &tourBar{Title: over.Text(said.Title), Text: over.Text(said.Text), N: n, Of: len(t.Stops), First: t.Address(1), Here: r.URL.RequestURI()}
	if !on || n < 1 || n > len(t.Stops) {
		return b
	}
	stop := t.Stops[n-1].Said(l.Tag())
	b.Stop, b.Text = over.Text(stop.Title), over.Text(stop.Text)
	b.Back, b.At, b.Next = t.Address(n-1), t.Address(n), t.Address(n+1)
	return b
}
