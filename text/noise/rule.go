package noise

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// Rule says where noise stands: between Left and the next Right, if that is not further than Most bytes.
type Rule struct {
	Left  string `json:"left"`
	Right string `json:"right"`
	Most  int    `json:"most"`
}

// Rules are those of one template.
type Rules []Rule

// mask stands for noise. It is a letter, so that what is made of the answer (an address, a word) stays what it was.
const mask = "x"

// Mask returns an answer without its noise. It costs one search per rule.
func (rules Rules) Mask(body []byte) []byte {
	type span struct{ from, to int }
	var spans []span
	text := string(body)
	for i := range rules {
		for from, to := range rules[i].spans(text) {
			spans = append(spans, span{from, to})
		}
	}
	if len(spans) == 0 {
		return body
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	out := make([]byte, 0, len(body))
	done := 0
	for i := 0; i < len(spans); {
		from, to := spans[i].from, spans[i].to
		for i++; i < len(spans) && spans[i].from <= to; i++ { // one rule's noise may lie in another's
			to = max(to, spans[i].to)
		}
		out = append(append(out, body[done:from]...), mask...)
		done = to
	}
	return append(out, body[done:]...)
}

// spans yields what lies between the delimiters, from the first to the last.
func (r *Rule) spans(body string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for at := 0; ; {
			i := strings.Index(body[at:], r.Left)
			if i < 0 {
				return
			}
			from := at + i + len(r.Left)
			at += i + 1
			n := strings.Index(body[from:min(len(body), from+r.Most+len(r.Right))], r.Right)
			if n >= 0 && !yield(from, from+n) {
				return
			}
		}
	}
}
