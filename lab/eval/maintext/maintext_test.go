package maintext_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/lab/eval/maintext"
)

// benchmark makes a folder like that of the library.
func benchmark(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	text := strings.Repeat("A sentence of the article that is long enough to count. ", 20)
	for file, data := range map[string]string{
		"scripts/comparison/data.go": `package main
var comparisonData = map[string]ComparisonEntry{
	"http://a.example/": {File: "a.html", With: []string{"long enough to count"}, Without: []string{"Imprint"}},
	"http://b.example/": {File: "missing.html", With: []string{"x"}},
}`,
		"test-files/comparison/a.html": "<html><body><nav><a href=/>Imprint</a></nav><article><p>" + text + "</p></article></body></html>",
	} {
		path := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRun(t *testing.T) {
	pages, err := maintext.Load(benchmark(t))
	if err != nil || len(pages) != 1 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	scores := maintext.Run(pages)
	byName := map[string]maintext.Score{}
	for _, s := range scores {
		byName[s.Extractor] = s
	}
	if s := byName["visible text"]; s.Recall != 1 || s.Precision != 0.5 {
		t.Errorf("%+v", s)
	}
	if s := byName["ours"]; s.F1 != 1 || s.Methods["densest"] != 1 {
		t.Errorf("%+v", s)
	}
	var out strings.Builder
	if err := scores.Print(&out); err != nil || strings.Count(out.String(), "\n") != len(scores)+1 {
		t.Errorf("%q %v", out.String(), err)
	}
}

func TestLoadRefuses(t *testing.T) {
	if _, err := maintext.Load(t.TempDir()); err == nil {
		t.Error("an empty folder was read")
	}
}

// Whole texts are compared word by word, and a page without a main text is no page of a benchmark.
func TestFolders(t *testing.T) {
	dir := t.TempDir()
	text := strings.Repeat("A sentence of the article that is long enough to count. ", 20)
	page := "<html><body><nav><a href=/>Imprint of the house</a></nav><article><p>" + text + "</p></article></body></html>"
	for file, data := range map[string]string{
		"a/source.html": page, "a/expected.html": "<div><p>" + text + "</p></div>",
		"b/source.html": page, "b/expected.txt": text + "and two more words that the page does not have",
		"c/source.html": page,
		"d/source.html": page, "d/expected.txt": "",
	} {
		path := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	pages, err := maintext.Load(dir)
	if err != nil || len(pages) != 2 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, s := range maintext.Run(pages) {
		switch s.Extractor {
		case "visible text": // 220 words are wanted, and 4 around them found; of 229 wanted ones 220
			if s.Recall < 0.97 || s.Recall >= 1 || s.Precision < 0.97 || s.Precision >= 1 {
				t.Errorf("%+v", s)
			}
		case "ours", "go-readability", "go-trafilatura":
			if s.Precision != 1 || s.Recall < 0.97 || s.Recall >= 1 || s.F1 < 0.98 {
				t.Errorf("%+v", s)
			}
		}
	}
	if _, err := maintext.Load(t.TempDir()); err == nil {
		t.Error("an empty folder was read")
	}
}
