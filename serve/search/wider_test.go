package search_test

import (
	"testing"
	"time"

	"varve/index/fulltext"
	"varve/serve/search"
)

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
