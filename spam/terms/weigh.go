package terms

import (
	"math"
	"slices"

	"varve/spam/feature"
)

// Parameters of BM25, as Robertson gives them.
const (
	k1 = 1.2
	b  = 0.75
)

// Weigher gives the weights of chosen terms in a host: frequency over the whole host, document frequency over pages.
//
//	idf(t)  = ln(1 + (N − df + 1/2) / (df + 1/2))
//	BM25(t) = idf(t) · tf (k1+1) / (tf + k1 (1 − b + b · length / mean length))
//	tf-idf  = (1 + ln tf) · ln(N / df), 0 where tf is 0
type Weigher struct {
	terms  []Term
	halves []uint32
	idf    []float64
	plain  []float64
	mean   map[string]float64 // length of a host, by language
}

// NewWeigher chooses the most common corpus words of each language that has enough pages, or of all together if none has. hosts
// is how many hosts each language has, for the mean length.
func NewWeigher(v *Vocabulary, most int, hosts map[string]int) *Weigher {
	w := &Weigher{mean: map[string]float64{}}
	for _, code := range v.codes() {
		l := v.Languages[code]
		w.mean[code] = float64(l.Tokens) / float64(max(1, hosts[code]))
		left := most
		for _, t := range l.Terms {
			if l.ranks[t.Word].Corpus == Never {
				continue // a stop word
			}
			if left--; left < 0 {
				break
			}
			w.add(t, float64(l.Pages))
		}
	}
	return w
}

func (w *Weigher) add(t Term, pages float64) {
	df := float64(t.Pages)
	w.terms = append(w.terms, t)
	w.halves = append(w.halves, Half(Hash(t.Word)))
	w.idf = append(w.idf, math.Log(1+(pages-df+.5)/(df+.5)))
	w.plain = append(w.plain, math.Log(pages/max(1, df)))
}

// codes are the languages with lists of their own, in order; "" if there are none.
func (v *Vocabulary) codes() (out []string) {
	for code, l := range v.Languages {
		if code != "" && l.Pages >= minPages {
			out = append(out, code)
		}
	}
	if out == nil && v.Languages[""] != nil {
		return []string{""}
	}
	slices.Sort(out)
	return out
}

// Len counts the chosen terms.
func (w *Weigher) Len() int { return len(w.terms) }

// Definitions tell the chosen terms as features.
func (w *Weigher) Definitions() []feature.Definition {
	var out []feature.Definition
	for _, t := range w.terms {
		name := t.Word
		if t.Language != "" {
			name = t.Language + "." + t.Word
		}
		out = append(out, feature.Define(name, feature.Terms, feature.Corpus, "BM25 of the word in all text of the host"))
	}
	return out
}

// BM25 appends the weights of the terms in a host of a language; terms of other languages weigh nothing.
func (w *Weigher) BM25(out []float64, language string, bag Hashed) []float64 {
	mean, own := w.mean[language]
	if !own {
		language, mean = "", w.mean[""]
	}
	norm := 1.0
	if mean > 0 {
		norm = 1 - b + b*float64(bag.Tokens())/mean
	}
	for i, t := range w.terms {
		tf := 0.0
		if t.Language == language {
			tf = float64(bag.Count(w.halves[i]))
		}
		out = append(out, w.idf[i]*tf*(k1+1)/(tf+k1*norm))
	}
	return out
}

// TFIDF appends the plain weights of the terms likewise.
func (w *Weigher) TFIDF(out []float64, language string, bag Hashed) []float64 {
	if _, own := w.mean[language]; !own {
		language = ""
	}
	for i, t := range w.terms {
		v := 0.0
		if tf := bag.Count(w.halves[i]); tf > 0 && t.Language == language {
			v = (1 + math.Log(float64(tf))) * w.plain[i]
		}
		out = append(out, v)
	}
	return out
}
