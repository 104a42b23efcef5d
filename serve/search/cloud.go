package search

import (
	"context"
	"net/url"
	"slices"
	"time"

	"varve/index/fulltext"
	"varve/language/term"
)

// Cloud is the words that rise in an interval, without function words.
type Cloud struct {
	fulltext.Cloud
	Function int `json:"function"` // function words that rise as well and were left out
}

// Sizes of a cloud.
const (
	cloudTerms    = 60
	maxCloudTerms = 300
	functionRoom  = 200 // words more that are looked at, since function words are left out
)

// ParseCloud reads the parameters from, to, n, q and those of facets.
func ParseCloud(v url.Values) (q fulltext.Query, err error) {
	if q, err = parseTerms(v); err == nil && q.From.IsZero() && q.To.IsZero() {
		err = invalid("a cloud is of an interval: from, to, or both are missing")
	}
	return q, err
}

// parseTerms reads the parameters of a query whose limit is n.
func parseTerms(v url.Values) (q fulltext.Query, err error) {
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
	return q, nil
}

// AskCloud gives the terms that rise in an interval against the other times of what text and facets choose.
func AskCloud(ctx context.Context, t Texts, collections string, q fulltext.Query) (*Cloud, error) {
	langs, err := languages(ctx, t, collections, q)
	if err != nil {
		return nil, err
	}
	most := q.Limit
	q.Limit += functionRoom
	found, err := asked(ctx, t, collections, func(sources []fulltext.Source) (*fulltext.Cloud, error) {
		return fulltext.RisingTerms(ctx, sources, q)
	})
	if err != nil {
		return nil, err
	}
	out := &Cloud{Cloud: *found}
	all := len(out.Terms)
	out.Terms = withoutFunction(out.Terms, langs)
	out.Function = all - len(out.Terms)
	out.Terms = out.Terms[:min(len(out.Terms), most)]
	return out, nil
}

// manySpeak is the share of the versions from which on the function words of their language are known as such: war is one of German, and none of English.
const manySpeak = 0.2

// languages returns the languages that many versions that fit have, whenever they were seen.
func languages(ctx context.Context, t Texts, collections string, q fulltext.Query) (out []string, err error) {
	q.From, q.To, q.AsOf, q.Relation, q.Limit, q.Facets, q.Cursor, q.Trend = time.Time{}, time.Time{}, time.Time{}, "", -1, []string{"lang"}, "", fulltext.NoTrend
	a, err := Ask(ctx, t, collections, q)
	if err != nil {
		return nil, err
	}
	return spoken(a), nil
}

// spoken returns the languages that many versions of an answer have.
func spoken(a *fulltext.Answer) (out []string) {
	for _, c := range a.Facets["lang"] {
		if float64(c.Count) >= manySpeak*float64(a.Total) {
			out = append(out, c.Name)
		}
	}
	return out
}

func withoutFunction(words []fulltext.Rise, langs []string) []fulltext.Rise {
	return slices.DeleteFunc(words, func(r fulltext.Rise) bool {
		return slices.ContainsFunc(langs, func(lang string) bool { return term.Function(lang, r.Term) })
	})
}

// Telling is RisingTerms without the function words of the languages that many versions of the sources have.
func Telling(ctx context.Context, sources []fulltext.Source, q fulltext.Query) (*fulltext.Cloud, error) {
	a, err := fulltext.Search(ctx, sources, fulltext.Query{Limit: -1, Facets: []string{"lang"}})
	if err != nil {
		return nil, err
	}
	most := q.Limit
	q.Limit += functionRoom
	c, err := fulltext.RisingTerms(ctx, sources, q)
	if err != nil {
		return nil, err
	}
	c.Terms = withoutFunction(c.Terms, spoken(a))
	c.Terms = c.Terms[:min(len(c.Terms), most)]
	return c, nil
}

// Clouds are what the time before a day and the time since have more often than the other.
type Clouds struct {
	Split  time.Time `json:"split"`
	Of     string    `json:"of,omitempty"` // the facet whose values they are; "" for words
	Before Cloud     `json:"before"`
	After  Cloud     `json:"after"`
}

// ParseClouds reads the parameters split, of, n, q and those of facets.
func ParseClouds(v url.Values) (q fulltext.Query, split time.Time, of string, err error) {
	if q, err = parseTerms(without(v, "split", "of")); err != nil {
		return q, split, of, err
	}
	split, err = parseTime(v.Get("split"), false)
	switch {
	case err != nil:
	case split.IsZero():
		err = invalid("clouds before and after are of a day: split is missing")
	case !q.From.IsZero() || !q.To.IsZero() || !q.AsOf.IsZero():
		err = invalid("clouds before and after a day are of all times: from, to and asof have no place there")
	}
	return q, split, v.Get("of"), err
}

// AskClouds weighs words, or the values of a facet, of versions first seen before a day against those first seen since, and the other way round.
func AskClouds(ctx context.Context, t Texts, collections string, q fulltext.Query, split time.Time, of string) (*Clouds, error) {
	out := &Clouds{Split: split, Of: of}
	before, after := q, q
	before.From, before.To = time.Time{}, split.Add(-time.Microsecond)
	after.From, after.To = split, time.Time{}
	for _, side := range []struct {
		in, of fulltext.Query
		to     *Cloud
	}{{before, after, &out.Before}, {after, before, &out.After}} {
		if of == "" {
			c, err := AskCloud(ctx, t, collections, side.in)
			if err != nil {
				return nil, err
			}
			*side.to = *c
			continue
		}
		in, other := AnyValue(side.in, of), AnyValue(side.of, of)
		in.Facets, other.Facets = []string{of}, []string{of}
		list, err := weigh(ctx, t, collections, in, other)
		if err != nil {
			return nil, err
		}
		side.to.In, side.to.Other, side.to.Terms = list[0].In, list[0].Before, list[0].Values
	}
	return out, nil
}
