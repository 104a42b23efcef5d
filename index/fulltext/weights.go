package fulltext

import (
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// weights tell what the words of a query are worth: over all shards, also those without a document that fits the time, so that scores do not depend on how
// documents are spread over shards.
type weights struct {
	words map[Words][]string // of each part of the query, as the analyser has them
	terms map[term]*weighed
	spare *spare
}

// term is a word of a field.
type term struct{ field, word string }

// weighed is a term with boost of the field times (1 + ln(N / (1 + df))) squared.
type weighed struct {
	weight float64
	often  bool       // a tenth of all documents and more have it
	lists  []postings // of each part that is asked
}

// postings are the documents of a shard with a word; the bitmap must not be changed.
type postings struct {
	list segment.PostingsList
	docs *roaring.Bitmap
}

// weigh sets the weight of a term that df of total documents have.
func (t *weighed) weigh(field string, df, total float64) {
	idf := 1 + math.Log(total/(1+df))
	t.weight, t.often = boosts[field]*idf*idf, df > total/10
}

var none = &weighed{}

// of gives a term; what nobody weighed is worth nothing.
func (w *weights) of(field, word string) *weighed {
	if t := w.terms[term{field, word}]; t != nil {
		return t
	}
	return none
}

// tells is true of what few documents have, so that it says which ones are meant.
func (w *weights) tells(n Node) bool {
	switch n := n.(type) {
	case And:
		return slices.ContainsFunc(n, w.tells)
	case Or:
		return !slices.ContainsFunc(n, func(x Node) bool { return !w.tells(x) })
	case Words:
		words := w.words[n]
		return len(words) > 0 && !n.Prefix && !slices.ContainsFunc(fieldsOf(n), func(f string) bool { return w.of(f, words[0]).often })
	}
	return false
}

// weigh looks the words of a query up in all shards. Those that must be missing have no weight.
func weigh(parts []*part, n Node, spare *spare) (*weights, error) {
	w := &weights{spare: spare, words: map[Words][]string{}, terms: map[term]*weighed{}}
	if len(parts) == 0 {
		return w, nil
	}
	total := 0.0
	for _, p := range parts {
		total += float64(p.info.Docs)
	}
	a := parts[0].analyser()
	for leaf, not := range leaves(n) {
		words, known := w.words[leaf]
		if !known {
			words = analyse(a, leaf.Text)
			w.words[leaf] = words
		}
		if not {
			continue
		}
		if err := w.look(parts, leaf, words, total); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// look finds the postings of words in all parts, and weighs them.
func (w *weights) look(parts []*part, leaf Words, words []string, total float64) error {
	for _, f := range fieldsOf(leaf) {
		for _, word := range words {
			key := term{f, word}
			if w.terms[key] != nil {
				continue
			}
			t := &weighed{lists: make([]postings, len(parts))}
			df := 0.0
			for i, p := range parts {
				used := w.spare.used
				list, err := p.postings(w.spare, f, word)
				if err != nil {
					return err
				}
				df += float64(list.docs.GetCardinality())
				if p.asked {
					t.lists[i] = list
				} else {
					w.spare.used = used // it was only counted
				}
			}
			t.weigh(f, df, total)
			w.terms[key] = t
		}
	}
	return nil
}

// leaves are the words of a query, with whether they must be missing.
func leaves(n Node) func(yield func(Words, bool) bool) {
	return func(yield func(Words, bool) bool) { walk(n, false, yield) }
}

func walk(n Node, not bool, yield func(Words, bool) bool) bool {
	switch n := n.(type) {
	case And:
		for _, x := range n {
			if !walk(x, not, yield) {
				return false
			}
		}
	case Or:
		for _, x := range n {
			if !walk(x, not, yield) {
				return false
			}
		}
	case Not:
		return walk(n.Node, true, yield)
	case Words:
		return yield(n, not)
	}
	return true
}
