package dates

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Page is a page whose day of publication is known.
type Page struct {
	URL  string
	File string
	Day  string // 2006-01-02
}

// kept reports whether a page is of the half that rules are not made on.
func (p *Page) kept() bool {
	h := fnv.New32a()
	h.Write([]byte(p.URL))
	return h.Sum32()%2 == 1
}

// List is the file in a folder of pages that names them: URL, file and day, with tabs between; lines that begin with # are passed over.
const List = "pages.tsv"

// Load reads a folder of pages with its List, or the source of go-htmldate, which has lists of its own. Pages whose day is not known are left out.
func Load(dir string) ([]Page, error) {
	if lists, _ := filepath.Glob(filepath.Join(dir, "scripts", "comparison", "data-*.go")); len(lists) > 0 {
		return loadSource(dir, lists)
	}
	f, err := os.Open(filepath.Join(dir, List))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var pages []Page
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if lines.Text() == "" || strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		col := strings.Split(lines.Text(), "\t")
		if len(col) < 3 {
			return nil, fmt.Errorf("%s: line %d: not URL, file and day with tabs between", List, n)
		}
		p := Page{col[0], filepath.Join(dir, filepath.FromSlash(col[1])), col[2]}
		if _, err := os.Stat(p.File); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", List, n, err)
		}
		if isDay(p.Day) {
			pages = append(pages, p)
		}
	}
	return pages, lines.Err()
}

func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// loadSource reads the lists of go-htmldate, which are Go literals, and finds their pages in test-files.
func loadSource(dir string, lists []string) (pages []Page, err error) {
	for _, list := range lists {
		file, err := parser.ParseFile(token.NewFileSet(), list, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("list of pages: %w", err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			entry, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			p := Page{URL: member(entry, "URL"), Day: member(entry, "Date")}
			for _, folder := range []string{"mediacloud", "comparison", "mock"} {
				path := filepath.Join(dir, "test-files", folder, member(entry, "File"))
				if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
					p.File = path
					break
				}
			}
			if p.File != "" && isDay(p.Day) {
				pages = append(pages, p)
			}
			return p.URL == ""
		})
	}
	return pages, nil
}

// member returns a string of a struct literal.
func member(entry *ast.CompositeLit, name string) string {
	for _, e := range entry.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		key, isName := kv.Key.(*ast.Ident)
		val, isText := kv.Value.(*ast.BasicLit)
		if isName && isText && key.Name == name {
			s, _ := strconv.Unquote(val.Value)
			return s
		}
	}
	return ""
}
