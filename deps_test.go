package varve_test

import (
	"os/exec"
	"strings"
	"testing"
)

// layers is the order of the folders: a package may import from its own layer and from those
// before it. What all may use stands first.
var layers = []string{"clock", "web", "text", "learn", "version", "archive", "crawl", "derive", "index", "analyse", "serve", "cli", "cmd", "lab"}

// exceptions are imports out of order that were decided on, with the reason.
var exceptions = map[string]string{}

// The folder list is the architecture: imports go one way. Tests may import what they like.
func TestImportsGoOneWay(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		from, known := layer(words[0])
		if !known {
			t.Errorf("%s belongs to no layer: add its folder to the list in the right place", words[0])
		}
		for _, imported := range words[1:] {
			if !strings.HasPrefix(imported, "varve/") {
				continue
			}
			if to, _ := layer(imported); to > from && exceptions[words[0]+" "+imported] == "" {
				t.Errorf("%s imports %s, which comes after it", words[0], imported)
			}
		}
	}
}

// layer gives the rank of a package; the root imports nothing of ours, and what only tests may
// import everything.
func layer(pkg string) (int, bool) {
	if pkg == "varve" {
		return -1, true
	}
	if pkg == "varve/conformance" || pkg == "varve/docs" {
		return len(layers), true
	}
	top, _, _ := strings.Cut(strings.TrimPrefix(pkg, "varve/"), "/")
	for i, l := range layers {
		if l == top {
			return i, true
		}
	}
	return 0, false
}
