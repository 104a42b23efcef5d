// Package term finds the terms of texts: the words and phrases that say what a text, or a set of texts, is about.
//
// Terms: a *candidate* is a phrase that could be a term; its *key* is its lemmas (or stems) with blanks between them, so that
// its *forms* ("wind turbines", "Wind turbine") count together. A candidate is *nested* in a longer one that has all its
// words in a row, and a *hyponym* of its *head*: a wind turbine is a turbine. The *background* says how frequent words
// are in texts about anything.
//
// # Candidates
//
// In English, by tags: up to five words, nouns with adjectives, participles and nouns before them, at most one "of" between two such groups; hyphens
// join; adjectives and participles alone, too. In languages without a tagger (Languages, all but English) by shape: up to three words in a row that
// are not among the commonest of the language, at most one group of link words (French de, du, des ...) between two of them. That finds
// verbs, too, and says so by its lower figures (docs/algorithms/terms.md).
//
// # Scores
//
// With f(a) the frequency of candidate a, T(a) the longer candidates it is nested in, H(a) its hyponyms, D documents, df(a) those with a, |a| its
// words, N words in all, b(w) the background's share of word w:
//
//	frequency   f(a)
//	tf-idf      f(a) * ln((D+1) / df(a))                                     Salton, Buckley 1988
//	augmented   tfidf(a) + sum over h in H(a) of tfidf(h)                    TermRaider (GATE, in ARCOMEM)
//	Kyoto       df(a) * (1 + |H(a)|)                                         Bosma, Vossen 2010, as in TermRaider
//	C-value     log2(|a|+1) * c(a)                                           Frantzi, Ananiadou, Mima 2000; +1: Barron-Cedeno 2009
//	            c(a) = f(a) - (1/|T(a)|) * sum over t in T(a) of f(t)        f(a) if T(a) is empty
//	weirdness   w(a) = mean over words of ln((f(w)/N) / b(w))                Ahmad, Gillam, Tostevin 1999
//	combined    (w(a) + least of its words)/2 + ln max(c(a), 1/2) - odds(a)
//
// Combined is ours: what is strange in the background and frequent by itself. odds(a) is what other shapes have against them
// beside two words of a noun phrase, in natural logarithms (see odds).
//
// # Worked example
//
// "Wind turbines turn. A wind turbine has a rotor." Of the key "turbine": f = 2, nested in "wind turbine" alone, whose f is 2, so
// c = 2 - 2/1 = 0 and C-value 0; "wind turbine" has c = 2 and C-value log2(3) * 2 = 3.17; D = 1: tf-idf 2 * ln 2 = 1.39 for both, "turbine"
// augmented by its hyponym 2.77, Kyoto 1 * (1+1) = 2. TestWorkedExample has it.
//
// # Cost
//
// Linear in the text: each token begins at most nine candidates. A Set holds at most Options.Candidates of them; beyond, the rarest are dropped (lossy
// counting, Manku and Motwani 2002) and Dropped says how frequent one that is not there can be. Without drops the order of documents
// does not matter.
package term

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"varve"
	"varve/text/token"
)

// Token is a token of a sentence. Penn tag and lemma are needed for English alone.
type Token struct {
	Text        string
	Start, End  int // bytes from the beginning of the text
	Penn, Lemma string
	Name        bool // it belongs to a mention of a person, place ...; without it, tags alone tell names
}

// Place is where a form of a term stands.
type Place struct{ Start, End int }

// Form is one way a term is written.
type Form struct {
	Text  string // as in the text, white space as one blank
	Count int
}

// Term is a candidate with its score.
type Term struct {
	Key       string
	Forms     []Form // the commonest first; at most maxForms
	Score     float64
	Frequency int
	Documents int
	Places    []Place // in the order of the text, if Options.Places
}

// Text returns the term as it is mostly written.
func (t Term) Text() string { return t.Forms[0].Text }

// Measure is a way to score candidates.
type Measure int

// The measures, as the package comment defines them.
const (
	Combined Measure = iota
	Frequency
	TFIDF
	Augmented
	Kyoto
	CValue
	Weirdness
)

// Measures are all of them.
var Measures = []Measure{Frequency, TFIDF, Augmented, Kyoto, CValue, Weirdness, Combined}

func (m Measure) String() string {
	return [...]string{"combined", "frequency", "tf-idf", "augmented tf-idf", "Kyoto", "C-value", "weirdness"}[m]
}

// Limits of a candidate. What is longer is no term but a title, and what has longer words no language.
const (
	maxTokens  = 9 // with hyphens and links
	maxWords   = 5
	shapeWords = 3 // where there are no tags
	longest    = 64
	maxForms   = 8
)

// Options of a set. The zero value of a field means its default.
type Options struct {
	Candidates int  // held at a time; 200,000, which is about 60 MB
	Places     bool // keep where terms stand; for one document, since places are bytes of one text
}

// Set counts the candidates of one or more documents of one language. It is not for concurrent use.
type Set struct {
	lang       *rules
	o          Options
	stemmer    *token.Stemmer
	stems      map[string]string
	candidates map[string]*candidate
	words      map[string]int32 // in lower case
	total      int              // of words
	documents  int32
	dropped    int // candidates that were dropped
	floor      int // occurrences that a candidate which is not there may have had

	tokens []tok // of the sentence
	key    []byte
}

type candidate struct {
	f, df       int32
	last        int32 // document that it was last met in
	names       int32 // occurrences as a name
	adjectives  int32 // as an adjective alone
	participles int32 // that begin with a participle
	words       int8
	link        bool // it has an "of"
	forms       []Form
	places      []Place
}

// tok is a token of a sentence, looked at once.
type tok struct {
	Token
	kind kind
	key  string // lemma or stem
	name bool
}

type kind uint8

const (
	other kind = iota
	noun
	adjective
	participle
	hyphen // joins two words
	link   // "of"
)

// New returns an empty set for texts of a language (ISO 639-1).
func New(lang string, o Options) (*Set, error) {
	r, err := rulesOf(lang)
	if err != nil {
		return nil, err
	}
	if o.Candidates <= 0 {
		o.Candidates = 200_000
	}
	s := &Set{lang: r, o: o, candidates: map[string]*candidate{}, words: map[string]int32{}, documents: 1, stems: map[string]string{}}
	s.stemmer, _ = token.NewStemmer(lang)
	return s, nil
}

// NextDocument ends a document: what follows belongs to the next.
func (s *Set) NextDocument() { s.documents++ }

// Add counts the candidates of a sentence.
func (s *Set) Add(text string, sentence []Token) {
	s.read(sentence)
	most := maxWords
	if !s.lang.tagged {
		most = shapeWords
	}
	for i := range s.tokens {
		if k := s.tokens[i].kind; k != noun && k != adjective && k != participle || i > 0 && s.tokens[i-1].kind == hyphen {
			continue
		}
		s.key = s.key[:0]
		words, links, name := 0, 0, true
		for j := i; j < len(s.tokens) && j < i+maxTokens; j++ {
			t := &s.tokens[j]
			if t.kind == other || t.kind == link && s.tokens[j-1].kind == hyphen {
				break
			}
			if t.kind == hyphen {
				continue
			}
			if t.kind == link {
				before := s.tokens[j-1].kind
				if links++; before != link && before != noun || links > s.lang.links || before != link && links > 1 {
					break // after an adjective, or a second group of links
				}
			}
			if j > i {
				s.key = append(s.key, ' ')
			}
			s.key = append(s.key, t.key...)
			if t.kind == link {
				continue
			}
			if words++; words > most {
				break
			}
			name = name && t.name
			if j+1 < len(s.tokens) && s.tokens[j+1].kind == hyphen || t.kind != noun && j > i {
				continue
			}
			s.count(text, i, j, words, links > 0, name)
		}
	}
	s.prune()
}

// read says what each token is; of languages that elide, words are cut at the apostrophe.
func (s *Set) read(sentence []Token) {
	s.tokens = s.tokens[:0]
	for i, t := range sentence {
		if s.lang.elides {
			if at := strings.IndexAny(t.Text, "'’"); at > 0 && at < 4 && at+1 < len(t.Text) {
				_, n := utf8.DecodeRuneInString(t.Text[at:])
				s.token(Token{Text: t.Text[:at], Start: t.Start, End: t.Start + at}, nil)
				t.Text, t.Start = t.Text[at+n:], t.Start+at+n
			}
		}
		var next *Token
		if i+1 < len(sentence) {
			next = &sentence[i+1]
		}
		s.token(t, next)
	}
}

func (s *Set) token(t Token, next *Token) {
	k := tok{Token: t}
	n := len(s.tokens)
	if t.Text == "-" || t.Text == "–" {
		if n > 0 && s.tokens[n-1].End == t.Start && next != nil && next.Start == t.End {
			k.kind = hyphen
		}
		s.tokens = append(s.tokens, k)
		return
	}
	if len(t.Text) > longest || !word(t.Text) {
		if s.lang.linkWords[t.Text] { // "d" of French
			k.kind, k.key = link, t.Text
		}
		s.tokens = append(s.tokens, k)
		return
	}
	lower := strings.ToLower(t.Text)
	s.total++
	if _, ok := s.words[lower]; ok {
		s.words[lower]++
	} else {
		s.words[strings.Clone(lower)] = 1
	}
	switch {
	case s.lang.linkWords[lower]:
		k.kind, k.key = link, lower
	case s.lang.tagged:
		k.key = strings.ToLower(t.Lemma)
		switch t.Penn {
		case "NN", "NNS":
			k.kind = noun
		case "NNP", "NNPS":
			k.kind, k.name = noun, true
		case "JJ", "JJR", "JJS", "AFX":
			k.kind = adjective
		case "VBN", "VBG":
			k.kind = participle
		}
	case s.lang.background.share(lower) < common:
		k.kind, k.key = noun, s.stem(lower)
		k.name = n > 0 && !s.lang.capitals && unicode.IsUpper(first(t.Text))
	}
	k.name = k.name || t.Name
	s.tokens = append(s.tokens, k)
}

// stem returns the stem of a word; few words make up most of a text.
func (s *Set) stem(lower string) string {
	if k, ok := s.stems[lower]; ok {
		return k
	}
	if len(s.stems) >= 1<<15 {
		clear(s.stems)
	}
	k := s.stemmer.Stem(lower)
	s.stems[strings.Clone(lower)] = k
	return k
}

// count counts the candidate of tokens i to j, whose key is s.key.
func (s *Set) count(text string, i, j, words int, link, name bool) {
	c := s.candidates[string(s.key)]
	if c == nil {
		c = &candidate{words: int8(words), link: link}
		s.candidates[string(s.key)] = c
	}
	c.f++
	if c.last != s.documents {
		c.last = s.documents
		c.df++
	}
	if name {
		c.names++
	}
	switch s.tokens[i].kind {
	case adjective:
		if i == j {
			c.adjectives++
		}
	case participle:
		c.participles++
	}
	start, end := s.tokens[i].Start, s.tokens[j].End
	c.form(text[start:end])
	if s.o.Places {
		c.places = append(c.places, Place{start, end})
	}
}

// form counts a form; of more than maxForms those met first are kept.
func (c *candidate) form(raw string) {
	for k := range c.forms {
		if c.forms[k].Text == raw {
			c.forms[k].Count++
			return
		}
	}
	if strings.ContainsAny(raw, "\n\t\r") || strings.Contains(raw, "  ") {
		if clean := strings.Join(strings.Fields(raw), " "); clean != raw {
			c.form(clean)
			return
		}
	}
	if len(c.forms) < maxForms {
		c.forms = append(c.forms, Form{strings.Clone(raw), 1})
	}
}

// prune drops the rarest candidates and words until half of the room is free. A candidate comes back with what it is met from then on.
func (s *Set) prune() {
	if len(s.candidates) > s.o.Candidates {
		counts := make([]int32, 0, len(s.candidates))
		for _, c := range s.candidates {
			counts = append(counts, c.f)
		}
		slices.Sort(counts)
		cut := counts[len(counts)-s.o.Candidates/2-1]
		for k, c := range s.candidates {
			if c.f <= cut {
				delete(s.candidates, k)
				s.dropped++
			}
		}
		s.floor += int(cut)
	}
	if len(s.words) > 2*s.o.Candidates {
		for cut := int32(1); len(s.words) > s.o.Candidates; cut *= 2 {
			for w, n := range s.words {
				if n <= cut {
					delete(s.words, w)
				}
			}
		}
	}
}

// Dropped returns how many candidates were dropped for want of room, some of them more than once, and how often one that
// is not there, or is there with less than it had, may have been met before. Both are 0 for sets that fit.
func (s *Set) Dropped() (candidates, occurrences int) { return s.dropped, s.floor }

// Len returns the number of candidates that are held, and of their forms.
func (s *Set) Len() (candidates, forms int) {
	for _, c := range s.candidates {
		forms += len(c.forms)
	}
	return len(s.candidates), forms
}

// Shares of the forms of all candidates that are taken for terms if nobody says how many: a list is best where it misses about as many as it
// invents, which is between a tenth and a fifth of the candidates for texts of one subject; fewer where candidates are worse.
const (
	taggedShare = 1.0 / 5
	shapeShare  = 1.0 / 6
)

// Terms returns the n best candidates by a measure, the best first; equal ones by key. n < 0: as many as have a fifth of all forms, or a
// sixth where there are no tags.
func (s *Set) Terms(n int, m Measure) []Term {
	scored := s.score(m)
	slices.SortFunc(scored, func(a, b Term) int { return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Key, b.Key)) })
	if n < 0 {
		_, forms := s.Len()
		share := taggedShare
		if !s.lang.tagged {
			share = shapeShare
		}
		left := int(share * float64(forms))
		for n = 0; n < len(scored) && left > 0; n++ {
			left -= len(s.candidates[scored[n].Key].forms)
		}
	}
	scored = slices.Clip(scored[:min(n, len(scored))])
	for i := range scored {
		t, c := &scored[i], s.candidates[scored[i].Key]
		t.Forms, t.Places = slices.Clone(c.forms), c.places
		slices.SortFunc(t.Forms, func(a, b Form) int { return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Text, b.Text)) })
	}
	return scored
}

// relations of a candidate to the others.
type relations struct {
	containers int32   // |T(a)|
	within     int64   // sum of their f
	hyponyms   int32   // |H(a)|
	tfidf      float64 // sum of theirs
}

// score returns all candidates with their scores, in no order.
func (s *Set) score(m Measure) []Term {
	tfidf := func(c *candidate) float64 { return float64(c.f) * math.Log(float64(s.documents+1)/float64(c.df)) }
	related := map[string]*relations{}
	var cuts []int
	keys := make([]string, 0, len(s.candidates))
	for key := range s.candidates {
		keys = append(keys, key)
	}
	slices.Sort(keys) // sums of floating point numbers depend on their order
	for _, key := range keys {
		c := s.candidates[key]
		cuts = append(cuts[:0], -1)
		for i := range len(key) {
			if key[i] == ' ' {
				cuts = append(cuts, i)
			}
		}
		cuts = append(cuts, len(key))
		for i := range cuts {
			for j := i + 1; j < len(cuts); j++ {
				if i == 0 && j == len(cuts)-1 {
					continue
				}
				sub := key[cuts[i]+1 : cuts[j]]
				if s.candidates[sub] == nil {
					continue
				}
				r := related[sub]
				if r == nil {
					r = &relations{}
					related[sub] = r
				}
				r.containers++
				r.within += int64(c.f)
				if headFirst := c.link || s.lang.headFirst; headFirst && i == 0 || !headFirst && j == len(cuts)-1 {
					r.hyponyms++
					r.tfidf += tfidf(c)
				}
			}
		}
	}
	out := make([]Term, 0, len(keys))
	none := &relations{}
	for _, key := range keys {
		c, r := s.candidates[key], related[key]
		if r == nil {
			r = none
		}
		alone := float64(c.f) // c(a)
		if r.containers > 0 {
			alone -= float64(r.within) / float64(r.containers)
		}
		var score float64
		switch m {
		case Frequency:
			score = float64(c.f)
		case TFIDF:
			score = tfidf(c)
		case Augmented:
			score = tfidf(c) + r.tfidf
		case Kyoto:
			score = float64(c.df) * float64(1+r.hyponyms)
		case CValue:
			score = math.Log2(float64(c.words)+1) * alone
		case Weirdness:
			score, _ = s.weirdness(c)
		case Combined:
			mean, least := s.weirdness(c)
			score = (mean+least)/2 + math.Log(max(alone, 0.5)) - s.odds(c)
		}
		out = append(out, Term{Key: key, Score: score, Frequency: int(c.f), Documents: int(c.df)})
	}
	return out
}

// weirdness returns the mean and the least over the words of a candidate, as it is mostly written.
func (s *Set) weirdness(c *candidate) (mean, least float64) {
	form := c.forms[0]
	for _, f := range c.forms[1:] {
		if f.Count > form.Count || f.Count == form.Count && f.Text < form.Text {
			form = f
		}
	}
	n := 0
	least = math.Inf(1)
	for w := range strings.FieldsFuncSeq(strings.ToLower(form.Text), func(r rune) bool {
		return r == ' ' || r == '-' || r == '–' || s.lang.elides && (r == '\'' || r == '’')
	}) {
		if s.lang.linkWords[w] {
			continue
		}
		v := math.Log(float64(max(1, s.words[w])) / float64(max(1, s.total)) / s.lang.background.share(w))
		mean, least, n = mean+v, min(least, v), n+1
	}
	if n == 0 {
		return 0, 0
	}
	return mean / float64(n), least
}

// odds is what a candidate has against it, in natural logarithms, beside two words that are a noun with a noun or adjective before it. Where C-value takes
// words times frequency, this is a sum. The figures were set by hand in steps of a half, looking at three English domains; docs/algorithms/terms.md
// has what each is worth.
func (s *Set) odds(c *candidate) float64 {
	f := float64(c.f)
	odds := 3 * float64(c.names) / f
	switch {
	case !s.lang.tagged:
	case c.words == 1:
		odds += 1.5 + 2*float64(c.adjectives)/f + 3*float64(c.participles)/f
	default:
		odds += 1.5 * float64(c.participles) / f
	}
	if c.link {
		odds += s.lang.linkOdds
	}
	return odds + float64(max(0, int(c.words)-2))
}

// word reports whether a token is one: two letters at least, and at most one character that is none (co2, int'l).
func word(s string) bool {
	letters, others := 0, 0
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.Is(unicode.M, r) {
			letters++
		} else if others++; others > 1 {
			return false
		}
	}
	return letters >= 2
}

func first(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// unknown says that there is nothing for a language.
func unknown(lang string) error {
	return &varve.Error{
		Kind: varve.NotFound, Op: "find terms", Msg: fmt.Sprintf("terms are not known for the language %q", lang),
		Hint: "there are rules for " + strings.Join(Languages(), ", "),
	}
}
