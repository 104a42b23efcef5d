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

// Sentences as they stand in news and on the pages of institutions: who holds an office is not one name with it, and what is a name stays one. A model that gains on the
// sets by losing these is no gain (one did: "Anna Stein of the Ministry of Health" was a person to it). Most sets leave open whether an organisation is an institution or a group: both will do.
func TestEveryday(t *testing.T) {
	f := mention.Default().NewFinder()
	for text, want := range map[string]string{
		"Minister Anna Stein of the Ministry of Health opened a hospital on Monday .":                                        "PER:Anna Stein, ORG:Ministry of Health",
		"Minister Anna Berg of the Ministry of Finance told reporters on Monday that the budget is cut .":                    "PER:Anna Berg, ORG:Ministry of Finance",
		"Anna Stein , who was minister at the Ministry of Health , is called Anna Berg since her wedding .":                  "PER:Anna Stein, ORG:Ministry of Health, PER:Anna Berg",
		"Anna Berg said that it was needed , and that the people of the country would understand it .":                       "PER:Anna Berg",
		"The singer Anna Berg stood on the stage of the opera .":                                                             "PER:Anna Berg",
		"It was an excellent speech , and people loved Anna Stein for it .":                                                  "PER:Anna Stein",
		"The papers wrote that Anna Berg had come to the town on Monday , and that people stood in the streets to see her .": "PER:Anna Berg",
		"The minister said on Sunday that she would go to the Ministry of Finance when the year was over .":                  "ORG:Ministry of Finance",
		"The hall was full , and they sang for a long time .":                                                                "",
		"Karl Holm of the University of Oslo met Ida Quist in Berlin .":                                                      "PER:Karl Holm, ORG:University of Oslo, PER:Ida Quist, LOC:Berlin",
		"Volunteers of the Red Cross helped people in Haiti after the earthquake .":                                          "ORG:Red Cross, LOC:Haiti",
		"The New York Times reported that Kofi Annan would visit Iraq .":                                                     "ORG:New York Times, PER:Kofi Annan, LOC:Iraq",
		"The Bank of England raised rates , said Mark Carney .":                                                              "ORG:Bank of England, PER:Mark Carney",
	} {
		doc := document(text)
		if got := strings.ReplaceAll(show(doc, f.Find(doc)), string(mention.Group), string(mention.Organisation)); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
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
