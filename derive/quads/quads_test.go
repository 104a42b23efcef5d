package quads_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/archive/warc"
	"varve/coherence/report"
	"varve/crawl"
	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
	"varve/derive/quads"
	"varve/kb/model"
	"varve/kb/rdf"
	"varve/kb/sparql"
	"varve/language"
	"varve/text/layer"
)

const text = "Chancellor Angela Merkel met Barack Obama in Berlin on 12 March 2024. Angela Merkel was a great and honest leader, but the housing policy was a terrible mistake. The housing policy failed. Angela Merkel married Joachim Sauer in 1998. Diego Lopez played for Real Madrid from 2003 to 2007. Diego Lopez married Victoria Adams in 1999. Diego Lopez divorced Victoria Adams in 2007. Diego Lopez married Paula Stone in 2001."

// build makes a collection of two WARC files: a page that changed, one that stayed, a form that was sent.
func build(t *testing.T) *catalog.Collection {
	t.Helper()
	fatal := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	col, err := catalog.Open(t.TempDir()).Collection("news")
	fatal(err)
	fatal(col.Create())
	fatal(os.WriteFile(col.DefinitionFile(), []byte("title = \"News\"\npurpose = \"What was told.\"\n[metadata]\nrights = [\"all reserved\"]\n"), 0o644))
	dir, err := col.CrawlDir("20240101T000000Z")
	fatal(err)
	fatal(os.MkdirAll(dir, 0o755))
	write := func(name string, v any) {
		t.Helper()
		b, err := json.Marshal(v)
		fatal(err)
		fatal(os.WriteFile(filepath.Join(dir, name), b, 0o644))
	}
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	write("definition.json", crawl.Definition{Seeds: []string{"http://news.test/"}})
	write("report.json", crawl.Report{Crawl: "20240101T000000Z", Complete: true, Started: start, Ended: start.Add(time.Hour)})
	write("coherence.json", report.Report{
		Reference: start.Add(time.Minute), Layers: report.Layers{layer.Text: {Coherent: 3, Changed: 1}},
		Worst: []report.Defect{{URL: "http://news.test/", State: report.Changed, Layer: layer.Text, Visit: start}},
	})
	fatal(col.Note(catalog.Event{Time: start, Type: "ingestion", Outcome: "success", Objects: []string{"/from/f0.warc.gz"}}))
	fatal(col.Note(catalog.Event{Time: start, Type: "replication", Outcome: "success", Objects: []string{"/to/bag"}}))
	page := func(text string) string {
		return fmt.Sprintf(`<!doctype html><html lang="en"><head><title>News</title></head><body><article><h1>News of the town</h1><p>%s</p></article></body></html>`, text)
	}
	n := 0
	for i, captures := range [][][2]string{
		{{"/", page(text)}, {"/same?a=%20+b", page("Nothing ever happens here, and nobody minds that much in the town.")}},
		{{"/", page(text + " Then it was over, and everybody went home.")}, {"/same?a=%20+b", page("Nothing ever happens here, and nobody minds that much in the town.")}},
	} {
		var b bytes.Buffer
		enc, err := warc.NewEncoder(warc.Packing{})
		fatal(err)
		fatal(enc.Encode(&b, warc.New(warc.TypeWarcinfo, fmt.Sprintf("<urn:info%d>", i), start, warc.Bytes("software: test\r\nisPartOf: 20240101T000000Z\r\n")).With(warc.FieldContentType, "application/warc-fields")))
		for _, c := range captures {
			block := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + c[1]
			fatal(enc.Encode(&b, warc.New(warc.TypeResponse, fmt.Sprintf("<urn:%d>", n), start.Add(time.Duration(n)*time.Minute), warc.Bytes(block)).
				With(warc.FieldTargetURI, "http://news.test"+c[0]).With(warc.FieldContentType, warc.ContentTypeResponse)))
			n++
		}
		fatal(os.WriteFile(filepath.Join(col.WarcDir(), fmt.Sprintf("f%d.warc.gz", i)), b.Bytes(), 0o644))
	}
	return col
}

func export(t *testing.T, col *catalog.Collection) (all []rdf.Quad, e *quads.Export) {
	t.Helper()
	e = &quads.Export{Collection: col, Dir: filepath.Join(col.Dir(), "derived")}
	for q, err := range e.Quads(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, q)
	}
	return all, e
}

// All that is exported is declared in the ontology and used as it says; the same comes again; graphs are named after what they were taken from.
func TestExport(t *testing.T) {
	col := build(t)
	all, e := export(t, col)
	if e.NoPages != 2 || len(all) == 0 {
		t.Errorf("before derive: %d quads, %d files without captures, want 2", len(all), e.NoPages)
	}
	files, err := col.Files()
	if err != nil {
		t.Fatal(err)
	}
	var o derive.Options
	if _, err := derive.Run(t.Context(), job.Config{Dir: filepath.Join(col.Dir(), "derived")}, files, o); err != nil {
		t.Fatal(err)
	}
	if _, e = export(t, col); e.NoPages != 0 || e.Absent[language.Terms] != 2 {
		t.Errorf("texts were not analysed: %d files without captures, absent %v; want terms of 2 files", e.NoPages, e.Absent)
	}
	o.More, o.Facets = annotate.Jobs(language.Units())
	facts, _, err := annotate.FactsJob(col.Dir())
	if err != nil {
		t.Fatal(err)
	}
	o.More = append(o.More, facts)
	if _, err := derive.Run(t.Context(), job.Config{Dir: filepath.Join(col.Dir(), "derived")}, files, o); err != nil {
		t.Fatal(err)
	}
	if all, e = export(t, col); len(e.Absent) > 0 {
		t.Errorf("absent %v", e.Absent)
	}
	if again, _ := export(t, col); !slices.Equal(all, again) {
		t.Error("two exports differ")
	}
	validate(t, all)
	var b bytes.Buffer
	w := rdf.NewWriter(&b, rdf.NQuads, nil)
	for _, q := range all {
		if err := w.Write(q); err != nil {
			t.Fatal(err)
		}
		name, ok := model.ParseName(q.Graph.Value)
		if !ok || name.Collection != "news" || name.Kind == model.OfVersion || name.Part != "" {
			t.Errorf("a graph that rules cannot be asked about: %s", q)
		}
	}
	data := sparql.NewMemory(all)
	for query, want := range map[string]string{
		// The page changed in its third minute; the other stayed.
		`SELECT ?url ?from ?until { GRAPH ?g { ?v a varve:Version ; varve:url ?url ; varve:validFrom ?from OPTIONAL { ?v varve:validUntil ?until } } } ORDER BY ?url ?from`: "http://news.test/ 2024-01-01T00:00:00Z 2024-01-01T00:02:00Z\n" +
			"http://news.test/ 2024-01-01T00:02:00Z \n" +
			"http://news.test/same?a=%20+b 2024-01-01T00:01:00Z ",
		`SELECT DISTINCT ?g { GRAPH ?g { ?v a varve:Version ; varve:validUntil ?until } }`:                                                                                 "urn:varve:captures:news:20240101000000-20240101000200:http://news.test/",
		`SELECT DISTINCT ?g { GRAPH ?g { ?m varve:names ?e . ?e a varve:Person ; varve:name "Barack Obama" } } ORDER BY ?g`:                                                "urn:varve:capture:news:20240101000000:http://news.test/\nurn:varve:capture:news:20240101000200:http://news.test/",
		`SELECT DISTINCT ?class { GRAPH ?g { ?e a varve:Event ; varve:eventClass ?class ; varve:who/varve:name "Angela Merkel" ; varve:whom/varve:name "Barack Obama" } }`: "meet",
		`SELECT (COUNT(*) > 0 AS ?n) { GRAPH ?g { ?o a varve:Opinion ; varve:about/varve:name "Angela Merkel" ; varve:score ?s FILTER(?s > 0) } }`:                         "true",
		`SELECT (COUNT(*) > 0 AS ?n) { GRAPH ?g { ?m varve:names/varve:name "housing policy" } }`:                                                                          "true",
		`SELECT DISTINCT ?when { GRAPH ?g { ?m varve:text "12 March 2024" ; varve:earliest ?when } }`:                                                                      "2024-03-12T00:00:00Z",
		`SELECT ?n { GRAPH ?g { ?t a varve:Tally ; varve:layer "text" ; varve:coherent ?n } }`:                                                                             "3",
		`SELECT ?url { GRAPH ?g { ?v a varve:Verdict ; varve:state "changed" ; varve:url ?url } }`:                                                                         "http://news.test/",
		`SELECT ?class ?n { GRAPH ?g { ?p a ?class ; varve:name ?n FILTER(STRENDS(STR(?class), "Package")) } } ORDER BY ?class`:                                            "urn:varve:ns#DisseminationPackage bag\nurn:varve:ns#SubmissionPackage f0.warc.gz",
		`SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?c a varve:Capture ; varve:crawl ?r ; varve:file ?f } GRAPH ?r { ?r varve:complete true } GRAPH ?k { ?f a varve:File } }`:    "4",
		// Who was whose at a time, by what a capture tells; who contradicts it has no validity, and is there.
		whoAt("works_for_club", "Real Madrid", "2005-06-01"): "Diego Lopez\nDiego Lopez",
		whoAt("works_for_club", "Real Madrid", "2012-06-01"): "",
		whoAt("spouse", "Joachim Sauer", "2020-01-01"):       "Angela Merkel\nAngela Merkel",
		whoAt("spouse", "Paula Stone", "2003-01-01"):         "",
		`SELECT DISTINCT ?text ?sure { GRAPH ?g { ?s varve:states/varve:object/varve:name "Paula Stone" ; varve:text ?text ; varve:contradicted ?sure } }`:                         "Diego Lopez married Paula Stone in 2001. true",
		`SELECT DISTINCT ?from ?until { GRAPH ?g { ?f a varve:Fact ; varve:object/varve:name "Real Madrid" ; varve:surelyFrom ?from ; varve:surelyUntil ?until } } ORDER BY ?from`: "2003-12-31T00:00:00Z 2007-01-02T00:00:00Z",
	} {
		q, err := sparql.Parse("PREFIX varve: <"+model.NS+"> "+query, "")
		if err != nil {
			t.Fatal(err)
		}
		r, err := sparql.Evaluate(t.Context(), data, q, sparql.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var rows []string
		for row, err := range r.Solutions {
			if err != nil {
				t.Fatal(err)
			}
			var cells []string
			for _, c := range row {
				cells = append(cells, c.Value)
			}
			rows = append(rows, strings.Join(cells, " "))
		}
		if got := strings.Join(rows, "\n"); got != want {
			t.Errorf("%s\n%s\nwant\n%s", query, got, want)
		}
	}
}

// whoAt asks who had a relation to somebody or something at a day.
func whoAt(relation, object, day string) string {
	return fmt.Sprintf(`SELECT ?who { GRAPH ?g { ?f a varve:Fact ; varve:relation %q ; varve:subject/varve:name ?who ; varve:object/varve:name %q FILTER(varve:validAt(?f, %q^^<http://www.w3.org/2001/XMLSchema#date>)) } } ORDER BY ?g`, relation, object, day)
}

// validate holds quads against the ontology: classes and properties that are declared, subjects of the domain, objects of the range.
func validate(t *testing.T, all []rdf.Quad) {
	t.Helper()
	terms, err := model.Ontology()
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]model.Term{}
	for _, term := range terms {
		declared[term.IRI] = term
	}
	var above func(class string) []string
	above = func(class string) (out []string) {
		for _, c := range declared[class].Above {
			out = append(out, append(above(c), c)...)
		}
		return out
	}
	types := map[rdf.Term]map[string]bool{}
	for _, q := range all {
		if q.Predicate.Value == rdf.Type {
			if types[q.Subject] == nil {
				types[q.Subject] = map[string]bool{}
			}
			for _, c := range append(above(q.Object.Value), q.Object.Value) {
				types[q.Subject][c] = true
			}
		}
	}
	used := map[string]bool{}
	for _, q := range all {
		p := declared[q.Predicate.Value]
		if q.Predicate.Value == rdf.Type {
			used[q.Object.Value] = true
			if declared[q.Object.Value].Kind != model.Class {
				t.Errorf("a class that is not declared: %s", q)
			}
			continue
		}
		used[p.IRI] = true
		switch p.Kind {
		case model.DatatypeProperty:
			if q.Object.Kind != rdf.Literal || q.Object.Datatype != p.Range {
				t.Errorf("the value is no %s: %s", p.Range, q)
			}
		case model.ObjectProperty:
			if q.Object.Kind != rdf.IRI || !types[q.Object][p.Range] {
				t.Errorf("the object is no %s: %s", p.Range, q)
			}
		default:
			t.Errorf("a property that is not declared: %s", q)
		}
		if p.Domain != "" && !types[q.Subject][p.Domain] {
			t.Errorf("the subject is no %s: %s", p.Domain, q)
		}
	}
	abstract := []string{"InformationObject", "InformationRealization", "CrawlingConcept", "Annotation", "Package", "ArchivalPackage", "oais"}
	for _, term := range terms {
		if !used[term.IRI] && !slices.Contains(abstract, term.Local()) {
			t.Logf("declared and not used here: %s", term.Local())
		}
	}
}
