package fulltext

import (
	"context"
	"slices"

	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/query"
	index "github.com/blevesearch/bleve_index_api"
)

// nearQuery finds words that stand close together in any order: Bleve has phrases only.
type nearQuery struct {
	words  []string
	field  string
	within int
	boost  float64
}

// Searcher asks for all words with their places, and keeps the documents where they are close.
func (q *nearQuery) Searcher(ctx context.Context, i index.IndexReader, m mapping.IndexMapping, o search.SearcherOptions) (search.Searcher, error) {
	o.IncludeTermVectors = true
	var all []query.Query
	for _, w := range slices.Compact(slices.Sorted(slices.Values(q.words))) {
		t := query.NewTermQuery(w)
		t.SetField(q.field)
		t.SetBoost(q.boost)
		all = append(all, t)
	}
	inner, err := query.NewConjunctionQuery(all).Searcher(ctx, i, m, o)
	if err != nil {
		return nil, err
	}
	need := map[string]int{}
	for _, w := range q.words {
		need[w]++
	}
	return &nearSearcher{Searcher: inner, query: q, need: need}, nil
}

type nearSearcher struct {
	search.Searcher
	query *nearQuery
	need  map[string]int
}

// Next gives the next document in which the words are close.
func (s *nearSearcher) Next(ctx *search.SearchContext) (*search.DocumentMatch, error) {
	d, err := s.Searcher.Next(ctx)
	for err == nil && d != nil && !s.close(d) {
		ctx.DocumentMatchPool.Put(d)
		d, err = s.Searcher.Next(ctx)
	}
	return d, err
}

// Advance goes on from a document.
func (s *nearSearcher) Advance(ctx *search.SearchContext, id index.IndexInternalID) (*search.DocumentMatch, error) {
	d, err := s.Searcher.Advance(ctx, id)
	if err != nil || d == nil || s.close(d) {
		return d, err
	}
	ctx.DocumentMatchPool.Put(d)
	return s.Next(ctx)
}

func (s *nearSearcher) close(d *search.DocumentMatch) bool {
	var places []place
	for _, l := range d.FieldTermLocations {
		if l.Field == s.query.field {
			places = append(places, place{l.Term, int(l.Location.Pos)})
		}
	}
	return closeTogether(places, s.need, len(s.query.words)+s.query.within)
}

type place struct {
	word string
	at   int
}

// closeTogether tells whether all words, each as often as needed, stand in a window of so many words.
func closeTogether(places []place, need map[string]int, window int) bool {
	slices.SortFunc(places, func(a, b place) int { return a.at - b.at })
	have, missing := map[string]int{}, len(need)
	from := 0
	for _, p := range places {
		if have[p.word]++; have[p.word] == need[p.word] {
			missing--
		}
		for p.at-places[from].at >= window {
			if have[places[from].word] == need[places[from].word] {
				missing++
			}
			have[places[from].word]--
			from++
		}
		if missing == 0 {
			return true
		}
	}
	return false
}
