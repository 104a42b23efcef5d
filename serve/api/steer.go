package api

import (
	"net/http"
	"time"

	"varve/crawl/control"
	"varve/serve/access"
	"varve/serve/crawls"
)

// Watched is what those see who watch a running crawl.
type Watched struct {
	*control.Watch
	Foretold *crawls.Forecast `json:"foretold,omitempty"` // how well it may hang together
}

// watch tells how a running crawl goes.
func (a *API) watch(r *http.Request) (any, error) {
	k, err := a.find(r)
	if err != nil {
		return nil, err
	}
	w, err := k.Watch(r.Context())
	if err != nil {
		return nil, err
	}
	out := Watched{Watch: w}
	if f, err := a.forecasts.Of(r.Context(), k, w); err == nil {
		out.Foretold = &f
	}
	return out, nil
}

func (a *API) helm() *crawls.Helm { return &crawls.Helm{Audit: a.cfg.Audit, Now: a.cfg.Now} }

// steer changes a running crawl, or tells what a change would do.
func (a *API) steer(r *http.Request) (any, error) {
	k, err := a.find(r)
	if err != nil {
		return nil, err
	}
	var act crawls.Act
	const hint = `{"do":"exclude","lines":"https://news.example/calendar/"}, {"do":"delay","host":"news.example","delay":"2 s"}, {"do":"limits","limits":{"maxPages":5000}}`
	if err := take(r, 1<<20, &act, hint); err != nil {
		return nil, err
	}
	if r.URL.Query().Get("preview") != "" {
		return a.helm().Foresee(r.Context(), k, act)
	}
	return a.helm().Do(r.Context(), k, act, access.From(r.Context()).Label())
}

// command pauses, resumes or stops a running crawl and tells how far it is.
func (a *API) command(what crawls.Deed) func(*http.Request) (any, error) {
	return func(r *http.Request) (any, error) {
		k, err := a.find(r)
		if err != nil {
			return nil, err
		}
		if _, err := a.helm().Do(r.Context(), k, crawls.Act{Do: what}, access.From(r.Context()).Label()); err != nil {
			return nil, err
		}
		return k.Progress(r.Context())
	}
}

// Schedule is what is started by itself, and when.
type Schedule struct {
	On      bool             `json:"on"` // this server starts what is due
	Every   string           `json:"every,omitempty"`
	Looked  time.Time        `json:"looked,omitzero"`
	Waiting []crawls.Waiting `json:"waiting"` // after a failure
}

// schedule tells whether the server starts what is due.
func (a *API) schedule(*http.Request) (any, error) {
	if a.cfg.Schedule == nil {
		return Schedule{Waiting: []crawls.Waiting{}}, nil
	}
	s := a.cfg.Schedule.Status()
	return Schedule{On: true, Every: s.Every.String(), Looked: s.Looked, Waiting: s.Waiting}, nil
}
