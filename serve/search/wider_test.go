package search_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"varve/index/fulltext"
	"varve/language/variant"
	"varve/serve/search"
)

// dated is a shelf that knows how words were written at other times.
type dated struct {
	shelf
	pairs []variant.Pair
}

func (d dated) Spellings(context.Context, ...string) ([]variant.Pair, error) { return d.pairs, nil }

// Other spellings are offered where they find more, of what may be seen.
func TestAlsoWritten(t *testing.T) {
	s := newShelf(t)
	d := dated{s, []variant.Pair{{Old: "e-lection", New: "election", Turn: 1999}, {Old: "29", New: "30", Turn: 1999}}} // only hidden.test has 29
	for text, want := range map[string][]search.Wider{
		"e-lection":         {{Label: "election (mostly from 1999 on)", Count: 20, Text: `(e-lection OR "election")`}},
		`"e-lection"`:       {{Label: "election (mostly from 1999 on)", Count: 20, Text: `("e-lection" OR "election")`}},
		`"E-lection" AND 7`: {{Label: "election (mostly from 1999 on)", Count: 1, Text: `("E-lection" OR "election") AND 7`}},
		"election":          nil, // nothing has the other
		"30":                nil,
		"title:e-lection":   nil,
		"":                  nil,
	} {
		q := fulltext.Query{Text: text}
		found, err := search.Ask(t.Context(), d, "", q)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := search.AlsoWritten(t.Context(), d, "", q, found.Total); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %+v %v, want %+v", text, got, err, want)
		}
		if got, err := search.AlsoWritten(t.Context(), s, "", q, 0); err != nil || got != nil {
			t.Errorf("%s, without spellings: %+v %v", text, got, err)
		}
	}
}

// Whoever found nothing is told what a wider question finds, and of what may not be seen nothing.
func TestWiden(t *testing.T) {
	s := newShelf(t)
	long := time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		q    fulltext.Query
		want []search.Wider
	}{
		{fulltext.Query{Text: "elction"}, []search.Wider{{Label: "election instead of elction", Count: 20, Text: "election"}}},
		{fulltext.Query{Text: "election", AsOf: long}, []search.Wider{
			{Label: "the same at any time", Count: 20, Text: "election", Free: search.OfTime},
		}},
		{fulltext.Query{Text: `election "no such thing"`}, []search.Wider{
			{Label: "election alone", Count: 20, Text: "election"},
			{Label: `"no such thing" alone`, Text: `"no such thing"`},
			{Label: "any one of the words", Count: 20, Text: `election OR "no such thing"`},
		}},
		{fulltext.Query{Filters: map[string][]string{"host": {"hidden.test"}}}, []search.Wider{
			{Label: "only the words, without any condition", Count: 20, Free: search.OfConditions},
		}},
		{fulltext.Query{Text: "xyz"}, nil},
		{fulltext.Query{Text: "((("}, nil},
	} {
		got := search.Widen(t.Context(), s, "", c.q)
		if len(got) != len(c.want) {
			t.Errorf("%+v: %+v", c.q, got)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%+v: %+v, want %+v", c.q, got[i], c.want[i])
			}
		}
	}
}
