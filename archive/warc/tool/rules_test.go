package tool

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Every rule of finding.go is in the table with its class, and has its own section under that
// class in docs/formats/warc-findings.md, which starts with its clauses; and nothing else is there.
func TestRulesAreDocumented(t *testing.T) {
	declared := declaredRules(t)
	page, err := os.ReadFile("../../../docs/formats/warc-findings.md")
	if err != nil {
		t.Fatal(err)
	}
	documented, clauses := map[string]string{}, map[string]string{}
	class, rule := "", ""
	for line := range strings.Lines(string(page)) {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			class = strings.TrimSpace(name)
		}
		if name, ok := strings.CutPrefix(line, "### "); ok {
			rule = strings.TrimSpace(name)
			documented[rule] = class
		} else if text, ok := strings.CutPrefix(line, "Clause "); ok {
			clauses[rule], _, _ = strings.Cut(text, ". ")
		}
	}
	listed := map[string]string{}
	for _, r := range Rules() {
		listed[string(r.Rule)] = string(r.Class)
		if want := strings.Replace(r.Clause, ofFields, "5.2 to 5.22", 1); clauses[string(r.Rule)] != want {
			t.Errorf("warc-findings.md gives %s clause %q, the table %q", r.Rule, clauses[string(r.Rule)], want)
		}
		if !strings.HasSuffix(r.Meaning, ".") {
			t.Errorf("%s: %q is no sentence", r.Rule, r.Meaning)
		}
	}
	for where, have := range map[string]map[string]string{"Rules()": listed, "warc-findings.md": documented} {
		for rule, class := range declared {
			if have[rule] != class {
				t.Errorf("%s has rule %s under class %q, finding.go says %q", where, rule, have[rule], class)
			}
		}
		if len(have) != len(declared) {
			t.Errorf("%s has %d rules, finding.go %d", where, len(have), len(declared))
		}
	}
}

// declaredRules reads the constants of type Rule with the class in their comments.
func declaredRules(t *testing.T) map[string]string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "../finding.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); ok && typ.Name == "Rule" {
			name, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			out[name] = strings.TrimSpace(spec.Comment.Text())
		}
		return true
	})
	if len(out) < 30 {
		t.Fatalf("only %d rules found in finding.go", len(out))
	}
	return out
}
