package timex

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of what the lexer takes for a word, a number, and a run of items.
const (
	maxWord   = 40
	maxDigits = 8
	maxRun    = 256
)

// token is a run of letters, a run of digits, or a sign.
type token struct {
	from, to int
	kind     byte // a letters, 0 digits, else a sign
	glued    bool // nothing between it and the token before
	line     bool // a line break before it
}

// tokens goes through the tokens of a text.
func tokens(text string) iter.Seq[token] {
	return func(yield func(token) bool) {
		for at := 0; at < len(text); {
			t, next := nextToken(text, at)
			if next < 0 || !yield(t) {
				return
			}
			at = next
		}
	}
}

// nextToken returns the token at or after a place, and where it ends; -1 if there is none.
func nextToken(text string, at int) (token, int) {
	t := token{glued: true}
	for at < len(text) {
		c := text[at]
		if c == '\n' {
			t.line = true
		}
		if c <= ' ' {
			t.glued = false
			at++
			continue
		}
		t.from = at
		switch {
		case c >= '0' && c <= '9':
			for at < len(text) && text[at] >= '0' && text[at] <= '9' {
				at++
			}
			t.to, t.kind = at, '0'
			return t, at
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			return letters(text, t, at)
		case c < utf8.RuneSelf:
			t.to, t.kind = at+1, c
			return t, at + 1
		}
		r, n := utf8.DecodeRuneInString(text[at:])
		switch {
		case unicode.IsLetter(r):
			return letters(text, t, at)
		case unicode.IsSpace(r):
			t.glued = false
			at += n
			continue
		case r == '–' || r == '—' || r == '‐' || r == '‑' || r == '−':
			t.to, t.kind = at+n, '-'
			return t, at + n
		case r == '’' || r == 'ʼ':
			t.to, t.kind = at+n, '\''
			return t, at + n
		}
		t.to, t.kind = at+n, '?'
		return t, at + n
	}
	return t, -1
}

func letters(text string, t token, at int) (token, int) {
	for at < len(text) {
		c := text[at]
		if c|0x20 >= 'a' && c|0x20 <= 'z' {
			at++
			continue
		}
		if c < utf8.RuneSelf {
			break
		}
		r, n := utf8.DecodeRuneInString(text[at:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		at += n
	}
	t.to, t.kind = at, 'a'
	return t, at
}

// item is what the cascade works on: a word, number or sign, or what a rule made.
type item struct {
	from, to int
	glued    bool
	relative bool      // depends on the reference
	readings []reading // of a word; what a rule made has one
}

func (it *item) is(c class) (any, bool) {
	for i := range it.readings {
		if it.readings[i].class == c {
			return it.readings[i].value, true
		}
	}
	return nil, false
}

// lexer cuts text into runs of items.
type lexer struct {
	grammar *Grammar
	text    string
	at      int
	items   []item
	numbers []reading // of the numbers of the run
	fold    []byte
	ahead   [8]token
	strong  bool // the run has a word or number that can carry an expression
}

// Classes that the lexer and the actions know. The first is that of numbers; function words of all languages and signs
// carry no expression by themselves.
var fixedClasses = []string{"num", "digits", "word"}

const (
	classNum    class = iota
	classDigits       // a number in digits
	classWord         // a word that the grammar does not know, at the end of a run; it has no extent
)

var unknownWord = []reading{{classWord, word{}}}

func (l *lexer) reset(text string) { l.text, l.at = text, 0 }

// next returns the next run; nil at the end. It is valid until the next call.
func (l *lexer) next() []item {
	l.items, l.numbers, l.strong = l.items[:0], l.numbers[:0], false
	if cap(l.numbers) < 2*maxRun {
		l.numbers = make([]reading, 0, 2*maxRun) // items point into it
	}
	for {
		t, end := nextToken(l.text, l.at)
		if end < 0 {
			l.at = len(l.text)
			if l.strong {
				l.strong = false
				return l.items
			}
			return nil
		}
		if len(l.items) > 0 && (t.line && !l.goesOn(t) || len(l.items) == maxRun) {
			if l.strong {
				return l.items
			}
			l.items, l.numbers = l.items[:0], l.numbers[:0]
		}
		if !l.add(t, end) {
			l.at = max(l.at, end)
			if l.strong {
				if t.kind == 'a' {
					l.items = append(l.items, item{from: t.from, to: t.from, glued: t.glued, readings: unknownWord})
				}
				return l.items
			}
			l.items, l.numbers = l.items[:0], l.numbers[:0]
		}
	}
}

// goesOn reports whether a line that begins with t goes on with the one before: it begins with a small letter.
func (l *lexer) goesOn(t token) bool {
	r, _ := utf8.DecodeRuneInString(l.text[t.from:])
	return unicode.IsLower(r)
}

// add adds the item that begins with t, and moves on behind it.
func (l *lexer) add(t token, end int) bool {
	if t.kind == '0' {
		return l.number(t)
	}
	if t.kind == 'a' && t.glued && t.from > 0 && strings.IndexByte("$#@_", l.text[t.from-1]) >= 0 {
		return false // a share, a tag, a name
	}
	p, to := l.phrase(t, end)
	if p == nil {
		return false
	}
	l.at = to
	it := item{from: t.from, to: to, glued: t.glued, readings: p.readings}
	if p.stop && to < len(l.text) && l.text[to] == '.' {
		if next, _ := nextToken(l.text, to+1); next.kind == 'a' && !next.line || next.kind == '0' || next.kind == ',' {
			l.at = to + 1 // the full stop of an abbreviation; it is part of what goes on behind it
		}
	}
	l.items = append(l.items, it)
	l.strong = l.strong || t.kind == 'a' && !weak(p.readings)
	return true
}

// weak reports whether a word carries no expression by itself.
func weak(list []reading) bool {
	for _, r := range list {
		if w, ok := r.value.(word); !ok || w.s != "" {
			return false
		}
	}
	return true
}

// phrase returns the longest phrase of the lexicon that begins with t, and where it ends.
func (l *lexer) phrase(t token, end int) (best *phrase, to int) {
	at := l.grammar.words
	for range l.ahead {
		if t.to-t.from > maxWord {
			break
		}
		p := at[string(l.lower(t))]
		if p == nil {
			break
		}
		if p.readings != nil {
			best, to = p, t.to
		}
		if len(p.next) == 0 {
			break
		}
		at = p.next
		if t, end = nextToken(l.text, end); end < 0 || t.line {
			break
		}
	}
	return best, to
}

// lower returns a token in small letters.
func (l *lexer) lower(t token) []byte {
	s := l.text[t.from:t.to]
	switch t.kind {
	case '-', '\'':
		return append(l.fold[:0], t.kind)
	case 'a':
	default:
		return append(l.fold[:0], s...)
	}
	l.fold = l.fold[:0]
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			l.fold = l.fold[:0]
			for _, r := range s {
				l.fold = utf8.AppendRune(l.fold, unicode.ToLower(r))
			}
			return l.fold
		}
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		l.fold = append(l.fold, c)
	}
	return l.fold
}

// number adds a number. One that belongs to a name, a price or a share is none: A4, $12, 30%.
func (l *lexer) number(t token) bool {
	if t.glued && t.from > 0 {
		switch r, _ := utf8.DecodeLastRuneInString(l.text[:t.from]); {
		case r == '$' || r == '€' || r == '£' || r == '#' || r == '_':
			return false
		case unicode.IsLetter(r) && (len(l.items) == 0 || l.items[len(l.items)-1].to != t.from):
			return false
		}
	}
	n, width := 0, t.to-t.from
	end := l.grouped(t)
	if end > t.to {
		width = maxDigits + 1 // 6,107.31
	}
	l.at = end
	if width <= maxDigits {
		for _, c := range []byte(l.text[t.from:t.to]) {
			n = n*10 + int(c-'0')
		}
	}
	if width > maxDigits || end < len(l.text) && l.text[end] == '%' {
		return false
	}
	w := word{n: n, x: float64(n), width: width}
	l.numbers = append(l.numbers, reading{classNum, w}, reading{classDigits, w})
	k := len(l.numbers)
	l.items = append(l.items, item{from: t.from, to: end, glued: t.glued, readings: l.numbers[k-2 : k : k]})
	l.strong = true
	return true
}

// grouped returns the end of a number with groups of thousands: 6,107.31.
func (l *lexer) grouped(t token) int {
	digits := func(at int) int {
		n := 0
		for at+n < len(l.text) && l.text[at+n] >= '0' && l.text[at+n] <= '9' {
			n++
		}
		return n
	}
	at := t.to
	if t.to-t.from > 3 {
		return at
	}
	for at < len(l.text) && l.text[at] == ',' && digits(at+1) == 3 {
		at += 4
	}
	if at > t.to && at < len(l.text) && l.text[at] == '.' {
		if n := digits(at + 1); n > 0 {
			at += 1 + n
		}
	}
	return at
}
