package w3c

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/kb/rdf"
	"varve/kb/sparql"
)

// outcomeOf reads an answer back from a format that can hold it.
func outcomeOf(t testing.TB, r *sparql.Result, f sparql.ResultFormat) (outcome, error) {
	t.Helper()
	if r.Triples != nil {
		out := outcome{quads: []rdf.Quad{}}
		for q, err := range r.Triples {
			if err != nil {
				return outcome{}, err
			}
			out.quads = append(out.quads, q)
		}
		return out, nil
	}
	var b bytes.Buffer
	if _, err := r.Write(&b, f); err != nil {
		return outcome{}, err
	}
	switch f {
	case sparql.ResultXML:
		return readXML(t, b.Bytes()), nil
	case sparql.ResultTSV:
		return readTSV(t, b.Bytes()), nil
	case sparql.ResultCSV:
		return readCSV(t, b.Bytes()), nil
	}
	return readJSON(t, b.Bytes()), nil
}

// load reads the data of a test: the default graph and the named ones.
func load(t testing.TB, suite *Suite, g Graph, action rdf.Term, data, graphData string) []rdf.Quad {
	t.Helper()
	var all []rdf.Quad
	n := 0
	read := func(iri string, name rdf.Term) {
		n++
		quads, err := rdf.ReadAll(bytes.NewReader(suite.File(t, iri)), rdf.FormatOf(iri), rdf.Options{Base: iri, Scope: fmt.Sprintf("d%d_", n)})
		if err != nil {
			t.Fatalf("%s: %v", iri, err)
		}
		for _, q := range quads {
			if q.Graph.Kind == rdf.None {
				q.Graph = name
			}
			all = append(all, q)
		}
	}
	for _, d := range g[action][data] {
		read(d.Value, rdf.Term{})
	}
	for _, d := range g[action][graphData] {
		if d.Kind == rdf.IRI {
			read(d.Value, d)
			continue
		}
		// A graph with a name of its own.
		file, label := g.One(d, UT+"graph"), g.One(d, RDFS+"label")
		if file.Kind == rdf.None {
			file = g.One(d, QT+"graph")
		}
		read(file.Value, rdf.NewIRI(label.Value))
	}
	return all
}

// Asker answers a query whose relative IRIs are resolved against base; the answer ends with done.
type Asker func(text, base string) (r *sparql.Result, done func() error, err error)

// RunQuery evaluates the query of a test over a dataset that make returns of quads, writes the answer in every format and
// reads it back. It returns why the test fails, or "".
func RunQuery(t testing.TB, suite *Suite, c Test, make func([]rdf.Quad) sparql.Dataset) string {
	t.Helper()
	return RunQueryBy(t, suite, c, func(quads []rdf.Quad) Asker {
		data := make(quads)
		return func(text, base string) (*sparql.Result, func() error, error) {
			q, err := sparql.Parse(text, base)
			if err != nil {
				return nil, nil, err
			}
			r, err := sparql.Evaluate(context.Background(), data, q, sparql.Options{Now: time.Now()})
			return r, func() error { return nil }, err
		}
	})
}

// ServiceData returns what the endpoints have that the query of a test names, by their addresses.
func ServiceData(t testing.TB, suite *Suite, c Test) map[string][]rdf.Quad {
	t.Helper()
	out := map[string][]rdf.Quad{}
	for _, s := range c.Graph[c.Action][QT+"serviceData"] {
		out[c.Graph.One(s, QT+"endpoint").Value] = load(t, suite, c.Graph, s, QT+"data", QT+"graphData")
	}
	return out
}

// RunQueryBy is RunQuery for whatever answers queries: begin makes it of quads.
func RunQueryBy(t testing.TB, suite *Suite, c Test, begin func([]rdf.Quad) Asker) string {
	t.Helper()
	file := c.Graph.One(c.Action, QT+"query").Value
	q, err := sparql.Parse(string(suite.File(t, file)), file)
	if err != nil {
		return err.Error()
	}
	quads := load(t, suite, c.Graph, c.Action, QT+"data", QT+"graphData")
	if c.Graph[c.Action][QT+"data"] == nil { // the dataset is that of the query
		for _, iri := range append(slices.Clone(q.From), q.FromNamed...) {
			if _, ok := suite.Files[strings.TrimPrefix(iri, Base)]; ok {
				more, err := rdf.ReadAll(bytes.NewReader(suite.File(t, iri)), rdf.FormatOf(iri), rdf.Options{Base: iri, Scope: "f" + fmt.Sprint(len(quads)) + "_"})
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range more {
					m.Graph = rdf.NewIRI(iri)
					quads = append(quads, m)
				}
			}
		}
	}
	ask := begin(quads)
	want := expected(t, suite, c.Result.Value)
	formats := []sparql.ResultFormat{sparql.ResultJSON, sparql.ResultXML, sparql.ResultTSV}
	if strings.HasSuffix(c.Result.Value, ".csv") {
		formats = []sparql.ResultFormat{sparql.ResultCSV}
	}
	for _, f := range formats {
		if want.boolean != nil && f == sparql.ResultTSV {
			continue
		}
		r, done, err := ask(string(suite.File(t, file)), file)
		if err != nil {
			return err.Error()
		}
		got, err := outcomeOf(t, r, f)
		if err = errors.Join(err, done()); err != nil {
			return err.Error()
		}
		if want.boolean != nil {
			if got.boolean == nil || *got.boolean != *want.boolean {
				return fmt.Sprintf("%v, want %v", got, want)
			}
			continue
		}
		ordered := want.ordered
		sparql.Walk(q.Pattern, func(op sparql.Op) bool {
			if _, ok := op.(*sparql.OrderBy); ok && q.Form == sparql.Select {
				ordered = true
			}
			_, isProject := op.(*sparql.Project)
			_, isSlice := op.(*sparql.Slice)
			_, isDistinct := op.(*sparql.Distinct)
			return isProject || isSlice || isDistinct
		})
		if !rdf.Isomorphic(got.asQuads(ordered), want.asQuads(ordered)) || len(got.rows) != len(want.rows) {
			return fmt.Sprintf("as %s (ordered %v)\n%v\nwant\n%v", f, ordered, got, want)
		}
	}
	return ""
}

// RunUpdate does the update of a test on a store that begin fills with quads, and compares what is there after it. It
// returns why the test fails, or "".
func RunUpdate(t testing.TB, suite *Suite, c Test, begin func([]rdf.Quad) (tx sparql.Transaction, all func() []rdf.Quad)) string {
	t.Helper()
	return RunUpdateBy(t, suite, c, func(quads []rdf.Quad) (func(text, base string) error, func() []rdf.Quad) {
		tx, all := begin(quads)
		return func(text, base string) error {
			ops, err := sparql.ParseUpdate(text, base)
			if err != nil {
				return err
			}
			return sparql.Update(context.Background(), tx, ops, sparql.UpdateOptions{})
		}, all
	})
}

// RunUpdateBy is RunUpdate for whatever does updates.
func RunUpdateBy(t testing.TB, suite *Suite, c Test, begin func([]rdf.Quad) (do func(text, base string) error, all func() []rdf.Quad)) string {
	t.Helper()
	file := c.Graph.One(c.Action, UT+"request").Value
	do, all := begin(load(t, suite, c.Graph, c.Action, UT+"data", UT+"graphData"))
	if err := do(string(suite.File(t, file)), file); err != nil {
		return err.Error()
	}
	want := load(t, suite, c.Graph, c.Result, UT+"data", UT+"graphData")
	if got := all(); !rdf.Isomorphic(got, want) {
		return fmt.Sprintf("%v\nwant\n%v", got, want)
	}
	return ""
}
