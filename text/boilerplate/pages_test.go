package boilerplate_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"varve/text/boilerplate"
)

// Pages of our own, each with what must and must not be in its main text.
func TestPages(t *testing.T) {
	files, err := filepath.Glob("testdata/pages/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no pages", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			part := map[string]string{}
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range a.Files {
				part[f.Name] = strings.TrimSpace(string(f.Data))
			}
			got := boilerplate.Find([]byte(part["page.html"]), boilerplate.Limits{})
			if string(got.Method) != part["method"] {
				t.Errorf("found by %q, want %s", got.Method, part["method"])
			}
			text := strings.Join(strings.Fields(got.Text), " ")
			for line := range strings.Lines(part["with"]) {
				if !strings.Contains(text, strings.TrimSpace(line)) {
					t.Errorf("%q is missing in %q", line, text)
				}
			}
			for line := range strings.Lines(part["without"]) {
				if strings.Contains(text, strings.TrimSpace(line)) {
					t.Errorf("%q is in %q", line, text)
				}
			}
		})
	}
}
