// Package evolution reads texts for what changes through time: words that gain and lose senses (evolution/term), names that
// follow one another (evolution/name), phrases and concepts that emerge (evolution/emerging, evolution/concept).
//
// # Reading order
//
//	document.go  what of a text is looked at: its year and its phrases
//	spool.go     documents on disk by year
//	archived/    the texts of a collection as documents
//	clique/      maximal cliques of graphs, which paths and concepts are
//	term/        senses of words by slices of time: lists, graphs, curvature clusters, units, paths, changes
//	name/        bursts of names, and by which name a thing was called before
//	emerging/    phrases that begin to be used and go on
//	concept/     sets of terms that begin to be used together and go on
//	reformulate/ a query in the words of another time
//	across/      companions in two collections
//	stored/      what was found in a collection, kept as tables and read again
//
// Texts are read for their phrases once (varve/language/phrase); nothing here looks at a text again.
package evolution

import (
	"iter"
	"strings"
	"time"

	"varve/language"
)

// Phrase is a noun, noun phrase or name of a text.
type Phrase struct {
	Key    string `json:"k"`           // its lemmas in lower case, with blanks between them
	Name   string `json:"n,omitempty"` // as it is written, if it is a name
	Listed bool   `json:"l,omitempty"` // it goes on with the list that the phrase before it is in
}

// Sentence is the phrases of a sentence in the order of the text.
type Sentence []Phrase

// Document is what of a text is looked at.
type Document struct {
	ID        string     `json:"id"`               // address, or what else tells it from others
	Source    string     `json:"source,omitempty"` // who says it: a host, a state
	Year      int        `json:"year"`
	Time      time.Time  `json:"time,omitzero"` // of the capture, where it is one
	Sentences []Sentence `json:"sentences"`
}

// Documents goes through documents. It may be called more than once and goes through the same ones in the same order.
type Documents func() iter.Seq2[*Document, error]

// Of returns documents that are in memory.
func Of(list []*Document) Documents {
	return func() iter.Seq2[*Document, error] {
		return func(yield func(*Document, error) bool) {
			for _, d := range list {
				if !yield(d, nil) {
					return
				}
			}
		}
	}
}

// maxSentence is how many phrases a sentence has at most. Tables and lists without a full stop come as one sentence of any length, and company
// is counted pair by pair.
const maxSentence = 256

// Sentences makes sentences of the phrases of a text; those without phrases are left out, and those that are too long come in pieces.
func Sentences(phrases []language.Phrase) (out []Sentence) {
	last := -1
	for _, p := range phrases {
		if p.Sentence != last || len(out[len(out)-1]) == maxSentence {
			out = append(out, nil)
			last = p.Sentence
		}
		e := Phrase{Key: p.Key, Listed: p.Listed}
		if p.Name {
			e.Name = strings.Join(strings.Fields(p.Text), " ")
		}
		out[len(out)-1] = append(out[len(out)-1], e)
	}
	return out
}
