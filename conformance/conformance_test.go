package conformance

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/archive/warc/tool"
)

// TestConformance holds every sample file against expected.toml and prints the table.
func TestConformance(t *testing.T) {
	dir := os.Getenv("VARVE_SAMPLES")
	if dir == "" {
		t.Skip("VARVE_SAMPLES is not set: it names the folder with files of other projects (make conformance SAMPLES=DIR)")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("VARVE_SAMPLES: %v", err)
	}
	files, err := readExpected("expected.toml")
	if err != nil {
		t.Fatal(err)
	}
	var tab table
	for _, want := range files {
		hold(t, &tab, dir, want)
	}
	everyFile(t, &tab, dir, files)
	if err := tab.print(os.Stdout); err != nil {
		t.Fatal(err)
	}
	if tab.failed > 0 {
		t.Errorf("%d outcomes are not what the edge cases demand", tab.failed)
	}
}

// hold adds the rows of one file.
func hold(t *testing.T, tab *table, dir string, want expectation) {
	t.Helper()
	add := func(expected, got string) { tab.add(want.Name, want.Case, expected, got) }
	in, done, err := open(dir, want.Name)
	if err != nil {
		add(fmt.Sprintf("exit %d", want.Exit), exitOf(err))
		return
	}
	defer done()
	got, err := examine(context.Background(), in)
	if err != nil {
		add("readable", err.Error())
		return
	}
	add(fmt.Sprintf("exit %d", want.Exit), fmt.Sprintf("exit %d", got.exit))
	add("packing "+want.Packing, "packing "+got.packing)
	add(typesText(want.Records), typesText(got.records))
	add(fmt.Sprintf("%d by offset", want.ByOffset), fmt.Sprintf("%d by offset", got.byOffset))
	add("findings: "+strings.Join(want.Findings, " "), "findings: "+strings.Join(got.findings, " "))
	for _, fact := range want.Facts {
		question, _, ok := strings.Cut(fact, " = ")
		if !ok {
			t.Fatalf("%s: fact %q has no answer", want.Name, fact)
		}
		add(fact, question+" = "+got.fact(question))
	}
}

// errNoWarc is an archive without a WARC in it.
type errNoWarc struct{ name string }

func (e errNoWarc) Error() string { return "no WARC in " + e.name }

func exitOf(err error) string {
	if _, ok := err.(errNoWarc); ok {
		return "exit 2"
	}
	return err.Error()
}

// open opens a sample, or the WARC inside a WACZ ("x.wacz!warc"), which is stored without packing.
func open(dir, name string) (*tool.Input, func(), error) {
	outer, inner, nested := strings.Cut(name, "!")
	f, err := os.Open(filepath.Join(dir, outer))
	if err != nil {
		return nil, nil, err
	}
	done := func() { f.Close() }
	info, err := f.Stat()
	if err != nil {
		done()
		return nil, nil, err
	}
	src, size, base := io.ReaderAt(f), info.Size(), outer
	if nested {
		if src, size, base, err = findInside(f, size, inner); err != nil {
			done()
			return nil, nil, err
		}
	}
	in, err := tool.NewInput(base, src, size)
	if err != nil {
		done()
		return nil, nil, err
	}
	return in, done, nil
}

// findInside gives the first WARC under archive/ of a ZIP file.
func findInside(f *os.File, size int64, kind string) (io.ReaderAt, int64, string, error) {
	z, err := zip.NewReader(f, size)
	if err != nil {
		return nil, 0, "", err
	}
	for _, e := range z.File {
		if !strings.HasPrefix(e.Name, "archive/") || !strings.Contains(e.Name, "."+kind) || e.Method != zip.Store {
			continue
		}
		at, err := e.DataOffset()
		if err != nil {
			return nil, 0, "", err
		}
		n := int64(e.UncompressedSize64)
		return io.NewSectionReader(f, at, n), n, filepath.Base(e.Name), nil
	}
	return nil, 0, "", errNoWarc{f.Name()}
}

// elsewhere are the samples that other packages hold themselves against, in the same make target.
var elsewhere = map[string]string{
	"surt.json":    "web/canon, TestConformanceSURT",
	"MANIFEST.tsv": "", "README.md": "",
}

// everyFile makes sure that no sample is forgotten.
func everyFile(t *testing.T, tab *table, dir string, files []expectation) {
	t.Helper()
	known := map[string]bool{}
	for _, f := range files {
		name, _, _ := strings.Cut(f.Name, "!")
		known[name] = true
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		where, other := elsewhere[e.Name()]
		switch {
		case where != "":
			tab.notes = append(tab.notes, e.Name()+" is checked by "+where)
		case !other && !known[e.Name()]:
			tab.add(e.Name(), "not in expected.toml", "an expectation", "none")
		}
	}
}
