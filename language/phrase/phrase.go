// Package phrase finds the nouns, noun phrases and names of tagged English sentences, each as long as it can be, and which of them stand in one list.
//
// A phrase is nouns with adjectives and nouns before them; participles only behind an article or an adjective ("the developing
// countries"), since else they are mostly verbs ("promoting peace"); numbers only before a hyphen ("ten-nation committee"). "of" joins two groups ("rule of law", "Organization of
// African Unity"), in names "of the" too. Two phrases are of one *list* if nothing but commas, "and" or "or", and articles stands
// between them; a list has an "and" or "or", since commas alone mostly part clauses ("In this regard, my delegation").
//
// It differs from varve/language/term, which counts every candidate inside of a phrase by itself and knows nothing of lists. Cost is linear in the
// sentence, but for phrases of more than maxWords words, which are read again from their second.
package phrase

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Token is a token of a sentence.
type Token struct{ Text, Penn, Lemma string }

// Phrase is a noun or noun phrase.
type Phrase struct {
	From, To int    // tokens, the end excluded
	Key      string // its lemmas in lower case, with blanks between them; a hyphen joins words without blanks
	Name     bool   // all its words but "of" and "the" have a capital
	Listed   bool   // it goes on with the list that the phrase before it is in
}

// Limits of a phrase: what is longer is a title, and what has longer words no language.
const (
	maxWords = 8
	longest  = 64
)

// Read returns the phrases of a sentence in its order.
func Read(tokens []Token) []Phrase {
	var out []Phrase
	var r reader
	begin, joined := 0, false // the list that is going on, and whether it has an "and" or "or"
	commas, others := 0, 1    // tokens between the last phrase and here
	conjunction := false      // also between them
	end := func() {
		if !joined { // commas alone: "In this regard, my delegation"
			for i := begin; i < len(out); i++ {
				out[i].Listed = false
			}
		}
		begin, joined = len(out), false
	}
	for i := 0; i < len(tokens); {
		if n := r.phrase(tokens, i); n > 0 {
			p := r.make(i > 0)
			p.From, p.To = i, i+n
			p.Listed = (commas > 0 || conjunction) && others == 0
			if !p.Listed {
				end()
			}
			joined = joined || p.Listed && conjunction
			out = append(out, p)
			commas, others, conjunction = 0, 0, false
			i += n
			continue
		}
		switch t := &tokens[i]; {
		case t.Text == ",":
			commas++
		case strings.EqualFold(t.Text, "and") || strings.EqualFold(t.Text, "or"):
			conjunction = true
		case (commas > 0 || conjunction) && article(t):
		default:
			others++
		}
		i++
	}
	end()
	return out
}

// reader takes one phrase apart.
type reader struct {
	words []*Token // with "of" and "the"
	glued []bool   // it is joined to the one before by a hyphen
}

// phrase reads the phrase that begins at a token, and returns how many tokens it takes; 0 if none begins there.
func (r *reader) phrase(tokens []Token, from int) int {
	r.words, r.glued = r.words[:0], r.glued[:0]
	words, end := 0, from // up to the last noun
	glue := false
	for i := from; i < len(tokens) && len(r.words) < maxWords; i++ {
		t, k := &tokens[i], kindOf(&tokens[i])
		switch {
		case k == noun || k == name || k == adjective || k == participle && i > 0 && (article(&tokens[i-1]) || kindOf(&tokens[i-1]) == adjective):
		case numbered(tokens[i:]):
		case k == hyphen && i > from && i+1 < len(tokens) && word(tokens[i+1].Text):
			glue = true
			continue
		case t.Text == "of" && i > from && end == i:
		case strings.EqualFold(t.Text, "the") && i > from+1 && tokens[i-1].Text == "of" && kindOf(&tokens[i-2]) == name && i+1 < len(tokens) && kindOf(&tokens[i+1]) == name:
		default:
			i = len(tokens)
			continue
		}
		r.words, r.glued = append(r.words, t), append(r.glued, glue)
		glue = false
		if k == noun || k == name {
			words, end = len(r.words), i+1
		}
	}
	r.words, r.glued = r.words[:words], r.glued[:words]
	return end - from
}

// numbered reports whether tokens begin with a number that a hyphen joins to a word: "Ten-Nation Committee", "two-state solution". Without it a part of a name would look like another name.
func numbered(tokens []Token) bool {
	return len(tokens) > 2 && tokens[0].Penn == "CD" && len(tokens[0].Text) <= longest && kindOf(&tokens[1]) == hyphen && kindOf(&tokens[2]) != other
}

func article(t *Token) bool { return t.Penn == "DT" || t.Penn == "PRP$" || t.Penn == "PDT" }

// make returns the phrase that was read. One that is inside of a sentence is a name by its capitals, whatever the tagger says; at the beginning it needs a proper noun.
func (r *reader) make(inside bool) Phrase {
	p := Phrase{Name: true}
	proper := false
	for _, t := range r.words {
		first, _ := utf8.DecodeRuneInString(t.Text)
		p.Name = p.Name && (unicode.IsUpper(first) || unicode.IsDigit(first) || t.Text == "of" || t.Text == "the")
		proper = proper || kindOf(t) == name
	}
	p.Name = p.Name && (proper || inside)
	var key strings.Builder
	for i, t := range r.words {
		switch {
		case i > 0 && r.glued[i]:
			key.WriteByte('-')
		case i > 0:
			key.WriteByte(' ')
		}
		if p.Name || kindOf(t) == name { // no lemma: "United Nations" has none
			key.WriteString(strings.ToLower(t.Text))
		} else {
			key.WriteString(strings.ToLower(t.Lemma))
		}
	}
	p.Key = key.String()
	return p
}

type kind uint8

const (
	other kind = iota
	noun
	name
	adjective
	participle
	hyphen
)

func kindOf(t *Token) kind {
	if t.Penn == "HYPH" {
		return hyphen
	}
	if !word(t.Text) {
		return other
	}
	switch t.Penn {
	case "NN", "NNS":
		return noun
	case "NNP", "NNPS":
		return name
	case "JJ", "JJR", "JJS", "AFX":
		return adjective
	case "VBN", "VBG":
		return participle
	}
	return other
}

// word reports whether a token can be part of a phrase: it begins with a letter and is no more than a word long.
func word(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) && len(s) <= longest
}
