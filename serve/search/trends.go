package search

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"varve/index/fulltext"
)

// maxTrends bounds the terms of one answer.
const maxTrends = 12

// Trends are how often some terms were there, over time.
type Trends struct {
	Bucket fulltext.Bucket `json:"bucket"` // day, month or year
	Series []Series        `json:"series"` // in the order of the terms; all have the same points
}

// Series is one term over time.
type Series struct {
	Term   string       `json:"term"`  // as it was asked
	Total  int64        `json:"total"` // hits of all points
	Points []TrendPoint `json:"points"`
}

// TrendPoint is one bucket: the versions that were first seen in it.
type TrendPoint struct {
	At    time.Time `json:"at"`    // its begin
	Hits  int64     `json:"hits"`  // versions with the term
	Of    int64     `json:"of"`    // all versions of the bucket
	Share float64   `json:"share"` // hits / of
}

// Terms takes terms apart at commas that stand outside of quotes: a,b,"c d".
func Terms(list string) (out []string) {
	quoted := false
	for _, t := range strings.FieldsFunc(list, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ',' && !quoted
	}) {
		if t = strings.TrimSpace(t); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// ParseTrends reads the parameters terms, bucket, from, to, q, which all terms need beside them, and those of facets.
func ParseTrends(v url.Values) (terms []string, q fulltext.Query, err error) {
	terms = Terms(strings.Join(v["terms"], ","))
	switch {
	case len(terms) == 0:
		return nil, q, invalid("the parameter terms is missing: words and \"phrases\", by comma")
	case len(terms) > maxTrends:
		return nil, q, invalid("%d terms are too many: %d at most", len(terms), maxTrends)
	}
	rest := without(v, "terms", "bucket")
	if q, err = Parse(rest); err != nil {
		return nil, q, err
	}
	switch q.Trend = fulltext.Bucket(v.Get("bucket")); q.Trend {
	case fulltext.NoTrend:
		q.Trend = fulltext.ByMonth
	case fulltext.ByDay, fulltext.ByMonth, fulltext.ByYear:
	default:
		return nil, q, invalid("bucket=%q is none of day, month, year", q.Trend)
	}
	return terms, q, nil
}

func without(v url.Values, names ...string) url.Values {
	out := url.Values{}
	for k, list := range v {
		if !slices.Contains(names, k) {
			out[k] = list
		}
	}
	return out
}

// AskTrends counts terms by when the versions that have them were first seen. From and To of the query choose buckets: each that
// they touch is whole.
func AskTrends(ctx context.Context, t Texts, collections string, terms []string, q fulltext.Query) (*Trends, error) {
	out := &Trends{Bucket: q.Trend}
	from, to := q.From, q.To
	q.From, q.To, q.AsOf, q.Limit, q.Facets, q.Cursor = time.Time{}, time.Time{}, time.Time{}, -1, nil, ""
	all := q.Text
	for _, term := range terms {
		q.Text = Narrow(all, term)
		a, err := Ask(ctx, t, collections, q)
		if err != nil {
			return nil, err
		}
		s := Series{Term: term, Points: []TrendPoint{}}
		for _, p := range a.Trend {
			if !from.IsZero() && !q.Trend.End(p.At).After(from) || !to.IsZero() && p.At.After(to) {
				continue
			}
			s.Points = append(s.Points, TrendPoint{p.At, p.Count, p.Of, p.Share()})
			s.Total += p.Count
		}
		out.Series = append(out.Series, s)
	}
	return out, nil
}
