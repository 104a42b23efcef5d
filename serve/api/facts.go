package api

import (
	"context"
	"net/http"

	"varve/derive/annotate"
	"varve/serve/search"
)

var factsParams = with([]param{
	{"of", "string", "a name, as texts write it: a person, an organisation, a place", false},
	{"with", "string", "only facts with this name on the other side", false},
	{"relation", "string", "only of this relation, such as holds_office", false},
	{"when", "string", "only what holds or can hold then: a year, a month or a day", false},
	{"q", "string", "only what versions tell that fit this query", false},
}, facetParams)

var factParams = []param{
	{"subject", "string", "the name that the fact is of", true},
	{"object", "string", "the other name", true},
	{"role", "string", "the office that it is of, where it has one: prime minister", false},
	{"collection", "string", "the collection, or several by comma; all if not given", false},
}

// facts answers with who was what, and when.
func (a *API) facts(r *http.Request) (any, error) {
	q, err := search.ParseFacts(r.URL.Query())
	if err != nil {
		return nil, err
	}
	return a.factDesk().Ask(r.Context(), r.URL.Query().Get("collection"), q)
}

// fact answers with one fact. Texts are read again for it, so few are asked for at once.
func (a *API) fact(r *http.Request) (any, error) {
	ctx, cancel := context.WithTimeout(r.Context(), analyseTime)
	defer cancel()
	select {
	case a.analyses.slots <- struct{}{}:
		defer func() { <-a.analyses.slots }()
	case <-ctx.Done():
		return nil, overtime(r, ctx)
	}
	q := r.URL.Query()
	out, err := a.factDesk().Fact(ctx, q.Get("collection"), r.PathValue("relation"), q.Get("role"), q.Get("subject"), q.Get("object"))
	if ctx.Err() != nil {
		return nil, overtime(r, ctx)
	}
	return out, err
}

func (a *API) factDesk() *search.FactDesk {
	return &search.FactDesk{Texts: a.cfg.Texts, Archive: a.cfg.Archive, Contents: a.cfg.Contents}
}

// postedFacts answers with the facts of the text in the body of a request. As of analysePosted, nothing of the archive is in the answer.
func (a *API) postedFacts(w http.ResponseWriter, r *http.Request) error {
	in, err := a.posted(w, r)
	if err != nil {
		return err
	}
	return a.liveFacts(w, r, in, func(v any) any { return v })
}

// captureFacts answers with the facts of a capture, if the visitor may see it.
func (a *API) captureFacts(w http.ResponseWriter, r *http.Request) error {
	in, veiled, err := a.captured(r)
	if err != nil {
		return err
	}
	return a.liveFacts(w, r, in, veiled)
}

func (a *API) liveFacts(w http.ResponseWriter, r *http.Request, in annotate.Content, veiled func(any) any) error {
	return a.inTurn(w, r, func(ctx context.Context) (any, error) {
		var err error
		if in.Date, err = timeOf(r, "date", false); err != nil {
			return nil, err
		}
		out, err := a.factDesk().Live(ctx, in, r.PathValue("collection"))
		if err != nil {
			return nil, err
		}
		return veiled(out), nil
	})
}
