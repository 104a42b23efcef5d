package events

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/lab/eval/conllu"
)

// The labels are those that were made before the extractor, and a third of them is for development.
func TestLabels(t *testing.T) {
	list, err := Labels()
	if err != nil {
		t.Fatal(err)
	}
	development, events := 0, 0
	for _, s := range list {
		if s.development() {
			development++
		}
		events += len(s.events)
	}
	if len(list) != 300 || development != 89 || events != 217 {
		t.Errorf("%d sentences, %d for development, %d events", len(list), development, events)
	}
	for _, bad := range []string{"a\tb\tc\n", "a\tb\tx\tsay\t_\t_\t_\t_\n", "a\tb\t0\tsay\t_\t_\t_\t_\n", "a\tb\t1\tsay\t3-2\t_\t_\t_\n", "a\tb\t1\tsay\t_\tx\t_\t_\n"} {
		if _, err := parse(bad); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestCount(t *testing.T) {
	list, err := parse("s\t1\t2\tsay\t1\t3-4\t_\t_\ns\t1\t2\tsay\t1\t6\t_\t_\ns\t1\t8\tmove\t7\t_\t9\t_\ns\t2\n")
	if err != nil || len(list) != 2 || len(list[0].events) != 2 || len(list[1].events) != 0 {
		t.Fatalf("%+v %v", list, err)
	}
	role := func(words ...int) (out []span) {
		for _, w := range words {
			out = append(out, span{w, w + 1})
		}
		return out
	}
	var s Scores
	s.count(list[0].events, []label{
		{trigger: 1, class: "say", roles: [4][]span{role(0), role(3, 5), nil, nil}},
		{trigger: 7, class: "say", roles: [4][]span{role(6), nil, nil, role(9)}},
		{trigger: 9, class: "say", roles: [4][]span{role(6), nil, nil, nil}},
	})
	for i, want := range []Figures{
		{N: 2, right: 2, found: 3},
		{N: 2, right: 1, found: 3},
		{N: 2, right: 2, found: 3},
		{N: 2, right: 2, found: 2},
		{N: 1},
		{found: 1},
		{N: 5, right: 4, found: 6},
		{N: 2, right: 1, found: 3},
		{N: 2, right: 1, found: 3},
	} {
		if got := *s.all()[i]; got != want {
			t.Errorf("%s: %+v, want %+v", rows[i], got, want)
		}
	}
}

// Words have their places, also those that are written in another way.
func TestPlaces(t *testing.T) {
	s := conllu.Sentence{Text: "I can't go.", Words: []conllu.Word{{Form: "I"}, {Form: "ca"}, {Form: "not"}, {Form: "go"}, {Form: "."}}}
	got := places(s, 10)
	for i, want := range []span{{10, 11}, {12, 14}, {14, 14}, {18, 20}, {20, 21}} {
		if got[i] != want {
			t.Errorf("%s: %v, want %v", s.Words[i].Form, got[i], want)
		}
	}
}

// What is not there is told.
func TestMissing(t *testing.T) {
	dir := t.TempDir()
	if _, err := Measure(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "gum-train") {
		t.Error(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "pos"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "pos", "gum-train.conllu"), []byte("# sent_id = x\n1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_\n\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Measure(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "are missing") {
		t.Error(err)
	}
}
