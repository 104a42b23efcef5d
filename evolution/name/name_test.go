package name_test

import (
	"fmt"
	"reflect"
	"testing"

	"varve/evolution"
	"varve/evolution/name"
)

// talk makes speeches of 1960 to 1989: Ceylon becomes Sri Lanka in 1972, India stays, Malik is followed by Malta's minister, a conference is met once.
func talk() (out []*evolution.Document) {
	phrase := func(n string) evolution.Phrase { return evolution.Phrase{Key: lower(n), Name: n} }
	for y := 1960; y < 1990; y++ {
		for i := range 10 {
			d := &evolution.Document{ID: fmt.Sprint(y, i), Source: fmt.Sprint("S", i), Year: y}
			land := "Ceylon"
			if y >= 1972 {
				land = "Sri Lanka"
			}
			if i < 4 {
				d.Sentences = append(d.Sentences, evolution.Sentence{phrase(land), {Key: "tea"}, {Key: "rubber plantation"}, {Key: "indian ocean"}})
			}
			state := "Western Union"
			if y >= 1973 {
				state = "European Union"
			}
			d.Sentences = append(d.Sentences, evolution.Sentence{phrase(state), {Key: "treaty"}, {Key: fmt.Sprint("topic", i)}})
			d.Sentences = append(d.Sentences, evolution.Sentence{phrase("India"), {Key: "election"}, {Key: fmt.Sprint("topic", i)}})
			holder := "Mr. Adam Malik"
			if y >= 1972 {
				holder = "Mr. Borg Olivier"
			}
			d.Sentences = append(d.Sentences, evolution.Sentence{phrase(holder), {Key: "chair"}, {Key: "speech"}})
			out = append(out, d)
		}
	}
	return out
}

func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 32
		}
	}
	return string(b)
}

func TestFormer(t *testing.T) {
	names, err := name.Read(evolution.Of(talk()), name.Default())
	if err != nil {
		t.Fatal(err)
	}
	got := names.Former("Sri Lanka")
	if len(got) == 0 || got[0].Name != "Ceylon" || got[0].Year != 1972 || got[0].Direct {
		t.Fatalf("Sri Lanka: %+v", got)
	}
	for _, c := range got {
		if c.Name == "Adam Malik" {
			t.Error("a country was never called like a person")
		}
	}
	if got := names.Former("India"); len(got) > 0 {
		t.Errorf("India was always called so: %+v", got)
	}
	if got := names.Former("Atlantis"); got != nil {
		t.Errorf("Atlantis: %+v", got)
	}
	// what is told without being asked shares words
	if r := names.Renamings(); len(r) != 1 || r[0].Old != "Western Union" || r[0].New != "European Union" || r[0].Year != 1973 {
		t.Errorf("renamings: %+v", r)
	}
}

// TestSameDigits: scores are the same to the last digit however often they are computed.
func TestSameDigits(t *testing.T) {
	docs := talk()
	for i, d := range docs { // contexts of many features with different weights
		for k := range 40 {
			if (i*7+k*k)%(k+2) == 0 {
				d.Sentences[0] = append(d.Sentences[0], evolution.Phrase{Key: fmt.Sprint("w", k)})
			}
		}
	}
	names, err := name.Read(evolution.Of(docs), name.Default())
	if err != nil {
		t.Fatal(err)
	}
	want := names.Former("Sri Lanka")
	for range 50 {
		if got := names.Former("Sri Lanka"); !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, and before %v", got, want)
		}
	}
}

func TestNoDocuments(t *testing.T) {
	names, err := name.Read(evolution.Of(nil), name.Default())
	if err != nil || len(names.Renamings()) > 0 || names.Former("x") != nil {
		t.Errorf("%v", err)
	}
}
