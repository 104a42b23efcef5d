package api

import (
	"context"
	"net/http"

	"varve"
	"varve/entity/statistics"
	"varve/serve/search"
)

var statisticsParams = []param{
	{"method", "string", "both, voting or words: themes times words, themes alone, words alone; both if not given", false},
	{"lang", "string", "language of the text, ISO 639-1; what it looks like if not given", false},
}

// statistics answers with the articles of statistics that the text in the body has to do with. Nothing of the archive is in it, as in analysePosted.
func (a *API) statistics(w http.ResponseWriter, r *http.Request) error {
	in, err := a.posted(w, r)
	if err != nil {
		return err
	}
	m, err := statistics.ParseMethod(r.URL.Query().Get("method"))
	if err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "link to statistics", Msg: err.Error()}
	}
	in.Language = r.URL.Query().Get("lang")
	return a.inTurn(w, r, func(ctx context.Context) (any, error) {
		return search.LinkStatistics(ctx, a.cfg.Statistics, a.cfg.Linkers, in, m)
	})
}
