package token

import (
	"maps"
	"slices"

	snowball "github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
)

// stemmers by ISO 639-1. The Norwegian one serves both written languages.
var stemmers = map[string]func(*snowball.Env) bool{
	"ar": arabic.Stem, "da": danish.Stem, "nl": dutch.Stem, "en": english.Stem, "fi": finnish.Stem, "fr": french.Stem, "de": german.Stem, "hu": hungarian.Stem,
	"ga": irish.Stem, "it": italian.Stem, "nb": norwegian.Stem, "nn": norwegian.Stem, "pt": portuguese.Stem, "ro": romanian.Stem, "ru": russian.Stem, "es": spanish.Stem,
	"sv": swedish.Stem, "ta": tamil.Stem, "tr": turkish.Stem,
}

// StemLanguages lists the languages that have stems.
func StemLanguages() []string { return slices.Sorted(maps.Keys(stemmers)) }

// Stemmer cuts words to their stems. It keeps a buffer and is not for concurrent use.
type Stemmer struct {
	stem func(*snowball.Env) bool
	env  *snowball.Env
}

// NewStemmer gives the stemmer of a language; false if there is none, and then it gives words back as they are.
func NewStemmer(lang string) (*Stemmer, bool) {
	stem, ok := stemmers[lang]
	return &Stemmer{stem, snowball.NewEnv("")}, ok
}

// maxStem is the longest word, in bytes, that has a stem: longer ones are no words of a language.
const maxStem = 128

// Stem gives the stem of a word in lower case.
func (s *Stemmer) Stem(word string) string {
	if s.stem == nil || len(word) > maxStem {
		return word
	}
	s.env.SetCurrent(word)
	s.stem(s.env)
	return s.env.Current()
}
