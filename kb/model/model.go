// Package model says in which words Varve tells what it knows as RDF.
//
//	varve.ttl  the ontology: classes and properties, aligned with OAIS, PROV-O, schema.org, Web Annotation, OWL-Time, LODE and DOLCE
//	Ontology   the same, read
//	Page       its documentation, docs/formats/vocabulary.md
//	Name       names of collections, crawls, captures and versions as IRIs, and back
//
// Three ideas, after the data model of ARCOMEM: an *information object* is what is said (an entity, an event, an opinion, a topic), an
// *information realization* is where it is said (a capture, a version, a file), a *crawling concept* is how that came into the archive.
//
// Every statement stands in a named graph, which is named after what it was taken from: mostly a capture. So a graph's name tells which captures
// one must be allowed to see to know its statements (serve asks access rules by it), and who wants to know the source of a statement asks
// GRAPH ?source.
package model

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"varve/kb/rdf"
)

// NS is the namespace of the ontology.
const NS = "urn:varve:ns#"

// Properties that others than exports know.
const (
	ValidFrom  = NS + "validFrom"
	ValidUntil = NS + "validUntil"
)

// Source is the ontology as Turtle.
//
//go:embed varve.ttl
var Source []byte

// Vocabularies are the namespaces that the ontology uses, by their usual prefixes.
func Vocabularies() map[string]string {
	return map[string]string{
		"varve": NS, "rdf": rdf.RDF, "rdfs": rdfs, "owl": owl, "xsd": rdf.XSD, "skos": skos, "prov": "http://www.w3.org/ns/prov#", "oa": "http://www.w3.org/ns/oa#",
		"time": "http://www.w3.org/2006/time#", "schema": "https://schema.org/", "lode": "http://linkedevents.org/ontology/", "dul": "http://www.ontologydesignpatterns.org/ont/dul/DUL.owl#",
	}
}

const (
	rdfs = "http://www.w3.org/2000/01/rdf-schema#"
	owl  = "http://www.w3.org/2002/07/owl#"
	skos = "http://www.w3.org/2004/02/skos/core#"
)

// Term is a class or a property.
type Term struct {
	IRI     string
	Kind    Kind
	Label   string
	Comment string
	Above   []string // classes or properties that it is one of
	Near    []string // of other vocabularies that mean about the same
	Domain  string   // "" is anything
	Range   string   // "" is anything
	OAIS    string   // what OAIS calls it
}

// Kind says what a term is.
type Kind string

// The kinds of terms, by their IRIs.
const (
	Class              Kind = owl + "Class"
	ObjectProperty     Kind = owl + "ObjectProperty"
	DatatypeProperty   Kind = owl + "DatatypeProperty"
	AnnotationProperty Kind = owl + "AnnotationProperty"
)

// Local returns the name of a term inside of its namespace.
func (t *Term) Local() string { return strings.TrimPrefix(t.IRI, NS) }

// Ontology returns the terms, in the order of the file.
func Ontology() ([]Term, error) {
	var out []Term
	at := map[string]int{}
	for q, err := range rdf.Read(bytes.NewReader(Source), rdf.Turtle, rdf.Options{}) {
		if err != nil {
			return nil, fmt.Errorf("varve.ttl: %w", err)
		}
		if !strings.HasPrefix(q.Subject.Value, NS) {
			continue
		}
		i, known := at[q.Subject.Value]
		if !known {
			i = len(out)
			at[q.Subject.Value] = i
			out = append(out, Term{IRI: q.Subject.Value})
		}
		t, value := &out[i], q.Object.Value
		switch q.Predicate.Value {
		case rdf.Type:
			t.Kind = Kind(value)
		case rdfs + "label":
			t.Label = value
		case rdfs + "comment":
			t.Comment = value
		case rdfs + "subClassOf", rdfs + "subPropertyOf":
			t.Above = append(t.Above, value)
		case skos + "closeMatch":
			t.Near = append(t.Near, value)
		case rdfs + "domain":
			t.Domain = value
		case rdfs + "range":
			t.Range = value
		case NS + "oais":
			t.OAIS = value
		default:
			return nil, fmt.Errorf("varve.ttl: %s is said by a property that nobody reads: %s", t.Local(), q.Predicate.Value)
		}
	}
	return out, nil
}

// Page returns the documentation of the ontology as Markdown.
func Page() (string, error) {
	terms, err := Ontology()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("# Vocabulary of the knowledge base\n\nMade from `kb/model/varve.ttl` by `go test ./kb/model -run TestPage -update`; the file itself is served at `/ns` and printed by `varve kb model`. ")
	b.WriteString("Namespace `" + NS + "`, prefix `varve`. How collections are told in it: [the knowledge base](../kb.md#collections-as-rdf).\n")
	for _, part := range []struct {
		title, head string
		kinds       []Kind
		row         func(*Term) []string
	}{
		{"Classes", "| class | what it is | is a | like | OAIS |\n|---|---|---|---|---|\n", []Kind{Class}, func(t *Term) []string {
			return []string{t.Comment, short(t.Above...), short(t.Near...), t.OAIS}
		}},
		{"Properties", "| property | what it says | of | value | is a | like | OAIS |\n|---|---|---|---|---|---|---|\n", []Kind{ObjectProperty, DatatypeProperty, AnnotationProperty}, func(t *Term) []string {
			return []string{t.Comment, short(t.Domain), short(t.Range), short(t.Above...), short(t.Near...), t.OAIS}
		}},
	} {
		b.WriteString("\n## " + part.title + "\n" + part.head)
		for _, t := range terms {
			if slices.Contains(part.kinds, t.Kind) {
				b.WriteString("| `" + t.Local() + "` | " + strings.Join(part.row(&t), " | ") + " |\n")
			}
		}
	}
	b.WriteString("\n## Other vocabularies\n| prefix | namespace |\n|---|---|\n")
	spaces := Vocabularies()
	for _, name := range slices.Sorted(maps.Keys(spaces)) {
		if name != "varve" {
			b.WriteString("| `" + name + "` | `" + spaces[name] + "` |\n")
		}
	}
	return b.String(), nil
}

// short writes IRIs with prefixes, those of our own without.
func short(iris ...string) string {
	spaces := Vocabularies()
	var out []string
	for _, iri := range iris {
		for _, name := range slices.Sorted(maps.Keys(spaces)) {
			if local, ok := strings.CutPrefix(iri, spaces[name]); ok {
				iri = strings.TrimPrefix(name+":"+local, "varve:")
				break
			}
		}
		if iri != "" {
			out = append(out, "`"+iri+"`")
		}
	}
	return strings.Join(out, ", ")
}
