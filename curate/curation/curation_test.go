package curation_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"varve/curate/curation"
	"varve/derive"
)

// at is when everything happened.
var at = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func collection(t *testing.T) (string, *curation.List) {
	t.Helper()
	dir := t.TempDir()
	at := at
	rows := []derive.Medium{
		{URL: "http://a.example/film.mp4", Kind: "file", Title: "A film", Captured: &at, MIME: "video/mp4", Bytes: 100, Page: "http://a.example/", PageTime: &at, Pages: 2},
		{URL: "http://a.example/variant.m3u8", Kind: "hls", Captured: &at},
		{URL: "http://p.example/embed/1", Kind: "player", Service: "youtube", Title: "The Vote", Captured: &at, Page: "http://a.example/news", PageTime: &at, Pages: 1},
		{URL: "http://p.example/embed/2", Kind: "player", Got: &at, GotMIME: "video/webm", Pages: 1},
	}
	if err := os.MkdirAll(filepath.Join(dir, "derived"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := parquet.WriteFile(filepath.Join(dir, "derived", "media.parquet"), rows); err != nil {
		t.Fatal(err)
	}
	return dir, curation.Open(dir, func() time.Time { return at })
}

func states(t *testing.T, l *curation.List, q curation.Query) string {
	t.Helper()
	p, err := l.Entries(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range p.Entries {
		out = append(out, filepath.Base(e.URL)+":"+string(e.State)+map[bool]string{true: "[" + e.Label + "]"}[e.Label != ""])
	}
	return strings.Join(out, " ")
}

func TestStates(t *testing.T) {
	_, l := collection(t)
	if got := states(t, l, curation.Query{}); got != "film.mp4:archived 1:found 2:archived" {
		t.Error(got)
	}
	for _, err := range []error{
		l.Ask("http://a.example/news", "http://p.example/embed/1", "me"), l.Ask("", "http://q.example/9", "me"),
		l.Annotate(curation.Note{URL: "http://a.example/film.mp4", By: "me", Label: "keep", Text: "shown in 2027"}),
		l.Annotate(curation.Note{URL: "http://a.example/film.mp4", By: "me", Label: "rights"}),
		l.Annotate(curation.Note{URL: "http://n.example/only-noted", By: "me", Text: "look for it"}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := states(t, l, curation.Query{}); got != "film.mp4:archived[rights] 1:queued 2:archived only-noted:found 9:queued" {
		t.Error(got)
	}
	for _, c := range []struct {
		q    curation.Query
		want string
	}{
		{curation.Query{Text: "vote"}, "1:queued"},
		{curation.Query{Text: "2027"}, "film.mp4:archived[rights]"},
		{curation.Query{State: curation.Queued}, "1:queued 9:queued"},
		{curation.Query{Kind: "hls", Parts: true}, "variant.m3u8:archived"},
		{curation.Query{Kind: "hls"}, ""},
		{curation.Query{Kind: "player"}, "1:queued 2:archived"},
		{curation.Query{Service: "youtube"}, "1:queued"},
		{curation.Query{Label: "rights"}, "film.mp4:archived[rights]"},
		{curation.Query{Domain: "a.example"}, "film.mp4:archived[rights] 1:queued"},
		{curation.Query{Domain: "EXAMPLE.", Kind: "player"}, "1:queued 2:archived"},
		{curation.Query{Domain: "ample"}, ""},
		{curation.Query{From: at}, "film.mp4:archived[rights] 1:queued 2:archived"},
		{curation.Query{From: at.Add(time.Second)}, ""},
		{curation.Query{To: at}, ""},
		{curation.Query{To: at.Add(time.Second), Domain: "p.example"}, "1:queued 2:archived"},
		{curation.Query{Offset: 1, Limit: 2}, "1:queued 2:archived"},
		{curation.Query{URL: "http://q.example/9"}, "9:queued"},
	} {
		if got := states(t, l, c.q); got != c.want {
			t.Errorf("%+v: %s, want %s", c.q, got, c.want)
		}
	}
	q, err := l.Queue()
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Done("http://q.example/9", "c1"); err != nil {
		t.Fatal(err)
	}
	p, err := l.Entries(t.Context(), curation.Query{State: curation.Archived})
	if err != nil || p.Total != 3 || p.States[curation.Queued] != 1 || p.States[curation.Found] != 1 || !p.Derived {
		t.Errorf("%+v, %v", p, err)
	}
	if err := l.Drop("http://p.example/embed/1", "me"); err != nil {
		t.Error(err)
	}
	if got := states(t, l, curation.Query{Text: "vote"}); got != "1:found" {
		t.Error(got)
	}
}

func TestBadNotes(t *testing.T) {
	_, l := collection(t)
	for _, n := range []curation.Note{{URL: "x", Label: "a"}, {URL: "http://a/"}, {URL: "http://a/", Label: "two words"}, {URL: "http://a/", Text: strings.Repeat("x", 5000)}} {
		if err := l.Annotate(n); err == nil {
			t.Errorf("%+v was taken", n)
		}
	}
}

func TestWithoutTable(t *testing.T) {
	l := curation.Open(t.TempDir(), time.Now)
	p, err := l.Entries(t.Context(), curation.Query{})
	if err != nil || p.Derived || len(p.Entries) != 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

// A torn line of a journal is told, and the rest of the list is shown.
func TestTornNotes(t *testing.T) {
	dir, l := collection(t)
	if err := os.MkdirAll(filepath.Join(dir, "labels"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "labels", "media.jsonl"), []byte("{\"url\":\"http://a.example/film.mp4\",\"label\":\"keep\"}\nnonsense\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := l.Entries(t.Context(), curation.Query{})
	if err == nil || p == nil || len(p.Entries) != 3 || p.Entries[0].Label != "keep" {
		t.Errorf("%+v, %v", p, err)
	}
}
