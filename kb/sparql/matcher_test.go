package sparql

import (
	"regexp"
	"strings"
	"testing"

	"varve/lab/chance"
)

// What a text must begin and end with is found, and never refuses a text that the expression matches.
func TestMatcher(t *testing.T) {
	for _, c := range []struct{ expression, prefix, suffix string }{
		{"^Ann .*f$", "Ann ", "f"},
		{"^Ann", "Ann", ""},
		{"nn$", "", "nn"},
		{`^a\.b`, "a.b", ""},
		{`\Aab.*cd\z`, "ab", "cd"},
		{"^Ann|b$", "", ""},
		{"(?i)^Ann", "", ""},
		{"(?m)^Ann$", "", ""},
		{"^(Ann|Bob)", "", ""},
		{"^ab?c", "a", ""},
		{"^ab*", "a", ""},
		{"Ann", "", ""},
		{"^\uFFFDa", "", ""},
	} {
		if m := newMatcher(regexp.MustCompile(c.expression)); m.prefix != c.prefix || m.suffix != c.suffix {
			t.Errorf("%s: %q and %q, want %q and %q", c.expression, m.prefix, m.suffix, c.prefix, c.suffix)
		}
	}
	r := chance.Rand(t, 1)
	draw := func(pieces []string, most int) string {
		var b strings.Builder
		for range r.IntN(most + 1) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		return b.String()
	}
	matched := 0
	for range 20_000 {
		source := draw([]string{"^", "$", "a", "b", "ab", ".", "*", "?", "|", "(a|b)", "(?i)", "(?m)", "é", "\uFFFD", `\A`, `\z`, "[ab]", "{2}"}, 6)
		re, err := regexp.Compile(source)
		if err != nil {
			continue
		}
		m := newMatcher(re)
		for range 5 {
			text := draw([]string{"a", "b", "A", "é", "\n", "\xff", "\uFFFD"}, 5)
			want := re.MatchString(text)
			if want {
				matched++
			}
			if m.match(text) != want {
				t.Fatalf("%q on %q is not %v: begins with %q, ends with %q", source, text, want, m.prefix, m.suffix)
			}
		}
	}
	if matched < 1000 {
		t.Errorf("%d matches: the test says little", matched)
	}
}
