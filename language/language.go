// Package language says what a text talks about: its sentences and tokens, what each word is, and which persons, places,
// organisations, groups, events, works and products it names. All is a pure function of the text: the same text gives the
// same answer on every run and every machine.
//
// # Reading order
//
//	wordlist/   lists of words and names with a number each, and their file
//	lexicon/    the words of English: readings, lemmas, word classes, names
//	sentence/   sentences and tokens with their places
//	tag/        parts of speech and lemmas
//	mention/    names, sentence by sentence and then consistent in the document
//	timex/      expressions of time; it needs none of the others
//	quality/    the share of words that can be read, and repair of bad scans by the words of the archive
//
// Models are trained by the project (varve-lab train, `make models`) from data that it may use; each has a card in
// docs/models, and an ATTRIBUTION beside it. English is the one language that has them; New says so for others.
package language

import (
	"fmt"

	"varve"
	"varve/language/mention"
	"varve/language/sentence"
	"varve/language/tag"
)

// Languages are the languages that have models, by ISO 639-1.
func Languages() []string { return []string{"en"} }

// Token is a token and what it is. Places are bytes from the beginning of the text.
type Token struct {
	Text      string `json:"text"`
	Start     int    `json:"start"`
	End       int    `json:"end"`
	Penn      string `json:"penn"`
	Universal string `json:"universal"`
	Lemma     string `json:"lemma"`
}

// Sentence is a sentence and its tokens.
type Sentence struct {
	Start  int     `json:"start"`
	End    int     `json:"end"`
	Tokens []Token `json:"tokens"`
}

// Mention is a name in the text.
type Mention struct {
	Text       string       `json:"text"`
	Start      int          `json:"start"`
	End        int          `json:"end"`
	Type       mention.Type `json:"type"`
	Confidence float64      `json:"confidence"` // probability, as the model has it
}

// Document is what a text says.
type Document struct {
	Sentences []Sentence `json:"sentences"`
	Mentions  []Mention  `json:"mentions"`
}

// Analyser reads texts of one language. It keeps buffers and is not for concurrent use; each goroutine has its own, and
// all share the models.
type Analyser struct {
	tagger *tag.Tagger
	finder *mention.Finder
}

// New returns an analyser for a language (ISO 639-1).
func New(lang string) (*Analyser, error) {
	if lang != "en" {
		return nil, &varve.Error{
			Kind: varve.NotFound, Op: "analyse text", Msg: fmt.Sprintf("there is no model for the language %q", lang),
			Hint: "sentences, tags and mentions are known for: en",
		}
	}
	return &Analyser{tag.Default().NewTagger(), mention.Default().NewFinder()}, nil
}

// Analyse reads a text.
func (a *Analyser) Analyse(text string) Document {
	var d Document
	var sentences []mention.Sentence
	for s := range sentence.Split(text) {
		words, penn := make([]string, len(s.Tokens)), make([]string, len(s.Tokens))
		out := Sentence{s.Start, s.End, make([]Token, len(s.Tokens))}
		for i, t := range s.Tokens {
			words[i] = t.Text
		}
		for i, g := range a.tagger.Tag(words) {
			t := s.Tokens[i]
			penn[i] = g.Penn
			out.Tokens[i] = Token{t.Text, t.Start, t.End, g.Penn, g.Universal, g.Lemma}
		}
		d.Sentences = append(d.Sentences, out)
		sentences = append(sentences, mention.Sentence{Words: words, Penn: penn})
	}
	for _, m := range a.finder.Find(sentences) {
		tokens := d.Sentences[m.Sentence].Tokens
		start, end := tokens[m.From].Start, tokens[m.To-1].End
		d.Mentions = append(d.Mentions, Mention{text[start:end], start, end, m.Type, m.Confidence})
	}
	return d
}
