package docs_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"varve/archive/catalog"
	"varve/archive/fixity"
	"varve/crawl"
	"varve/crawl/media/object"
	"varve/curate/curation"
	"varve/curate/notes"
	"varve/curate/proposal"
	"varve/serve/review"
	"varve/spam/label"
)

func read(t *testing.T, page string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// needs tells names that a page does not have in code quotes.
func needs(t *testing.T, page string, what string, names []string) {
	t.Helper()
	if len(names) == 0 {
		t.Errorf("no %s were found in the code: does the test still read it?", what)
	}
	text := read(t, page)
	for _, n := range names {
		if !strings.Contains(text, "`"+n+"`") {
			t.Errorf("%s says nothing of %s `%s`", page, what, n)
		}
	}
}

// tags gives the names of a struct's fields in a format, those of embedded structs too.
func tags(typ reflect.Type, format string) (out []string) {
	for f := range typ.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get(format), ",")
		switch {
		case f.Anonymous:
			out = append(out, tags(f.Type, format)...)
		case name != "" && name != "-":
			out = append(out, name)
		}
	}
	return out
}

// Fields that are written must be described.
func TestFieldsAreDescribed(t *testing.T) {
	const files, plan = "docs/formats/crawl-files.md", "docs/formats/collection-toml.md"
	needs(t, files, "definition", tags(reflect.TypeFor[crawl.Definition](), "json"))
	needs(t, files, "report", tags(reflect.TypeFor[crawl.Report](), "json"))
	needs(t, "docs/formats/tray.md", "decision", tags(reflect.TypeFor[review.Decision](), "json"))
	needs(t, files, "progress", tags(reflect.TypeFor[crawl.Progress](), "json"))
	needs(t, files, "seed", tags(reflect.TypeFor[crawl.Seed](), "json"))
	needs(t, "docs/formats/fixity.md", "look", tags(reflect.TypeFor[fixity.Look](), "json"))
	needs(t, "docs/formats/fixity.md", "event", tags(reflect.TypeFor[catalog.Event](), "json"))
	needs(t, "docs/formats/labels.md", "label", tags(reflect.TypeFor[label.Entry](), "json"))
	needs(t, "docs/formats/media.md", "note", tags(reflect.TypeFor[curation.Note](), "json"))
	needs(t, "docs/formats/media.md", "object", tags(reflect.TypeFor[object.Object](), "json"))
	needs(t, "docs/formats/notes.md", "line", tags(reflect.TypeFor[notes.Line](), "json"))
	needs(t, "docs/formats/definitions.md", "line", tags(reflect.TypeFor[crawl.Defined](), "json"))
	needs(t, "docs/formats/proposals.md", "line", tags(reflect.TypeFor[proposal.Line](), "json"))
	needs(t, "docs/formats/proposals.md", "list", tags(reflect.TypeFor[proposal.List](), "json"))
	needs(t, "docs/formats/proposals.md", "item", tags(reflect.TypeFor[proposal.Proposal](), "json"))
	needs(t, plan, "key", tags(reflect.TypeFor[crawl.Planned](), "toml"))
	needs(t, plan, "metadata", tags(reflect.TypeFor[catalog.Metadata](), "toml"))
	needs(t, plan, "permission", tags(reflect.TypeFor[catalog.Permission](), "toml"))
	needs(t, files, "event", inCode(t, `(?:events\.add|\.Event)\("([a-z0-9-]+)"`))
	needs(t, files, "metric", inCode(t, `"(varve_crawl_[a-z_]+)"`))
	needs(t, "docs/formats/warc-written.md", "metadata", inCode(t, `\b(?:metaField|field|Field|AddField)\("([A-Za-z0-9-]+)"`))
}

// inCode gives what an expression finds in the code of package crawl, tests apart.
func inCode(t *testing.T, expression string) (out []string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, "crawl", "*.go"))
	for _, stage := range []string{"gate", "gather", "guide", "plan", "control"} {
		more, globErr := filepath.Glob(filepath.Join(root, "crawl", stage, "*.go"))
		names, err = append(names, more...), errors.Join(err, globErr)
	}
	if err != nil {
		t.Fatal(err)
	}
	find := regexp.MustCompile(expression)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range find.FindAllStringSubmatch(string(b), -1) {
			out = append(out, m[1])
		}
	}
	return out
}
