// Package ner measures how well names are found: F1 of mentions whose tokens and type are both right, on files of tokens
// and BIO labels. Types of sets are compared by what they mean (see Meaning): WNUT's corporation is our ORG, UNER's ORG is
// our ORG or GROUP. Mentions of types that a set does not mark are left out.
package ner

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"varve/lab/eval"
	"varve/lab/eval/corpus"
	"varve/lab/eval/cpu"
	"varve/language/lexicon"
	"varve/language/mention"
	"varve/language/tag"
	"varve/language/term"
	"varve/learn/chain"
)

// meanings are the types that the types of sets mean. An empty list is no name in our sense.
var meanings = map[string][]mention.Type{
	// UNER
	"PER": {mention.Person}, "LOC": {mention.Location}, "ORG": {mention.Organisation, mention.Group},
	// HIPE
	"pers": {mention.Person}, "loc": {mention.Location}, "org": {mention.Organisation, mention.Group}, "prod": {}, "time": {},
	// WNUT 2017
	"person": {mention.Person}, "location": {mention.Location}, "corporation": {mention.Organisation}, "group": {mention.Group},
	"creative-work": {mention.Work}, "product": {mention.Product},
	// CrossNER
	"politician": {mention.Person}, "writer": {mention.Person}, "musicalartist": {mention.Person}, "scientist": {mention.Person}, "researcher": {mention.Person},
	"country": {mention.Location}, "organisation": {mention.Organisation, mention.Group}, "politicalparty": {mention.Group}, "band": {mention.Group},
	"university": {mention.Organisation}, "book": {mention.Work}, "poem": {mention.Work}, "album": {mention.Work}, "song": {mention.Work},
	"event": {mention.Event}, "election": {mention.Event}, "conference": {mention.Event}, "magazine": {mention.Work, mention.Organisation},
	"academicjournal": {mention.Work, mention.Organisation}, "programlang": {mention.Product},
	"musicgenre": {}, "literarygenre": {}, "discipline": {}, "field": {}, "task": {}, "algorithm": {}, "metrics": {}, "chemicalcompound": {}, "chemicalelement": {},
	"protein": {}, "enzyme": {}, "theory": {}, "musicalinstrument": {},
	// GUM and OKE
	"place": {mention.Location}, "organization": {mention.Organisation, mention.Group},
	"Q215627": {mention.Person}, "Q43229": {mention.Organisation, mention.Group}, "Q27096213": {mention.Location},
}

// Meaning returns the types that a type of a set means: none if it is no name in our sense. A type that is not known may
// be anything.
func Meaning(set string) (types []mention.Type, known bool) {
	types, known = meanings[set]
	return types, known
}

// Result is the figures of a set.
type Result struct {
	N         int             `json:"mentions"` // mentions that people marked
	F1        float64         `json:"f1"`
	Precision float64         `json:"precision"`
	Recall    float64         `json:"recall"`
	Alone     float64         `json:"alone_f1"` // sentence by sentence, without the consistency of the document
	Listed    float64         `json:"baseline"` // of names that the gazetteer lists, written with capitals
	Speed     float64         `json:"tokens_per_cpu_second"`
	Types     map[string]Type `json:"types"`
}

// Type is the figures of one type.
type Type struct {
	N         int     `json:"n"`
	F1        float64 `json:"f1"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
}

// Tally counts.
type Tally struct {
	right, found, wanted map[string]int
	alone, listed        hits
	inventory            map[mention.Type]string // type of ours to a type of the set, for those that it marks
	names                *lexicon.Lexicon
}

type hits struct{ right, found int }

// NewTally returns a tally for a set. The lexicon has the names of the baseline.
func NewTally(sentences []corpus.Labelled, names *lexicon.Lexicon) *Tally {
	t := &Tally{right: map[string]int{}, found: map[string]int{}, wanted: map[string]int{}, inventory: map[mention.Type]string{}, names: names}
	for i, s := range sentences {
		for _, c := range corpus.Chunks(i, s.Labels) {
			for _, m := range meanings[c.Type] {
				if t.inventory[m] == "" || c.Type < t.inventory[m] {
					t.inventory[m] = c.Type
				}
			}
		}
	}
	return t
}

// Documents cuts sentences where the document changes.
func Documents(sentences []corpus.Labelled) [][]corpus.Labelled {
	var out [][]corpus.Labelled
	for i, s := range sentences {
		if i == 0 || s.Document == "" || s.Document != sentences[i-1].Document {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], s)
	}
	return out
}

// Add compares what was found in a document with what people marked. alone is what was found without consistency.
func (t *Tally) Add(document []corpus.Labelled, found, alone []mention.Mention) {
	type place struct{ sentence, from, to int }
	gold := map[place]string{}
	for i, s := range document {
		for _, c := range corpus.Chunks(i, s.Labels) {
			if len(meanings[c.Type]) > 0 {
				gold[place{i, c.From, c.To}] = c.Type
				t.wanted[c.Type]++
			}
		}
	}
	for _, m := range found {
		kind := t.inventory[m.Type]
		if kind == "" {
			continue
		}
		if g := gold[place{m.Sentence, m.From, m.To}]; slices.Contains(meanings[g], m.Type) {
			t.right[g]++
			t.found[g]++
		} else {
			t.found[kind]++
		}
	}
	count := func(h *hits, found []mention.Mention) {
		for _, m := range found {
			if t.inventory[m.Type] != "" {
				h.found++
				h.right += one(slices.Contains(meanings[gold[place{m.Sentence, m.From, m.To}]], m.Type))
			}
		}
	}
	count(&t.alone, alone)
	for i, s := range document {
		count(&t.listed, listed(t.names, i, s.Words))
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// longestListed is the largest number of words of a name that is looked for.
const longestListed = 6

// listed returns the names of a sentence that the gazetteer has, the longest first: words with capitals, and what the name is known as. It is what
// somebody would do who has a list of names and learns nothing.
func listed(names *lexicon.Lexicon, number int, words []string) (out []mention.Mention) {
	for from := 0; from < len(words); from++ {
		for to := min(len(words), from+longestListed); to > from; to-- {
			if r, _ := utf8.DecodeRuneInString(words[from]); !unicode.IsUpper(r) {
				break
			}
			if kind := knownAs(names.Name(chain.Hash(strings.ToLower(strings.Join(words[from:to], " "))))); kind != "" {
				out = append(out, mention.Mention{Sentence: number, From: from, To: to, Type: kind, Confidence: 1})
				from = to - 1
				break
			}
		}
	}
	return out
}

// knownAs returns the type of a name by its bits.
func knownAs(bits uint32) mention.Type {
	switch {
	case bits&lexicon.LargePlace != 0:
		return mention.Location
	case bits&(lexicon.PersonName|lexicon.FirstName|lexicon.LastName) != 0:
		return mention.Person
	case bits&lexicon.Place != 0:
		return mention.Location
	case bits&lexicon.OrganisationName != 0:
		return mention.Organisation
	case bits&lexicon.WorkName != 0:
		return mention.Work
	case bits&lexicon.EventName != 0:
		return mention.Event
	}
	return ""
}

// Result returns the figures.
func (t *Tally) Result() Result {
	r := Result{Types: map[string]Type{}}
	right, found := 0, 0
	for kind := range meanings {
		if t.wanted[kind]+t.found[kind] == 0 {
			continue
		}
		var one Type
		one.N = t.wanted[kind]
		one.Precision, one.Recall, one.F1 = eval.F1(t.right[kind], t.found[kind], t.wanted[kind])
		r.Types[kind] = one
		r.N += t.wanted[kind]
		right += t.right[kind]
		found += t.found[kind]
	}
	r.Precision, r.Recall, r.F1 = eval.F1(right, found, r.N)
	_, _, r.Alone = eval.F1(t.alone.right, t.alone.found, r.N)
	_, _, r.Listed = eval.F1(t.listed.right, t.listed.found, r.N)
	return r
}

// Measure finds the mentions of a file with given models.
func Measure(file string, m *mention.Model, tags *tag.Model) (Result, error) {
	tagger, finder := tags.NewTagger(), m.NewFinder()
	return measure(file, func(d []corpus.Labelled) finding {
		doc := Tagged(d, tagger)
		return finding{
			func() ([]mention.Mention, error) { return finder.Find(doc), nil },
			func() ([]mention.Mention, error) { return finder.Alone(doc), nil },
		}
	})
}

// MeasureListed finds the mentions of a file in a language that has lists of names alone.
func MeasureListed(ctx context.Context, file, lang string) (Result, error) {
	if !slices.Contains(mention.ListedLanguages(), lang) {
		return Result{}, fmt.Errorf("names of %q are not found by lists; those of %q are", lang, mention.ListedLanguages())
	}
	l := mention.NewListed(lang, lexicon.Default(), func(w string) bool { return term.Function(lang, w) }, func(w string) bool { return term.Listed(lang, w) })
	return measure(file, func(d []corpus.Labelled) finding {
		var words [][]string
		for _, s := range d {
			words = append(words, s.Words)
		}
		find := func() ([]mention.Mention, error) { return l.Find(ctx, words) }
		return finding{find, find}
	})
}

// finding finds the mentions of a document, with consistency and without.
type finding struct {
	whole, alone func() ([]mention.Mention, error)
}

// measure compares what is found with what people marked, and measures the speed of finding.
func measure(file string, prepare func([]corpus.Labelled) finding) (Result, error) {
	sentences, err := corpus.ReadLabels(file)
	if err != nil {
		return Result{}, err
	}
	tally := NewTally(sentences, lexicon.Default())
	var documents []finding
	tokens := 0
	for _, d := range Documents(sentences) {
		for _, s := range d {
			tokens += len(s.Words)
		}
		f := prepare(d)
		found, err := f.whole()
		if err != nil {
			return Result{}, err
		}
		alone, err := f.alone()
		if err != nil {
			return Result{}, err
		}
		documents = append(documents, f)
		tally.Add(d, found, alone)
	}
	if tokens == 0 {
		return Result{}, fmt.Errorf("%s has no sentences", file)
	}
	r := tally.Result()
	rounds := 100_000/tokens + 1
	used, err := cpu.Measure(func() error {
		for range rounds {
			for _, f := range documents {
				if _, err := f.whole(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	r.Speed = float64(rounds*tokens) / used.CPU.Seconds()
	return r, err
}

// Tagged tags a document for a finder.
func Tagged(document []corpus.Labelled, t *tag.Tagger) []mention.Sentence {
	var out []mention.Sentence
	for _, s := range document {
		out = append(out, mention.Tagged(t, s.Words))
	}
	return out
}

// Summary implements eval.Report.
func (r Result) Summary() eval.Summary { return eval.Found(r.N, r.Precision, r.Recall, r.F1) }

// Baseline implements eval.Compared.
func (r Result) Baseline() (way string, figure float64) {
	return "names of the gazetteer, written with capitals", r.Listed
}

// Print writes a table.
func (r Result) Print(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%-16s %8s %9s %7s %7s\n%-16s %8d %9.3f %7.3f %7.3f   (without consistency %.3f; names of the gazetteer alone %.3f; %.0f tokens per CPU-s, tagging not counted)\n",
		"type", "mentions", "precision", "recall", "F1", "all", r.N, r.Precision, r.Recall, r.F1, r.Alone, r.Listed, r.Speed); err != nil {
		return err
	}
	var kinds []string
	for k := range r.Types {
		kinds = append(kinds, k)
	}
	slices.Sort(kinds)
	for _, k := range kinds {
		t := r.Types[k]
		if _, err := fmt.Fprintf(w, "  %-14s %8d %9.3f %7.3f %7.3f\n", k, t.N, t.Precision, t.Recall, t.F1); err != nil {
			return err
		}
	}
	return nil
}
