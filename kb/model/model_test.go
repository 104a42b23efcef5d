package model

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"varve/web/canon"
)

var update = flag.Bool("update", false, "write docs/formats/vocabulary.md anew")

// The page of the vocabulary is what the ontology says.
func TestPage(t *testing.T) {
	page, err := Page()
	if err != nil {
		t.Fatal(err)
	}
	const file = "../../docs/formats/vocabulary.md"
	if *update {
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := os.ReadFile(file); err != nil || string(b) != page {
		t.Errorf("%s is not what varve.ttl says (%v): go test ./kb/model -run TestPage -update", file, err)
	}
}

// Every term says what it is, and leans on terms that are there.
func TestOntology(t *testing.T) {
	terms, err := Ontology()
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]Kind{}
	for _, term := range terms {
		kinds[term.IRI] = term.Kind
	}
	own := func(term *Term, iri string, want ...Kind) {
		if !strings.HasPrefix(iri, NS) {
			return
		}
		for _, k := range want {
			if kinds[iri] == k {
				return
			}
		}
		t.Errorf("%s leans on %s, which is not there or of another kind", term.Local(), iri)
	}
	seen := map[Kind]int{}
	for _, term := range terms {
		seen[term.Kind]++
		if term.Label == "" || term.Comment == "" {
			t.Errorf("%s has no label or no comment", term.Local())
		}
		for _, above := range term.Above {
			own(&term, above, term.Kind)
		}
		own(&term, term.Domain, Class)
		own(&term, term.Range, Class)
		if upper := term.Local()[0] < 'a'; upper != (term.Kind == Class) {
			t.Errorf("%s is a %s by its letters", term.Local(), term.Kind)
		}
		if term.Kind == ObjectProperty && !strings.HasPrefix(term.Range, NS) || term.Kind == DatatypeProperty && !strings.HasPrefix(term.Range, "http://www.w3.org/2001/XMLSchema#") {
			t.Errorf("%s: a %s with the range %q", term.Local(), term.Kind, term.Range)
		}
	}
	for _, k := range []Kind{Class, ObjectProperty, DatatypeProperty, AnnotationProperty} {
		if seen[k] == 0 {
			t.Errorf("no %s: were they read?", k)
		}
	}
}

// Names come back as they were, whatever addresses look like.
func TestNames(t *testing.T) {
	at := time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC)
	const odd = "http://a.example/ü %41+b#c?d=<e>\"{}|^`\\"
	for want, n := range map[string]Name{
		"urn:varve:collection:news":                                                                                    {Kind: OfCollection, Collection: "news"},
		"urn:varve:crawl:news:20260110T120000Z":                                                                        {Kind: OfCrawl, Collection: "news", Local: "20260110T120000Z"},
		"urn:varve:file:news:a%2Bb:1.warc":                                                                             {Kind: OfFile, Collection: "news", Local: "a+b:1.warc"},
		"urn:varve:capture:news:20260110120000:http://a.example/":                                                      CaptureName("news", "http://a.example/", canon.SURT("http://a.example/"), at),
		"urn:varve:capture:news:20260110120000:http://a.example/#example,a)/?__wb_method=post":                         CaptureName("news", "http://a.example/", "example,a)/?__wb_method=post", at),
		"urn:varve:capture:news:20260110120000:http://a.example/+mention.1-2":                                          {Kind: OfCapture, Collection: "news", URL: "http://a.example/", Time: at, Part: "mention.1-2"},
		"urn:varve:version:news:20260110120000:http://a.example/":                                                      {Kind: OfVersion, Collection: "news", URL: "http://a.example/", Time: at},
		"urn:varve:captures:news:20260110120000.000001-20260110120001:http://a.example/":                               {Kind: OfCaptures, Collection: "news", URL: "http://a.example/", Time: at.Add(1000), Until: at.Add(time.Second)},
		"urn:varve:capture:news:20260110120000:http://a.example/%C3%BC%20%2541%2Bb%23c?d=%3Ce%3E%22%7B%7D%7C%5E%60%5C": {Kind: OfCapture, Collection: "news", URL: odd, Time: at},
	} {
		if got := n.IRI().Value; got != want {
			t.Errorf("%+v is %s, want %s", n, got, want)
		}
		if got, ok := ParseName(want); !ok || got != n {
			t.Errorf("%s is read as %+v, %v", want, got, ok)
		}
	}
	for _, s := range []string{
		"", "urn:varve:", "urn:varve:ns#Capture", "urn:varve:collection:", "urn:varve:collection:a:b", "urn:varve:crawl:a", "urn:varve:crawl:a:", "urn:varve:entity:Ann",
		"urn:varve:capture:a:2026:http://a/", "urn:varve:capture:a:20260110120000:", "urn:varve:capture:a:20260110120000:http://a/%", "urn:varve:capture:a:20260110120000:http://a/%zz",
		"urn:varve:version:a:20260110120000-20260110120000:http://a/", "urn:varve:captures:a:20260110120000-:http://a/", "urn:varve:captures:a:20260110120000:http://a/", "http://example.org/",
	} {
		if n, ok := ParseName(s); ok {
			t.Errorf("%q is read as %+v", s, n)
		}
	}
}

func FuzzParseName(f *testing.F) {
	f.Add("urn:varve:captures:news:20260110120000-20260110120001.5:http://a.example/%23#key+part")
	f.Fuzz(func(t *testing.T, s string) {
		n, ok := ParseName(s)
		if !ok {
			return
		}
		if again, ok := ParseName(n.IRI().Value); !ok || again != n {
			t.Errorf("%q is %+v, which is read back as %+v, %v", s, n, again, ok)
		}
	})
}
