package priority

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"varve/text/near"
)

// MaxTerms is how many terms of the seeds make a topic, the heaviest first.
const MaxTerms = 2000

// Topic is what a crawl is about. It never changes and is safe for use by several goroutines; when the corpus
// has grown, make a new one.
type Topic struct {
	corpus  *Corpus
	vector  Vector
	weight  map[uint64]float64 // the vector, for short texts
	weights Weights
}

// Weights say how much the parts count in the score of an outlink. The zero Weights are those of the paper:
// page and anchor alike.
type Weights struct {
	Page, Around, Anchor float64
}

// NewTopic makes a topic of the texts of the seed pages.
func NewTopic(corpus *Corpus, seeds []string, weights Weights) *Topic {
	var vectors []Vector
	for _, text := range seeds {
		vectors = append(vectors, corpus.Vector(text))
	}
	return TopicOf(corpus, vectors, weights)
}

// TopicOf makes a topic of the vectors of the seed pages; of the corpus only texts need it.
func TopicOf(corpus *Corpus, seeds []Vector, weights Weights) *Topic {
	var sum Vector
	for _, v := range seeds {
		sum = sum.Add(v)
	}
	if weights == (Weights{}) {
		weights = Weights{Page: 1, Anchor: 1}
	}
	t := &Topic{corpus: corpus, vector: sum.heaviest(MaxTerms), weight: map[uint64]float64{}, weights: weights}
	for i, term := range t.vector.terms {
		t.weight[term] = t.vector.weights[i]
	}
	return t
}

// Relevance is the cosine of a text with the topic.
func (t *Topic) Relevance(text string) float64 { return t.Cosine(t.corpus.Vector(text)) }

// Cosine is that of a vector with the topic, in time of the vector alone.
func (t *Topic) Cosine(v Vector) float64 {
	if v.norm == 0 || t.vector.norm == 0 {
		return 0
	}
	dot := 0.0
	for i, term := range v.terms {
		dot += v.weights[i] * t.weight[term]
	}
	return min(dot/(v.norm*t.vector.norm), 1)
}

// Vector returns the topic as a vector.
func (t *Topic) Vector() Vector { return t.vector }

// Link is an outlink to be scored.
type Link struct {
	URL    string
	Anchor string // its words
	Around string // the text around it

	AnchorAt, AroundAt Place // where these lie in the text of the page
}

// Place is a piece of a text, from its first byte to that behind its last; the zero Place is none.
type Place struct{ From, To int32 }

// Rating is what a page and its outlinks are worth.
type Rating struct {
	Page  float64   // relevance of the page
	Links []float64 // scores of the links, in their order
}

// Scorer rates a page and its outlinks. Topic is one; a crawl may have others, or several averaged.
type Scorer interface {
	Rate(page string, links []Link) Rating
}

var _ Scorer = (*Topic)(nil)

// Rate scores the outlinks of a page: the weighted mean of the relevance of page, surroundings and anchor.
func (t *Topic) Rate(page string, links []Link) Rating {
	p := t.parts(page)
	r := Rating{Page: p.page.cos, Links: make([]float64, len(links))}
	for i, l := range links {
		p.link(t, l)
		r.Links[i] = p.mean(t.weights)
	}
	return r
}

// Term is a term of a topic with its share of the topic's length, for an archivist to confirm.
type Term struct {
	Word   string  `json:"word"`
	Weight float64 `json:"weight"` // 0 to 1; the squares of all add up to 1
}

// Terms names the n heaviest terms of the topic that occur in the texts, usually those of the seeds. The topic
// itself holds only hashes.
func (t *Topic) Terms(texts []string, n int) []Term {
	word := map[uint64]string{}
	for _, text := range texts {
		for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }) {
			near.Tokens(w, func(h uint64) {
				if _, ok := word[h]; !ok {
					word[h] = strings.ToLower(w)
				}
			})
		}
	}
	var list []Term
	for i, h := range t.vector.terms {
		if w, ok := word[h]; ok {
			list = append(list, Term{w, t.vector.weights[i] / t.vector.norm})
		}
	}
	slices.SortFunc(list, func(a, b Term) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), strings.Compare(a.Word, b.Word))
	})
	return list[:min(n, len(list))]
}
