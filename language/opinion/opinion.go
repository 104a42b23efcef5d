// Package opinion says how a sentence judges: against or in favour, how strongly, of what, and in whose words. English only.
//
// Terms: the *valence* of a word is how good or bad it is by itself, from -1 to 1; the *score* of a sentence or clause is what it says in all, from -1 to 1; a
// *target* is what somebody may have an opinion about: a mention or a term that the caller found; the *holder* is who is quoted.
//
// # Lexicon and rule
//
// Valences are those of VADER (Hutto, Gilbert 2014), which people gave; beside them stand two lists of words that judge in reviews, and weaker valences of words
// that WordNet relates to any of these. The rule is VADER's, over its own valences: a valence v is changed by the words around it, and the sum s of all becomes s / sqrt(s*s + 15):
//
//	written in capitals among small letters   v +- 0.733
//	a booster up to three words before        v +- 0.293 * (1, 0.95, 0.9)      very good; a damper: - (barely good)
//	a negation up to three words before       v * -0.74                        not good
//	before "but"                              v * 0.5, behind it v * 1.5       contrast
//	up to four exclamation marks              s +- 0.292 each; question marks from the second on, 0.18 each, 0.96 at most
//
// Worked example: "The plot is not very good, but I love it!" good is 1.9, boosted 2.193, negated -1.623, before but -0.811; love 3.2 behind it 4.8;
// the sum 3.989 and an exclamation mark 4.281; 4.281 / sqrt(4.281^2 + 15) = 0.742. TestWorkedExample has it.
//
// # Model
//
// The score is that of a model which has learned from sentences rated by people: a chain (varve/learn/chain) of one position, whose labels are
// seven steps from bad to good. Its features are words and pairs of words, each with whether it is negated, and what the rule and the
// lexicon say, in steps. The score is the mean of the steps by their probability, and the confidence is one less how far they
// scatter. docs/models/opinions.md has the figures.
//
// # Targets and holders
//
// A sentence is cut into clauses at contrasts, semicolons and dashes; a target has the score of its clause, and none if the clause has no word with a
// valence. What stands in quotation marks is the opinion of whom the sentence names beside a verb of speech (said Merkel; she said).
//
// Cost is linear in the sentence; each target costs the search for its clause.
package opinion

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the model
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"varve/language/wordlist"
	"varve/learn/chain"
	"varve/text/token"
)

//go:embed lexicon.bin
var embeddedLexicon []byte

//go:embed model.bin
var embeddedModel []byte

// Token is a token of a sentence.
type Token struct {
	Text       string
	Start, End int // bytes from the beginning of the text
}

// Span is a part of the text, in bytes.
type Span struct{ Start, End int }

// Opinion is what a sentence or a clause says.
type Opinion struct {
	Score      float64 // from -1 to 1
	Confidence float64 // from 0 to 1
	Quoted     bool    // most of what has a valence stands in quotation marks
	Holder     Span    // of what is quoted; empty if it is not known
}

// Target is an opinion about something.
type Target struct {
	Span
	Opinion
}

// steps are the scores of the labels.
var steps = [...]float64{-0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75}

func labelNames() []string {
	var out []string
	for _, s := range steps {
		out = append(out, fmt.Sprintf("%+.2f", s))
	}
	return out
}

// Lexicon has the valences of words. It does not change.
type Lexicon struct{ list *wordlist.List }

// ReadLexicon reads a lexicon: a word list whose values are made by Entry.
func ReadLexicon(file []byte) (*Lexicon, error) {
	l, err := wordlist.Read(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("valences: %w", err)
	}
	return &Lexicon{l}, nil
}

// unit is how fine valences are stored, of VADER's four.
const unit = 4.0 / 127

// Entry is how a list writes the valence that people gave to a word, from -4 to 4, what its relations say, and what lists of words that judge say; 0 for none.
func Entry(given, related, listed float64) uint32 {
	put := func(v float64) uint32 {
		if v == 0 {
			return 0
		}
		return uint32(128 + max(-127, min(127, int(math.Round(v/unit)))))
	}
	return put(given) | put(related)<<8 | put(listed)<<16
}

// Stem marks the keys of stems: a word that is not in the list has what relations say of its stem.
const Stem = "\x01"

// valence returns the numbers of a word in lower case.
func (l *Lexicon) valence(word string) (given, related, listed float64) {
	v := l.list.Find(word)
	get := func(b uint32) float64 {
		if b == 0 {
			return 0
		}
		return float64(int(b)-128) * unit
	}
	return get(v & 255), get(v >> 8 & 255), get(v >> 16 & 255)
}

// Model is a chain and a lexicon. It does not change and is safe for concurrent use.
type Model struct {
	chain   *chain.Model
	lexicon *Lexicon
}

// Default returns the model that comes with the program; it is unpacked when first asked for.
var Default = sync.OnceValue(func() *Model {
	l, err := ReadLexicon(embeddedLexicon)
	if err != nil {
		panic(err) // the files are part of the program, and tested
	}
	m, err := Read(embeddedModel, l)
	if err != nil {
		panic(err)
	}
	return m
})

// Sum returns a digest of the model that comes with the program: what was made with another one is to be made again.
var Sum = sync.OnceValue(func() [32]byte {
	return sha256.Sum256(slices.Concat(embeddedLexicon, embeddedModel))
})

// Read reads a model from its file.
func Read(file []byte, l *Lexicon) (*Model, error) {
	c, err := chain.Read(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("opinions: %w", err)
	}
	if len(c.Labels()) != len(steps) {
		return nil, fmt.Errorf("opinions: the model has %d labels, want %d", len(c.Labels()), len(steps))
	}
	return &Model{c, l}, nil
}

// Chain returns the chain of the model, to be written.
func (m *Model) Chain() *chain.Model { return m.chain }

// Reader judges sentences. It keeps buffers and is not for concurrent use.
type Reader struct {
	m       *Model
	decoder *chain.Decoder
	e       extractor
}

// NewReader returns a reader.
func (m *Model) NewReader() *Reader {
	return &Reader{m: m, decoder: m.chain.NewDecoder(), e: newExtractor(m.lexicon)}
}

// Rule returns what lexicon and rule alone say of a sentence.
func (l *Lexicon) Rule(sentence []Token) float64 {
	e := newExtractor(l)
	e.read(sentence)
	return e.rule(0, len(e.words))
}

// Plain returns the mean valence that people gave to the words of a sentence, without any rule.
func (l *Lexicon) Plain(sentence []Token) float64 {
	sum, n := 0.0, 0
	for _, t := range sentence {
		if v, _, _ := l.valence(strings.ToLower(t.Text)); v != 0 {
			sum, n = sum+v, n+1
		}
	}
	return sum / 4 / float64(max(1, n))
}

// Score returns the score of a sentence by the model, also of one in which no word has a valence.
func (r *Reader) Score(sentence []Token, s Sources) float64 {
	r.e.read(sentence)
	return r.judge(0, len(r.e.words), s).Score
}

// Sentence returns the opinion of a sentence, and of the clauses in which targets stand, in their order. ok is false if no word of the sentence has a
// valence that people gave, and none is listed as one that judges: then there is no opinion to speak of.
func (r *Reader) Sentence(sentence []Token, targets []Span) (whole Opinion, about []Target, ok bool) {
	e := &r.e
	e.read(sentence)
	if !e.judges(0, len(e.words)) {
		return Opinion{}, nil, false
	}
	holder := e.holder()
	whole = r.opinion(0, len(e.words), holder)
	clauses := make([]clause, len(e.clauses)+1)
	for _, t := range targets {
		n, _ := slices.BinarySearchFunc(e.clauses, t.Start, func(end, at int) int { // the first that begins behind the target
			if e.words[end].start <= at {
				return -1
			}
			return 1
		})
		from, end := 0, len(e.words)
		if n > 0 {
			from = e.clauses[n-1]
		}
		if n < len(e.clauses) {
			end = e.clauses[n]
		}
		if t.Start < e.words[from].start || t.Start >= e.words[end-1].end {
			continue
		}
		c := &clauses[n]
		if !c.read {
			if c.read, c.judges = true, e.judges(from, end); c.judges {
				c.own = r.opinion(from, end, holder)
			}
		}
		if c.judges {
			about = append(about, Target{t, c.own})
		}
	}
	return whole, about, true
}

// clause is what a clause says, once a target stands in it.
type clause struct {
	own          Opinion
	read, judges bool
}

// opinion judges the words from one to before another.
func (r *Reader) opinion(from, to int, holder Span) Opinion {
	o := r.judge(from, to, Both)
	if in, all := r.e.quoted(from, to); in*2 > all {
		o.Quoted, o.Holder = true, holder
	}
	return o
}

func (r *Reader) judge(from, to int, s Sources) Opinion {
	r.e.features.Reset()
	r.e.add(from, to, s)
	r.decoder.Decode(&r.e.features)
	var mean, square float64
	for i, p := range r.decoder.Marginals(0) {
		mean += float64(p * steps[i])
		square += float64(p * steps[i] * steps[i])
	}
	top := steps[len(steps)-1]
	return Opinion{Score: max(-1, min(1, mean/top)), Confidence: 1 - min(1, math.Sqrt(max(0, square-float64(mean*mean)))/top)}
}

// word is a word of a sentence with what is known of it.
type word struct {
	lower          string
	start, end     int
	stem           uint32  // hash of the stem of a word in letters
	given, related float64 // valence by itself
	listed         float64
	value          float64 // what the rule makes of it, without contrast
	negated        bool
	letters        bool
	capital        bool // it begins with one
	capitals       bool // it has no small letters
	quoted         bool
}

// extractor reads sentences.
type extractor struct {
	lexicon  *Lexicon
	stemmer  *token.Stemmer
	stems    map[string]stem // of words met before
	words    []word
	clauses  []int // where clauses end, but the last
	loud     bool  // some words are written in capitals, not all
	features chain.Features
}

// stem is what is known of the stem of a word.
type stem struct {
	hash    uint32
	related float64
}

func newExtractor(l *Lexicon) extractor {
	s, _ := token.NewStemmer("en")
	return extractor{lexicon: l, stemmer: s, stems: map[string]stem{}}
}

// remembered is how many words an extractor knows by heart; few words make up most of a text.
const remembered = 1 << 14

func (e *extractor) stem(lower string) stem {
	s, ok := e.stems[lower]
	if !ok {
		text := e.stemmer.Stem(lower)
		s.hash = chain.Hash(text)
		_, s.related, _ = e.lexicon.valence(Stem + text)
		if len(e.stems) >= remembered {
			clear(e.stems)
		}
		e.stems[strings.Clone(lower)] = s
	}
	return s
}

// longest is the part of a word that is looked at, in bytes.
const longest = 64

// read looks at each word of a sentence once.
func (e *extractor) read(sentence []Token) {
	e.words, e.clauses = e.words[:0], e.clauses[:0]
	capitals, plain, quote := 0, 0, false
	for i := 0; i < len(sentence); i++ {
		t := sentence[i]
		w := word{start: t.Start, end: t.End, quoted: quote}
		first, _ := utf8.DecodeRuneInString(t.Text)
		w.letters = unicode.IsLetter(first)
		switch {
		case !w.letters && strings.ContainsAny(t.Text, `"“”„«»`):
			quote = quoteOpens(t.Text, quote)
			w.lower = t.Text
		case !w.letters:
			// Signs without blanks between them may be one emoticon.
			w.lower = t.Text
			joined, end := t.Text, i
			for k := i + 1; k < len(sentence) && sentence[k].Start == sentence[k-1].End && len(joined)+len(sentence[k].Text) <= 5; k++ {
				if joined += sentence[k].Text; e.known(joined) {
					w.lower, end = joined, k
				}
			}
			i = end
			w.end = sentence[i].End
		default:
			text := t.Text[:min(len(t.Text), longest)]
			w.lower = strings.ToLower(strings.ReplaceAll(text, "’", "'"))
			w.capital = unicode.IsUpper(first)
			if len(text) > 1 && strings.ToUpper(text) == text && text != w.lower {
				w.capitals = true
				capitals++
			} else {
				plain++
			}
		}
		w.given, w.related, w.listed = e.lexicon.valence(w.lower)
		if w.letters {
			s := e.stem(w.lower)
			if w.stem = s.hash; w.related == 0 {
				w.related = s.related
			}
		}
		e.words = append(e.words, w)
	}
	e.loud = capitals > 0 && plain > 0
	for i := range e.words {
		e.weigh(i)
		if w := e.words[i].lower; i > 0 && (contrasts[w] || w == ";" || w == "--" || w == "—") {
			e.clauses = append(e.clauses, i)
		}
	}
}

func (e *extractor) known(s string) bool {
	given, _, _ := e.lexicon.valence(s)
	return given != 0
}

// quoteOpens returns whether a quotation is open behind a quotation mark.
func quoteOpens(mark string, open bool) bool {
	switch {
	case strings.ContainsAny(mark, "“„«"):
		return true
	case strings.ContainsAny(mark, "”»"):
		return false
	}
	return !open
}

// weigh computes what the words before a word make of its valence.
func (e *extractor) weigh(i int) {
	w := &e.words[i]
	for k := 1; k <= 3 && i-k >= 0; k++ {
		before := e.words[i-k].lower
		if strings.ContainsAny(before, ",.;!?:") && !e.words[i-k].letters {
			break
		}
		if negations[before] {
			w.negated = true
		}
	}
	if w.given == 0 {
		return
	}
	v, sign := w.given, math.Copysign(1, w.given)
	if w.capitals && e.loud {
		v += sign * 0.733
	}
	for k, damping := range [...]float64{1, 0.95, 0.9} {
		if i-k-1 < 0 {
			break
		}
		switch b := &e.words[i-k-1]; {
		case boosters[b.lower] && b.given == 0:
			v += float64(sign * 0.293 * damping)
		case dampers[b.lower] && b.given == 0:
			v -= float64(sign * 0.293 * damping)
		}
	}
	if w.negated {
		v *= -0.74
	}
	w.value = v
}

// rule is VADER's, over the words from one to before another.
func (e *extractor) rule(from, to int) float64 {
	but := e.contrast(from, to)
	sum, marks, questions := 0.0, 0, 0
	for i := from; i < to; i++ {
		w := &e.words[i]
		v := w.value
		if but >= 0 && i < but {
			v *= 0.5
		} else if but >= 0 {
			v *= 1.5
		}
		sum += v
		if !w.letters {
			marks += strings.Count(w.lower, "!")
			questions += strings.Count(w.lower, "?")
		}
	}
	stress := 0.292 * float64(min(4, marks))
	if questions > 1 {
		stress += min(0.96, 0.18*float64(questions))
	}
	switch {
	case sum > 0:
		sum += stress
	case sum < 0:
		sum -= stress
	}
	return sum / math.Sqrt(float64(sum*sum)+15)
}

// contrast returns the place of the last "but"; -1 if there is none.
func (e *extractor) contrast(from, to int) int {
	for i := to - 1; i > from; i-- {
		if contrasts[e.words[i].lower] {
			return i
		}
	}
	return -1
}

// judges reports whether a word from one to before another judges, as people say.
func (e *extractor) judges(from, to int) bool {
	for i := from; i < to; i++ {
		if e.words[i].judges() {
			return true
		}
	}
	return false
}

// judges reports whether people gave the word a valence, or list it as one that judges.
func (w *word) judges() bool { return w.given != 0 || w.listed != 0 }

// quoted returns how many of the words that judge stand in quotation marks, and how many there are.
func (e *extractor) quoted(from, to int) (in, all int) {
	for i := from; i < to; i++ {
		if e.words[i].judges() {
			all++
			if e.words[i].quoted {
				in++
			}
		}
	}
	return in, all
}

// holder returns who speaks in a sentence with a quotation: the name or pronoun beside a verb of speech outside of quotation marks.
func (e *extractor) holder() Span {
	outside := func(i int) bool {
		return i >= 0 && i < len(e.words) && !e.words[i].quoted && e.words[i].letters
	}
	speaker := func(i int) bool { return outside(i) && (e.words[i].capital || speakers[e.words[i].lower]) }
	for i := range e.words {
		if !outside(i) || !speech[e.words[i].lower] || e.words[i].capital { // the Gulf States
			continue
		}
		if from := i - 1; speaker(from) {
			for speaker(from - 1) {
				from--
			}
			return Span{e.words[from].start, e.words[i-1].end}
		}
		if to := i + 1; speaker(to) {
			for speaker(to + 1) {
				to++
			}
			return Span{e.words[i+1].start, e.words[to].end}
		}
	}
	return Span{}
}

// Lexicon returns the valences that the model looks at.
func (m *Model) Lexicon() *Lexicon { return m.lexicon }
