package rdf_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"varve/kb/rdf"
	"varve/lab/w3c"
)

var prefixes = map[string]string{
	"": "http://example.org/", "ex": "http://example.org/longer/", "xsd": rdf.XSD, "rdf": rdf.RDF, "no good": "http://x/", "empty": "",
}

// write returns quads in a format.
func write(f rdf.Format, quads []rdf.Quad) (string, error) {
	var out bytes.Buffer
	w := rdf.NewWriter(&out, f, prefixes)
	for _, q := range quads {
		if err := w.Write(q); err != nil {
			return "", err
		}
	}
	err := w.Close()
	return out.String(), err
}

// tricky is a document with what is hard to write.
const tricky = `
@prefix : <http://example.org/> .
@prefix ex: <http://example.org/longer/> .
:s a :C, "no class", :D ; :p 1, -2, +3, 1.5, -.5, 1e0, 1.5E-3, .5e1, true, false, "1"^^<http://example.org/int> ; a :E .
:s2 :p "a\nb\r\t\"\\\u0000\u0001\u007F\b\f", "grün"@de-AT, "𝒳", "]]>&<>'", "", " x " .
:s :q ex:a.b, <http://example.org/a.>, <http://example.org/longer/-x>, <http://example.org/a%20b>, <http://example.org/a#b>, <urn:x> .
[] :p [ :q ( 1 ( 2 ) () [] ) ] .
_:anon1 :p _:anon1_, _:x.y-z .
_:0 :p _:n_0 .
:s :p "x"^^<http://www.w3.org/2001/XMLSchema#integer>, "1.0"^^<http://www.w3.org/2001/XMLSchema#integer>, "1"^^<http://www.w3.org/2001/XMLSchema#decimal>, "."^^<http://www.w3.org/2001/XMLSchema#decimal>, "-"^^<http://www.w3.org/2001/XMLSchema#integer>, ".e1"^^<http://www.w3.org/2001/XMLSchema#double>, "e1"^^<http://www.w3.org/2001/XMLSchema#double>, "1e"^^<http://www.w3.org/2001/XMLSchema#double>, "INF"^^<http://www.w3.org/2001/XMLSchema#double> .
`

func TestRoundTrip(t *testing.T) {
	quads, err := rdf.ReadAll(strings.NewReader(tricky), rdf.Turtle, rdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []rdf.Format{rdf.NTriples, rdf.NQuads, rdf.Turtle, rdf.TriG} {
		roundTrip(t, f, quads)
	}
	named := append([]rdf.Quad(nil), quads...)
	for i := range named {
		switch i / 3 % 3 {
		case 0:
			named[i].Graph = rdf.NewIRI("http://example.org/g")
		case 1:
			named[i].Graph = rdf.NewBlank("g")
		}
	}
	for _, f := range []rdf.Format{rdf.NQuads, rdf.TriG} {
		roundTrip(t, f, named)
	}
	var plain []rdf.Quad // what XML can hold
	for _, q := range quads {
		if !strings.ContainsAny(q.Object.Value, "\x00\x01\b\f") {
			plain = append(plain, q)
		}
	}
	if len(plain) != len(quads)-1 {
		t.Errorf("%d of %d are for XML", len(plain), len(quads))
	}
	roundTrip(t, rdf.RDFXML, plain)
	roundTrip(t, rdf.RDFXML, nil)
	for _, quads := range [][]rdf.Quad{named, quads, nil} {
		text, err := write(rdf.JSONLD, quads)
		if err != nil {
			t.Fatal(err)
		}
		if got := readJSONLD(t, text); !rdf.Isomorphic(got, quads) {
			t.Errorf("JSON-LD: other quads:\n%s", text)
		}
	}
}

func roundTrip(t *testing.T, f rdf.Format, quads []rdf.Quad) {
	t.Helper()
	text, err := write(f, quads)
	if err != nil {
		t.Errorf("%s: %v", f, err)
		return
	}
	got, err := rdf.ReadAll(strings.NewReader(text), f, rdf.Options{})
	if err != nil || !rdf.Isomorphic(got, quads) {
		t.Errorf("%s: read back as %v (%v)\n%s", f, got, err, text)
	}
}

// readJSONLD reads what jsonWriter writes: expanded form without lists.
func readJSONLD(t *testing.T, text string) []rdf.Quad {
	t.Helper()
	var nodes []map[string]any
	if err := json.Unmarshal([]byte(text), &nodes); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	id := func(s any) rdf.Term {
		if label, ok := strings.CutPrefix(s.(string), "_:"); ok {
			return rdf.NewBlank(label)
		}
		return rdf.NewIRI(s.(string))
	}
	var all []rdf.Quad
	var read func(node map[string]any, graph rdf.Term)
	read = func(node map[string]any, graph rdf.Term) {
		for key, values := range node {
			for _, v := range append([]any(nil), asList(values)...) {
				q := rdf.Quad{Triple: rdf.Triple{Subject: id(node["@id"]), Predicate: rdf.NewIRI(key)}, Graph: graph}
				switch {
				case key == "@id":
					continue
				case key == "@graph":
					read(v.(map[string]any), id(node["@id"]))
					continue
				case key == "@type":
					q.Predicate, q.Object = rdf.NewIRI(rdf.Type), id(v)
				default:
					o := v.(map[string]any)
					value, literal := o["@value"].(string)
					lang, _ := o["@language"].(string)
					class, typed := o["@type"].(string)
					switch {
					case !literal:
						q.Object = id(o["@id"])
					case lang != "":
						q.Object = rdf.NewLang(value, lang)
					case typed:
						q.Object = rdf.NewLiteral(value, class)
					default:
						q.Object = rdf.NewString(value)
					}
				}
				all = append(all, q)
			}
		}
	}
	for _, n := range nodes {
		read(n, rdf.Term{})
	}
	return all
}

func asList(v any) []any {
	if l, ok := v.([]any); ok {
		return l
	}
	return []any{v}
}

func TestTurtleText(t *testing.T) {
	quads, err := rdf.ReadAll(strings.NewReader(`<http://example.org/s> a <http://example.org/C>, <http://example.org/D>; <http://example.org/longer/p> 1 .
		<http://example.org/t> <http://example.org/p> "x"^^<http://www.w3.org/2001/XMLSchema#date> .`), rdf.Turtle, rdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := write(rdf.Turtle, quads)
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(text, "XMLSchema#> .\n")
	if want := ":s\ta :C, :D ;\n\tex:p 1 .\n:t\t:p \"x\"^^xsd:date .\n"; body != want {
		t.Errorf("%s", text)
	}
}

// What cannot be written is refused, and says why.
func TestWriteRefuses(t *testing.T) {
	iri := rdf.NewIRI("http://example.org/x")
	for _, c := range []struct {
		f     rdf.Format
		q     rdf.Quad
		cause string
	}{
		{rdf.Turtle, rdf.Quad{Triple: rdf.Triple{Subject: iri, Predicate: iri, Object: iri}, Graph: iri}, "TriG"},
		{rdf.NTriples, rdf.Quad{Triple: rdf.Triple{Subject: rdf.NewString("x"), Predicate: iri, Object: iri}}, "subject"},
		{rdf.NTriples, rdf.Quad{Triple: rdf.Triple{Subject: iri, Predicate: rdf.NewBlank("x"), Object: iri}}, "predicate"},
		{rdf.NTriples, rdf.Quad{Triple: rdf.Triple{Subject: iri, Predicate: iri}}, "without object"},
		{rdf.NQuads, rdf.Quad{Triple: rdf.Triple{Subject: iri, Predicate: iri, Object: iri}, Graph: rdf.NewString("x")}, "graph"},
		{rdf.NTriples, rdf.Quad{Triple: rdf.Triple{Subject: rdf.NewBlank("a b"), Predicate: iri, Object: iri}}, "label"},
		{rdf.NTriples, rdf.Quad{Triple: rdf.Triple{Subject: iri, Predicate: iri, Object: rdf.NewIRI("http://a/b c")}}, "percent-encoded"},
		{rdf.NTriples, rdf.Quad{Triple: rdf.Triple{Subject: iri, Predicate: iri, Object: rdf.NewIRI("relative")}}, "relative"},
		{rdf.NTriples, rdf.Quad{Triple: rdf.Triple{Subject: iri, Predicate: iri, Object: rdf.NewLang("x", "d e")}}, "language tag"},
		{rdf.NTriples, rdf.Quad{Triple: rdf.Triple{Subject: iri, Predicate: iri, Object: rdf.NewString("\xff")}}, "UTF-8"},
		{rdf.RDFXML, rdf.Quad{Triple: rdf.Triple{Subject: iri, Predicate: iri, Object: rdf.NewString("\x00")}}, "XML cannot hold"},
		{rdf.RDFXML, rdf.Quad{Triple: rdf.Triple{Subject: iri, Predicate: rdf.NewIRI("http://a/1"), Object: iri}}, "XML name"},
		{rdf.RDFXML, rdf.Quad{Triple: rdf.Triple{Subject: iri, Predicate: rdf.NewIRI(rdf.RDF + "li"), Object: iri}}, "rdf:li"},
	} {
		if _, err := write(c.f, []rdf.Quad{c.q}); err == nil || !strings.Contains(err.Error(), c.cause) {
			t.Errorf("%s %v: %v, want %q in it", c.f, c.q, err, c.cause)
		}
	}
	w := rdf.NewWriter(failing{}, rdf.Turtle, nil)
	if err := errors.Join(w.Write(rdf.Quad{Triple: rdf.Triple{Subject: iri, Predicate: iri, Object: iri}}), w.Close()); err == nil {
		t.Error("a full disk was not told")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// Every document of the suites that can be read is written in every format that can hold it, and read back.
func TestSuitesRoundTrip(t *testing.T) {
	suite := w3c.Open(t, "rdf11")
	trips := map[rdf.Format]int{}
	for name, body := range suite.Files {
		f := rdf.FormatOf(name)
		if f == 0 || strings.Contains(name, "manifest") {
			continue
		}
		quads, err := rdf.ReadAll(bytes.NewReader(body), f, rdf.Options{Base: w3c.Base + name})
		if err != nil {
			continue
		}
		for _, f := range []rdf.Format{rdf.NTriples, rdf.NQuads, rdf.Turtle, rdf.TriG, rdf.RDFXML} {
			text, err := write(f, quads)
			if err != nil {
				if !strings.Contains(err.Error(), "named graph") && f != rdf.RDFXML {
					t.Errorf("%s as %s: %v", name, f, err)
				}
				continue
			}
			got, err := rdf.ReadAll(strings.NewReader(text), f, rdf.Options{})
			if err != nil || !rdf.Isomorphic(got, quads) {
				t.Errorf("%s as %s: read back as other quads (%v)\n%s", name, f, err, text)
			}
			trips[f]++
		}
		text, err := write(rdf.JSONLD, quads)
		if err != nil || !rdf.Isomorphic(readJSONLD(t, text), quads) {
			t.Errorf("%s as JSON-LD: other quads (%v)", name, err)
		}
	}
	t.Logf("round trips by format: %v", trips)
}
