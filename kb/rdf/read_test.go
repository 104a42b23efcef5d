package rdf_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/tools/txtar"

	"varve/kb/rdf"
)

// Cases of our own: testdata/*.txtar hold documents, each with what it means as N-Quads, or what is wrong with it.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(a.Files); i += 2 {
			in, want := a.Files[i], a.Files[i+1]
			name := filepath.Base(file) + ": " + in.Name
			f := rdf.FormatOf(in.Name)
			// One byte at a time: no token may depend on where the window ends.
			got, err := rdf.ReadAll(iotest.OneByteReader(bytes.NewReader(in.Data)), f, rdf.Options{Base: "http://example.org/doc"})
			if want.Name == "error" {
				if err == nil || err.Error() != strings.TrimSpace(string(want.Data)) {
					t.Errorf("%s: error is\n%v\nwant\n%s", name, err, want.Data)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			expected, err := rdf.ReadAll(bytes.NewReader(want.Data), rdf.NQuads, rdf.Options{})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !rdf.Isomorphic(got, expected) {
				t.Errorf("%s: read as\n%v\nwant\n%s", name, got, want.Data)
			}
		}
	}
}

// Labels of the document and labels that were made up never meet, and a scope keeps documents apart.
func TestBlankLabels(t *testing.T) {
	quads, err := rdf.ReadAll(strings.NewReader("_:anon1 <p:p> [] . _:anon1_ <p:p> _:anon, _:anonx, _:anon2, _:b ."), rdf.Turtle, rdf.Options{Scope: "d1."})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range quads {
		got = append(got, q.Subject.Value+" "+q.Object.Value)
	}
	if s := strings.Join(got, ", "); s != "d1.anon1_ d1.anon1, d1.anon1__ d1.anon, d1.anon1__ d1.anonx, d1.anon1__ d1.anon2_, d1.anon1__ d1.b" {
		t.Error(s)
	}
}

// A bad line is told of, and the lines after it are read.
func TestBadLines(t *testing.T) {
	const text = "<a:a> <a:b> <a:c> .\n<a:a> b .\n<a:a> <a:b> \"x\n<a:a> <a:b> <a:d> . <a:e>\n<a:a> <a:b> \xff .\n\"l\" <a:b> <a:c> .\n<a:a> <a:b> <a:e> ."
	var bad []string
	quads, err := rdf.ReadAll(strings.NewReader(text), rdf.NTriples, rdf.Options{Bad: func(e *rdf.Error) bool {
		bad = append(bad, e.Error())
		return true
	}})
	if err != nil || len(quads) != 2 || quads[1].Object.Value != "a:e" {
		t.Errorf("%v (%v)", quads, err)
	}
	want := []string{
		"N-Triples, line 2, column 7: a predicate expected, not 'b'",
		"N-Triples, line 3, column 15: a string that goes over the end of its line, begun in column 13",
		"N-Triples, line 4, column 21: the end of the line expected behind '.', not <a:e>",
		"N-Triples, line 5, column 13: bytes that are not UTF-8",
		"N-Triples, line 6, column 5: a literal cannot be a subject",
	}
	if strings.Join(bad, "\n") != strings.Join(want, "\n") {
		t.Errorf("told\n%s", strings.Join(bad, "\n"))
	}
	if quads, err := rdf.ReadAll(strings.NewReader(text), rdf.NTriples, rdf.Options{}); err == nil || len(quads) != 1 {
		t.Errorf("without Bad: %v (%v)", quads, err)
	}
}

// attributes are so many different ones.
func attributes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ` r:a%d="x"`, i)
	}
	return b.String()
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		f     rdf.Format
		text  string
		o     rdf.Options
		cause string
	}{
		{rdf.Turtle, "<a:a> <a:b> " + strings.Repeat("[ <a:b> ", 1000), rdf.Options{}, "deeper than 500"},
		{rdf.Turtle, "<a:a> <a:b> " + strings.Repeat("(", 1_000_000), rdf.Options{}, "deeper than 500"},
		{rdf.TriG, "<a:a> <a:b> " + strings.Repeat("(", 30), rdf.Options{MaxDepth: 20}, "deeper than 20"},
		{rdf.NTriples, "<a:a> <a:b> \"" + strings.Repeat("x", 5000), rdf.Options{MaxToken: 1000}, "more than 1000 bytes"},
		{rdf.Turtle, "#" + strings.Repeat("x", 100_000) + "\n<a:a> <a:b> <a:" + strings.Repeat("x", 5000) + ">", rdf.Options{MaxToken: 1000}, "more than 1000 bytes"},
		{rdf.RDFXML, `<r:RDF xmlns:r="` + rdf.RDF + `">` + strings.Repeat("<r:Description><r:value>", 1000), rdf.Options{}, "deeper than 500"},
		{rdf.RDFXML, `<r:RDF xmlns:r="` + rdf.RDF + `"><r:Description><r:value r:parseType="Literal">` + strings.Repeat("<a>", 1000), rdf.Options{}, "deeper than 500"},
		{rdf.RDFXML, `<r:RDF xmlns:r="` + rdf.RDF + `"><r:Description><r:value>` + strings.Repeat("x", 5000), rdf.Options{MaxToken: 1000}, "more than 1000 bytes"},
		{rdf.RDFXML, `<r:RDF xmlns:r="` + rdf.RDF + `"><r:Description` + attributes(100_000) + `/>`, rdf.Options{}, "more than 1000 attributes"},
		{rdf.RDFXML, `<!DOCTYPE x [<!ENTITY a "` + strings.Repeat("x", 5000) + `"><!ENTITY b "` + strings.Repeat("&a;", 50) + `">]><x/>`, rdf.Options{}, "entities of more than"},
	} {
		quads, err := rdf.ReadAll(strings.NewReader(c.text), c.f, c.o)
		if err == nil || !strings.Contains(err.Error(), c.cause) {
			t.Errorf("%.40s: %v, want %q in it", c.text, err, c.cause)
		}
		if len(quads) > 1100 {
			t.Errorf("%.40s: %d quads", c.text, len(quads))
		}
	}
}

// A source that fails is no fault of the document, and is told as what it is.
func TestSourceFails(t *testing.T) {
	broken := errors.New("connection reset")
	for _, f := range []rdf.Format{rdf.NTriples, rdf.NQuads, rdf.Turtle, rdf.TriG, rdf.RDFXML} {
		text := "<a:a> <a:b> <a:c> .\n<a:a>"
		if f == rdf.RDFXML {
			text = `<a xmlns="a:"><b>`
		}
		_, err := rdf.ReadAll(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), f, rdf.Options{Bad: func(*rdf.Error) bool { return true }})
		if e, ok := errors.AsType[*rdf.Error](err); !ok || !errors.Is(err, broken) || e.Line == 0 {
			t.Errorf("%s: %v", f, err)
		}
	}
}

// Whoever stops early gets no more.
func TestStop(t *testing.T) {
	for _, f := range []rdf.Format{rdf.NTriples, rdf.Turtle} {
		n := 0
		for range rdf.Read(strings.NewReader("<a:a> <a:b> <a:c> .\n<a:a> <a:b> <a:d> .\n<"), f, rdf.Options{}) {
			n++
			break
		}
		if n != 1 {
			t.Errorf("%s: %d", f, n)
		}
	}
}

func TestFormatOf(t *testing.T) {
	for s, want := range map[string]rdf.Format{
		"a/b.ttl": rdf.Turtle, "x.NT": rdf.NTriples, "x.nt.gz": 0, "text/turtle; charset=utf-8": rdf.Turtle, "application/rdf+xml": rdf.RDFXML,
		"TriG": rdf.TriG, "nq": rdf.NQuads, "ld.jsonld": rdf.JSONLD, "N-Quads": rdf.NQuads, "x.html": 0, "": 0,
	} {
		if got := rdf.FormatOf(s); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}

// Whatever the text, reading ends without a panic, and what was read can be written and read back.
func FuzzRead(f *testing.F) {
	f.Add([]byte(tricky), uint8(rdf.Turtle))
	f.Add([]byte("<a:b> { <a:b> a _:x }"), uint8(rdf.TriG))
	f.Add([]byte("<a:b> <a:b> \"\\u0041\"@en <a:g> .\n"), uint8(rdf.NQuads))
	xml, err := os.ReadFile("testdata/odd.rdf")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(xml, uint8(rdf.RDFXML))
	f.Fuzz(func(t *testing.T, text []byte, format uint8) {
		from := rdf.Format(format%5) + 1
		quads, err := rdf.ReadAll(bytes.NewReader(text), from, rdf.Options{Base: "http://example.org/", MaxDepth: 20})
		if e, ok := errors.AsType[*rdf.Error](err); err != nil && (!ok || e.Line < 1 || e.Column < 1) {
			t.Fatalf("an error without a place: %v", err)
		}
		if len(quads) > 200 {
			return
		}
		for _, to := range []rdf.Format{rdf.NQuads, rdf.TriG} {
			written, err := write(to, quads)
			if err != nil {
				t.Fatalf("%v\n%v", err, quads)
			}
			back, err := rdf.ReadAll(strings.NewReader(written), to, rdf.Options{})
			if err != nil || len(back) != len(quads) {
				t.Fatalf("%d quads, read back %d: %v\n%s", len(quads), len(back), err, written)
			}
			if to == rdf.NQuads {
				for i := range back {
					if q := quads[i]; back[i].Object.Kind == rdf.Literal && back[i].Object != q.Object || back[i].Predicate != q.Predicate {
						t.Fatalf("%v became %v", q, back[i])
					}
				}
			}
		}
	})
}
