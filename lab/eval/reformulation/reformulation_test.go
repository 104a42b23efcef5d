package reformulation

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"varve/evolution"
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

// TestChoose: pairs count by how often their names are said, which one pass tells; a name behind "of" counts, one inside of another name does not.
func TestChoose(t *testing.T) {
	var docs []*evolution.Document
	say := func(year, times int, key string) {
		for range times {
			docs = append(docs, &evolution.Document{Year: year, Sentences: []evolution.Sentence{{{Key: key}, {Key: key}}}})
		}
	}
	say(1965, 10, "government of ceylon")
	say(1961, 9, "burma")
	say(1971, 1, "burma road")
	say(1959, 5, "burma") // too early to count
	say(1972, 10, "people of the republic of the sri lanka")
	say(1981, 10, "myanmar")
	say(1971, 10, "thailand")
	say(1972, 30, "thailand")
	say(1971, 10, "siam")
	var r Result
	got, err := r.choose(evolution.Of(docs), []Pair{
		{Year: 1972, Old: []string{"ceylon"}, New: []string{"lanka", "sri lanka"}},
		{Year: 1972, Old: []string{"burma"}, New: []string{"myanmar"}}, // said nine times only
		{Year: 1972, Old: []string{"siam"}, New: []string{"thailand"}}, // three times as frequent, in more texts
	})
	if err != nil || len(got) != 1 || got[0].Old[0] != "ceylon" || len(r.Left) != 2 {
		t.Errorf("%v, left %v, %v", got, r.Left, err)
	}
	broken := func() iter.Seq2[*evolution.Document, error] {
		return func(yield func(*evolution.Document, error) bool) { yield(nil, errors.New("gone")) }
	}
	if _, err := r.choose(broken, nil); err == nil {
		t.Error("an error of reading is lost")
	}
}
