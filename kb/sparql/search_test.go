package sparql_test

import (
	"strings"
	"testing"

	"varve/kb/model"
	"varve/kb/rdf"
	"varve/kb/sparql"
)

// Words in values are searched, entities are named, and functions of others are asked; what is no text is an error of the expression, which a filter takes as no.
func TestSearch(t *testing.T) {
	var quads []rdf.Quad
	say := func(s, text string) {
		quads = append(quads, rdf.Quad{Triple: rdf.Triple{Subject: rdf.NewIRI("urn:x:" + s), Predicate: rdf.NewIRI("urn:x:says"), Object: rdf.NewString(text)}})
	}
	say("a", "The mayor of Düsseldorf was elected in 2003.")
	say("b", "Elections in Dusseldorf: the Mayor lost the election.")
	say("c", "A cat.")
	quads = append(quads, rdf.Quad{Triple: rdf.Triple{Subject: rdf.NewIRI("urn:x:n"), Predicate: rdf.NewIRI("urn:x:says"), Object: rdf.NewLiteral("3", rdf.XSD+"integer")}})
	data := sparql.NewMemory(quads)
	more := func(iri string) func([]rdf.Term) (rdf.Term, bool) {
		if iri != "urn:x:twice" {
			return nil
		}
		return func(args []rdf.Term) (rdf.Term, bool) { return rdf.NewString(args[0].Value + args[0].Value), true }
	}
	for _, c := range []struct{ query, want string }{
		{`SELECT ?x { ?x <urn:x:says> ?t FILTER(varve:matches(?t, "mayor dusseldorf")) } ORDER BY ?x`, "urn:x:a urn:x:b"},
		{`SELECT ?x { ?x <urn:x:says> ?t FILTER(varve:matches(?t, "düsseldorf")) } ORDER BY ?x`, "urn:x:a urn:x:b"},
		{`SELECT ?x { ?x <urn:x:says> ?t FILTER(varve:matches(?t, "elect*")) } ORDER BY ?x`, "urn:x:a urn:x:b"},
		{`SELECT ?x { ?x <urn:x:says> ?t FILTER(varve:matches(?t, "elect")) }`, ""},
		{`SELECT ?x { ?x <urn:x:says> ?t FILTER(varve:matches(?t, "\"the mayor\" -elected")) }`, "urn:x:b"},
		{`SELECT ?x { ?x <urn:x:says> ?t FILTER(varve:matches(?t, "\"mayor the\"")) }`, ""},
		{`SELECT ?x { ?x <urn:x:says> ?t FILTER(varve:matches(?t, "-mayor")) }`, "urn:x:c"},
		{`SELECT ?x { ?x <urn:x:says> ?t FILTER(varve:matches(?t, " ")) }`, ""},
		{`SELECT ?x { ?x <urn:x:says> ?t FILTER(varve:matches(?t)) }`, ""},
		{`SELECT ?x { ?x <urn:x:says> ?t BIND(varve:score(?t, "elect*") AS ?s) FILTER(?s > 0) } ORDER BY DESC(?s)`, "urn:x:b urn:x:a"},
		{`SELECT ?x { BIND(varve:entity(" Angela  Merkel ") AS ?x) }`, "urn:varve:entity:Angela%20Merkel"},
		{`SELECT ?x { BIND(varve:entityName(<urn:varve:entity:Angela%20Merkel>) AS ?x) }`, "Angela Merkel"},
		{`SELECT ?x { BIND(varve:entityName(<urn:x:a>) AS ?x) }`, ""},
		{`SELECT ?x { BIND(<urn:x:twice>("ab") AS ?x) }`, "abab"},
		{`SELECT ?x { BIND(<urn:x:thrice>("ab") AS ?x) }`, ""},
	} {
		q, err := sparql.Parse("PREFIX varve: <"+model.NS+"> "+c.query, "")
		if err != nil {
			t.Fatal(err)
		}
		result, err := sparql.Evaluate(t.Context(), data, q, sparql.Options{Functions: more})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for row, err := range result.Solutions {
			if err != nil {
				t.Fatal(err)
			}
			if row[0].Value != "" {
				got = append(got, row[0].Value)
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q, want %q", c.query, s, c.want)
		}
	}
}
