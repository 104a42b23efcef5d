package api

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"

	"varve"
	"varve/curate/curation"
	"varve/serve/access"
)

// MediaPage is a part of the list of films and sounds.
type MediaPage struct {
	curation.Part
	Next string `json:"next,omitempty"`
}

// MediaWish is a film that somebody wants to have archived.
type MediaWish struct {
	URL  string `json:"url"`
	Page string `json:"page,omitempty"` // that shows it
	Drop bool   `json:"drop,omitempty"` // it is not wanted any more
}

// MediaNote is what somebody notes about a film.
type MediaNote struct {
	URL   string `json:"url"`
	Label string `json:"label,omitempty"`
	Text  string `json:"text,omitempty"`
}

var mediaParams = with([]param{
	{"text", "string", "only with this in title, description, text around, note or address", false},
	{"state", "string", "only found, queued, failed or archived", false},
	{"kind", "string", "only file, hls, dash or player", false},
	{"service", "string", "only of this well-known player", false},
	{"label", "string", "only with this label", false},
	{"url", "string", "only this one", false},
	{"domain", "string", "only of this host or its subdomains: the page that shows it, or the film itself", false},
}, spanParams, pageParams)

// mediaList is the list of a request's collection.
func (a *API) mediaList(r *http.Request) (*curation.List, error) {
	dir, err := a.labelsOf(r, r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	return curation.Open(dir, a.cfg.Now), nil
}

// media lists the films and sounds of a collection.
func (a *API) media(r *http.Request) (any, error) {
	l, err := a.mediaList(r)
	if err != nil {
		return nil, err
	}
	q := r.URL.Query()
	from, to, err := spanOf(r)
	if err != nil {
		return nil, err
	}
	ask := curation.Query{Domain: q.Get("domain"), From: from, To: to, Text: q.Get("text"), State: curation.State(q.Get("state")), Kind: q.Get("kind"), Service: q.Get("service"), Label: q.Get("label"), URL: q.Get("url")}
	switch ask.State {
	case "", curation.Archived, curation.Queued, curation.Failed, curation.Found:
	default:
		return nil, invalid("state", string(ask.State), "found, queued, failed or archived")
	}
	if ask.Limit, err = limitOf(r, defaultLimit, maxLimit); err != nil {
		return nil, err
	}
	if s := q.Get("cursor"); s != "" {
		if ask.Offset, err = strconv.Atoi(s); err != nil || ask.Offset < 0 {
			return nil, invalid("cursor", s, "next of the page before")
		}
	}
	page, err := l.Entries(r.Context(), ask)
	if page == nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "list media", Err: err, Hint: "'varve derive --check' makes damaged tables anew"}
	}
	out := MediaPage{Part: *page}
	if at := ask.Offset + len(page.Entries); at < page.Total {
		out.Next = strconv.Itoa(at)
	}
	return out, nil
}

// wishMedia asks for a film, or takes that back.
func (a *API) wishMedia(r *http.Request) (any, error) {
	l, err := a.mediaList(r)
	if err != nil {
		return nil, err
	}
	var w MediaWish
	if err := readBody(r, &w, `{"url":"https://player.example/embed/7","page":"https://news.example/vote"}`); err != nil {
		return nil, err
	}
	by := access.From(r.Context()).Label()
	if w.Drop {
		err = l.Drop(w.URL, by)
	} else {
		err = l.Ask(w.Page, w.URL, by)
	}
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "ask for " + w.URL, Err: err}
	}
	return a.oneMedium(r, l, w.URL)
}

// noteMedia notes something about a film.
func (a *API) noteMedia(r *http.Request) (any, error) {
	l, err := a.mediaList(r)
	if err != nil {
		return nil, err
	}
	var n MediaNote
	if err := readBody(r, &n, `{"url":"https://player.example/embed/7","label":"keep"}`); err != nil {
		return nil, err
	}
	if err := l.Annotate(curation.Note{URL: n.URL, Label: n.Label, Text: n.Text, By: access.From(r.Context()).Label()}); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "annotate " + n.URL, Err: err}
	}
	return a.oneMedium(r, l, n.URL)
}

// oneMedium gives an entry as it is now.
func (a *API) oneMedium(r *http.Request, l *curation.List, url string) (any, error) {
	page, err := l.Entries(r.Context(), curation.Query{URL: url, Limit: 1})
	if page == nil || len(page.Entries) == 0 {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "list media", Err: err}
	}
	return page.Entries[0], nil
}

// readBody reads the JSON of a request; example is what it should look like.
func readBody(r *http.Request, to any, example string) error {
	dec := json.NewDecoder(io.LimitReader(r.Body, 256<<10))
	dec.DisallowUnknownFields()
	if err := dec.Decode(to); err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "read the request", Err: err, Hint: example}
	}
	return nil
}
