package compare

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"varve/text/diff"
)

// Op says what became of a piece of text.
type Op = diff.Op

// The operations that a script has.
const (
	Equal  = diff.Equal
	Delete = diff.Delete
	Insert = diff.Insert
)

// Span is a piece of a line.
type Span struct {
	Op   Op     `json:"op"`
	Text string `json:"text"`
}

// Line is a line of the comparison: as it was, as it is, or both.
type Line struct {
	Op    Op     `json:"op"` // Equal; Delete: only in the first; Insert: only in the second; Replace: both; Move: one side, the other is elsewhere
	A     int    `json:"a,omitempty"`
	B     int    `json:"b,omitempty"`     // line numbers, from 1
	Other int    `json:"other,omitempty"` // of Move: the number of the line on the other side
	Left  []Span `json:"left,omitempty"`
	Right []Span `json:"right,omitempty"`
}

// What else can become of a line.
const (
	Replace Op = "replace" // it is there with other words
	Move    Op = "move"    // it stands elsewhere, maybe with other words
)

// Texts compares two texts.
func Texts(a, b string) []Line {
	left, right := lines(a), lines(b)
	x := newLikeness(left, right)
	var out []Line
	steps := diff.Script(left, right)
	for i := 0; i < len(steps); i++ {
		s := steps[i]
		if s.Op == Equal {
			for j := range s.N {
				out = append(out, Line{Op: Equal, A: s.A + j + 1, B: s.B + j + 1, Left: []Span{{Equal, left[s.A+j]}}})
			}
			continue
		}
		a0, a1, b0, b1 := s.A, s.A, s.B, s.B // the gap: all lines that went and came up to the next that stayed
		for ; i < len(steps) && steps[i].Op != Equal; i++ {
			if steps[i].Op == Delete {
				a1 += steps[i].N
			} else {
				b1 += steps[i].N
			}
		}
		i--
		out = x.gap(out, left, right, a0, a1, b0, b1)
	}
	x.moves(out, left, right)
	return out
}

// gap appends the lines left[a0:a1] that went and right[b0:b1] that came, those that are alike side by side.
func (x *likeness) gap(out []Line, left, right []string, a0, a1, b0, b1 int) []Line {
	rest := func(a, b int) {
		for ; a0 < a; a0++ {
			out = append(out, Line{Op: Delete, A: a0 + 1, Left: []Span{{Delete, left[a0]}}})
		}
		for ; b0 < b; b0++ {
			out = append(out, Line{Op: Insert, B: b0 + 1, Right: []Span{{Insert, right[b0]}}})
		}
	}
	for _, p := range x.pairs(a0, a1, b0, b1) {
		rest(p[0], p[1])
		l, r := words(left[a0], right[b0])
		out = append(out, Line{Op: Replace, A: a0 + 1, B: b0 + 1, Left: l, Right: r})
		a0, b0 = a0+1, b0+1
	}
	rest(a1, b1)
	return out
}

func lines(s string) []string {
	var out []string
	for l := range strings.SplitSeq(s, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// maxWords bounds the comparison inside a line.
const maxWords = 4000

// words compares two lines by words.
func words(a, b string) (left, right []Span) {
	l, r := split(a), split(b)
	if len(l) > maxWords || len(r) > maxWords {
		return []Span{{Delete, a}}, []Span{{Insert, b}}
	}
	for _, s := range diff.Script(l, r) {
		switch s.Op {
		case Equal:
			text := strings.Join(l[s.A:s.A+s.N], "")
			left, right = append(left, Span{Equal, text}), append(right, Span{Equal, text})
		case Delete:
			left = append(left, Span{Delete, strings.Join(l[s.A:s.A+s.N], "")})
		default:
			right = append(right, Span{Insert, strings.Join(r[s.B:s.B+s.N], "")})
		}
	}
	return left, right
}

// split cuts a line into words, each with the blanks behind it, and single other signs.
func split(s string) []string {
	var out []string
	for len(s) > 0 {
		n := 0
		r, size := utf8.DecodeRuneInString(s)
		if isWord(r) {
			for n < len(s) {
				r, size = utf8.DecodeRuneInString(s[n:])
				if !isWord(r) {
					break
				}
				n += size
			}
		} else {
			n = size
		}
		for n < len(s) && s[n] == ' ' {
			n++
		}
		out, s = append(out, s[:n]), s[n:]
	}
	return out
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
