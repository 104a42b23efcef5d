package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = ".."

// pages gives the Markdown files of the repository, relative to its root.
func pages(t *testing.T) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != root || d.Name() == "testdata" || d.Name() == "dist") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) == ".md" {
			rel, err := filepath.Rel(root, path)
			out = append(out, filepath.ToSlash(rel))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

var (
	fence = regexp.MustCompile("(?ms)^```.*?^```")
	code  = regexp.MustCompile("`[^`\n]*`")
	link  = regexp.MustCompile(`\]\(([^)\s]+)\)`)
)

// linksOf gives the relative links of a page, without fragments, as paths from the root. What
// stands in code is no link.
func linksOf(t *testing.T, page string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, page))
	if err != nil {
		t.Fatal(err)
	}
	bare := code.ReplaceAllString(fence.ReplaceAllString(string(text), ""), "")
	var out []string
	for _, m := range link.FindAllStringSubmatch(bare, -1) {
		to, _, _ := strings.Cut(m[1], "#")
		if to == "" || strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") {
			continue
		}
		out = append(out, filepath.ToSlash(filepath.Join(filepath.Dir(page), to)))
	}
	return out
}

func TestLinksLeadSomewhere(t *testing.T) {
	for _, page := range pages(t) {
		for _, to := range linksOf(t, page) {
			if _, err := os.Stat(filepath.Join(root, to)); err != nil {
				t.Errorf("%s links to %s, which is not there", page, to)
			}
		}
	}
}

// A page that no index names is found by nobody.
func TestEveryPageIsListed(t *testing.T) {
	index := map[string][]string{}
	for _, page := range pages(t) {
		if !strings.HasPrefix(page, "docs/") || strings.HasSuffix(page, "/README.md") {
			continue
		}
		dir := filepath.ToSlash(filepath.Dir(page))
		if _, err := os.Stat(filepath.Join(root, dir, "README.md")); err != nil {
			dir = "docs"
		}
		list := dir + "/README.md"
		if index[list] == nil {
			index[list] = linksOf(t, list)
		}
		if !slices.Contains(index[list], page) {
			t.Errorf("%s is not listed: add a line to %s", page, list)
		}
	}
}

// Every package says what it is for.
func TestPackagesHaveComments(t *testing.T) {
	said := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != root || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		dir := filepath.Dir(path)
		said[dir] = said[dir] || hasComment(file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, ok := range said {
		if !ok {
			t.Errorf("%s: no file has a package comment; add doc.go", dir)
		}
	}
}

func hasComment(f *ast.File) bool {
	text := f.Doc.Text()
	return strings.HasPrefix(text, "Package "+f.Name.Name+" ") || strings.HasPrefix(text, "Command ")
}
