package mention

import (
	"slices"
	"testing"

	"varve/language/lexicon"
)

// What a document shows about a word elsewhere is among the features of its token: the words around it, and whether it is written with a capital.
func TestDocument(t *testing.T) {
	sentence := func(words ...string) Sentence { return Sentence{words, make([]string, len(words))} }
	e := newExtractor(lexicon.Default())
	at := func(number int, document ...Sentence) []uint32 {
		e.document(document)
		return slices.Clone(e.sentence(number, document[number]).At(0))
	}
	last := sentence("Bland", "spoke")
	alone := at(0, last)
	for name, c := range map[string]struct {
		first Sentence
		more  int // features
	}{
		"with a capital, between other words": {sentence("Yesterday", "Mr.", "Bland", "left"), 2},
		"small":                               {sentence("a", "bland", "taste"), 0},
		"in capitals":                         {sentence("THE", "BLAND", "TASTE", "OF", "IT"), 2},
	} {
		got := at(1, c.first, last)
		if len(got) != len(alone)+c.more {
			t.Errorf("%s: %d features, alone %d", name, len(got), len(alone))
		}
		if c.more == 0 && slices.Equal(got, alone) {
			t.Errorf("%s: the same features as alone", name)
		}
	}
	if again := at(0, last); !slices.Equal(again, alone) {
		t.Error("the document before is remembered")
	}
}
