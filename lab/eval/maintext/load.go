package maintext

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Page is one page of the benchmark.
type Page struct {
	File    string
	Body    []byte
	With    []string // pieces of the main text
	Without []string // pieces of what is around it
	Want    string   // the whole main text, in benchmarks that have it
}

// Load reads a benchmark: the source of go-trafilatura, which is told by its list of pages, or else folders with a page and its main text.
func Load(dir string) ([]Page, error) {
	list := filepath.Join(dir, "scripts", "comparison", "data.go")
	if _, err := os.Stat(list); err != nil {
		return loadFolders(dir)
	}
	return loadPieces(dir, list)
}

// loadPieces reads the list in scripts/comparison/data.go, which is a Go map literal and is read as such, and the pages in test-files.
func loadPieces(dir, list string) ([]Page, error) {
	file, err := parser.ParseFile(token.NewFileSet(), list, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("list of pages: %w", err)
	}
	var pages []Page
	ast.Inspect(file, func(n ast.Node) bool {
		kv, ok := n.(*ast.KeyValueExpr)
		if !ok {
			return true
		}
		entry, ok := kv.Value.(*ast.CompositeLit)
		if _, isURL := kv.Key.(*ast.BasicLit); !ok || !isURL {
			return true
		}
		p := entryOf(entry)
		if p.Body, err = read(dir, p.File); err == nil && len(p.With)+len(p.Without) > 0 {
			pages = append(pages, p)
		}
		return false
	})
	if len(pages) == 0 {
		return nil, fmt.Errorf("%s: no pages found", list)
	}
	slices.SortFunc(pages, func(a, b Page) int { return strings.Compare(a.File, b.File) })
	return pages, nil
}

// entryOf reads the fields of one literal.
func entryOf(entry *ast.CompositeLit) (p Page) {
	for _, e := range entry.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, ok := kv.Key.(*ast.Ident)
		if !ok {
			continue
		}
		switch key.Name {
		case "File":
			p.File = text(kv.Value)
		case "With":
			p.With = texts(kv.Value)
		case "Without":
			p.Without = texts(kv.Value)
		}
	}
	return p
}

func texts(e ast.Expr) (list []string) {
	if lit, ok := e.(*ast.CompositeLit); ok {
		for _, e := range lit.Elts {
			list = append(list, text(e))
		}
	}
	return list
}

func text(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok {
		s, _ := strconv.Unquote(lit.Value)
		return s
	}
	return ""
}

func read(dir, file string) ([]byte, error) {
	if file == "" {
		return nil, errors.New("no file named")
	}
	b, err := os.ReadFile(filepath.Join(dir, "test-files", "comparison", filepath.Base(file)))
	if err != nil {
		b, err = os.ReadFile(filepath.Join(dir, "test-files", "mock", filepath.Base(file)))
	}
	return b, err
}
