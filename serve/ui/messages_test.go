package ui_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"varve/serve/message"
)

// messages are what templates, Go code and scripts say.
type messages struct{ sentences, nouns, scripts []string }

var (
	actions   = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	said      = regexp.MustCompile(`(?:^|[\s({])t ("(?:[^"\\]|\\.)*"|\S+)`)
	countedBy = regexp.MustCompile(`(?:^|[\s({])count (?:\([^()]*\)|\S+) "([^"]*)"`)
	scriptSay = regexp.MustCompile(`\bsay\('((?:[^'\\]|\\.)*)'`)
)

// collect reads all that is said on screens and in the banner of replay.
func collect(t *testing.T) (m messages) {
	t.Helper()
	for _, f := range slices.Concat(glob(t, "templates/*.html"), glob(t, "../replay/assets/*.html")) {
		text := read(t, f)
		for _, a := range actions.FindAllString(text, -1) {
			for _, x := range said.FindAllStringSubmatch(a, -1) {
				s, err := strconv.Unquote(x[1])
				if err != nil {
					t.Errorf("%s: %s: t takes a sentence that stands there; a variable is shown by word", f, a)
					continue
				}
				m.sentences = append(m.sentences, s)
			}
			for _, x := range countedBy.FindAllStringSubmatch(a, -1) {
				m.nouns = append(m.nouns, x[1])
			}
		}
	}
	for _, f := range slices.Concat(glob(t, "*.go"), glob(t, "../replay/*.go"), glob(t, "../message/*.go")) {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			fun, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			at := map[string]int{"Text": 0, "HTML": 0, "Count": 1}
			i, ok := at[fun.Sel.Name]
			if !ok || i >= len(call.Args) {
				return true
			}
			if lit, ok := call.Args[i].(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil && i == 0 {
					m.sentences = append(m.sentences, s)
				} else if err == nil {
					m.nouns = append(m.nouns, s)
				}
			}
			return true
		})
	}
	for _, f := range slices.Concat(glob(t, "assets/src/*.js"), glob(t, "../replay/assets/*.js")) {
		for _, x := range scriptSay.FindAllStringSubmatch(read(t, f), -1) {
			m.scripts = append(m.scripts, x[1])
		}
	}
	if len(m.sentences) < 1000 || len(m.nouns) < 50 || len(m.scripts) < 30 {
		t.Fatalf("only %d sentences, %d nouns and %d of scripts were found", len(m.sentences), len(m.nouns), len(m.scripts))
	}
	return m
}

func glob(t *testing.T, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(pattern)
	if err != nil || len(list) == 0 {
		t.Fatal(pattern, err)
	}
	return list
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Every language has every message. What one lacks is shown in English, and listed here as it is written into its file.
func TestMessages(t *testing.T) {
	m := collect(t)
	for _, noun := range m.nouns {
		if _, ok := message.English().Counted[noun]; !ok {
			t.Errorf("languages/en.toml does not count %q", noun)
		}
	}
	for _, l := range message.All() {
		if l == message.English() {
			continue
		}
		missing := l.Missing(m.sentences, m.nouns)
		slices.Sort(missing)
		missing = slices.Compact(missing)
		for _, s := range missing {
			t.Errorf("languages/%s.toml lacks %q = \"\"", l.Tag(), s)
		}
		lost := 0
		for _, s := range m.scripts {
			if l.Scripts[s] == "" {
				t.Errorf("languages/%s.toml: [scripts] lacks %q = \"\"", l.Tag(), s)
				lost++
			}
		}
		t.Logf("%s: %d messages, %d of scripts; %d and %d are missing", l.Name, len(l.Words), len(l.Scripts), len(missing), lost)
	}
}

var (
	verbatim  = regexp.MustCompile(`(?s)<(code|kbd|pre)\b[^>]*>.*?</(?:code|kbd|pre)>`)
	readAloud = regexp.MustCompile(`\s(?:title|aria-label|placeholder|alt|data-label|data-confirm)="([^"]*)"`)
	tags      = regexp.MustCompile(`(?s)<[^>]*>`)
	bareWord  = regexp.MustCompile(`[A-Za-z]{2,}`)
)

// sameEverywhere are names and signs that are the same in all languages.
var sameEverywhere = []string{"Varve", "API", "JSON", "CSV", "APA", "BibTeX", "PWID", "Memento", "UTC", "WACZ", "WARC", "RDF", "GraphML", "GEXF", "MARC", "Dublin", "Core", "varve"}

// No template has a word outside its messages, as far as this can tell: commands and what only programs read are not looked at.
func TestNoBareSentences(t *testing.T) {
	for _, f := range slices.Concat(glob(t, "templates/*.html"), glob(t, "../replay/assets/*.html")) {
		text := verbatim.ReplaceAllString(actions.ReplaceAllString(read(t, f), ""), " ")
		var seen []string
		for _, x := range readAloud.FindAllStringSubmatch(text, -1) {
			seen = append(seen, x[1])
		}
		seen = append(seen, tags.ReplaceAllString(text, " "))
		for _, word := range bareWord.FindAllString(html.UnescapeString(strings.Join(seen, " ")), -1) {
			if !slices.Contains(sameEverywhere, word) {
				t.Errorf("%s: %q stands outside of messages", f, word)
			}
		}
	}
}

// errorTexts are what errors of the server say: the fields Op, Msg and Hint wherever a varve.Error is made, with {0}, {1} ... for what is put in.
func errorTexts(t *testing.T) []string {
	t.Helper()
	found := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok {
				return true
			}
			if sel, ok := lit.Type.(*ast.SelectorExpr); !ok || sel.Sel.Name != "Error" {
				return true
			}
			for _, e := range lit.Elts {
				kv, ok := e.(*ast.KeyValueExpr)
				if !ok {
					continue
				}
				if key, ok := kv.Key.(*ast.Ident); ok && slices.Contains([]string{"Op", "Msg", "Hint"}, key.Name) {
					n := 0
					if s := sentenceOf(kv.Value, &n); !onlyCode(s) {
						found[s] = true
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil || len(found) < 300 {
		t.Fatalf("%d sentences of errors: %v", len(found), err)
	}
	return slices.Sorted(maps.Keys(found))
}

// sentenceOf is the sentence that an expression makes.
func sentenceOf(e ast.Expr, n *int) string {
	switch x := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(x.Value); err == nil {
			return s
		}
	case *ast.ParenExpr:
		return sentenceOf(x.X, n)
	case *ast.BinaryExpr:
		return sentenceOf(x.X, n) + sentenceOf(x.Y, n)
	case *ast.CallExpr:
		if f, ok := x.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" {
			return regexp.MustCompile(`%[-+ #0-9.]*[a-zA-Z]`).ReplaceAllStringFunc(sentenceOf(x.Args[0], n), func(string) string { return put(n) })
		}
	}
	return put(n)
}

func put(n *int) string {
	*n++
	return "{" + strconv.Itoa(*n-1) + "}"
}

var codes = regexp.MustCompile(`^((varve [a-z]+( --[a-z]+( (NAME|facts|\{\d\}))?)*( && )?)+|curl .*|\{".*|\[\{.*|--\S+( \S+)?|[a-z]+=\S+|(\{\d\}[ :]*)*)$`)

// onlyCode reports whether a text is a command, an example or nothing but what is put in: it is the same in every language.
func onlyCode(s string) bool { return codes.MatchString(s) }

// What errors say is there in every language.
func TestErrorsAreTranslated(t *testing.T) {
	english := errorTexts(t)
	for _, l := range message.All()[1:] {
		missing := 0
		for _, s := range english {
			if _, ok := l.Errors[s]; !ok {
				missing++
				t.Errorf("languages/%s.toml lacks an error: %q = \"\"", l.Tag(), s)
			}
		}
		for s, words := range l.Errors {
			if !slices.Contains(english, s) {
				t.Errorf("languages/%s.toml has an error that nobody makes: %q", l.Tag(), s)
			}
			a, b := placed(s), placed(words)
			if !slices.Equal(a, b) {
				t.Errorf("languages/%s.toml: %q has other places than %q", l.Tag(), words, s)
			}
		}
		t.Logf("%s: %d sentences of errors, %d are missing", l.Name, len(english), missing)
	}
}

func placed(s string) []string {
	out := regexp.MustCompile(`\{\d\}`).FindAllString(s, -1)
	slices.Sort(out)
	return out
}
