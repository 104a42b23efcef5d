package api

import (
	"errors"
	"io/fs"
	"net/http"
	"slices"

	"varve"
	"varve/crawl"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/review"
)

// Again names addresses of a crawl to be crawled again.
type Again struct {
	URLs []string `json:"urls,omitempty"` // that the crawl lacks; none: all that another attempt may bring
}

// reviewed judges a crawl and what later ones mended.
func (a *API) reviewed(r *http.Request) (*holdings.Crawl, *review.Quality, error) {
	k, err := a.cfg.Holdings.Crawl(r.Context(), r.PathValue("collection"), r.PathValue("crawl"))
	if err != nil {
		return nil, nil, err
	}
	q, err := review.Of(r.Context(), k.Dir())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, &varve.Error{Kind: varve.NotFound, Op: "review crawl " + k.ID, Msg: "it has no log", Hint: "it was imported, or has not begun to visit"}
	}
	if err != nil {
		return nil, nil, &varve.Error{Kind: varve.Unavailable, Op: "review crawl " + k.ID, Err: err}
	}
	later, err := a.cfg.Holdings.Crawls(r.Context(), holdings.CrawlQuery{Collection: k.Collection, Name: holdings.MendingName(k.ID), Limit: maxLimit})
	if err != nil {
		return nil, nil, err
	}
	slices.Reverse(later.Items)
	var lines []crawl.Defined
	if a.cfg.Plans != nil {
		lines, _ = a.cfg.Plans.History(k.Collection, holdings.MendingName(k.ID)) // none if there never was one
		slices.Reverse(lines)
	}
	if err := q.Heal(r.Context(), review.Menders(later.Items, k.ID, lines)); err != nil {
		return nil, nil, &varve.Error{Kind: varve.Unavailable, Op: "review crawl " + k.ID, Err: err}
	}
	return k, q, nil
}

// review tells what a crawl lacks.
func (a *API) review(r *http.Request) (any, error) {
	_, q, err := a.reviewed(r)
	return q, err
}

// recrawl starts a crawl of what another lacks.
func (a *API) recrawl(r *http.Request) (any, error) {
	var again Again
	if err := readBody(r, &again, `{"urls":["https://ministry.example/law.pdf"]}`); err != nil {
		return nil, err
	}
	if a.cfg.Crawls == nil || a.cfg.Plans == nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "crawl addresses again", Msg: "this server starts no crawls"}
	}
	k, q, err := a.reviewed(r)
	if err != nil {
		return nil, err
	}
	urls, err := q.Choose(again.URLs)
	if err != nil {
		return nil, err
	}
	return review.Recrawl(r.Context(), a.cfg.Plans, a.cfg.Crawls, k, urls, access.From(r.Context()).Label())
}
