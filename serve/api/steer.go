package api

import (
	"context"
	"net/http"
	"time"

	"varve"

	"varve/crawl/control"
	"varve/crawl/relevance"
	"varve/serve/access"
	"varve/serve/crawls"
	"varve/serve/holdings"
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

// maxGiven bounds the addresses of one request, in bytes.
const maxGiven = 8 << 20

// giveURLs hands addresses to a running crawl, so that programs elsewhere can steer it.
func (a *API) giveURLs(r *http.Request) (any, error) {
	var list []control.URLUpdate
	if err := take(r, maxGiven, &list, `[{"url":"https://news.example/flood","score":0.9},{"url":"https://news.example/ads","blacklist":true,"reason":"advertising"}]; larger lists in parts`); err != nil {
		return nil, err
	}
	k, err := a.live(r.Context(), r.URL.Query().Get("collection"), r.PathValue("crawl"))
	if err != nil {
		return nil, err
	}
	return a.helm().Give(r.Context(), k, list, access.From(r.Context()).Label())
}

// about tells what a running crawl is about.
func (a *API) about(r *http.Request) (any, error) {
	k, err := a.find(r)
	if err != nil {
		return nil, err
	}
	return a.helm().About(r.Context(), k)
}

// setAbout changes what a running crawl is about.
func (a *API) setAbout(r *http.Request) (any, error) {
	k, err := a.find(r)
	if err != nil {
		return nil, err
	}
	var about relevance.About
	if err := take(r, maxGiven, &about, `{"keywords":[{"word":"flood","weight":2}],"weights":{"anchor":0.5}}`); err != nil {
		return nil, err
	}
	return a.helm().SetAbout(r.Context(), k, about, access.From(r.Context()).Label())
}

// why explains the score of an address to somebody who may see it.
func (a *API) why(r *http.Request) (any, error) {
	k, err := a.find(r)
	if err != nil {
		return nil, err
	}
	may, err := a.cfg.Rules.May(r.Context(), k.Collection, a.cfg.Now())
	if err != nil {
		return nil, err
	}
	return a.helm().Why(r.Context(), k, r.URL.Query().Get("url"), crawls.May(may))
}

// live finds the running crawl of an id.
func (a *API) live(ctx context.Context, collection, id string) (found *holdings.Crawl, err error) {
	q := holdings.CrawlQuery{Collection: collection, State: holdings.Live, Limit: maxLimit}
	for {
		page, err := a.cfg.Holdings.Crawls(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, k := range page.Items {
			if k.ID != id {
				continue
			}
			if found != nil {
				return nil, &varve.Error{Kind: varve.Conflict, Op: "crawl " + id, Msg: "runs in " + found.Collection + " and in " + k.Collection, Hint: "?collection= says which is meant"}
			}
			found = k
		}
		if q.After = page.Next; q.After == "" {
			break
		}
	}
	if found == nil {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "crawl " + id, Msg: "no crawl of this name is running", Hint: "/api/crawls?state=running lists those that are"}
	}
	return found, nil
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
