package search

import (
	"cmp"
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"varve/derive"
	"varve/index/fulltext"
)

// Rising is which values of facets the versions first seen in a time have more often than those of the time before.
type Rising struct {
	From   time.Time     `json:"from"`
	To     time.Time     `json:"to,omitzero"` // until now if it is zero
	Facets []RisingFacet `json:"facets"`
}

// RisingFacet is the values of one facet, the most telling first.
type RisingFacet struct {
	Facet  string          `json:"facet"`
	In     int64           `json:"in"`     // versions of the time that fit
	Before int64           `json:"before"` // versions of the time before that fit
	Values []fulltext.Rise `json:"values"`
}

// Sizes of what rises.
const (
	risingValues    = 20
	maxRisingValues = 300
	risingLooked    = 500 // the most frequent values of the time, among which those that rise are looked for
	leastRising     = 2   // versions of the time that must have a value
)

// ParseRising reads the parameters from, to, facets, n, q and those of facets.
func ParseRising(v url.Values) (q fulltext.Query, err error) {
	if q, err = Parse(without(v, "n")); err != nil {
		return q, err
	}
	if q.From.IsZero() {
		return q, invalid("what rises is of a time: from is missing")
	}
	if q.Limit, err = number(v, "n"); err != nil {
		return q, err
	}
	if q.Limit <= 0 {
		q.Limit = risingValues
	}
	q.Limit = min(q.Limit, maxRisingValues)
	return q, nil
}

// AskRising weighs the values of the facets of a query: of each at most Limit. Versions of the time, From to To, and of all time before are those that were
// first seen then. A facet with conditions is looked at as if it had none. Without Facets it is those that analyses brought.
func AskRising(ctx context.Context, t Texts, collections string, q fulltext.Query) (*Rising, error) {
	if len(q.Facets) == 0 {
		declared, err := Declared(ctx, t, collections)
		if err != nil {
			return nil, err
		}
		for _, d := range declared {
			q.Facets = append(q.Facets, d.Name)
		}
	}
	out := &Rising{From: q.From, To: q.To, Facets: []RisingFacet{}}
	var free []string
	for _, f := range q.Facets {
		if len(q.Filters[f])+len(q.Without[f]) == 0 {
			free = append(free, f)
			continue
		}
		wider := AnyValue(q, f)
		wider.Facets = []string{f}
		list, err := rising(ctx, t, collections, wider)
		if err != nil {
			return nil, err
		}
		out.Facets = append(out.Facets, list...)
	}
	if len(free) > 0 {
		q.Facets = free
		list, err := rising(ctx, t, collections, q)
		if err != nil {
			return nil, err
		}
		out.Facets = append(out.Facets, list...)
	}
	return out, nil
}

// AnyValue returns a query without its conditions on a facet.
func AnyValue(q fulltext.Query, facet string) fulltext.Query {
	q.Filters, q.Without = maps.Clone(q.Filters), maps.Clone(q.Without)
	delete(q.Filters, facet)
	delete(q.Without, facet)
	return q
}

// rising weighs the values of facets without conditions against the time before.
func rising(ctx context.Context, t Texts, collections string, q fulltext.Query) ([]RisingFacet, error) {
	before := q
	before.From, before.To = time.Time{}, q.From.Add(-time.Microsecond)
	return weigh(ctx, t, collections, q, before)
}

// weigh weighs the values of the facets of a query, which have no conditions, of versions first seen in its time against those of another time.
func weigh(ctx context.Context, t Texts, collections string, in, of fulltext.Query) (out []RisingFacet, err error) {
	most := in.Limit
	for _, q := range []*fulltext.Query{&in, &of} {
		q.AsOf, q.Relation, q.Limit, q.Cursor, q.Group, q.Trend, q.Top = time.Time{}, fulltext.Begins, -1, "", false, fulltext.NoTrend, risingLooked
	}
	now, err := Ask(ctx, t, collections, in)
	if err != nil {
		return nil, err
	}
	then, err := Ask(ctx, t, collections, of)
	if err != nil {
		return nil, err
	}
	for _, f := range in.Facets {
		r := RisingFacet{Facet: f, In: now.Total, Before: then.Total, Values: []fulltext.Rise{}}
		other := map[string]int64{}
		for _, c := range then.Facets[f] {
			other[c.Name] = c.Count
		}
		for _, c := range now.Facets[f] { // most first
			if c.Name == "" || c.Count < leastRising {
				continue
			}
			if hope, _ := fulltext.NewRise(c.Name, c.Count, 0, r.In, r.Before); len(r.Values) == most && hope.Score < r.Values[most-1].Score {
				break // neither this one nor those behind it can be among the best, and each may cost a question
			}
			was, known := other[c.Name]
			if !known && len(then.Facets[f]) == risingLooked { // it may be there, less often than what was looked at
				one := of
				one.Facets, one.Filters = nil, maps.Clone(of.Filters)
				put(&one.Filters, f, c.Name)
				a, err := Ask(ctx, t, collections, one)
				if err != nil {
					return nil, err
				}
				was = a.Total
			}
			if rise, ok := fulltext.NewRise(c.Name, c.Count, was, r.In, r.Before); ok {
				at, _ := slices.BinarySearchFunc(r.Values, rise, func(a, b fulltext.Rise) int {
					return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Term, b.Term))
				})
				r.Values = slices.Insert(r.Values, at, rise)
				r.Values = r.Values[:min(len(r.Values), most)]
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// Narrow returns a query that needs another one as well.
func Narrow(query, more string) string {
	switch {
	case strings.TrimSpace(query) == "":
		return more
	case more == "":
		return query
	}
	return "(" + query + ") " + more
}

// Typed returns the condition on a value of a facet as a query writes it; "" if it cannot be written: quotation marks cannot stand within them.
func Typed(facet, value string) string {
	if !fulltext.Quotable(value) {
		return ""
	}
	return facet + `:"` + value + `"`
}

// Names returns the declared facets whose values are names.
func Names(declared []derive.Facet) (out []derive.Facet) {
	for _, d := range declared {
		if d.Kind == derive.FacetNames {
			out = append(out, d)
		}
	}
	return out
}
