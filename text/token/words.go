package token

import (
	"iter"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// Kind says what a word is made of.
type Kind uint8

// The kinds of words.
const (
	Letters Kind = iota // a word of an alphabet, digits may be in it
	Number              // digits and the signs between them
	Alone               // one character of a script that is written without blanks
)

// Word is a word and where it stands.
type Word struct {
	Text  string
	Start int // bytes from the beginning of the text
	End   int
	Kind  Kind
}

// Words goes through the words of a text; what is between them is left out.
func Words(text string) iter.Seq[Word] {
	return func(yield func(Word) bool) {
		w := words.FromString(text)
		for w.Next() {
			kind, ok := kindOf(w.Value())
			if ok && !yield(Word{w.Value(), w.Start(), w.End(), kind}) {
				return
			}
		}
	}
}

// kindOf looks at the characters of a word; false if it has neither letters nor digits.
func kindOf(s string) (kind Kind, ok bool) {
	if c := s[0]; c < utf8.RuneSelf && len(s) == 1 && !alnum(c) {
		return 0, false
	}
	digits := false
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			if unbroken(r) {
				return Alone, true
			}
			return Letters, true
		case unicode.IsDigit(r):
			digits = true
		}
	}
	return Number, digits
}

func alnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// unbroken tells whether the script of a letter is written without blanks between words.
func unbroken(r rune) bool {
	if r < 0x0e00 {
		return false
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan)
}
