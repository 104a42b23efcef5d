package dates_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/lab/eval/dates"
	"varve/text/dating"
)

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.html", `<meta property="article:published_time" content="2024-03-05T23:30:00-05:00">`)
	write(t, dir, "b.html", `<p class=date>6 March 2024`)
	write(t, dir, "c.html", `nothing`)
	write(t, dir, dates.List, "# pages\nhttps://a.example/\ta.html\t2024-03-05\nhttps://b.example/\tb.html\t2024-03-07\nhttps://c.example/\tc.html\t2024-03-05\nhttps://d.example/\tc.html\tunknown\n")
	pages, err := dates.Load(dir)
	if err != nil || len(pages) != 3 {
		t.Fatal(pages, err)
	}
	r, err := dates.Measure(t.Context(), pages, dates.Options{Now: time.Date(2024, 6, 1, 0, 0, 0, 0, time.UTC), Wrong: true})
	if err != nil {
		t.Fatal(err)
	}
	all := r.Halves[2]
	if all.Ours != (dates.Counts{Pages: 3, Right: 1, Wrong: 1, None: 1}) || all.Stamps.Right != 0 || all.Peer != nil || r.Sources[dating.Meta].Right != 1 {
		t.Errorf("%+v %+v", all, r.Sources)
	}
	if n := r.Halves[0].Ours.Pages + r.Halves[1].Ours.Pages; n != 3 {
		t.Error("pages in the halves:", n)
	}
	var out strings.Builder
	if err := r.Print(&out); err != nil || !strings.Contains(out.String(), "0.333") || !strings.Contains(out.String(), "htmldate was not asked") {
		t.Error(out.String(), err)
	}
}

// The lists of go-htmldate are Go literals.
func TestLoadSource(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "scripts/comparison/data-default.go", `package main
var list = []comparisonEntry{{URL: "https://a.example/", File: "a.html", Date: "2024-03-05", Fast: "x"}, {URL: "https://b.example/", File: "a.html", Date: "nan"}, {URL: "https://c.example/", File: "c.html", Date: "2024-03-05"}}`)
	write(t, dir, "test-files/mock/a.html", "x")
	pages, err := dates.Load(dir)
	if err != nil || len(pages) != 1 || pages[0].URL != "https://a.example/" || filepath.Base(pages[0].File) != "a.html" {
		t.Error(pages, err)
	}
}

func TestLoadRefuses(t *testing.T) {
	for list, want := range map[string]string{"x\ty\n": "line 1", "x\tnone.html\t2024-03-05\n": "none.html"} {
		dir := t.TempDir()
		write(t, dir, dates.List, list)
		if _, err := dates.Load(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", list, err)
		}
	}
}
