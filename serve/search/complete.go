package search

import (
	"context"
	"net/url"

	"varve/index/fulltext"
)

// Completion is names of a facet, the commonest first, with how many versions have each.
type Completion struct {
	Facet  string           `json:"facet"`
	Prefix string           `json:"prefix,omitempty"` // how they begin, capitals apart
	Names  []fulltext.Count `json:"names"`
}

// Complete completes a name of a facet while it is typed: names that begin so, of versions that fit the conditions of a search. Names that only
// what may not be seen has are not among them, and counts are of what may be.
func Complete(ctx context.Context, t Texts, facet string, v url.Values) (*Completion, error) {
	q, err := Parse(v)
	if err != nil {
		return nil, err
	}
	q.Facets, q.Limit, q.Cursor, q.Group, q.Trend = []string{facet}, -1, "", false, fulltext.NoTrend
	a, err := Ask(ctx, t, v.Get("collection"), q)
	if err != nil {
		return nil, err
	}
	out := &Completion{facet, q.Prefix, a.Facets[facet]}
	if out.Names == nil {
		out.Names = []fulltext.Count{}
	}
	return out, nil
}
