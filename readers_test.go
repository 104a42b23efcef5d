package varve_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// readers says who may read bodies by what. Everybody else asks page. docs/decisions/20261115_one_lexer_each.md tells why
// those who stand here do. Tests and the laboratory may do as they like.
var readers = map[string]map[string]string{ // package, name in it: packages
	"varve/web/links":    {"Extract": "", "New": "page"},
	"varve/web/markup":   {"Walker": "web/links text/boilerplate crawl/route crawl/media/object archive/wacz spam/content", "Lexer": "web/links web/encoding", "NewStream": "serve/replay/rewrite"},
	"varve/web/style":    {"Lexer": "web/links serve/replay/rewrite spam/content crawl/sheets"},
	"varve/web/encoding": {"OfHTML": "web/links text/charset serve/replay"},
	"varve/text/charset": {"ToUTF8": "derive crawl/media/object archive/wacz", "Detect": "", "Decode": ""},
	"varve/web/wire":     {"Decode": "archive/warc archive/scan archive/wacz crawl/fetch crawl/collect crawl/media crawl/media/external coherence/evidence"},

	// Readers of others.
	"golang.org/x/net/html":            {"Parse": "", "NewTokenizer": ""},
	"golang.org/x/net/html/charset":    {"DetermineEncoding": "", "NewReader": "", "NewReaderLabel": ""},
	"github.com/andybalholm/brotli":    {"NewReader": "web/wire"},
	"github.com/tdewolff/parse/v2/css": {"NewLexer": ""},
}

// A body is decoded, and its markup read, in one place.
func TestBodiesAreReadByPage(t *testing.T) {
	used := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == "lab" || name == "conformance" || d.Name() == "testdata" || name != "." && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for pkg, names := range readers {
			if !bytes.Contains(src, []byte(`"`+pkg+`"`)) {
				continue
			}
			for _, u := range uses(t, name, src, pkg) {
				may, known := names[u]
				if !known {
					continue
				}
				here := filepath.ToSlash(filepath.Dir(name))
				used[pkg+"."+u+" "+here] = true
				if !slices.Contains(strings.Fields(may), here) {
					t.Errorf("%s uses %s of %s: read the body by page, or give the reason in the list of readers", name, u, pkg)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pkg, names := range readers {
		for name, list := range names {
			for who := range strings.FieldsSeq(list) {
				if !used[pkg+"."+name+" "+who] {
					t.Errorf("%s does not use %s of %s any more: strike it from the list of readers", who, name, pkg)
				}
			}
		}
	}
}

// uses lists the names of a package that a file uses.
func uses(t *testing.T, name string, src []byte, pkg string) (out []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	called := ""
	for _, imp := range f.Imports {
		if imp.Path.Value == `"`+pkg+`"` {
			called = path.Base(pkg)
			if imp.Name != nil {
				called = imp.Name.Name
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == called {
				out = append(out, sel.Sel.Name)
			}
		}
		return true
	})
	return out
}
