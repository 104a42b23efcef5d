package lang

import (
	"unicode"
	"unicode/utf8"
)

// reader gives the characters of a text as the model sees them: letters and marks in lower case, apostrophes inside of
// words, and one blank for everything between words. A text begins and ends with a blank.
type reader struct {
	text  string
	blank bool // the last one given was a blank
	done  bool
}

// next gives the next character, 0 at the end.
func (r *reader) next() rune {
	for len(r.text) > 0 {
		c, n := rune(r.text[0]), 1
		if c >= utf8.RuneSelf {
			c, n = utf8.DecodeRuneInString(r.text)
		}
		r.text = r.text[n:]
		if low := fold(c); low != ' ' {
			r.blank = false
			return low
		}
		if !r.blank {
			r.blank = true
			return ' '
		}
	}
	if r.done || r.blank {
		return 0
	}
	r.done, r.blank = true, true
	return ' '
}

// fold gives the lower case of a letter, and a blank for what is none.
func fold(c rune) rune {
	if c < rune(len(folded)) {
		return rune(folded[c])
	}
	return foldSlow(c)
}

// folded is fold for the alphabets that come first: Latin, Greek, Cyrillic, Armenian, Hebrew, Arabic.
var folded = func() (t [0x800]uint16) {
	for c := range t {
		t[c] = uint16(foldSlow(rune(c)))
	}
	return t
}()

func foldSlow(c rune) rune {
	switch {
	case c == '\'' || c == '’' || c == 'ʻ' || c == 'ʼ':
		return '\''
	case c == utf8.RuneError:
		return ' '
	case unicode.IsLetter(c) || unicode.IsMark(c):
		if low := unicode.ToLower(c); low < 0x800 || c >= 0x800 {
			return low
		}
		return c
	}
	return ' '
}
