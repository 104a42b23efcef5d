package evolution_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"varve/evolution"
	"varve/language"
)

func TestSentences(t *testing.T) {
	got := evolution.Sentences([]language.Phrase{
		{Text: "peace", Key: "peace", Sentence: 0},
		{Text: "security", Key: "security", Sentence: 0, Listed: true},
		{Text: "United\n Nations", Key: "united nations", Sentence: 3, Name: true},
	})
	want := "[[{peace  false} {security  true}] [{united nations United Nations false}]]"
	if fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// A page of ten thousand words without a full stop is no sentence: what is counted pair by pair would be its square.
func TestSentencesAreBounded(t *testing.T) {
	got := evolution.Sentences(make([]language.Phrase, 10_000))
	n := 0
	for _, s := range got {
		n += len(s)
		if len(s) > 256 {
			t.Errorf("a sentence of %d phrases", len(s))
		}
	}
	if n != 10_000 {
		t.Errorf("%d phrases of 10,000", n)
	}
}

// TestSpool reads documents again by year, twice, and tells of a file that was cut.
func TestSpool(t *testing.T) {
	dir := t.TempDir()
	s := evolution.NewSpool(dir)
	for i, y := range []int{1991, 1990, 1991} {
		d := &evolution.Document{ID: fmt.Sprint(i), Year: y, Sentences: []evolution.Sentence{{{Key: "peace", Name: "Peace", Listed: true}}}}
		if err := s.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil || !slices.Equal(s.Years(), []int{1990, 1991}) {
		t.Fatalf("%v, %v", s.Years(), err)
	}
	all := evolution.Years(dir, s.Years()...)
	for range 2 {
		var got []string
		for d, err := range all() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%d %s %v", d.Year, d.ID, d.Sentences))
		}
		if want := []string{"1990 1 [[{peace Peace true}]]", "1991 0 [[{peace Peace true}]]", "1991 2 [[{peace Peace true}]]"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "1990.jsonl"), []byte(`{"id":"1","ye`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, err := range all() {
		if err == nil {
			t.Error("a cut file is read without an error")
		}
		break
	}
	for _, err := range evolution.Years(dir, 2000)() {
		if err == nil {
			t.Error("a year that is not there is read without an error")
		}
	}
}
