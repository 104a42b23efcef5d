package docs_test

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every package is in the row of its layer, so that the page is the map.
func TestEveryPackageIsOnTheMap(t *testing.T) {
	out, err := exec.Command("go", "list", "varve/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(read(t, "docs/architecture.md")) {
		if m := regexp.MustCompile("^\\| `([a-z]+)` \\|").FindStringSubmatch(line); m != nil {
			rows[m[1]] = line
		}
	}
	for pkg := range strings.Lines(string(out)) {
		layer, rest, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(pkg), "varve/"), "/")
		if !ok || layer == "cmd" {
			continue
		}
		if row := rows[layer]; !strings.Contains(row, "`"+rest+"`") && !strings.Contains(row, "`"+path.Base(rest)+"`") {
			t.Errorf("%s/%s is not in the row of %s in docs/architecture.md", layer, rest, layer)
		}
	}
}

// onDisk are paths on the page that lie in an archive, not in the repository.
var onDisk = regexp.MustCompile(`^(warc|crawls|derived|labels|index/(cdx|temporal|fulltext))(/|$)|^archive/(collections|keys)|^/`)

// The files and packages that a page passes on its way are there.
func TestTheWayIsThere(t *testing.T) {
	n := 0
	for _, m := range regexp.MustCompile("`([a-z][A-Za-z0-9_./-]*/[A-Za-z0-9_./*-]+)`").FindAllStringSubmatch(read(t, "docs/architecture.md"), -1) {
		if onDisk.MatchString(m[1]) {
			continue
		}
		n++
		if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
			t.Errorf("docs/architecture.md names %s, which is not there", m[1])
		}
	}
	if n < 40 {
		t.Errorf("only %d names were found: does this test still read the page?", n)
	}
}

// The glossary is one table in the order of its words, and the packages it names are there.
func TestGlossary(t *testing.T) {
	_, table, ok := strings.Cut(read(t, "docs/glossary.md"), "\n| term | meaning | package |\n|---|---|---|\n")
	if !ok {
		t.Fatal("the table does not begin with its head")
	}
	before := ""
	for line := range strings.Lines(table) {
		cells := strings.Split(line, " | ")
		term := strings.ToLower(strings.TrimPrefix(cells[0], "| "))
		if term < before {
			t.Errorf("%q stands behind %q", term, before)
		}
		before = term
		for _, m := range regexp.MustCompile("`([a-z]+(?:/[a-z0-9]+)*)`").FindAllStringSubmatch(cells[len(cells)-1], -1) {
			if _, err := os.Stat(filepath.Join(root, m[1])); err != nil && m[1] != "varve" {
				t.Errorf("%s: there is no package %s", term, m[1])
			}
		}
	}
}
