package mention

import (
	"fmt"
	"strings"
	"testing"
)

// The rules of the package comment, one by one.
func TestConsistent(t *testing.T) {
	doc := func(lines ...string) (out []Sentence) {
		for _, l := range lines {
			var s Sentence
			for w := range strings.FieldsSeq(l) {
				word, tag, ok := strings.Cut(w, "/")
				if !ok {
					tag = "NN"
				}
				s.Words, s.Penn = append(s.Words, word), append(s.Penn, tag)
			}
			out = append(out, s)
		}
		return out
	}
	for _, c := range []struct {
		name  string
		doc   []Sentence
		found []Mention
		want  string
	}{
		{
			"type: two sure ones outvote a doubtful one", doc("Jordan/NNP won", "Jordan/NNP played", "Jordan/NNP left"),
			[]Mention{{0, 0, 1, Person, 0.9}, {1, 0, 1, Person, 0.9}, {2, 0, 1, Location, 0.5}},
			"PER 0:0-1, PER 1:0-1, PER 2:0-1",
		},
		{"type: one alone stays", doc("Jordan/NNP won"), []Mention{{0, 0, 1, Location, 0.3}}, "LOC 0:0-1"},
		{
			"parts: a last name takes the type of the whole", doc("Angela/NNP Merkel/NNP won", "Merkel/NNP left"),
			[]Mention{{0, 0, 2, Person, 0.9}, {1, 0, 1, Organisation, 0.6}},
			"PER 0:0-2, PER 1:0-1",
		},
		{
			"missed: of the type that most of its namesakes have", doc("Jordan/NNP won", "Jordan/NNP played", "Jordan/NNP left", "they saw Jordan/NNP"),
			[]Mention{{0, 0, 1, Location, 0.95}, {1, 0, 1, Location, 0.95}, {2, 0, 1, Person, 0.85}},
			"LOC 0:0-1, LOC 1:0-1, LOC 2:0-1, LOC 3:2-3",
		},
		{"missed: a sure name is marked elsewhere", doc("Enron/NNP fell", "they sold Enron/NNP to us"), []Mention{{0, 0, 1, Organisation, 0.95}}, "ORG 0:0-1, ORG 1:2-3"},
		{"missed: not in small letters, not by another tag", doc("Bill/NNP came", "the bill came", "Bill/VB me"), []Mention{{0, 0, 1, Person, 0.95}}, "PER 0:0-1"},
		{"missed: not a doubtful name", doc("Enron/NNP fell", "sold Enron/NNP"), []Mention{{0, 0, 1, Organisation, 0.5}}, "ORG 0:0-1"},
		{"missed: not inside of another", doc("York/NNP lies there", "New/NNP York/NNP Times/NNP"), []Mention{{0, 0, 1, Location, 0.95}, {1, 0, 3, Organisation, 0.9}}, "LOC 0:0-1, ORG 1:0-3"},
		{"missed: not where all is written in capitals", doc("US/NNP wins", "GIVE/NNP US/NNP OUR/NNP MONEY/NNP BACK/NNP"), []Mention{{0, 0, 1, Location, 0.95}}, "LOC 0:0-1"},
	} {
		var got []string
		for _, m := range consistent(c.doc, c.found) {
			got = append(got, fmt.Sprintf("%s %d:%d-%d", m.Type, m.Sentence, m.From, m.To))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: got %q, want %q", c.name, strings.Join(got, ", "), c.want)
		}
	}
}
