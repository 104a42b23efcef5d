package w3c

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"varve/kb/rdf"
	"varve/kb/rdf/xsd"
	"varve/kb/sparql"
)

// outcome is an answer as tests compare it: of Ask, of Select, or a graph.
type outcome struct {
	boolean *bool
	vars    []string
	rows    []map[string]rdf.Term
	ordered bool
	quads   []rdf.Quad
}

// asQuads makes a graph of solutions, so that they can be compared up to the names of blank nodes.
func (o outcome) asQuads(ordered bool) []rdf.Quad {
	if o.quads != nil || o.rows == nil {
		return normal(o.quads)
	}
	var all []rdf.Quad
	for i, r := range o.rows {
		row := rdf.NewBlank("row" + strconv.Itoa(i) + "_")
		all = append(all, rdf.Quad{Triple: rdf.Triple{Subject: row, Predicate: rdf.NewIRI("is:row"), Object: rdf.NewString("")}})
		if ordered {
			all = append(all, rdf.Quad{Triple: rdf.Triple{Subject: row, Predicate: rdf.NewIRI("is:number"), Object: rdf.NewString(strconv.Itoa(i))}})
		}
		for v, t := range r {
			all = append(all, rdf.Quad{Triple: rdf.Triple{Subject: row, Predicate: rdf.NewIRI("var:" + v), Object: t}})
		}
	}
	return normal(all)
}

// normal puts numbers into their canonical forms: results of computations are given by value.
func normal(quads []rdf.Quad) []rdf.Quad {
	var out []rdf.Quad
	for _, q := range quads {
		if o := q.Object; o.Kind == rdf.Literal {
			if c, ok := xsd.Canonical(o.Value, o.Datatype); ok && o.Datatype != rdf.DateTime {
				q.Object.Value = c
			}
		}
		out = append(out, q)
	}
	return out
}

// expected reads the result file of a test.
func expected(t testing.TB, suite *Suite, iri string) outcome {
	t.Helper()
	body := suite.File(t, iri)
	ending := iri[strings.LastIndexByte(iri, '.')+1:]
	switch ending {
	case "srx":
		return readXML(t, body)
	case "srj":
		return readJSON(t, body)
	case "tsv":
		return readTSV(t, body)
	case "csv":
		return readCSV(t, body)
	}
	quads, err := rdf.ReadAll(bytes.NewReader(body), rdf.FormatOf(iri), rdf.Options{Base: iri})
	if err != nil {
		t.Fatalf("%s: %v", iri, err)
	}
	const rs = "http://www.w3.org/2001/sw/DataAccess/tests/result-set#"
	g := suite.Load(t, iri)
	for s, about := range g {
		for _, class := range about[rdf.Type] {
			if class.Value == rs+"ResultSet" {
				return resultSet(g, s, rs)
			}
		}
	}
	if quads == nil {
		quads = []rdf.Quad{}
	}
	return outcome{quads: quads}
}

// resultSet reads solutions that are written as RDF.
func resultSet(g Graph, s rdf.Term, rs string) outcome {
	if b := g.One(s, rs+"boolean"); b.Kind != rdf.None {
		value := b.Value == "true"
		return outcome{boolean: &value}
	}
	out := outcome{rows: []map[string]rdf.Term{}}
	for _, v := range g[s][rs+"resultVariable"] {
		out.vars = append(out.vars, v.Value)
	}
	byIndex := map[int]map[string]rdf.Term{}
	for _, solution := range g[s][rs+"solution"] {
		row := map[string]rdf.Term{}
		for _, b := range g[solution][rs+"binding"] {
			row[g.One(b, rs+"variable").Value] = g.One(b, rs+"value")
		}
		if i := g.One(solution, rs+"index"); i.Kind != rdf.None {
			n, _ := strconv.Atoi(i.Value)
			byIndex[n] = row
			out.ordered = true
		}
		out.rows = append(out.rows, row)
	}
	if out.ordered {
		for i := range out.rows {
			out.rows[i] = byIndex[i+1]
		}
	}
	return out
}

func readXML(t testing.TB, body []byte) outcome {
	t.Helper()
	type value struct {
		Lang     string `xml:"http://www.w3.org/XML/1998/namespace lang,attr"`
		Datatype string `xml:"datatype,attr"`
		Text     string `xml:",chardata"`
	}
	var doc struct {
		Vars []struct {
			Name string `xml:"name,attr"`
		} `xml:"head>variable"`
		Boolean *bool `xml:"boolean"`
		Results []struct {
			Bindings []struct {
				Name    string  `xml:"name,attr"`
				URI     *string `xml:"uri"`
				Blank   *string `xml:"bnode"`
				Literal *value  `xml:"literal"`
			} `xml:"binding"`
		} `xml:"results>result"`
	}
	if err := xml.Unmarshal(body, &doc); err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	out := outcome{boolean: doc.Boolean, rows: []map[string]rdf.Term{}}
	for _, v := range doc.Vars {
		out.vars = append(out.vars, v.Name)
	}
	for _, r := range doc.Results {
		row := map[string]rdf.Term{}
		for _, b := range r.Bindings {
			switch {
			case b.URI != nil:
				row[b.Name] = rdf.NewIRI(*b.URI)
			case b.Blank != nil:
				row[b.Name] = rdf.NewBlank(*b.Blank)
			case b.Literal.Lang != "":
				row[b.Name] = rdf.NewLang(b.Literal.Text, b.Literal.Lang)
			case b.Literal.Datatype != "":
				row[b.Name] = rdf.NewLiteral(b.Literal.Text, b.Literal.Datatype)
			default:
				row[b.Name] = rdf.NewString(b.Literal.Text)
			}
		}
		out.rows = append(out.rows, row)
	}
	return out
}

func readJSON(t testing.TB, body []byte) outcome {
	t.Helper()
	res, err := sparql.ReadResult(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	if res.Form == sparql.Ask {
		return outcome{boolean: &res.Boolean}
	}
	out := outcome{vars: res.Vars, rows: []map[string]rdf.Term{}}
	for terms, err := range res.Solutions {
		if err != nil {
			t.Fatalf("%v\n%s", err, body)
		}
		row := map[string]rdf.Term{}
		for i, term := range terms {
			if term.Kind != rdf.None {
				row[res.Vars[i]] = term
			}
		}
		out.rows = append(out.rows, row)
	}
	return out
}

func readTSV(t testing.TB, body []byte) outcome {
	t.Helper()
	out := outcome{rows: []map[string]rdf.Term{}}
	lines := bufio.NewScanner(bytes.NewReader(body))
	for lines.Scan() {
		cells := strings.Split(strings.TrimRight(lines.Text(), "\r"), "\t")
		if out.vars == nil {
			for _, c := range cells {
				out.vars = append(out.vars, strings.TrimPrefix(c, "?"))
			}
			continue
		}
		row := map[string]rdf.Term{}
		for i, c := range cells {
			if c == "" {
				continue
			}
			quads, err := rdf.ReadAll(strings.NewReader("<a:a> <a:b> "+c+" ."), rdf.Turtle, rdf.Options{})
			if err != nil {
				t.Fatalf("%q: %v", c, err)
			}
			row[out.vars[i]] = quads[0].Object
		}
		out.rows = append(out.rows, row)
	}
	return out
}

// readCSV reads values as strings: the format does not say what they are.
func readCSV(t testing.TB, body []byte) outcome {
	t.Helper()
	out := outcome{rows: []map[string]rdf.Term{}}
	r := csv.NewReader(bytes.NewReader(body))
	r.FieldsPerRecord = -1
	records, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, rec := range records {
		if i == 0 {
			out.vars = rec
			continue
		}
		row := map[string]rdf.Term{}
		for j, c := range rec {
			if label, ok := strings.CutPrefix(c, "_:"); ok {
				row[out.vars[j]] = rdf.NewBlank(label)
			} else if c != "" {
				row[out.vars[j]] = rdf.NewString(c)
			}
		}
		out.rows = append(out.rows, row)
	}
	return out
}

func (o outcome) String() string {
	if o.boolean != nil {
		return fmt.Sprint(*o.boolean)
	}
	var b strings.Builder
	fmt.Fprintln(&b, o.vars)
	for _, r := range o.rows {
		fmt.Fprintln(&b, r)
	}
	for _, q := range o.quads {
		fmt.Fprintln(&b, q)
	}
	return b.String()
}
