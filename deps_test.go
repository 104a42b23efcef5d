package varve_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The folder list is the architecture: imports go one way, between folders and inside of them. The list of
// docs/architecture.md is the map; every package of ours stands on it once, after all that it imports. Tests may import
// what they like.
func TestImportsGoOneWay(t *testing.T) {
	at := importMap(t)
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	edges := 0
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		from, known := at[words[0]]
		seen[words[0]] = true
		if !known {
			t.Errorf("%s is not on the import map of docs/architecture.md: give it its place", words[0])
			continue
		}
		for _, imported := range words[1:] {
			if !strings.HasPrefix(imported, "varve/") {
				continue
			}
			edges++
			if to, known := at[imported]; known && to > from {
				t.Errorf("%s imports %s, which comes after it on the import map of docs/architecture.md", words[0], imported)
			}
		}
	}
	for pkg := range at {
		if !seen[pkg] {
			t.Errorf("%s is on the import map of docs/architecture.md and not in the repository", pkg)
		}
	}
	t.Logf("%d packages, %d imports", len(seen), edges)
}

// outside are packages that stand beside the map: the shared words import nothing of ours, the others hold only tests.
var outside = map[string]int{"varve": -1, "varve/conformance": 1 << 20, "varve/docs": 1 << 20}

// importMap reads the places of all packages.
func importMap(t *testing.T) map[string]int {
	t.Helper()
	page, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)\n```imports\n(.*?)\n```\n").FindStringSubmatch(string(page))
	if block == nil {
		t.Fatal("docs/architecture.md has no import map")
	}
	at, layer := map[string]int{}, ""
	for word := range strings.FieldsSeq(block[1]) {
		if name, ok := strings.CutSuffix(word, ":"); ok {
			layer = name
			continue
		}
		pkg := "varve/" + layer
		if word != "." {
			pkg += "/" + word
		}
		if _, twice := at[pkg]; twice {
			t.Errorf("%s stands twice on the import map", pkg)
		}
		at[pkg] = len(at)
	}
	for pkg, place := range outside {
		at[pkg] = place
	}
	return at
}

// Engines that weigh much live in modules of their own: the product needs nothing of them, and its tests fetch nothing of them.
func TestProductWithoutBeam(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(mod), "apache/beam") {
		t.Error("go.mod names Apache Beam: it belongs into cluster/beam/go.mod")
	}
	nested, err := os.ReadFile("cluster/beam/go.mod")
	if err != nil || !strings.Contains(string(nested), "apache/beam") {
		t.Errorf("cluster/beam is no module of its own: %v", err)
	}
}
