package phrase_test

import (
	"strings"
	"testing"

	"varve/language/phrase"
	"varve/language/sentence"
	"varve/language/tag"
)

func read(text string) (out []phrase.Phrase) {
	tagger := tag.Default().NewTagger()
	for s := range sentence.Split(text) {
		var words []string
		for _, k := range s.Tokens {
			words = append(words, k.Text)
		}
		var tokens []phrase.Token
		for i, g := range tagger.Tag(words) {
			tokens = append(tokens, phrase.Token{Text: words[i], Penn: g.Penn, Lemma: g.Lemma})
		}
		out = append(out, phrase.Read(tokens)...)
	}
	return out
}

// print writes phrases with "+" before those that go on with a list, names in brackets.
func print(s []phrase.Phrase) string {
	var out []string
	for _, p := range s {
		k := p.Key
		if p.Name {
			k = "[" + p.Key + "]"
		}
		if p.Listed {
			k = "+" + k
		}
		out = append(out, k)
	}
	return strings.Join(out, " | ")
}

func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"They sell cars, trucks and bicycles.":                      "car | +truck | +bicycle",
		"In this regard, my delegation spoke.":                      "regard | delegation", // a comma alone makes no list
		"The Organization of African Unity met in Addis Ababa.":     "[organization of african unity] | [addis ababa]",
		"The rule of law, human rights and a free press are good.":  "rule of law | +human right | +free press",
		"We support self-determination or the independence of all.": "self-determination | +independence",
		"It runs quickly.": "",
		"Then the Ten-Nation Committee and the 18-Nation Committee met.":     "[ten-nation committee] | +[18-nation committee]", // a number that a hyphen joins
		"We want two-state solutions, and met ten nations in 1960.":          "two-state solution | nation",
		"Peace and security of the United Nations and of the African Union.": "peace | +security | [united nations] | [african union]",
	} {
		if got := print(read(text)); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("cars|NNS ,|, trucks|NNS and|CC -|HYPH the|DT of|IN the|DT X|NNP")
	f.Add("of|IN the|DT -|HYPH X|NNP of|IN")
	f.Fuzz(func(t *testing.T, text string) {
		var tokens []phrase.Token
		for _, w := range strings.Fields(text) {
			word, penn, _ := strings.Cut(w, "|")
			tokens = append(tokens, phrase.Token{Text: word, Penn: penn, Lemma: word})
		}
		for i, p := range phrase.Read(tokens) {
			if p.Key == "" || strings.ContainsAny(p.Key, "\t\n") || i == 0 && p.Listed {
				t.Errorf("phrase %d of %q: %+v", i, text, p)
			}
		}
	})
}
