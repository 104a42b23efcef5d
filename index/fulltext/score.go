package fulltext

import (
	"errors"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/analysis"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// boosts are what a word is worth by where it stands.
var boosts = map[string]float64{"title": 3, "anchor": 2, "url": 1.5, "text": 1}

var errPostings = errors.New("the postings of a word do not fit its documents: the index is damaged")

// weights tell what a word is worth, over all shards: boost of the field times (1 + ln(N / (1 + df))) squared.
type weights struct {
	words map[Words][]string // of each part of the query, as the analyser has them
	value map[[2]string]float64
	lists map[listKey]postings // met on the way
	often map[[2]string]bool   // words of a tenth of all documents and more
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
		return len(words) > 0 && !n.Prefix && !slices.ContainsFunc(fieldsOf(n), func(f string) bool { return w.often[[2]string{f, words[0]}] })
	}
	return false
}

type listKey struct {
	shard       *shard
	field, word string
}

// postings are the documents of a shard with a word; the bitmap must not be changed.
type postings struct {
	list segment.PostingsList
	docs *roaring.Bitmap
}

func (w *weights) analysed(n Words) []string         { return w.words[n] }
func (w *weights) of(field, word string) float64     { return w.value[[2]string{field, word}] }
func (w *weights) set(field, word string, v float64) { w.value[[2]string{field, word}] = v }
func (w *weights) has(field, word string) (known bool) {
	_, known = w.value[[2]string{field, word}]
	return known
}

// weigh looks all words of a query up in all shards.
func weigh(parts []*part, n Node) (*weights, error) {
	w := &weights{words: map[Words][]string{}, value: map[[2]string]float64{}, lists: map[listKey]postings{}, often: map[[2]string]bool{}}
	if len(parts) == 0 {
		return w, nil
	}
	total := 0.0
	for _, s := range parts {
		total += float64(s.info.Docs)
	}
	a := parts[0].analyser()
	for _, leaf := range leaves(n) {
		if err := w.look(parts, a, leaf, total); err != nil {
			return nil, err
		}
	}
	return w, nil
}

func (w *weights) look(parts []*part, a analysis.Analyzer, leaf Words, total float64) error {
	words := analyse(a, leaf.Text)
	w.words[leaf] = words
	for _, f := range fieldsOf(leaf) {
		for _, word := range words {
			if w.has(f, word) {
				continue
			}
			df := 0.0
			for _, s := range parts {
				list, docs, err := s.postings(f, word)
				if err != nil {
					return err
				}
				w.lists[listKey{s.shard, f, word}] = postings{list, docs}
				df += float64(docs.GetCardinality())
			}
			idf := 1 + math.Log(total/(1+df))
			w.set(f, word, boosts[f]*idf*idf)
			w.often[[2]string{f, word}] = df > total/10
		}
	}
	return nil
}

// leaves are the words of a query, those that must be missing too.
func leaves(n Node) []Words {
	var out []Words
	switch n := n.(type) {
	case And:
		for _, x := range n {
			out = append(out, leaves(x)...)
		}
	case Or:
		for _, x := range n {
			out = append(out, leaves(x)...)
		}
	case Not:
		return leaves(n.Node)
	case Words:
		return []Words{n}
	}
	return out
}

// scorePart is what one part of a query gives to the scores of documents: by how often a word is there,
// as found before, or the same for all.
type scorePart struct {
	docs   *roaring.Bitmap
	list   segment.PostingsList
	weight float64
	found  []uint32
	scores []float64
	even   float64
}

func (m *matcher) add(p scorePart) {
	if m.scored && m.silent == 0 {
		m.parts = append(m.parts, p)
	}
}

// even gives every document the same.
func (m *matcher) even(score float64) { m.add(scorePart{even: score}) }

// score sums up what the parts give to the documents that fit.
func (m *matcher) score(hits *roaring.Bitmap, docs []uint32) ([]float64, error) {
	out := make([]float64, len(docs))
	for _, p := range m.parts {
		switch {
		case p.list != nil:
			if err := m.scoreWord(p, hits, docs, out); err != nil {
				return out, err
			}
		case p.found != nil:
			merge(docs, p.found, func(i, j int) { out[i] += p.scores[j] })
		case p.docs != nil:
			merge(docs, roaring.And(p.docs, hits).ToArray(), func(i, _ int) { out[i] += p.even })
		default:
			for i := range out {
				out[i] += p.even
			}
		}
	}
	return out, nil
}

// merge calls fn for what is in both sorted lists.
func merge(docs, found []uint32, fn func(i, j int)) {
	i := 0
	for j, d := range found {
		for i < len(docs) && docs[i] < d {
			i++
		}
		if i < len(docs) && docs[i] == d {
			fn(i, j)
		}
	}
}

// scoreWord adds the score of a word: its weight times the root of how often it is there, by the root of the length.
func (m *matcher) scoreWord(p scorePart, hits *roaring.Bitmap, docs []uint32, out []float64) error {
	it := p.list.Iterator(true, true, false, nil)
	if p.docs != hits && hits.AndCardinality(p.docs) < p.docs.GetCardinality() {
		it = subset(it, roaring.And(p.docs, hits))
	}
	for i, n := 0, 0; ; n++ {
		x, err := it.Next()
		if err != nil || x == nil {
			return err
		}
		for i < len(docs) && uint64(docs[i]) < x.Number() {
			i++
		}
		if i < len(docs) && uint64(docs[i]) == x.Number() {
			out[i] += p.weight * math.Sqrt(float64(x.Frequency())) * x.Norm()
		}
		if n%4096 == 0 && m.ctx.Err() != nil {
			return m.ctx.Err()
		}
	}
}
