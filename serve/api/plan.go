package api

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"varve"
	"varve/serve/access"
	"varve/serve/crawls"
)

// Crawls starts crawls; *crawls.Launcher is one.
type Crawls interface {
	Start(ctx context.Context, collection, definition, by string) (crawls.Job, error)
	Resume(ctx context.Context, collection, by string) (crawls.Job, error)
	Refer(ctx context.Context, collection, definition, by string) (crawls.Job, error)
	Job(collection string) (crawls.Job, bool)
}

// NewCrawl says which crawl is to run: one of the plan, its reference crawl, or the unfinished one.
type NewCrawl struct {
	Definition string `json:"definition,omitempty"`
	Resume     bool   `json:"resume,omitempty"`
	Reference  bool   `json:"reference,omitempty"` // with a definition: its reference crawl, after which proposals are made
}

// maxNewCrawl bounds the body that asks for a crawl.
const maxNewCrawl = 4 << 10

// plan is what a collection is to crawl.
func (a *API) plan(r *http.Request) (any, error) {
	p, err := a.planOf(r)
	if err != nil {
		return nil, err
	}
	if a.cfg.Crawls != nil {
		if j, ok := a.cfg.Crawls.Job(p.Collection); ok {
			p.Job = &j
		}
	}
	return p, nil
}

func (a *API) planOf(r *http.Request) (crawls.Plan, error) {
	c, err := a.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return crawls.Plan{}, err
	}
	for _, k := range c.Crawls {
		k.Follow(r.Context())
	}
	return crawls.PlanOf(c, a.cfg.Now()), nil
}

// startCrawl starts a crawl of the plan, or goes on with the unfinished one.
func (a *API) startCrawl(r *http.Request) (any, error) {
	var ask NewCrawl
	dec := json.NewDecoder(io.LimitReader(r.Body, maxNewCrawl))
	dec.DisallowUnknownFields()
	const hint = `{"definition":"daily"} starts a crawl of the plan, {"resume":true} goes on with the unfinished one`
	if err := dec.Decode(&ask); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "read which crawl to start", Err: err, Hint: hint}
	}
	if ask.Resume == (ask.Definition != "") || ask.Resume && ask.Reference {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "read which crawl to start", Msg: "want either a definition or resume", Hint: hint}
	}
	if a.cfg.Crawls == nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "start a crawl", Msg: "this server starts none", Hint: "use 'varve crawl --definition NAME' where the archive is"}
	}
	by := access.From(r.Context()).Label()
	if ask.Resume {
		return a.cfg.Crawls.Resume(r.Context(), r.PathValue("collection"), by)
	}
	if ask.Reference {
		return a.cfg.Crawls.Refer(r.Context(), r.PathValue("collection"), ask.Definition, by)
	}
	return a.cfg.Crawls.Start(r.Context(), r.PathValue("collection"), ask.Definition, by)
}

// scopeTest asks the rules of a planned crawl about an address.
func (a *API) scopeTest(r *http.Request) (any, error) {
	p, err := a.planOf(r)
	if err != nil {
		return nil, err
	}
	q := r.URL.Query()
	c, err := p.Named(r.PathValue("definition"))
	if err != nil {
		return nil, err
	}
	return c.TestScope(q.Get("url"), q.Get("hops"), q.Get("via"), a.cfg.Now())
}
