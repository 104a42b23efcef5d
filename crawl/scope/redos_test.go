package scope

import (
	"strings"
	"testing"

	"varve/lab/attack"
	"varve/web/canon"
)

// Expressions of users are matched in linear time (RE2), and those that would be huge are refused, so no rule can stop a
// crawl. With a backtracking matcher this test would not end.
func TestExpressionsAreLinear(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(1)
	u, err := canon.Parse("http://a.example/" + strings.Repeat("a", 50_000) + "!")
	if err != nil {
		t.Fatal(err)
	}
	for _, evil := range []string{`^(a+)+$`, `(a|aa)+$`, `(.*a){20}$`, `([a-z]+)*\d`, `^http://(.*)*x$`} {
		tally.Try(1)
		set, err := Parse("[[rule]]\ndo = \"reject\"\nregex = ['" + evil + "']\n")
		if err != nil {
			t.Fatalf("%s: %v", evil, err)
		}
		set.Decide(&Candidate{URL: u}, NewSeeds(u))
	}
	if _, err := Parse("[[rule]]\ndo = \"reject\"\nregex = ['((((a{100}){100}){100}){100})']\n"); err == nil {
		t.Error("an expression that would fill the memory was taken")
	}
}
