package sparql_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"varve"
	"varve/kb/rdf"
	"varve/kb/sparql"
)

// numbers returns n things with a value each, many of them in common, and an order of their own.
func numbers(n int) *sparql.Memory {
	var quads []rdf.Quad
	for i := range n {
		s := rdf.NewIRI(fmt.Sprintf("n:%d", i))
		quads = append(quads,
			rdf.Quad{Triple: rdf.Triple{Subject: s, Predicate: rdf.NewIRI("p:v"), Object: rdf.NewLiteral(fmt.Sprint(i*7919%n), rdf.Integer)}},
			rdf.Quad{Triple: rdf.Triple{Subject: s, Predicate: rdf.NewIRI("p:w"), Object: rdf.NewLiteral(fmt.Sprint(i%97), rdf.Integer)}})
	}
	return sparql.NewMemory(quads)
}

// countedScratch counts what is made and closed, and can be full.
type countedScratch struct {
	sparql.Scratch
	dir                string
	made, closed, room int
}

func (c *countedScratch) Create() (sparql.ScratchFile, error) {
	f, err := c.Scratch.Create()
	if err != nil {
		return nil, err
	}
	if named, err := os.ReadDir(c.dir); err != nil || len(named) > 0 { // a kill would leave it
		return nil, fmt.Errorf("a temporary file has a name: %v %w", named, err)
	}
	c.made++
	return &countedFile{ScratchFile: f, of: c}, nil
}

type countedFile struct {
	sparql.ScratchFile
	of *countedScratch
}

var errFull = errors.New("no space left on device")

func (f *countedFile) Write(b []byte) (int, error) {
	if f.of.room -= len(b); f.of.room < 0 {
		return 0, errFull
	}
	return f.ScratchFile.Write(b)
}

func (f *countedFile) Close() error {
	f.of.closed++
	return f.ScratchFile.Close()
}

var spilling = map[string]string{
	"order":          "SELECT ?s ?v { ?s <p:v> ?v } ORDER BY DESC(?v) ?s",
	"order by text":  "SELECT ?s { ?s <p:v> ?v } ORDER BY (STRLEN(STR(?s))) STR(?v)",
	"distinct":       "SELECT DISTINCT ?s ?v { ?s <p:v> ?v . ?s ?p ?o }",
	"distinct order": "SELECT DISTINCT ?v { ?s <p:v> ?v . ?s ?p ?o } ORDER BY DESC(?v)",
	"groups":         "SELECT ?v (COUNT(*) AS ?n) (SUM(?o) AS ?sum) { ?s <p:v> ?v . ?s ?p ?o } GROUP BY ?v",
	"join":           "SELECT ?s ?v ?w { ?s <p:v> ?v { SELECT ?s ?w { ?s <p:w> ?w } } }",
	"optional":       "SELECT ?s ?v ?w { ?s <p:v> ?v OPTIONAL { SELECT ?s ?w { ?s <p:w> ?w FILTER(?w > 5) } } }",
	"minus":          "SELECT ?s ?v { ?s <p:v> ?v MINUS { ?s <p:w> ?w FILTER(?w > 5) } }",
	"table of quads": "SELECT (COUNT(*) AS ?n) (SUM(?v) AS ?sum) { ?s <p:v> ?v . ?s <p:w> ?w }",
	"both":           "SELECT ?w (COUNT(DISTINCT ?s) AS ?n) { { SELECT DISTINCT ?s ?w { ?s <p:w> ?w . ?s ?p ?o } ORDER BY ?w } } GROUP BY ?w ORDER BY ?n ?w",
}

func rows(data sparql.Dataset, query string, o sparql.Options) ([]string, error) {
	q, err := sparql.Parse(query, "")
	if err != nil {
		return nil, err
	}
	r, err := sparql.Evaluate(context.Background(), data, q, o)
	if err != nil {
		return nil, err
	}
	var all []string
	for row, err := range r.Solutions {
		if err != nil {
			return all, err
		}
		all = append(all, fmt.Sprint(row))
	}
	if !strings.Contains(query, "ORDER BY") {
		slices.Sort(all)
	}
	return all, nil
}

// With little memory the answers are those that much memory gives; no file is left open, and none has a name.
func TestSpill(t *testing.T) {
	data := numbers(6000)
	for name, query := range spilling {
		want, err := rows(data, query, sparql.Options{})
		if err != nil {
			t.Fatal(err)
		}
		little := sparql.Options{MaxMemory: 256 << 10}
		if name == "both" {
			little.MaxMemory = 1 << 20 // COUNT(DISTINCT) is held
		}
		if _, err := rows(data, query, little); name != "table of quads" && varve.KindOf(err) != varve.Unavailable {
			t.Errorf("%s: needs no disk: %v", name, err)
		}
		dir := t.TempDir()
		scratch := &countedScratch{Scratch: sparql.TempDir(dir), dir: dir, room: 1 << 40}
		little.Scratch = scratch
		got, err := rows(data, query, little)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v: %d rows, want %d", name, err, len(got), len(want))
		}
		if scratch.made == 0 && name != "table of quads" || scratch.made != scratch.closed {
			t.Errorf("%s: %d files made, %d closed", name, scratch.made, scratch.closed)
		}
		if name == "table of quads" {
			continue
		}
		little.MaxDisk = 20 << 10
		if _, err := rows(data, query, little); varve.KindOf(err) != varve.Unavailable || !strings.Contains(err.Error(), "of disk") {
			t.Errorf("%s: beyond the limit of disk: %v", name, err)
		}
		little.MaxDisk = 0
		scratch.room = 20 << 10
		if _, err := rows(data, query, little); !errors.Is(err, errFull) {
			t.Errorf("%s: a full disk: %v", name, err)
		}
		if scratch.made != scratch.closed {
			t.Errorf("%s: after errors: %d files made, %d closed", name, scratch.made, scratch.closed)
		}
	}
}
