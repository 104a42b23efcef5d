// Package w3c reads the test suites of the W3C for RDF and SPARQL: the archives of ../shared/data/rdf, their manifests,
// and a table of what passed by group.
//
//	suite := w3c.Open(t, "rdf11")                        files by name; skips the test where the data is not there
//	for _, c := range suite.Tests(t, "rdf/rdf11/...ttl") the tests of a manifest and of those it includes
//	table.Passed(group, name), table.Failed(group, name, why)
package w3c

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varve/kb/rdf"
)

// Variable of the environment that names the folder of the data.
const Variable = "VARVE_DATA"

// Base is where the suites live on the web; IRIs of tests are below it.
const Base = "https://w3c.github.io/rdf-tests/"

// Suite has the files of an archive by their names.
type Suite struct {
	Files map[string][]byte
}

// Open reads an archive of suites. The folder of the data is that of VARVE_DATA, or ../shared/data beside the repository.
func Open(t testing.TB, name string) *Suite {
	t.Helper()
	dir := os.Getenv(Variable)
	if dir == "" {
		dir = besideModule(t)
	}
	f, err := os.Open(filepath.Join(dir, "rdf", name+".tar.gz"))
	if err != nil {
		t.Skipf("the suites of the W3C are not here (%s names the folder of the data): %v", Variable, err)
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	s := &Suite{Files: map[string][]byte{}}
	for in := tar.NewReader(zip); ; {
		h, err := in.Next()
		if err == io.EOF {
			return s
		}
		if err != nil {
			t.Fatal(err)
		}
		if s.Files[path.Clean(h.Name)], err = io.ReadAll(in); err != nil {
			t.Fatal(err)
		}
	}
}

// besideModule returns the folder ../shared/data of the module's.
func besideModule(t testing.TB) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			return filepath.Join(dir, "..", "shared", "data")
		}
		dir = filepath.Dir(dir)
	}
}

// File returns the file that an IRI of a test means.
func (s *Suite) File(t testing.TB, iri string) []byte {
	t.Helper()
	name, ok := strings.CutPrefix(iri, Base)
	body, there := s.Files[name]
	if !ok || !there {
		t.Fatalf("the suite has no file %s", iri)
	}
	return body
}

// The vocabularies of the manifests.
const (
	MF   = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
	QT   = "http://www.w3.org/2001/sw/DataAccess/tests/test-query#"
	UT   = "http://www.w3.org/2009/sparql/tests/test-update#"
	RDFS = "http://www.w3.org/2000/01/rdf-schema#"
)

// Graph is a small graph that is asked by subject and predicate.
type Graph map[rdf.Term]map[string][]rdf.Term

// Load reads a file of the suite as a graph.
func (s *Suite) Load(t testing.TB, iri string) Graph {
	t.Helper()
	g := Graph{}
	quads, err := rdf.ReadAll(bytes.NewReader(s.File(t, iri)), rdf.FormatOf(iri), rdf.Options{Base: iri})
	if err != nil {
		t.Fatalf("%s: %v", iri, err)
	}
	for _, q := range quads {
		if g[q.Subject] == nil {
			g[q.Subject] = map[string][]rdf.Term{}
		}
		g[q.Subject][q.Predicate.Value] = append(g[q.Subject][q.Predicate.Value], q.Object)
	}
	return g
}

// One returns an object of a subject and predicate, or no term.
func (g Graph) One(s rdf.Term, predicate string) rdf.Term {
	if all := g[s][predicate]; len(all) > 0 {
		return all[0]
	}
	return rdf.Term{}
}

// List returns the members of a list.
func (g Graph) List(head rdf.Term) []rdf.Term {
	var all []rdf.Term
	for head.Kind == rdf.Blank {
		all = append(all, g.One(head, rdf.First))
		head = g.One(head, rdf.Rest)
	}
	return all
}

// Test is an entry of a manifest.
type Test struct {
	Group  string // the folder of the manifest
	Name   string
	ID     rdf.Term
	Type   string // local name of its class: TestTurtleEval
	Action rdf.Term
	Result rdf.Term
	Graph  Graph // the manifest, for the rest
}

// Tests returns the tests of a manifest, and of those that it includes.
func (s *Suite) Tests(t testing.TB, iri string) []Test {
	t.Helper()
	g := s.Load(t, iri)
	root := rdf.NewIRI(iri)
	var all []Test
	for _, list := range g[root][MF+"include"] {
		for _, m := range g.List(list) {
			all = append(all, s.Tests(t, m.Value)...)
		}
	}
	for _, entry := range g.List(g.One(root, MF+"entries")) {
		class := g.One(entry, rdf.Type).Value
		all = append(all, Test{
			Group: path.Base(path.Dir(iri)), Name: g.One(entry, MF+"name").Value, ID: entry,
			Type:   class[strings.LastIndexAny(class, "#/")+1:],
			Action: g.One(entry, MF+"action"), Result: g.One(entry, MF+"result"), Graph: g,
		})
	}
	return all
}

// Table counts what passed by group, and names what did not.
type Table struct {
	groups map[string]*[2]int
	failed []string
}

// Passed notes a test that passed.
func (b *Table) Passed(group string) { b.group(group)[0]++ }

// Failed notes a test that did not, with the reason.
func (b *Table) Failed(group, name, why string) {
	b.group(group)[1]++
	b.failed = append(b.failed, fmt.Sprintf("%s: %s: %s", group, name, why))
}

func (b *Table) group(name string) *[2]int {
	if b.groups == nil {
		b.groups = map[string]*[2]int{}
	}
	if b.groups[name] == nil {
		b.groups[name] = &[2]int{}
	}
	return b.groups[name]
}

// Report prints the table, and fails the test for each failure that is no exception, and each exception that passed.
func (b *Table) Report(t testing.TB, exceptions map[string]string) {
	t.Helper()
	var names []string
	for g := range b.groups {
		names = append(names, g)
	}
	slices.SortFunc(names, cmp.Compare)
	passed, failed := 0, 0
	var out strings.Builder
	fmt.Fprintf(&out, "\n%-32s %6s %6s\n", "group", "passed", "of")
	for _, g := range names {
		n := *b.groups[g]
		fmt.Fprintf(&out, "%-32s %6d %6d\n", g, n[0], n[0]+n[1])
		passed, failed = passed+n[0], failed+n[1]
	}
	fmt.Fprintf(&out, "%-32s %6d %6d\n", "all", passed, passed+failed)
	t.Log(out.String())
	used := map[string]bool{}
	for _, f := range b.failed {
		known := false
		for name, why := range exceptions {
			if strings.HasPrefix(f, name+":") {
				t.Logf("exception: %s\n  %s", f, why)
				known, used[name] = true, true
			}
		}
		if !known {
			t.Error(f)
		}
	}
	for name := range exceptions {
		if !used[name] {
			t.Errorf("%s is named as an exception, but it passed or is not there", name)
		}
	}
}
