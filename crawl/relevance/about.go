package relevance

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"varve/crawl/scope"
)

// About says what a crawl is about: the part of its definition that guides it (docs/formats/definitions.md).
type About struct {
	Purpose string `toml:"purpose,omitempty" json:"purpose,omitempty"` // what the crawl is for

	Keywords   []Keyword   `toml:"keyword,omitempty" json:"keywords,omitempty"`
	Entities   []Entity    `toml:"entity,omitempty" json:"entities,omitempty"`
	References []Reference `toml:"reference,omitempty" json:"references,omitempty"`
	Events     []Event     `toml:"event,omitempty" json:"events,omitempty"`
	Patterns   []Pattern   `toml:"url,omitempty" json:"urls,omitempty"`
	Languages  []string    `toml:"languages,omitempty" json:"languages,omitempty"` // "de", "pt-BR"
	Nation     Nation      `toml:"nation,omitempty" json:"nation,omitzero"`        // whose pages are wanted

	Weights map[string]float64 `toml:"weights,omitempty" json:"weights,omitempty"` // of modules, instead of DefaultWeights; 0: it is not asked

	Threshold float64 `toml:"threshold,omitempty" json:"threshold,omitempty"`  // relevance from which a page counts as relevant; 0.15
	StopUnder float64 `toml:"stop-under,omitempty" json:"stopUnder,omitempty"` // share of relevant pages among the last under which it is time to stop; 0: never said
}

// Keyword is a word or a few that pages should have, or, with a weight under 0, should not.
type Keyword struct {
	Word   string  `toml:"word" json:"word"`
	Weight float64 `toml:"weight,omitempty" json:"weight,omitempty"` // 1
}

// Entity is a name with its other forms.
type Entity struct {
	Name   string   `toml:"name" json:"name"`
	Other  []string `toml:"other,omitempty" json:"other,omitempty"`
	Weight float64  `toml:"weight,omitempty" json:"weight,omitempty"` // 1
}

// Reference is the text of a page that is like what is wanted, or like what is not.
type Reference struct {
	Name     string `toml:"name,omitempty" json:"name,omitempty"` // where it is from
	Text     string `toml:"text" json:"text"`
	Unwanted bool   `toml:"unwanted,omitempty" json:"unwanted,omitempty"`
}

// Event is something that happened from one day to another.
type Event struct {
	Name string `toml:"name,omitempty" json:"name,omitempty"`
	From string `toml:"from" json:"from"` // 2024, 2024-06 or 2024-06-09
	To   string `toml:"to,omitempty" json:"to,omitempty"`
}

// Pattern is what addresses are worth that match an expression.
type Pattern struct {
	Regex  string  `toml:"regex" json:"regex"`
	Weight float64 `toml:"weight" json:"weight"` // from -1, never wanted, to 1
}

// Limits of a definition: more is a slip, or belongs into a collection of its own.
const (
	MaxTerms      = 10_000 // keywords and forms of names
	maxWord       = 200    // bytes
	maxWeight     = 100
	maxReferences = 100
	maxReference  = 256 << 10 // bytes of text
	maxPatterns   = 1000
)

// DefaultThreshold is the relevance from which a page counts as relevant.
const DefaultThreshold = 0.15

// Guides reports whether something is said that can guide a crawl.
func (a *About) Guides() bool {
	return len(a.Keywords)+len(a.Entities)+len(a.References)+len(a.Events)+len(a.Patterns)+len(a.Languages) > 0 || a.Nation.Given()
}

// Relevant returns the relevance from which a page counts as relevant.
func (a *About) Relevant() float64 {
	if a.Threshold > 0 {
		return a.Threshold
	}
	return DefaultThreshold
}

// Terms counts the keywords and forms of names.
func (a *About) Terms() int {
	n := len(a.Keywords)
	for _, e := range a.Entities {
		n += 1 + len(e.Other)
	}
	return n
}

// Says reports whether a keyword, wanted or not, or a form of a name has the words of a text.
func (a *About) Says(text string) bool {
	key := phrase(text).key()
	same := func(other string) bool { return phrase(other).key() == key }
	return slices.ContainsFunc(a.Keywords, func(k Keyword) bool { return same(k.Word) }) ||
		slices.ContainsFunc(a.Entities, func(e Entity) bool { return same(e.Name) || slices.ContainsFunc(e.Other, same) })
}

// Check tells what is wrong, and where: the error is a *scope.FieldError.
func (a *About) Check() error {
	if n := a.Terms(); n > MaxTerms {
		return &scope.FieldError{Table: "keyword", Err: fmt.Errorf("%d keywords and names, at most %d are allowed: choose those that tell the topic from others", n, MaxTerms)}
	}
	for _, check := range []func() error{a.checkKeywords, a.checkEntities, a.checkReferences, a.checkEvents, a.checkPatterns, a.checkModules, a.Nation.check} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// at names the place of an error.
func at(table string, i int, name, field, format string, args ...any) error {
	return &scope.FieldError{Table: table, Rule: i + 1, Name: name, Field: field, Err: fmt.Errorf(format, args...)}
}

func (a *About) checkKeywords() error {
	first := map[string]int{}
	for i, k := range a.Keywords {
		if err := checkTerm("keyword", i, "word", k.Word); err != nil {
			return err
		}
		if math.IsNaN(k.Weight) || math.Abs(k.Weight) > maxWeight {
			return at("keyword", i, k.Word, "weight", "%g is not between -%d and %d", k.Weight, maxWeight, maxWeight)
		}
		key := phrase(k.Word).key()
		if before, twice := first[key]; twice {
			was := a.Keywords[before]
			if (weightOf(was.Weight) < 0) != (weightOf(k.Weight) < 0) {
				return at("keyword", i, k.Word, "weight", "is wanted and unwanted at once: keyword %d %q has weight %g", before+1, was.Word, weightOf(was.Weight))
			}
			return at("keyword", i, k.Word, "word", "stands here twice: it is keyword %d, too", before+1)
		}
		first[key] = i
	}
	return nil
}

func (a *About) checkEntities() error {
	for i, e := range a.Entities {
		if err := checkTerm("entity", i, "name", e.Name); err != nil {
			return err
		}
		for _, o := range e.Other {
			if err := checkTerm("entity", i, "other", o); err != nil {
				return err
			}
		}
		if math.IsNaN(e.Weight) || math.Abs(e.Weight) > maxWeight {
			return at("entity", i, e.Name, "weight", "%g is not between -%d and %d", e.Weight, maxWeight, maxWeight)
		}
	}
	return nil
}

func checkTerm(table string, i int, field, word string) error {
	switch {
	case len(phrase(word)) == 0:
		return at(table, i, word, field, "%q has no letter or digit", word)
	case len(word) > maxWord:
		return at(table, i, word[:20]+"...", field, "is longer than %d bytes", maxWord)
	}
	return nil
}

func (a *About) checkReferences() error {
	if n := len(a.References); n > maxReferences {
		return &scope.FieldError{Table: "reference", Err: fmt.Errorf("%d reference pages, at most %d are allowed", n, maxReferences)}
	}
	for i, r := range a.References {
		switch {
		case len(phrase(r.Text)) < 20:
			return at("reference", i, r.Name, "text", "has fewer than 20 words: too few to compare pages with")
		case len(r.Text) > maxReference:
			return at("reference", i, r.Name, "text", "has %d bytes, at most %d are allowed", len(r.Text), maxReference)
		}
	}
	return nil
}

func (a *About) checkEvents() error {
	for i, e := range a.Events {
		if _, err := e.span(); err != nil {
			return at("event", i, e.Name, "from", "%w", err)
		}
	}
	return nil
}

// span is the years of an event.
func (e *Event) span() (years [2]int, err error) {
	to := e.To
	if to == "" {
		to = e.From
	}
	for i, text := range []string{e.From, to} {
		day := time.Time{}
		for _, form := range []string{"2006-01-02", "2006-01", "2006"} {
			if day, err = time.Parse(form, text); err == nil {
				break
			}
		}
		if err != nil {
			return years, fmt.Errorf("%q is no day, month or year such as 2024-06-09, 2024-06 or 2024", text)
		}
		years[i] = day.Year()
	}
	if years[1] < years[0] || years[0] == years[1] && len(to) == len(e.From) && to < e.From {
		return years, errors.New("ends before it begins")
	}
	return years, nil
}

func (a *About) checkPatterns() error {
	if n := len(a.Patterns); n > maxPatterns {
		return &scope.FieldError{Table: "url", Err: fmt.Errorf("%d patterns, at most %d are allowed", n, maxPatterns)}
	}
	for i, p := range a.Patterns {
		if _, err := regexp.Compile(p.Regex); err != nil || p.Regex == "" || len(p.Regex) > 1000 {
			return at("url", i, p.Regex[:min(len(p.Regex), 40)], "regex", "is no regular expression (RE2) of 1 to 1,000 characters: %v", err)
		}
		if !(p.Weight >= -1 && p.Weight <= 1) {
			return at("url", i, p.Regex, "weight", "%g is not between -1 and 1", p.Weight)
		}
	}
	return nil
}

func (a *About) checkModules() error {
	sum, known := 0.0, slices.Sorted(maps.Keys(defaultWeights))
	for _, name := range slices.Sorted(maps.Keys(a.Weights)) {
		w := a.Weights[name]
		if _, ok := defaultWeights[name]; !ok {
			return &scope.FieldError{Field: name, Err: fmt.Errorf("there is no module %q; there are %s", name, strings.Join(known, ", "))}
		}
		if !(w >= 0 && w <= maxWeight) {
			return &scope.FieldError{Field: name, Err: fmt.Errorf("the weight %g is not between 0 and %d", w, maxWeight)}
		}
	}
	for name, w := range defaultWeights {
		if own, ok := a.Weights[name]; ok {
			w = own
		}
		sum += w
	}
	switch {
	case sum == 0:
		return &scope.FieldError{Field: "weights", Err: errors.New("all modules have weight 0: nothing is left to judge by")}
	case !(a.Threshold >= 0 && a.Threshold <= 1):
		return &scope.FieldError{Field: "threshold", Err: fmt.Errorf("%g is not between 0 and 1", a.Threshold)}
	case !(a.StopUnder >= 0 && a.StopUnder <= 1):
		return &scope.FieldError{Field: "stop-under", Err: fmt.Errorf("%g is not between 0 and 1", a.StopUnder)}
	}
	return checkLanguages("", a.Languages)
}

func checkLanguages(table string, list []string) error {
	for _, l := range list {
		if len(l) < 2 || len(l) > 20 || strings.ContainsFunc(l, func(r rune) bool { return r != '-' && (r < 'A' || r > 'Z' && r < 'a' || r > 'z') }) {
			return &scope.FieldError{Table: table, Field: "languages", Err: fmt.Errorf("%q is no language such as de or pt-BR", l)}
		}
	}
	return nil
}

// weightOf is a weight as it counts: what is not given is 1.
func weightOf(w float64) float64 {
	if w == 0 {
		return 1
	}
	return w
}

// Parse reads and checks a definition on its own, as 'varve define' takes it. Unknown keys are errors: a misspelt one would guide a
// crawl elsewhere than it was meant.
func Parse(text string) (a About, err error) {
	meta, err := toml.Decode(text, &a)
	if err != nil {
		if pe, ok := errors.AsType[toml.ParseError](err); ok {
			return a, &scope.FieldError{Line: pe.Position.Line, Field: pe.LastKey, Err: errors.New(cmp.Or(pe.Message, err.Error()))}
		}
		return a, err
	}
	if extra := meta.Undecoded(); len(extra) > 0 {
		return a, &scope.FieldError{Field: extra[0].String(), Line: scope.LineOf(text, extra[0][len(extra[0])-1]), Err: errors.New("there is no such key")}
	}
	return a, scope.WithLine(a.Check(), text, "")
}
