package mention

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"varve/language/lexicon"
)

// The rules of Listed, one by one.
func TestListed(t *testing.T) {
	small := func(lower string) bool {
		return strings.Contains(" die der in nach von und frau les sont la il ", " "+lower+" ")
	}
	often := func(lower string) bool { return lower == "stimme" || lower == "abend" }
	for _, c := range []struct{ name, lang, text, want string }{
		{"person: first and last name", "de", "Gestern kam Angela Merkel .", "PER Angela Merkel"},
		{"person: a last name that no list has", "de", "Gestern kam Angela Qwertz .", "PER Angela Qwertz"},
		{"person: not with a word that is often written", "de", "Gestern sang Angela Abend um Abend .", ""},
		{"person: with small words between", "de", "Werke von Ludwig van Beethoven .", "PER Ludwig van Beethoven"},
		{"person: the last name alone, later", "de", "Angela Merkel kam . | Dann ging Merkel .", "PER Angela Merkel, PER Merkel"},
		{"person: a first name alone is none", "de", "Gestern kam Angela .", ""},
		{"place: behind a word that says where", "de", "Sie wohnt in Berlin .", "LOC Berlin"},
		{"place: not elsewhere", "de", "Das Essen war gut .", ""},
		{"place: elsewhere once it was behind one", "de", "Sie wohnt in Dresden . | Dresden wächst .", "LOC Dresden, LOC Dresden"},
		{"place: not elsewhere if persons are called so", "de", "Sie wohnt in Berlin . | Berlin schrieb ein Lied .", "LOC Berlin"},
		{"place: another language has other words", "fr", "Elle vit à Toulouse .", "LOC Toulouse"},
		{"place: what joins names says nothing", "fr", "les Capitouls de Toulouse .", ""},
		{"several words of the gazetteer", "de", "Sie flog nach Los Angeles .", "LOC Los Angeles"},
		{"not where all is written in capitals", "de", "ANGELA MERKEL KOMMT NACH BERLIN HEUTE", ""},
		{"not in small letters", "de", "gestern kam angela merkel", ""},
	} {
		var document [][]string
		for line := range strings.SplitSeq(c.text, "|") {
			document = append(document, strings.Fields(line))
		}
		found, err := NewListed(c.lang, lexicon.Default(), small, often).Find(t.Context(), document)
		var got []string
		for _, m := range found {
			got = append(got, fmt.Sprint(m.Type, " ", strings.Join(document[m.Sentence][m.From:m.To], " ")))
		}
		if err != nil || strings.Join(got, ", ") != c.want {
			t.Errorf("%s: got %q, want %q (%v)", c.name, strings.Join(got, ", "), c.want, err)
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewListed("de", lexicon.Default(), small, often).Find(over, [][]string{{"Berlin"}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
