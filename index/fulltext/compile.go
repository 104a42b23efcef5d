package fulltext

import (
	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/search/query"
)

// boosts are what a word is worth by where it stands.
var boosts = map[string]float64{"title": 3, "anchor": 2, "url": 1.5, "text": 1}

// compile makes a Bleve query.
func compile(n Node, a analysis.Analyzer) query.Query {
	switch n := n.(type) {
	case And:
		return compileAll(n, a)
	case Or:
		var parts []query.Query
		for _, x := range n {
			parts = append(parts, compile(x, a))
		}
		return query.NewDisjunctionQuery(parts)
	case Not:
		return query.NewBooleanQuery([]query.Query{query.NewMatchAllQuery()}, nil, []query.Query{compile(n.Node, a)})
	case Words:
		return compileWords(n, a)
	}
	return query.NewMatchAllQuery()
}

func compileAll(n And, a analysis.Analyzer) query.Query {
	var must, not []query.Query
	for _, x := range n {
		if no, ok := x.(Not); ok {
			not = append(not, compile(no.Node, a))
		} else {
			must = append(must, compile(x, a))
		}
	}
	if len(must) == 0 {
		must = []query.Query{query.NewMatchAllQuery()}
	}
	if len(not) == 0 {
		if len(must) == 1 {
			return must[0]
		}
		return query.NewConjunctionQuery(must)
	}
	return query.NewBooleanQuery(must, nil, not)
}

// compileWords looks for words in one field or in all of them.
func compileWords(w Words, a analysis.Analyzer) query.Query {
	words := analyse(a, w.Text)
	if len(words) == 0 {
		return query.NewMatchNoneQuery() // only punctuation: no page has such a word
	}
	fields := Fields()
	if w.Field != "" {
		fields = []string{w.Field}
	}
	var parts []query.Query
	for _, f := range fields {
		parts = append(parts, inField(w, words, f))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return query.NewDisjunctionQuery(parts)
}

func inField(w Words, words []string, field string) query.Query {
	boost := boosts[field]
	last := words[len(words)-1]
	switch {
	case w.Prefix && len(words) == 1:
		q := query.NewPrefixQuery(last)
		q.SetField(field)
		q.SetBoost(boost)
		return q
	case len(words) == 1:
		q := query.NewTermQuery(last)
		q.SetField(field)
		q.SetBoost(boost)
		return q
	case w.Within > 0:
		return &nearQuery{words: words, field: field, within: w.Within, boost: boost}
	}
	if w.Prefix { // "e-mail*": the words in a row; the last one as it is
		q := query.NewPhraseQuery(words[:len(words)-1], field)
		p := query.NewPrefixQuery(last)
		p.SetField(field)
		return query.NewConjunctionQuery([]query.Query{q, p})
	}
	q := query.NewPhraseQuery(words, field)
	q.SetBoost(boost)
	return q
}
