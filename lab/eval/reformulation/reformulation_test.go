package reformulation

import (
	"slices"
	"strings"
	"testing"
)

// TestPairs: what settings are chosen by has none of the pairs of the evaluation in it, in no form of their names.
func TestPairs(t *testing.T) {
	list, err := readPairs("pairs.tsv", pairs)
	if err != nil {
		t.Fatal(err)
	}
	settings, err := readPairs("more.tsv", more)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 57 || len(settings) < 40 {
		t.Errorf("%d and %d pairs", len(list), len(settings))
	}
	for i, p := range settings {
		for _, q := range slices.Concat(list, settings[:i]) {
			both := func(a, b []string) bool {
				return slices.ContainsFunc(a, func(x string) bool { return slices.Contains(b, x) })
			}
			if both(p.Old, q.Old) && both(p.New, q.New) {
				t.Errorf("%q, now %q, is there twice", p.Old, p.New)
			}
		}
	}
	for text, want := range map[string]string{"state\t1972\tceylon": "3 fields", "state\tlast year\tceylon\tsri lanka": "line 1"} {
		if _, err := readPairs("x.tsv", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestNamed: a name behind "of" counts, one inside of another name does not.
func TestNamed(t *testing.T) {
	forms := []string{"ceylon"}
	for key, want := range map[string]bool{"ceylon": true, "government of ceylon": true, "people of the ceylon": true, "ceylon tea": false, "sri lanka": false} {
		if got := named(key, forms); got != want {
			t.Errorf("%s: %v", key, got)
		}
	}
}
