package models

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varve/lab/eval/corpus"
	"varve/language/mention"
	"varve/language/sentence"
	"varve/language/tag"
)

func TestAllowed(t *testing.T) {
	for label, want := range map[string]uint64{
		"O": 1, "B-PER": 1 << mention.Begin(0), "I-LOC": 1 << mention.Inside(1), "B-ORG": 1<<mention.Begin(2) | 1<<mention.Begin(3),
		"B-algorithm": 1, "I-misc": 1, "B-corporation": 1 << mention.Begin(2),
	} {
		if got := allowed(label); got != want {
			t.Errorf("%s: %b, want %b", label, got, want)
		}
	}
}

func TestNameOfAMention(t *testing.T) {
	for text, want := range map[string]string{
		"University of Portsmouth, United Kingdom": "University of Portsmouth", "the Baltic Sea": "Baltic Sea", "the locals": "", "It": "", "Denmark's": "Denmark", "2001": "",
		"the state of Yucatán in Mexico": "", "The World Cup 2010": "World Cup 2010",
	} {
		tokens := sentence.AppendTokens(nil, text, 0, len(text))
		from, to := name(tokens, 0, len(text))
		got := ""
		if from < to {
			got = text[tokens[from].Start:tokens[to-1].End]
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The longest of nested mentions is learned from; titles are no part of a person's name, and pronouns no name.
func TestLinkExamples(t *testing.T) {
	text := "He met President Barack Obama at the University of Kent."
	mark := func(part, kind string) corpus.Link {
		i := strings.Index(text, part)
		return corpus.Link{Start: i, End: i + len(part), Type: kind}
	}
	examples := LinkExamples([]corpus.Linked{{Text: text, Mentions: []corpus.Link{
		mark("He", "person"), mark("President Barack Obama", "person"), mark("Kent", "place"), mark("the University of Kent", "organization"),
	}}}, tag.Default().NewTagger())
	org := func(label func(int) int) uint64 { return 1<<label(2) | 1<<label(3) }
	want := []uint64{1, 1, 1, 1 << mention.Begin(0), 1 << mention.Inside(0), 1, 1, org(mention.Begin), org(mention.Inside), org(mention.Inside), 1}
	if len(examples) != 1 || len(examples[0]) != 1 || !slices.Equal(examples[0][0].Allowed, want) {
		t.Errorf("%+v, want %v", examples, want)
	}
}

// Other programs get the tokens, tags and labels that our model learns from and is measured on; an open label is its first.
func TestExportRounds(t *testing.T) {
	tagger, dir := tag.Default().NewTagger(), t.TempDir()
	sentence := func(label string) []corpus.Labelled {
		return []corpus.Labelled{{Words: []string{"the", "Bank"}, Labels: []string{"O", label}}}
	}
	rounds := []Round{{Learned: [][]mention.Example{MentionExamples(sentence("B-ORG"), tagger)}, Measured: [][]corpus.Labelled{sentence("B-location")}}}
	if err := ExportRounds(rounds, tagger, dir); err != nil {
		t.Fatal(err)
	}
	for file, label := range map[string]string{"learned-0.tsv": "B-ORG", "measured-0.tsv": "B-LOC"} {
		got, err := os.ReadFile(filepath.Join(dir, file))
		lines := strings.Split(string(got), "\n")
		if err != nil || len(lines) != 4 || lines[0] != "the\tDT\tO" || !strings.HasPrefix(lines[1], "Bank\tN") || !strings.HasSuffix(lines[1], "\t"+label) {
			t.Errorf("%s: %q, %v", file, got, err)
		}
	}
}

func TestKmeans(t *testing.T) {
	vectors := []float32{9, 1, 1, 9, 8, 2, 2, 8, 10, 0, 0, 10}
	if got := kmeans(vectors, 6, 2, 2); !slices.Equal(got, []int{0, 1, 0, 1, 0, 1}) {
		t.Errorf("%v", got)
	}
}

// The files of the repository are those that the data gives, to the byte.
func TestDrillMakeAgain(t *testing.T) {
	data := "../../../shared/data"
	if _, err := os.Stat(filepath.Join(data, "pos")); err != nil || os.Getenv("VARVE_DRILL") == "" {
		t.Skip("needs VARVE_DRILL=1 and the data in " + data)
	}
	made, err := Make(data, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range made.Files {
		if got, err := os.ReadFile(filepath.Join("../..", name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the data gives (%v)", name, err)
		}
	}
}
