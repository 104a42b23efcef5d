package sparql_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/kb/model"
	"varve/kb/rdf"
	"varve/kb/sparql"
	"varve/lab/chance"
)

// What holds at an instant, against a look at every interval; in the default graph, in named ones, and in their union.
func TestValidAt(t *testing.T) {
	r := chance.Rand(t, 1)
	begin := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	instant := func(day int) rdf.Term {
		return rdf.NewLiteral(begin.AddDate(0, 0, day).Format(time.RFC3339), rdf.DateTime)
	}
	type interval struct{ from, until int }
	const open = 1000
	things := map[string]interval{}
	var quads []rdf.Quad
	say := func(thing, property string, o rdf.Term, graph rdf.Term) {
		quads = append(quads, rdf.Quad{Triple: rdf.Triple{Subject: rdf.NewIRI(thing), Predicate: rdf.NewIRI(property), Object: o}, Graph: graph})
	}
	for i := range 60 {
		thing := fmt.Sprintf("urn:x:%02d", i)
		x := interval{r.IntN(20), open}
		if r.IntN(4) > 0 {
			x.until = x.from + r.IntN(10)
		}
		things[thing] = x
		graph := rdf.NewIRI(fmt.Sprintf("urn:g:%d", i%5))
		say(thing, model.ValidFrom, instant(x.from), graph)
		if x.until != open {
			say(thing, model.ValidUntil, instant(x.until), graph)
		}
		say(thing, "urn:x:is", rdf.NewString("a thing"), graph)
	}
	say("urn:x:endless", "urn:x:is", rdf.NewString("a thing"), rdf.NewIRI("urn:g:1"))     // nobody says since when
	say("urn:x:wrong", model.ValidFrom, rdf.NewString("long ago"), rdf.NewIRI("urn:g:1")) // nobody can compare it
	say("urn:x:wrong", "urn:x:is", rdf.NewString("a thing"), rdf.NewIRI("urn:g:1"))
	data := sparql.NewMemory(quads)
	ask := func(query string) (got []string) {
		t.Helper()
		q, err := sparql.Parse("PREFIX varve: <"+model.NS+"> PREFIX xsd: <"+rdf.XSD+"> "+query, "")
		if err != nil {
			t.Fatal(err)
		}
		result, err := sparql.Evaluate(context.Background(), data, q, sparql.Options{UnionDefault: true})
		if err != nil {
			t.Fatal(err)
		}
		for row, err := range result.Solutions {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, row[0].Value)
		}
		slices.Sort(got)
		return got
	}
	for day := range 32 {
		var want []string
		for thing, x := range things {
			if x.from <= day && day < x.until {
				want = append(want, thing)
			}
		}
		slices.Sort(want)
		at := begin.AddDate(0, 0, day).Format(time.DateOnly)
		for _, query := range []string{
			`SELECT ?v { ?v <urn:x:is> ?x FILTER(varve:validAt(?v, "` + at + `T00:00:00Z"^^xsd:dateTime)) }`,
			`SELECT ?v { ?v <urn:x:is> ?x FILTER(varve:validAt(?v, "` + at + `"^^xsd:date)) }`,
			`SELECT ?v { GRAPH ?g { ?v <urn:x:is> ?x FILTER(varve:validAt(?v, "` + at + `T00:00:00Z"^^xsd:dateTime)) } }`,
			`SELECT ?v { ?v <urn:x:is> ?x BIND(varve:validAt(?v, "` + at + `T00:00:00Z"^^xsd:dateTime) AS ?ok) FILTER(?ok) }`,
		} {
			if got := ask(query); !slices.Equal(got, want) {
				t.Errorf("%s\n%s\nwant\n%s", query, strings.Join(got, " "), strings.Join(want, " "))
			}
		}
	}
	// What nobody knows is neither valid nor not; so is a call that is none.
	for _, query := range []string{
		`SELECT ?v { VALUES ?v { <urn:x:endless> <urn:x:wrong> <urn:x:none> } FILTER(varve:validAt(?v, NOW()) || !varve:validAt(?v, NOW())) }`,
		`SELECT ?v { ?v <urn:x:is> ?x FILTER(varve:validAt(?v)) }`,
		`SELECT ?v { ?v <urn:x:is> ?x FILTER(varve:validAt(?v, ?nothing)) }`,
		`SELECT ?v { ?v <urn:x:is> ?x FILTER(varve:validAt(?v, "soon") || !varve:validAt(?v, "soon")) }`,
	} {
		if got := ask(query); len(got) > 0 {
			t.Errorf("%s: %v", query, got)
		}
	}
}
