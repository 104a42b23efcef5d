package tag_test

import (
	"bytes"
	"strings"
	"testing"

	"varve/language/lexicon"
	"varve/language/tag"
)

func tagged(t *tag.Tagger, words string) string {
	var out []string
	for _, g := range t.Tag(strings.Fields(words)) {
		out = append(out, g.Penn+"/"+g.Universal+"/"+g.Lemma)
	}
	return strings.Join(out, " ")
}

func TestTag(t *testing.T) {
	tagger := tag.Default().NewTagger()
	for words, want := range map[string]string{
		"":                              "",
		"The cat sat on the mat .":      "DT/DET/the NN/NOUN/cat VBD/VERB/sit IN/ADP/on DT/DET/the NN/NOUN/mat ./PUNCT/.",
		"She has n't seen London yet .": "PRP/PRON/she VBZ/AUX/have RB/PART/not VBN/VERB/see NNP/PROPN/London RB/ADV/yet ./PUNCT/.",
		"They will be running":          "PRP/PRON/they MD/AUX/will VB/AUX/be VBG/VERB/run",
	} {
		if got := tagged(tagger, words); got != want {
			t.Errorf("%s\n got %s\nwant %s", words, got, want)
		}
	}
}

// A model learns a small language, and is the same after a way through its files.
func TestTrain(t *testing.T) {
	var examples []tag.Example
	for _, s := range []string{"the/DT/DET dog/NN/NOUN runs/VBZ/VERB", "a/DT/DET cat/NN/NOUN sleeps/VBZ/VERB", "dogs/NNS/NOUN run/VBP/VERB", "cats/NNS/NOUN sleep/VBP/VERB"} {
		var e tag.Example
		for w := range strings.FieldsSeq(s) {
			c := strings.Split(w, "/")
			e.Words, e.Penn, e.Universal = append(e.Words, c[0]), append(e.Penn, c[1]), append(e.Universal, c[2])
		}
		for range 20 {
			examples = append(examples, e)
		}
	}
	m, err := tag.Train(examples, lexicon.Default(), tag.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	var penn, universal bytes.Buffer
	if err := m.Write(&penn, &universal); err != nil {
		t.Fatal(err)
	}
	read, err := tag.Read(penn.Bytes(), universal.Bytes(), lexicon.Default())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*tag.Model{m, read} {
		if got, want := tagged(m.NewTagger(), "the cat runs"), "DT/DET/the NN/NOUN/cat VBZ/VERB/run"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if _, err := tag.Read(penn.Bytes()[:20], universal.Bytes(), lexicon.Default()); err == nil {
		t.Error("a cut file was read")
	}
	if _, err := tag.Train([]tag.Example{{Words: []string{"a"}}}, lexicon.Default(), tag.DefaultOptions()); err == nil {
		t.Error("words without tags were learned")
	}
}

// What a tagger knows by heart changes nothing: the first time its words are new, the third their weights are summed.
func TestAgain(t *testing.T) {
	tagger := tag.Default().NewTagger()
	for range 3 {
		for _, words := range []string{"The U.S. government said Tuesday that 1,000 troops had left Iraq , but no one knows why .", "i dont know where 2 go in SF lol", "COME TO OUR SALE !!!"} {
			if got, want := tagged(tagger, words), tagged(tag.Default().NewTagger(), words); got != want {
				t.Errorf("%s\n got %s\nwant %s", words, got, want)
			}
		}
	}
}

// A word that fills the memory of the tagger is not kept, and many words do not fill it.
func TestManyWords(t *testing.T) {
	tagger := tag.Default().NewTagger()
	want := tagged(tagger, "The cat sat")
	words := make([]string, 0, 300)
	for i := range 40_000 {
		words = append(words, strings.Repeat("x", i%7)+string(rune('a'+i%26))+string(rune(0x400+i%5000)))
		if len(words) == 300 {
			tagger.Tag(words)
			words = words[:0]
		}
	}
	if got := tagged(tagger, "The cat sat"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
