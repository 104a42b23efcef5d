package sparql_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/kb/rdf"
	"varve/kb/sparql"
	"varve/lab/w3c"
)

const suite11 = w3c.Base + "sparql/sparql11/"

// The groups of the suites of SPARQL 1.1 and 1.0 whose tests are of syntax.
func TestSyntaxSuites(t *testing.T) {
	var table w3c.Table
	for name, manifests := range map[string][]string{
		"sparql11": {"syntax-query", "syntax-update-1", "syntax-update-2", "syntax-fed"},
		"sparql10": {"syntax-sparql1", "syntax-sparql2", "syntax-sparql3", "syntax-sparql4", "syntax-sparql5"},
	} {
		suite := w3c.Open(t, name)
		for _, m := range manifests {
			for _, c := range suite.Tests(t, w3c.Base+"sparql/"+name+"/"+m+"/manifest.ttl") {
				text := string(suite.File(t, c.Action.Value))
				var err error
				if strings.Contains(c.Type, "Update") {
					_, err = sparql.ParseUpdate(text, c.Action.Value)
				} else {
					_, err = sparql.Parse(text, c.Action.Value)
				}
				switch negative := strings.HasPrefix(c.Type, "Negative"); {
				case negative && err == nil:
					table.Failed(c.Group, c.Name, "was read, and must not be: "+text)
				case !negative && err != nil:
					table.Failed(c.Group, c.Name, err.Error())
				default:
					table.Passed(c.Group)
				}
			}
		}
	}
	table.Report(t, nil)
}

// ask evaluates a query and reads the answer back from each format that can hold it.
func ask(t *testing.T, data sparql.Dataset, q *sparql.Query, o sparql.Options, f sparql.ResultFormat) (outcome, error) {
	t.Helper()
	r, err := sparql.Evaluate(context.Background(), data, q, o)
	if err != nil {
		return outcome{}, err
	}
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
func load(t *testing.T, suite *w3c.Suite, g w3c.Graph, action rdf.Term, data, graphData string) []rdf.Quad {
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
		file, label := g.One(d, w3c.UT+"graph"), g.One(d, w3c.RDFS+"label")
		if file.Kind == rdf.None {
			file = g.One(d, w3c.QT+"graph")
		}
		read(file.Value, rdf.NewIRI(label.Value))
	}
	return all
}

func TestQuerySuites(t *testing.T) {
	var table w3c.Table
	for name, manifests := range map[string][]string{
		"sparql11": {"manifest-sparql11-query.ttl", "manifest-sparql11-results.ttl"},
		"sparql10": {"manifest-evaluation.ttl"},
	} {
		suite := w3c.Open(t, name)
		for _, m := range manifests {
			for _, c := range suite.Tests(t, w3c.Base+"sparql/"+name+"/"+m) {
				if c.Type != "QueryEvaluationTest" && c.Type != "CSVResultFormatTest" {
					continue
				}
				if why := runQuery(t, suite, c); why != "" {
					table.Failed(c.Group, c.Name, why)
				} else {
					table.Passed(c.Group)
				}
			}
		}
	}
	table.Report(t, nil)
}

// runQuery returns why a test fails, or "".
func runQuery(t *testing.T, suite *w3c.Suite, c w3c.Test) string {
	t.Helper()
	file := c.Graph.One(c.Action, w3c.QT+"query").Value
	q, err := sparql.Parse(string(suite.File(t, file)), file)
	if err != nil {
		return err.Error()
	}
	quads := load(t, suite, c.Graph, c.Action, w3c.QT+"data", w3c.QT+"graphData")
	if c.Graph[c.Action][w3c.QT+"data"] == nil { // the dataset is that of the query
		for _, iri := range append(slices.Clone(q.From), q.FromNamed...) {
			if _, ok := suite.Files[strings.TrimPrefix(iri, w3c.Base)]; ok {
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
	data := sparql.NewMemory(quads)
	want := expected(t, suite, c.Result.Value)
	formats := []sparql.ResultFormat{sparql.ResultJSON, sparql.ResultXML, sparql.ResultTSV}
	if strings.HasSuffix(c.Result.Value, ".csv") {
		formats = []sparql.ResultFormat{sparql.ResultCSV}
	}
	for _, f := range formats {
		if want.boolean != nil && f == sparql.ResultTSV {
			continue
		}
		got, err := ask(t, data, q, sparql.Options{Now: time.Now()}, f)
		if err != nil {
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
