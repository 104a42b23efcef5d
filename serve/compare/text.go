package compare

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Span is a piece of a line.
type Span struct {
	Op   Op     `json:"op"`
	Text string `json:"text"`
}

// Line is a line of the comparison: as it was, as it is, or both.
type Line struct {
	Op    Op     `json:"op"` // Equal; Delete: only in the first; Insert: only in the second; Replace: both
	A     int    `json:"a,omitempty"`
	B     int    `json:"b,omitempty"` // line numbers, from 1
	Left  []Span `json:"left,omitempty"`
	Right []Span `json:"right,omitempty"`
}

// Replace is a line that has another text.
const Replace Op = "replace"

// Texts compares two texts.
func Texts(a, b string) []Line {
	left, right := lines(a), lines(b)
	var out []Line
	steps := script(left, right)
	for i := 0; i < len(steps); i++ {
		s := steps[i]
		switch {
		case s.op == Equal:
			for j := range s.n {
				out = append(out, Line{Op: Equal, A: s.a + j + 1, B: s.b + j + 1, Left: []Span{{Equal, left[s.a+j]}}})
			}
		case i+1 < len(steps) && s.op == Delete && steps[i+1].op == Insert:
			out = append(out, replaced(left[s.a:s.a+s.n], right[steps[i+1].b:steps[i+1].b+steps[i+1].n], s.a, steps[i+1].b)...)
			i++
		case i+1 < len(steps) && s.op == Insert && steps[i+1].op == Delete:
			d := steps[i+1]
			out = append(out, replaced(left[d.a:d.a+d.n], right[s.b:s.b+s.n], d.a, s.b)...)
			i++
		case s.op == Delete:
			out = append(out, replaced(left[s.a:s.a+s.n], nil, s.a, s.b)...)
		default:
			out = append(out, replaced(nil, right[s.b:s.b+s.n], s.a, s.b)...)
		}
	}
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

// replaced pairs lines that went with lines that came, in order, as far as they are alike.
func replaced(left, right []string, a, b int) []Line {
	var out []Line
	i, j := 0, 0
	for i < len(left) && j < len(right) {
		l, r, alike := words(left[i], right[j])
		if !alike && len(left)-i != len(right)-j {
			// One side has more lines: give up the one of the longer side.
			if len(left)-i > len(right)-j {
				out = append(out, Line{Op: Delete, A: a + i + 1, Left: []Span{{Delete, left[i]}}})
				i++
			} else {
				out = append(out, Line{Op: Insert, B: b + j + 1, Right: []Span{{Insert, right[j]}}})
				j++
			}
			continue
		}
		out = append(out, Line{Op: Replace, A: a + i + 1, B: b + j + 1, Left: l, Right: r})
		i, j = i+1, j+1
	}
	for ; i < len(left); i++ {
		out = append(out, Line{Op: Delete, A: a + i + 1, Left: []Span{{Delete, left[i]}}})
	}
	for ; j < len(right); j++ {
		out = append(out, Line{Op: Insert, B: b + j + 1, Right: []Span{{Insert, right[j]}}})
	}
	return out
}

// maxWords bounds the comparison inside a line.
const maxWords = 4000

// words compares two lines by words and tells whether they share a third of them.
func words(a, b string) (left, right []Span, alike bool) {
	l, r := split(a), split(b)
	if len(l) > maxWords || len(r) > maxWords {
		return []Span{{Delete, a}}, []Span{{Insert, b}}, false
	}
	same := 0
	for _, s := range script(l, r) {
		switch s.op {
		case Equal:
			same += s.n
			text := strings.Join(l[s.a:s.a+s.n], "")
			left, right = append(left, Span{Equal, text}), append(right, Span{Equal, text})
		case Delete:
			left = append(left, Span{Delete, strings.Join(l[s.a:s.a+s.n], "")})
		default:
			right = append(right, Span{Insert, strings.Join(r[s.b:s.b+s.n], "")})
		}
	}
	return left, right, 3*same >= max(len(l), len(r))
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
