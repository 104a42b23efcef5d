package token

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
)

// Span is a piece of a text.
type Span struct {
	Text  string
	Start int // bytes from the beginning of the text
	End   int
}

// Sentences goes through the sentences of a text, without the white space around them. lang (ISO 639-1) chooses the
// abbreviations; without it those that most languages share are known.
func Sentences(text, lang string) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		rules := rulesOf(lang)
		from := 0
		s := sentences.FromString(text)
		for s.Next() {
			if s.End() <= from || rules.goesOn(text[from:s.End()], text[s.End():]) {
				continue
			}
			end := s.End()
			if text[end-1] == '[' { // to Unicode it belongs to what it closes
				end--
			}
			if n := references(text[end:]); n > 0 {
				end += n
			} else {
				end = s.End()
			}
			if sp, ok := trimmed(text, from, end); ok && !yield(sp) {
				return
			}
			from = end
		}
		if sp, ok := trimmed(text, from, len(text)); ok {
			yield(sp)
		}
	}
}

// references returns the length of the numbers in brackets at the beginning of a text: behind a full stop they are notes
// of the sentence before (as in Wikipedia: It rained.[1] [2] Then...).
func references(s string) int {
	end := 0
	for {
		rest := strings.TrimLeft(s[end:], " \u00a0")
		digits := strings.TrimLeft(strings.TrimPrefix(rest, "["), "0123456789")
		n := len(rest) - len(digits)
		if n < 2 || n > 4 || rest[0] != '[' || !strings.HasPrefix(digits, "]") {
			return end
		}
		end = len(s) - len(digits) + 1
	}
}

// trimmed cuts white space off the ends of a piece; false if nothing is left.
func trimmed(text string, from, to int) (Span, bool) {
	piece := text[from:to]
	start := from + len(piece) - len(strings.TrimLeftFunc(piece, unicode.IsSpace))
	piece = strings.TrimSpace(piece)
	return Span{piece, start, start + len(piece)}, piece != ""
}

// goesOn tells whether a sentence goes on although UAX 29 ends it: left is the sentence so far, right what follows.
func (r *rules) goesOn(left, right string) bool {
	trimmed := strings.TrimRight(left, " \u00a0\t")
	if right == "" {
		return false
	}
	if line, ok := strings.CutSuffix(trimmed, "\n"); ok {
		return wraps(strings.TrimRight(line, " \u00a0\t\r"), right)
	}
	if strings.HasSuffix(trimmed, "”") || strings.HasSuffix(trimmed, "\"") || strings.HasSuffix(trimmed, "»") {
		return startsLower(right) // “Really?” she asked
	}
	if !strings.HasSuffix(trimmed, ".") {
		return false
	}
	word := lastWord(trimmed[:len(trimmed)-1])
	if word == "" {
		return false
	}
	if len(word) < 8 && len(word)+1 == len(strings.TrimLeft(trimmed, " \u00a0\t\r\n")) && isNumber(strings.ReplaceAll(word, ".", "")) && !startsLine(left, right) {
		return true // the number of a heading or list item: 2.1. Methods
	}
	if first, n := utf8.DecodeRuneInString(word); n == len(word) && unicode.IsUpper(first) {
		return true // an initial
	}
	if r.numbered[strings.ToLower(word)] {
		return startsDigit(right) // p. 5, but: no. They left
	}
	if r.last[strings.ToLower(word)] || r.starters != nil && dotted(word) {
		return !r.starters[firstWord(right)] // the U.S. Army, but: the U.S. They
	}
	if r.ordinals && isNumber(word) && len(word) <= 2 {
		return startsLower(right) || counted[strings.ToLower(firstWord(right))]
	}
	return r.abbreviations[strings.ToLower(word)]
}

// wrapped is the length from which a line may have been broken for its length, in bytes.
const wrapped = 50

// wraps reports whether a line break stands inside of a sentence: after a long line without an end, before a small letter.
func wraps(line, right string) bool {
	n := len(line) - 1 - strings.LastIndexByte(line, '\n')
	return n >= wrapped && !strings.ContainsRune(".!?:;|", rune(line[len(line)-1])) && startsLower(right)
}

// startsLine reports whether what follows stands on another line.
func startsLine(left, right string) bool {
	return strings.HasSuffix(left, "\n") || strings.HasPrefix(strings.TrimLeft(right, " \u00a0\t"), "\n")
}

// startsDigit reports whether the text goes on with a digit.
func startsDigit(s string) bool {
	s = strings.TrimLeft(s, " \u00a0\t")
	return s != "" && s[0] >= '0' && s[0] <= '9'
}

// dotted reports whether a word is made of single capitals with full stops between them: U.S, O.J.
func dotted(word string) bool {
	for i, r := range []rune(word) {
		if i%2 == 0 && !unicode.IsUpper(r) || i%2 == 1 && r != '.' {
			return false
		}
	}
	return true
}

// lastWord is what stands before a full stop; abbreviations with full stops inside are one word.
func lastWord(s string) string {
	i := strings.LastIndexFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && !unicode.IsMark(r)
	})
	if i >= 0 {
		_, n := utf8.DecodeRuneInString(s[i:])
		s = s[i+n:]
	}
	return s
}

func isNumber(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

// startsLower tells whether the text goes on with a small letter.
func startsLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " \u00a0\t"))
	return unicode.IsLower(r)
}

// firstWord is the word that a text begins with.
func firstWord(s string) string {
	s = strings.TrimLeft(s, " \u00a0\t")
	if i := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }); i >= 0 {
		s = s[:i]
	}
	return s
}
