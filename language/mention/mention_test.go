package mention_test

import (
	"fmt"
	"strings"
	"testing"

	"varve/language/lexicon"
	"varve/language/mention"
	"varve/language/tag"
)

func document(sentences ...string) []mention.Sentence {
	t := tag.Default().NewTagger()
	var out []mention.Sentence
	for _, s := range sentences {
		out = append(out, mention.Tagged(t, strings.Fields(s)))
	}
	return out
}

func show(doc []mention.Sentence, found []mention.Mention) string {
	var out []string
	for _, m := range found {
		out = append(out, fmt.Sprintf("%s:%s", m.Type, strings.Join(doc[m.Sentence].Words[m.From:m.To], " ")))
	}
	return strings.Join(out, ", ")
}

func TestFind(t *testing.T) {
	f := mention.Default().NewFinder()
	for _, c := range []struct {
		want string
		doc  []mention.Sentence
	}{
		{"", document("the cat sat on the mat .")},
		{"PER:Barack Obama, LOC:Paris", document("Barack Obama flew to Paris .")},
		{"PER:John Smith, PER:Smith", document("John Smith lives in town .", "Yesterday Smith left .")},
	} {
		if got := show(c.doc, f.Find(c.doc)); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	if got := f.Find(nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// A model learns a small language: names of persons after "mr", of places after "in"; ORG or GROUP is left open.
func TestTrain(t *testing.T) {
	var documents [][]mention.Example
	tagger := tag.Default().NewTagger()
	begin := func(kinds ...int) (m uint64) {
		for _, k := range kinds {
			m |= 1 << mention.Begin(k)
		}
		return m
	}
	for i := range 60 {
		name := fmt.Sprintf("Xx%d", i)
		documents = append(documents, []mention.Example{
			{Sentence: mention.Tagged(tagger, []string{"mr", name, "left"}), Allowed: []uint64{1, begin(0), 1}},
			{Sentence: mention.Tagged(tagger, []string{"in", name + "a", "today"}), Allowed: []uint64{1, begin(1), 1}},
			{Sentence: mention.Tagged(tagger, []string{"the", name + "b", "company"}), Allowed: []uint64{1, begin(2, 3), 1}},
		})
	}
	m, err := mention.Train(documents, lexicon.Default(), mention.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	doc := document("mr Yy1 left", "in Zz2 today")
	if got, want := show(doc, m.NewFinder().Find(doc)), "PER:Yy1, LOC:Zz2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	doc = document("the Qq3 company")
	if got := m.NewFinder().Find(doc); len(got) != 1 || got[0].Type != mention.Organisation && got[0].Type != mention.Group {
		t.Errorf("%v", got)
	}
	if _, err := mention.Train([][]mention.Example{{{Sentence: doc[0]}}}, lexicon.Default(), mention.DefaultOptions()); err == nil {
		t.Error("words without labels were learned")
	}
}
