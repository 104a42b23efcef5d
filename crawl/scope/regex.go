package scope

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// finder is a regular expression with a text that every match must contain. Looking for that text first
// costs some nanoseconds and settles most URLs; the automaton would cost microseconds on each.
type finder struct {
	re   *regexp.Regexp
	must string // "" when there is none
}

// finders is a list of alternatives.
type finders []finder

// newFinders compiles expressions of bounded length.
func newFinders(list []string) (finders, error) {
	out := make(finders, 0, len(list))
	for i, s := range list {
		if len(s) > maxRegexLength {
			return nil, fmt.Errorf("expression %d has %d characters, at most %d are allowed", i+1, len(s), maxRegexLength)
		}
		re, err := regexp.Compile(s)
		if err != nil {
			return nil, err
		}
		tree, err := syntax.Parse(s, syntax.Perl)
		if err != nil {
			return nil, err
		}
		out = append(out, finder{re, required(tree.Simplify())})
	}
	return out, nil
}

// match tells whether one of the expressions occurs in the text.
func (f finders) match(s string) bool {
	for i := range f {
		if (f[i].must == "" || strings.Contains(s, f[i].must)) && f[i].re.MatchString(s) {
			return true
		}
	}
	return false
}

// required gives the longest text that each match of the expression must contain, as far as the tree shows it.
func required(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase != 0 {
			return ""
		}
		return string(re.Rune)
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
	case syntax.OpConcat:
		best := ""
		for _, sub := range re.Sub {
			if s := required(sub); len(s) > len(best) {
				best = s
			}
		}
		return best
	}
	return ""
}
