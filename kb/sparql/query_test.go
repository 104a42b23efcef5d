package sparql_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"varve"
	"varve/kb/rdf"
	"varve/kb/sparql"
)

func cases(t testing.TB) (*sparql.Memory, []txtar.File) {
	t.Helper()
	a, err := txtar.ParseFile("testdata/cases.txtar")
	if err != nil {
		t.Fatal(err)
	}
	quads, err := rdf.ReadAll(bytes.NewReader(a.Files[0].Data), rdf.TriG, rdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return sparql.NewMemory(quads), a.Files[1:]
}

// Cases of our own, which need no data from elsewhere.
func TestCases(t *testing.T) {
	data, files := cases(t)
	for i := 0; i+1 < len(files); i += 2 {
		query, want := files[i], files[i+1]
		q, err := sparql.Parse(string(query.Data), "")
		if err != nil {
			t.Errorf("%s: %v", query.Name, err)
			continue
		}
		r, err := sparql.Evaluate(context.Background(), data, q, sparql.Options{})
		if err != nil {
			t.Errorf("%s: %v", query.Name, err)
			continue
		}
		var out bytes.Buffer
		if _, err := r.Write(&out, sparql.ResultTSV); err != nil {
			t.Errorf("%s: %v", query.Name, err)
		}
		got := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if want.Name == "answer" {
			slices.Sort(got[1:])
		}
		if s := strings.Join(got, "\n") + "\n"; s != string(want.Data) {
			t.Errorf("%s:\n%s\nwant\n%s\nplan\n%s", query.Name, s, want.Data, r.Explain())
		}
	}
}

func TestParseErrors(t *testing.T) {
	for query, want := range map[string]string{
		"SELECT ?x { ?x ?p }":                       "SPARQL, line 1, column 19: a variable or a term expected, not '}'",
		"SELECT ?x\n{ ?x a:b ?y }":                  "SPARQL, line 2, column 6: the prefix a: is not declared",
		"SELECT * { ?x ?y ?z BIND(1 AS ?x) }":       "SPARQL, line 1, column 31: the variable ?x of BIND is bound before it in the same group",
		"SELECT ?x ?y { ?x ?p ?y } GROUP BY ?x":     "SPARQL, line 1, column 1: ?y is selected of groups, and neither grouped by nor aggregated",
		"SELECT (SUM(COUNT(?x)) AS ?n) { ?x ?p 1 }": "SPARQL, line 1, column 13: COUNT cannot stand here: aggregates belong into SELECT, HAVING and ORDER BY, not into each other",
		"ASK { ?x ?p \"a":                           "SPARQL, line 1, column 15: a string without its end, begun in line 1, column 13",
		"ASK { ?x ?p ?o FILTER(REGEX(?o)) }":        "SPARQL, line 1, column 23: REGEX with the wrong number of arguments",
		"ASK " + strings.Repeat("{", 300):           "SPARQL, line 1, column 205: nested deeper than 200 levels",
		"ASK { FILTER(" + strings.Repeat("(", 300):  "SPARQL, line 1, column 213: nested deeper than 200 levels",
		"ASK { FILTER(" + strings.Repeat("!", 300):  "SPARQL, line 1, column 212: nested deeper than 200 levels",
	} {
		if _, err := sparql.Parse(query, ""); err == nil || err.Error() != want {
			t.Errorf("%.40s: %v, want %s", query, err, want)
		}
	}
}

// Queries that would take forever come to a limit that says which, and the context ends them at any time.
func TestHostileQueries(t *testing.T) {
	var quads []rdf.Quad
	for i := range 400 {
		quads = append(quads, rdf.Quad{Triple: rdf.Triple{
			Subject: rdf.NewIRI(fmt.Sprintf("n:%d", i)), Predicate: rdf.NewIRI("p:p"), Object: rdf.NewIRI(fmt.Sprintf("n:%d", (i*7+1)%400)),
		}}, rdf.Quad{Triple: rdf.Triple{
			Subject: rdf.NewIRI(fmt.Sprintf("n:%d", i)), Predicate: rdf.NewIRI("p:q"), Object: rdf.NewIRI(fmt.Sprintf("n:%d", (i*3+2)%400)),
		}})
	}
	data := sparql.NewMemory(quads)
	for name, c := range map[string]struct {
		query, cause string
		o            sparql.Options
	}{
		"product":   {"SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }", "more than 1000 solutions", sparql.Options{MaxRows: 1000}},
		"count":     {"SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }", "took longer", sparql.Options{}},
		"sort":      {"SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?a ?i", "1 MB of memory", sparql.Options{MaxMemory: 1 << 20}},
		"distinct":  {"SELECT DISTINCT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }", "1 MB of memory", sparql.Options{MaxMemory: 1 << 20}},
		"groups":    {"SELECT ?a ?d ?g (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } GROUP BY ?a ?d ?g", "1 MB of memory", sparql.Options{MaxMemory: 1 << 20}},
		"concat":    {"SELECT (GROUP_CONCAT(?a) AS ?x) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }", "1 MB of memory", sparql.Options{MaxMemory: 1 << 20}},
		"paths":     {"SELECT (COUNT(*) AS ?n) { ?a (<p:p>|<p:q>)+ ?b . ?c (<p:p>|<p:q>)* ?d . ?e !<p:p> ?f }", "took longer", sparql.Options{}},
		"ways":      {"SELECT (COUNT(*) AS ?n) { <n:1> " + strings.Repeat("(<p:p>|<p:q>)/", 60) + "<p:p> ?x }", "took longer", sparql.Options{}},
		"regex":     {"SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER REGEX(STR(?a), \"^((n+)*(:|[0-9])*)*$\") }", "took longer", sparql.Options{}},
		"minus":     {"SELECT * { ?a ?b ?c MINUS { ?d ?e ?f . ?g ?h ?i . ?j ?k ?l } }", "1 MB of memory", sparql.Options{MaxMemory: 1 << 20}},
		"exists":    {"SELECT (COUNT(*) AS ?n) { ?a ?b ?c FILTER NOT EXISTS { ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(?a = ?l && ?l = 5) } }", "took longer", sparql.Options{}},
		"construct": {"CONSTRUCT { ?a ?e ?i } { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }", "more than 500 solutions", sparql.Options{MaxRows: 500}},
	} {
		q, err := sparql.Parse(c.query, "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		most := 10 * time.Minute // of those that another limit ends, however busy the machine is
		if c.cause == "took longer" {
			most = 300 * time.Millisecond
		}
		ctx, cancel := context.WithTimeout(context.Background(), most)
		err = drain(ctx, data, q, c.o)
		cancel()
		if err == nil || !strings.Contains(err.Error(), c.cause) || varve.KindOf(err) != varve.Unavailable || varve.HintOf(err) == "" {
			t.Errorf("%s: %v (%s, %q), want %q", name, err, varve.KindOf(err), varve.HintOf(err), c.cause)
		}
		ctx, cancel = context.WithCancel(context.Background())
		cancel()
		if err := drain(ctx, data, q, sparql.Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled: %v", name, err)
		}
	}
}

func drain(ctx context.Context, data sparql.Dataset, q *sparql.Query, o sparql.Options) error {
	r, err := sparql.Evaluate(ctx, data, q, o)
	if err != nil {
		return err
	}
	if r.Solutions != nil {
		for _, err := range r.Solutions {
			if err != nil {
				return err
			}
		}
	}
	if r.Triples != nil {
		for _, err := range r.Triples {
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Whoever takes three solutions pays for three.
func TestSolutionsStream(t *testing.T) {
	data, _ := cases(t)
	q, err := sparql.Parse("SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o . ?p ?q ?r }", "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := sparql.Evaluate(context.Background(), data, q, sparql.Options{MaxRows: 3})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, err := range r.Solutions {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Error(n)
	}
}

// The triple with the fewest quads comes first, whatever the order in which they are written; filters come early.
func TestPlan(t *testing.T) {
	data, _ := cases(t)
	for _, query := range []string{
		"SELECT * { ?p ?any ?thing . ?p <http://example.org/name> ?n . ?p <http://example.org/mail> ?m FILTER(?n != 'x') }",
		"SELECT * { ?p <http://example.org/mail> ?m . ?p <http://example.org/name> ?n . ?p ?any ?thing FILTER(?n != 'x') }",
	} {
		q, err := sparql.Parse(query, "")
		if err != nil {
			t.Fatal(err)
		}
		r, err := sparql.Evaluate(context.Background(), data, q, sparql.Options{})
		if err != nil {
			t.Fatal(err)
		}
		plan := r.Explain()
		any, filter, name, mail := strings.Index(plan, "?any"), strings.Index(plan, "Filter"), strings.Index(plan, "/name>"), strings.Index(plan, "/mail>")
		if any < 0 || any > filter || filter > name || name > mail { // the last step is printed first
			t.Errorf("%s\n%s", query, plan)
		}
	}
}

func FuzzParse(f *testing.F) {
	_, files := cases(f)
	for i := 0; i+1 < len(files); i += 2 {
		f.Add(string(files[i].Data))
	}
	f.Add("WITH <g:g> DELETE { ?s ?p ?o } INSERT { _:a <p:p> [] } USING <g:h> WHERE { ?s ?p ?o } ; CLEAR SILENT ALL")
	data, _ := cases(f)
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = sparql.ParseUpdate(text, "http://example.org/")
		q, err := sparql.Parse(text, "http://example.org/")
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = drain(ctx, data, q, sparql.Options{MaxRows: 1000, MaxMemory: 1 << 20})
	})
}
