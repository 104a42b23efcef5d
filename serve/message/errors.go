package message

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"varve"
)

// pattern is what an error says, with something put in: "there is no collection {0}".
type pattern struct {
	match *regexp.Regexp
	order []int  // which of {0}, {1} ... each group is
	words string // in the other language
	fixed int    // bytes that are not put in
}

var placeholder = regexp.MustCompile(`\{(\d)\}`)

// compile makes patterns of sentences with something put in. Those with more words of their own come first, so that "read the date {0}" goes before "read {0}".
func compile(sentences map[string]string) (out []pattern) {
	for english, words := range sentences {
		places := placeholder.FindAllStringSubmatchIndex(english, -1)
		if len(places) == 0 {
			continue
		}
		p := pattern{words: words}
		expr, at := "(?s)^", 0
		for _, m := range places {
			expr += regexp.QuoteMeta(english[at:m[0]]) + "(.+?)"
			n, _ := strconv.Atoi(english[m[2]:m[3]]) // it is a digit
			p.order = append(p.order, n)
			p.fixed += m[0] - at
			at = m[1]
		}
		p.fixed += len(english) - at
		p.match = regexp.MustCompile(expr + regexp.QuoteMeta(english[at:]) + "$")
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b pattern) int {
		return cmp.Or(b.fixed-a.fixed, cmp.Compare(a.match.String(), b.match.String()))
	})
	return out
}

// maxFault bounds what is looked for among the patterns.
const maxFault = 4 << 10

// Fault returns what a part of an error says, in the language; as it is where the file does not have it. What was put in stays.
func (l *Language) Fault(english string) string {
	if words, ok := l.Errors[english]; ok {
		return words
	}
	if len(l.Errors) == 0 || english == "" || len(english) > maxFault {
		return english
	}
	for _, p := range l.patterns() {
		m := p.match.FindStringSubmatch(english)
		if m == nil {
			continue
		}
		var args [10]string
		for i, n := range p.order {
			args[n] = m[i+1]
		}
		return placeholder.ReplaceAllStringFunc(p.words, func(s string) string { return args[s[1]-'0'] })
	}
	return english
}

// Error returns what an error says in the language: what was tried, what went wrong and why, what to do next.
func (l *Language) Error(err error) (tried, wrong, next string) {
	var e *varve.Error
	if !errors.As(err, &e) {
		return "", l.Fault(err.Error()), ""
	}
	next = l.Fault(varve.HintOf(err))
	if error(e) != err { // something was said before it
		return l.Fault(e.Op), strings.TrimPrefix(strings.TrimPrefix(err.Error(), e.Op), ": "), next
	}
	var why []string
	if e.Msg != "" {
		why = append(why, l.Fault(e.Msg))
	}
	if e.Err != nil {
		what, cause, _ := l.Error(e.Err)
		if what != "" && cause != "" {
			what += ": "
		}
		why = append(why, what+cause)
	}
	if len(why) == 0 {
		why = append(why, string(e.Kind))
	}
	return l.Fault(e.Op), strings.Join(why, ": "), next
}
