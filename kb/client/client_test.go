package client_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve"
	"varve/kb/client"
	"varve/kb/endpoint"
	"varve/kb/rdf"
	"varve/kb/sparql"
	"varve/kb/triplestore"
	"varve/lab/w3c"
)

func newStore(t testing.TB) *triplestore.Store {
	t.Helper()
	s, err := triplestore.Open(vfs.NewMem(), "store", triplestore.Config{CacheBytes: 1 << 20, MemtableBytes: 1 << 20, SortBytes: 1 << 16}, rand.New(rand.NewPCG(1, 2)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// bases makes a base of each kind, empty.
func bases(t testing.TB) map[string]client.Base {
	t.Helper()
	served := newStore(t)
	srv := httptest.NewServer(endpoint.New(served, endpoint.Config{Updates: true}))
	remote, err := client.NewRemote(srv.URL + "/sparql")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]client.Base{"local": &client.Local{Store: newStore(t)}, "remote": closing{remote, func() error {
		srv.Close()
		return served.Close()
	}}}
}

// closing is a base with something behind it.
type closing struct {
	client.Base
	end func() error
}

func (c closing) Close() error {
	if err := c.Base.Close(); err != nil {
		return err
	}
	return c.end()
}

func values(quads []rdf.Quad) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		for _, q := range quads {
			if !yield(q, nil) {
				return
			}
		}
	}
}

func all(t testing.TB, b client.Base, graph string) (out []rdf.Quad) {
	t.Helper()
	for q, err := range b.Quads(t.Context(), graph) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, q)
	}
	return out
}

// The suites of the W3C for queries and updates, asked of a store and of an endpoint through the same interface.
func TestSuites(t *testing.T) {
	for _, kind := range []string{"local", "remote"} {
		t.Run(kind, func(t *testing.T) {
			var table w3c.Table
			suite := w3c.Open(t, "sparql11")
			for _, m := range []string{"manifest-sparql11-query.ttl", "manifest-sparql11-update.ttl"} {
				for _, c := range suite.Tests(t, w3c.Base+"sparql/sparql11/"+m) {
					if c.Type != "QueryEvaluationTest" && c.Type != "UpdateEvaluationTest" {
						continue
					}
					both := bases(t)
					b := both[kind]
					fill := func(quads []rdf.Quad) {
						if n, err := b.Insert(t.Context(), values(quads)); err != nil || len(quads) > 0 && n == 0 {
							t.Fatalf("%s: %d, %v", c.Name, n, err)
						}
					}
					var why string
					if c.Type == "QueryEvaluationTest" {
						why = w3c.RunQueryBy(t, suite, c, func(quads []rdf.Quad) w3c.Asker {
							fill(quads)
							return func(text, base string) (*sparql.Result, func() error, error) {
								a, err := b.Query(t.Context(), text, base)
								if err != nil {
									return nil, nil, err
								}
								return a.Result, a.Close, nil
							}
						})
					} else {
						why = w3c.RunUpdateBy(t, suite, c, func(quads []rdf.Quad) (func(text, base string) error, func() []rdf.Quad) {
							fill(quads)
							return func(text, base string) error { return b.Update(t.Context(), text, base) }, func() []rdf.Quad { return all(t, b, "") }
						})
					}
					for _, b := range both {
						if err := b.Close(); err != nil {
							t.Fatal(err)
						}
					}
					if why != "" {
						table.Failed(c.Group, c.Name, why)
					} else {
						table.Passed(c.Group)
					}
				}
			}
			table.Report(t, nil)
		})
	}
}

// served are endpoints in memory, by their addresses.
type served map[string][]rdf.Quad

func (s served) Select(ctx context.Context, address, query string, each func([]string, []rdf.Term) bool) error {
	quads, ok := s[address]
	if !ok {
		return fmt.Errorf("%s does not answer", address)
	}
	q, err := sparql.Parse(query, "")
	if err != nil {
		return err
	}
	r, err := sparql.Evaluate(ctx, sparql.NewMemory(quads), q, sparql.Options{Services: s})
	if err != nil {
		return err
	}
	for row, err := range r.Solutions {
		if err != nil {
			return err
		}
		if !each(r.Vars, row) {
			return nil
		}
	}
	return nil
}

// The suite of federated queries.
func TestServiceSuite(t *testing.T) {
	suite := w3c.Open(t, "sparql11")
	var table w3c.Table
	for _, c := range suite.Tests(t, w3c.Base+"sparql/sparql11/service/manifest.ttl") {
		others := served(w3c.ServiceData(t, suite, c))
		why := w3c.RunQueryBy(t, suite, c, func(quads []rdf.Quad) w3c.Asker {
			return func(text, base string) (*sparql.Result, func() error, error) {
				q, err := sparql.Parse(text, base)
				if err != nil {
					return nil, nil, err
				}
				r, err := sparql.Evaluate(t.Context(), sparql.NewMemory(quads), q, sparql.Options{Services: others})
				return r, func() error { return nil }, err
			}
		})
		if why != "" {
			table.Failed(c.Group, c.Name, why)
		} else {
			table.Passed(c.Group)
		}
	}
	table.Report(t, nil)
}

// Both kinds of base do the same with the same: one test for both.
func TestBases(t *testing.T) {
	for kind, b := range bases(t) {
		t.Run(kind, func(t *testing.T) {
			defer b.Close()
			ann, name := rdf.NewIRI("http://x.test/ann"), rdf.NewIRI("http://x.test/name")
			g := rdf.NewIRI("http://x.test/g")
			quads := []rdf.Quad{
				{Triple: rdf.Triple{Subject: ann, Predicate: name, Object: rdf.NewLang("Änn \"x\"\n", "de")}},
				{Triple: rdf.Triple{Subject: ann, Predicate: name, Object: rdf.NewBlank("b")}, Graph: g},
				{Triple: rdf.Triple{Subject: rdf.NewBlank("b"), Predicate: name, Object: rdf.NewString("both")}, Graph: g},
			}
			if n, err := b.Insert(t.Context(), values(quads)); err != nil || kind == "remote" && n != 3 {
				t.Fatal(n, err)
			}
			if got := all(t, b, ""); !rdf.Isomorphic(got, quads) {
				t.Errorf("%v, want %v", got, quads)
			}
			if got := all(t, b, g.Value); len(got) != 2 {
				t.Errorf("graph: %v", got)
			}
			if err := b.Update(t.Context(), "DELETE WHERE { <ann> <name> ?x }", "http://x.test/"); err != nil {
				t.Error(err)
			}
			a, err := b.Query(t.Context(), "ASK { ?s ?p ?o }", "")
			if err != nil || a.Boolean {
				t.Fatalf("%+v, %v", a, err)
			}
			if err := a.Close(); err != nil {
				t.Error(err)
			}
			a, err = b.Query(t.Context(), "CONSTRUCT { ?o <knows> ?s } { GRAPH ?g { ?s ?p ?o FILTER(ISBLANK(?o)) } }", "http://x.test/")
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for q, err := range a.Triples {
				if err != nil || q.Predicate.Value != "http://x.test/knows" || q.Object != ann {
					t.Errorf("%v, %v", q, err)
				}
				n++
			}
			if err := a.Close(); err != nil || n != 1 {
				t.Error(n, err)
			}
			for text, kind := range map[string]varve.Kind{"SELECT {": "", "SELECT * { SERVICE <http://elsewhere.test/> { ?s ?p ?o } }": varve.Forbidden} {
				a, err := b.Query(t.Context(), text, "")
				if err == nil {
					for _, bad := range a.Solutions {
						err = bad
					}
					_ = a.Close()
				}
				if err == nil || kind == varve.Forbidden && !strings.Contains(err.Error(), "not allowed") {
					t.Errorf("%s: %v", text, err)
				}
			}
			for _, err := range b.Quads(t.Context(), "http://x.test/none") {
				if varve.KindOf(err) != varve.NotFound {
					t.Errorf("a graph that is not there: %v", err)
				}
			}
		})
	}
}

// An endpoint that answers with something else, too much, too late, or leads elsewhere is told so, and asked no further.
func TestHostileEndpoints(t *testing.T) {
	hang := make(chan struct{})
	mux := http.NewServeMux()
	json := func(w http.ResponseWriter) { w.Header().Set("Content-Type", "application/sparql-results+json") }
	const head = `{"head":{"vars":["s"]},"results":{"bindings":[`
	const row = `{"s":{"type":"literal","value":"x"}}`
	mux.HandleFunc("/html", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>hello</html>") })
	mux.HandleFunc("/endless", func(w http.ResponseWriter, _ *http.Request) {
		json(w)
		_, err := io.WriteString(w, head+row)
		for err == nil {
			_, err = io.WriteString(w, ","+row)
		}
	})
	mux.HandleFunc("/cut", func(w http.ResponseWriter, _ *http.Request) {
		json(w)
		io.WriteString(w, head+row)
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/latest", http.StatusFound)
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no store", 500) })
	mux.HandleFunc("/triples", func(w http.ResponseWriter, _ *http.Request) {
		json(w)
		io.WriteString(w, `{"head":{},"boolean":true}`)
	})
	srv := httptest.NewServer(mux)
	defer srv.Close()
	defer close(hang)
	for path, want := range map[string]string{
		"/html": "answered with text/html", "/endless": "longer than it may be", "/cut": "EOF", "/moved": "redirects are not followed", "/slow": "no whole answer within", "/broken": "answered 500: no store", "/triples": "another question",
		"/none": "answered 404",
	} {
		r, err := client.NewRemote(srv.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		r.MaxBytes, r.Timeout = 1<<16, time.Minute
		if path == "/slow" {
			r.Timeout = 50 * time.Millisecond
		}
		a, err := r.Query(t.Context(), "SELECT ?s { ?s ?p ?o }", "")
		if err == nil {
			for _, bad := range a.Solutions {
				err = bad
			}
			_ = a.Close()
		}
		if err == nil || !strings.Contains(err.Error()+fmt.Sprint(hintOf(err)), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
		_ = r.Close()
	}
	for _, bad := range []string{"", "ftp://x.test/", "http:///", "http://a:b@x.test/", "x.test/sparql"} {
		if _, err := client.NewRemote(bad); varve.KindOf(err) != varve.Invalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func hintOf(err error) string {
	if e, ok := err.(*varve.Error); ok {
		return e.Hint
	}
	return ""
}

// SERVICE reaches what the list names, and nothing else: not by another address of the same machine, not by a name that leads to it, not by a redirect.
func TestServices(t *testing.T) {
	other := newStore(t)
	defer other.Close()
	asked := 0
	inner := endpoint.New(other, endpoint.Config{Updates: true})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		inner.ServeHTTP(w, r)
	}))
	defer srv.Close()
	listed := srv.URL + "/sparql"
	there, err := client.NewRemote(listed)
	if err != nil {
		t.Fatal(err)
	}
	if err := there.Update(t.Context(), `PREFIX : <http://x.test/> INSERT DATA { :ann :age 30 . :bob :age 40 . :cy :age 50 }`, ""); err != nil {
		t.Fatal(err)
	}
	services, err := client.NewServices([]string{listed})
	if err != nil {
		t.Fatal(err)
	}
	here := &client.Local{Store: newStore(t), Options: sparql.Options{Services: services}}
	defer here.Close()
	if err := here.Update(t.Context(), `PREFIX : <http://x.test/> INSERT DATA { :ann :name "Ann" . :bob :name "Bob" . :x :at <`+listed+`> . :x :at <http://169.254.169.254/sparql> }`, ""); err != nil {
		t.Fatal(err)
	}
	rows := func(text string) (out []string, err error) {
		a, err := here.Query(t.Context(), "PREFIX : <http://x.test/>\n"+text, "")
		if err != nil {
			return nil, err
		}
		defer a.Close()
		for row, err := range a.Solutions {
			if err != nil {
				return nil, err
			}
			var one []string
			for _, x := range row {
				one = append(one, x.Value)
			}
			out = append(out, strings.Join(one, " "))
		}
		slices.Sort(out)
		return out, nil
	}
	asked = 0
	for text, want := range map[string]string{
		"SELECT ?n ?a { ?s :name ?n SERVICE <" + listed + "> { ?s :age ?a } }":                                           "Ann 30|Bob 40",
		"SELECT ?n ?a { ?s :name ?n SERVICE <" + listed + "> { ?s :age ?a FILTER(?a > 35) } # }\n }":                     "Bob 40",
		"SELECT ?n ?a { :x :at ?e FILTER(STRSTARTS(STR(?e), '" + srv.URL + "')) ?s :name ?n SERVICE ?e { ?s :age ?a } }": "Ann 30|Bob 40",
		"SELECT ?n ?a { ?s :name ?n OPTIONAL { SERVICE <" + listed + "> { ?s :age ?a FILTER(?a < 35) } } }":              "Ann 30|Bob ",
		"SELECT ?n ?a { ?s :name ?n SERVICE SILENT <http://127.0.0.1:1/sparql> { ?s :age ?a } }":                         "Ann |Bob ",
		"SELECT (COUNT(*) AS ?n) { SERVICE <" + listed + "> { SELECT ?s { ?s :age ?a } ORDER BY ?a LIMIT 2 } }":          "2",
	} {
		got, err := rows(text)
		if err != nil || strings.Join(got, "|") != want {
			t.Errorf("%s: %v, %v, want %s", text, got, err, want)
		}
	}
	if asked != 5 {
		t.Errorf("the endpoint was asked %d times, once for each query with it was expected", asked)
	}
	port := listed[strings.LastIndex(listed, ":"):]
	for _, address := range []string{"http://localhost" + port, "http://[::1]" + port, strings.Replace(listed, "/sparql", "/graphs", 1), listed + "?x=1", "http://169.254.169.254/sparql", "file:///etc/passwd", "urn:x"} {
		if _, err := rows("SELECT * { SERVICE <" + address + "> { ?s ?p ?o } }"); varve.KindOf(err) != varve.Forbidden {
			t.Errorf("%s: %v", address, err)
		}
	}
	if asked != 5 {
		t.Errorf("it was asked %d times by addresses that are not listed", asked-5)
	}
	// A name that leads to this machine is not this machine.
	named, err := client.NewRemote("http://localhost.localdomain" + port)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := named.Query(t.Context(), "ASK {}", ""); err == nil || asked != 5 {
		t.Errorf("a name that leads to this machine: %v", err)
	}
}
