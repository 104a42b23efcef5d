package search

import (
	"context"
	"net/url"

	"varve/index/fulltext"
)

// Names is names of a facet, the commonest first, with how many versions have each.
type Names struct {
	Facet  string           `json:"facet"`
	Begins string           `json:"begins,omitempty"` // with what, capitals apart
	Names  []fulltext.Count `json:"names"`
}

// AskNames completes a name of a facet while it is typed: names that begin so, of versions that fit the conditions of a search. Names that only
// what may not be seen has are not among them, and counts are of what may be.
func AskNames(ctx context.Context, t Texts, facet string, v url.Values) (*Names, error) {
	q, err := Parse(v)
	if err != nil {
		return nil, err
	}
	q.Facets, q.Limit, q.Cursor, q.Group, q.Trend = []string{facet}, -1, "", false, fulltext.NoTrend
	a, err := Ask(ctx, t, v.Get("collection"), q)
	if err != nil {
		return nil, err
	}
	out := &Names{facet, q.Begins, a.Facets[facet]}
	if out.Names == nil {
		out.Names = []fulltext.Count{}
	}
	return out, nil
}
