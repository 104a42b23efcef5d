package search

import (
	"context"
	"net/url"

	"varve/index/fulltext"
)

// Sizes of a cloud.
const (
	cloudTerms    = 60
	maxCloudTerms = 300
)

// ParseCloud reads the parameters from, to, n, q and those of facets.
func ParseCloud(v url.Values) (q fulltext.Query, err error) {
	if q, err = Parse(without(v, "n")); err != nil {
		return q, err
	}
	if q.Limit, err = number(v, "n"); err != nil {
		return q, err
	}
	if q.Limit == 0 {
		q.Limit = cloudTerms
	}
	q.Limit = min(q.Limit, maxCloudTerms)
	if q.From.IsZero() && q.To.IsZero() {
		return q, invalid("a cloud is of an interval: from, to, or both are missing")
	}
	return q, nil
}

// AskCloud gives the terms that rise in an interval against the other times of what text and facets choose.
func AskCloud(ctx context.Context, t Texts, collections string, q fulltext.Query) (*fulltext.Cloud, error) {
	return asked(ctx, t, collections, func(sources []fulltext.Source) (*fulltext.Cloud, error) {
		return fulltext.RisingTerms(ctx, sources, q)
	})
}
