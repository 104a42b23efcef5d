package noise

import (
	"slices"
	"strings"

	"varve/text/diff"
)

const (
	minLeft  = 3       // tokens of a left delimiter
	maxLeft  = 24      // beyond, a place is not told from others
	maxRight = 6       // tokens of a right delimiter
	apart    = 3       // tokens between two places, at least
	maxPlace = 4 << 10 // bytes; where more differs, the answers are of two pages
	maxRules = 64      // of a template
	maxBody  = 4 << 20 // bytes of an answer that is learned from
)

// Sample is two answers to one question, asked at once.
type Sample struct{ A, B []byte }

// side is one answer of a sample, with the places where it differs from the other.
type side struct {
	body   string
	tokens []string
	starts []int // of the tokens
	places []place
}

// place is a run of tokens that differ.
type place struct{ from, to int }

// at returns where a token begins; the number of tokens stands for the end.
func (s *side) at(token int) int {
	if token == len(s.tokens) {
		return len(s.body)
	}
	return s.starts[token]
}

// Learn returns the rules that the samples of one template teach. A sample whose answers are not of one page teaches nothing.
func Learn(samples []Sample) Rules {
	var sides []*side
	for _, s := range samples {
		if len(s.A) > maxBody || len(s.B) > maxBody {
			continue
		}
		if a, b, ok := compare(string(s.A), string(s.B)); ok {
			sides = append(sides, a, b)
		}
	}
	var rules Rules
	for i, s := range sides {
		other := sides[i^1]
		for k := range s.places {
			if len(rules) == maxRules {
				return rules
			}
			r, ok := s.rule(s.places[k], other.text(other.places[k]), sides)
			if at := slices.IndexFunc(rules, func(x Rule) bool { return x.Left == r.Left && x.Right == r.Right }); at >= 0 {
				rules[at].Most = max(rules[at].Most, r.Most)
			} else if ok {
				rules = append(rules, r)
			}
		}
	}
	return rules
}

// compare finds the places of two answers; false if too much differs.
func compare(a, b string) (*side, *side, bool) {
	x, y := newSide(a), newSide(b)
	last := -apart
	var i, j int // where the two stand
	for _, step := range diff.Script(x.tokens, y.tokens) {
		if step.Op == diff.Equal {
			i, j = i+step.N, j+step.N
			continue
		}
		if n := len(x.places); i-last >= apart || n == 0 {
			x.places, y.places = append(x.places, place{i, i}), append(y.places, place{j, j})
		}
		if step.Op == diff.Delete {
			i += step.N
		} else {
			j += step.N
		}
		n := len(x.places) - 1
		x.places[n].to, y.places[n].to, last = i, j, i
		if len(x.text(x.places[n])) > maxPlace || len(y.text(y.places[n])) > maxPlace {
			return nil, nil, false
		}
	}
	return x, y, true
}

func newSide(body string) *side {
	s := &side{body: body}
	for i := 0; i < len(body); {
		n := 1
		if isWord(body[i]) {
			for i+n < len(body) && isWord(body[i+n]) {
				n++
			}
		}
		s.tokens, s.starts = append(s.tokens, body[i:i+n]), append(s.starts, i)
		i += n
	}
	return s
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
}

func (s *side) text(p place) string { return s.body[s.at(p.from):s.at(p.to)] }

// rule returns the rule for a place that has another text on the other side; false if none is safe.
func (s *side) rule(p place, other string, sides []*side) (Rule, bool) {
	mine := s.text(p)
	r := Rule{Most: 2*max(len(mine), len(other)) + 16}
	for n := 1; n <= maxRight && r.Right == ""; n++ {
		right := s.body[s.at(p.to):s.at(min(p.to+n, len(s.tokens)))]
		if hasSign(right) && !strings.Contains(mine, right) && !strings.Contains(other, right) {
			r.Right = right
		}
	}
	if r.Right == "" {
		return r, false
	}
	inTag := strings.LastIndexByte(s.body[:s.at(p.from)], '<') > strings.LastIndexByte(s.body[:s.at(p.from)], '>')
	for n := minLeft; n <= maxLeft && n <= p.from; n++ {
		if r.Left = s.body[s.at(p.from-n):s.at(p.from)]; r.safe(sides, inTag) {
			return r, true
		}
	}
	return r, false
}

// hasSign reports whether a text has something that is neither part of a word nor white space.
func hasSign(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return c > ' ' && c < 0x80 && !isWord(byte(c)) })
}

// safe reports whether what lies between the delimiters has a place in it: all of it, or half of it in a tag.
func (r *Rule) safe(sides []*side, inTag bool) bool {
	noisy, constant := 0, 0
	for _, s := range sides {
		for from, to := range r.spans(s.body) {
			if slices.ContainsFunc(s.places, func(p place) bool { return s.at(p.from) >= from && s.at(p.to) <= to }) {
				noisy++
				continue
			}
			if constant++; !inTag {
				return false
			}
		}
	}
	return noisy > 0 && constant <= noisy
}
