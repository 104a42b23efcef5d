package content

import (
	"math"
	"sync"
	"unicode"

	"github.com/klauspost/compress/flate"

	"varve/spam/feature"
	"varve/spam/terms"
	"varve/text/token"
)

// entropy is −Σ p log₂ p over the words.
func entropy(bag *terms.Bag) float64 {
	if bag.Tokens == 0 {
		return feature.Unknown()
	}
	// Σ c log c is exact in any order only up to rounding: counts of counts make it the same each time.
	kinds := map[int]int{}
	most := 0
	for _, c := range bag.Counts {
		kinds[c]++
		most = max(most, c)
	}
	n, h := float64(bag.Tokens), 0.0
	for c := 1; c <= most; c++ {
		if k := kinds[c]; k > 0 {
			p := float64(c) / n
			h -= float64(k) * p * math.Log2(p)
		}
	}
	return h
}

// steps are the lengths of lists that popular words are measured at.
var steps = [4]int32{100, 200, 500, 1000}

// Corpus fills the features that measure the words of a page against those of the collection. They need nothing of the page but
// its bag of words.
func Corpus(f *Features, v *terms.Vocabulary, language string, bag *terms.Bag) {
	l := v.For(language)
	if l == nil || bag.Tokens == 0 {
		return
	}
	var popular, corpusHits, queryHits [4]int
	for w, n := range bag.Counts {
		r := l.Lookup(w)
		for k, top := range steps {
			if r.Popular < top {
				popular[k] += n
			}
			if r.Corpus < top {
				corpusHits[k]++
			}
			if r.Query < top {
				queryHits[k]++
			}
		}
	}
	distinct := float64(len(bag.Counts))
	for k, top := range steps {
		at := Feature(k)
		f[Popular100+at] = float64(popular[k]) / float64(bag.Tokens)
		f[CorpusPrecision100+at] = float64(corpusHits[k]) / distinct
		f[CorpusRecall100+at] = feature.Ratio(float64(corpusHits[k]), float64(min(int(top), l.Words())))
		f[QueryPrecision100+at] = float64(queryHits[k]) / distinct
		f[QueryRecall100+at] = feature.Ratio(float64(queryHits[k]), float64(min(int(top), l.Query)))
	}
	if v.Trigrams == nil || len(bag.Trigrams) == 0 {
		return
	}
	sum := 0.0
	for _, h := range bag.Trigrams {
		sum -= math.Log(v.Trigrams.Probability(h))
	}
	f[TrigramLikelihood] = sum / float64(len(bag.Trigrams))
}

// language counts sentences, characters and the cases of words, and returns the words. They are found in one pass, which is
// most of what a page costs: a word belongs to the sentence that it begins in.
func language(f *Features, text, lang string) *terms.Bag {
	var length feature.Moments
	var cases [5]float64 // lower, capitalised, upper, mixed, numeric
	var ends []int
	for s := range token.Sentences(text, lang) {
		ends = append(ends, s.End)
	}
	bag := terms.NewBag(len(text))
	words, n, at := 0.0, 0.0, 0
	end := func() {
		if words += n; n > 0 {
			length.Add(n)
		}
		n = 0
	}
	for w := range token.Words(text) {
		for at < len(ends)-1 && w.Start >= ends[at] {
			end()
			at++
		}
		n++
		bag.Take(w.Text)
		if k := caseOf(w.Text); k >= 0 {
			cases[k]++
		}
	}
	end()
	for k, c := range cases {
		f[Lower+Feature(k)] = feature.Ratio(c, words)
	}
	f[Sentences], f[SentenceLength], f[SentenceDeviation] = length.N, length.Average(), length.Deviation()
	characters, marks := 0, 0
	for _, r := range text {
		characters++
		if unicode.IsPunct(r) {
			marks++
		}
	}
	f[Characters], f[Punctuation] = float64(characters), feature.Ratio(float64(marks), float64(characters))
	return bag
}

// caseOf tells the class of a word; −1 for scripts without capitals.
func caseOf(w string) int {
	lower, upper, first, i := 0, 0, false, 0
	for _, r := range w {
		switch {
		case unicode.IsDigit(r):
			return 4
		case unicode.IsUpper(r):
			upper++
			first = first || i == 0
		case unicode.IsLower(r):
			lower++
		}
		i++
	}
	switch {
	case upper == 0 && lower == 0:
		return -1
	case upper == 0:
		return 0
	case first && upper == 1:
		return 1
	case lower == 0:
		return 2
	}
	return 3
}

// cosine of two bags of words.
func cosine(a, b map[string]int) float64 {
	dot, x, y := 0.0, 0.0, 0.0
	for w, n := range a {
		dot += float64(n) * float64(b[w])
		x += float64(n) * float64(n)
	}
	for _, n := range b {
		y += float64(n) * float64(n)
	}
	if x == 0 && y == 0 {
		return 1
	}
	if x == 0 || y == 0 {
		return 0
	}
	return dot / math.Sqrt(x*y)
}

// deflaters are compressors that were used before; making one costs more than using it.
var deflaters = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, 6)
	if err != nil {
		panic(err) // level 6 is one
	}
	return w
}}

// gzipRatio is bytes of text / bytes after deflate.
func gzipRatio(text string) float64 {
	if text == "" {
		return feature.Unknown()
	}
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	var n tally
	w.Reset(&n)
	if _, err := w.Write([]byte(text)); err != nil {
		return feature.Unknown()
	}
	if err := w.Close(); err != nil {
		return feature.Unknown()
	}
	return float64(len(text)) / float64(n)
}

// tally counts what is written to it.
type tally int

func (t *tally) Write(p []byte) (int, error) {
	*t += tally(len(p))
	return len(p), nil
}
