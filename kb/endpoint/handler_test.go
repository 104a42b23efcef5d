package endpoint_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"varve/kb/endpoint"
	"varve/kb/rdf"
	"varve/kb/sparql"
	"varve/kb/triplestore"
)

func TestAnswers(t *testing.T) {
	store := newStore(t)
	h := endpoint.New(store, endpoint.Config{Updates: true, Hosts: []string{"example.com"}})
	readOnly := endpoint.New(store, endpoint.Config{Limits: sparql.Options{MaxRows: 3}})
	slow := endpoint.New(store, endpoint.Config{Timeout: 100 * time.Millisecond})
	small := endpoint.New(store, endpoint.Config{Updates: true, MaxBody: 100})
	var data strings.Builder
	for i := range 300 {
		data.WriteString("<n:" + strings.Repeat("x", i%7) + "> <p:p> " + strings.Repeat("1", i%9+1) + string(rune('0'+i%10)) + " .\n")
	}
	for _, c := range []struct {
		name         string
		h            *endpoint.Handler
		method, path string
		headers      string // name: value, by lines
		body         string
		status       int
		media, text  string
	}{
		{"put a graph", h, "PUT", "/graphs?default", "Content-Type: text/turtle", data.String(), 204, "", ""},
		{"CSV", h, "GET", "/sparql?query=SELECT+%28COUNT%28*%29+AS+%3Fn%29+%7B%3Fs+%3Fp+%3Fo%7D", "Accept: text/html;q=0.1, text/csv", "", 200, "text/csv", "n\r\n"},
		{"RDF/XML", h, "GET", "/graphs?default", "Accept: application/rdf+xml, text/turtle;q=0.5", "", 200, "application/rdf+xml", "<rdf:RDF"},
		{"everything as TriG", h, "GET", "/graphs", "Accept: text/turtle", "", 200, "application/trig", "<p:p>"},
		{"description", h, "GET", "/sparql", "", "", 200, "text/turtle", "SPARQL11Update"},
		{"description of one that only reads", readOnly, "GET", "/sparql", "Accept: application/ld+json", "", 200, "application/ld+json", "SPARQL11Query"},
		{"bad query", h, "GET", "/sparql?query=SELECT", "", "", 400, "application/problem+json", "line 1, column 7"},
		{"bad Turtle", h, "POST", "/graphs?default", "Content-Type: text/turtle", "<a:a> b", 400, "application/problem+json", "line 1, column 7"},
		{"format that is not read", h, "POST", "/graphs?default", "Content-Type: application/ld+json", "[]", 415, "application/problem+json", "no format of RDF"},
		{"updates forbidden", readOnly, "POST", "/sparql", "Content-Type: application/sparql-update", "CLEAR ALL", 403, "application/problem+json", "queries only"},
		{"writes forbidden", readOnly, "DELETE", "/graphs?default", "", "", 403, "application/problem+json", "queries only"},
		{"too many solutions", readOnly, "GET", "/sparql?query=SELECT+*+%7B%3Fs+%3Fp+%3Fo%7D", "", "", 503, "application/problem+json", "more than 3 solutions"},
		{"too slow", slow, "GET", "/sparql?query=ASK+%7B%3Fa+%3Fb+%3Fc.%3Fd+%3Fe+%3Ff.%3Fg+%3Fh+%3Fi.%3Fj+%3Fk+%3Fl.+FILTER%28%3Fl+%3D+%22x%22%29%7D", "", "", 503, "application/problem+json", "took longer"},
		{"too large", small, "POST", "/sparql", "Content-Type: application/sparql-query", strings.Repeat(" ", 200), 413, "application/problem+json", "too large"},
		{"no service", h, "GET", "/sparql?query=ASK+%7BSERVICE+%3Chttp%3A%2F%2Fx%2F%3E+%7B%3Fa+%3Fb+%3Fc%7D%7D", "", "", 403, "application/problem+json", "other endpoints"},
		{"no LOAD", h, "POST", "/sparql", "Content-Type: application/sparql-update", "LOAD <http://127.0.0.1/>", 403, "application/problem+json", "not allowed"},
		{"another host", h, "GET", "http://evil.example/sparql", "", "", 403, "application/problem+json", "evil.example"},
		{"another site", h, "POST", "/sparql", "Content-Type: application/x-www-form-urlencoded\nOrigin: http://evil.example", "update=CLEAR+ALL", 403, "", "cross-origin"},
		{"still there", h, "GET", "/sparql?query=ASK+%7B%3Fs+%3Fp+%3Fo%7D", "", "", 200, "application/sparql-results+json", `"boolean":true`},
	} {
		r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
		for line := range strings.Lines(c.headers) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		c.h.ServeHTTP(w, r)
		if w.Code != c.status || !strings.HasPrefix(w.Header().Get("Content-Type"), c.media) || !strings.Contains(w.Body.String(), c.text) {
			t.Errorf("%s: %d %s\n%.300s", c.name, w.Code, w.Header().Get("Content-Type"), w.Body)
		}
	}
}

// The description says where the endpoint is.
func TestDescription(t *testing.T) {
	w := httptest.NewRecorder()
	endpoint.New(newStore(t), endpoint.Config{}).ServeHTTP(w, httptest.NewRequest("GET", "http://www.example/sparql", nil))
	quads, err := rdf.ReadAll(w.Body, rdf.Turtle, rdf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range quads {
		if strings.HasSuffix(q.Predicate.Value, "#endpoint") && q.Object.Value == "http://www.example/sparql" {
			return
		}
	}
	t.Errorf("no endpoint among %v", quads)
}

// Queries that ask for too much come to their limits, on disk too, while others are answered.
func TestHostileClients(t *testing.T) {
	store := newStore(t)
	h := endpoint.New(store, endpoint.Config{Updates: true})
	var data strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&data, "<n:%d> <p:p> <n:%d>, \"x%d\" .\n", i, (i*7+1)%3000, i)
	}
	ask := func(h http.Handler, query string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/sparql?query="+url.QueryEscape(query), nil))
		return w
	}
	put := httptest.NewRequest(http.MethodPut, "/graphs?default", strings.NewReader(data.String()))
	put.Header.Set("Content-Type", "text/turtle")
	h.ServeHTTP(httptest.NewRecorder(), put)
	limits := sparql.Options{MaxMemory: 256 << 10, MaxDisk: 2 << 20, Scratch: store.Scratch(), MaxRows: -1}
	timed := endpoint.New(store, endpoint.Config{Limits: limits, Timeout: 300 * time.Millisecond})
	bounded := endpoint.New(store, endpoint.Config{Limits: limits, Timeout: time.Hour})
	var hostile sync.WaitGroup
	for query, c := range map[string]struct {
		h     http.Handler
		cause string
	}{
		"SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }":                                     {timed, "took longer"},
		"SELECT (COUNT(*) AS ?n) { ?a (<p:p>|^<p:p>)* ?b . ?c <p:p>+ ?d }":                               {timed, "took longer"},
		"ASK { ?a ?b ?c . ?d ?e ?f FILTER REGEX(CONCAT(STR(?c), STR(?f)), \"^((n+)*(:|[0-9x])*)*!$\") }": {timed, "took longer"},
		"SELECT * { ?a ?b ?c . ?d ?e ?f } ORDER BY ?f ?a":                                                {bounded, "2 MB of disk"},
		"SELECT (COUNT(*) AS ?n) { { SELECT DISTINCT ?a ?c ?d ?f { ?a ?b ?c . ?d ?e ?f } } }":            {bounded, "2 MB of disk"},
		"SELECT ?a ?d (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f } GROUP BY ?a ?d":                           {bounded, "2 MB of disk"},
		"SELECT * { ?a ?b ?c { SELECT ?a ?d ?f { ?a ?p ?x . ?d ?e ?f } } }":                              {bounded, "2 MB of disk"},
	} {
		hostile.Go(func() {
			if w := ask(c.h, query); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), c.cause) {
				t.Errorf("%s: %d %.300s, want %q", query, w.Code, w.Body, c.cause)
			}
		})
	}
	done := make(chan struct{})
	go func() {
		hostile.Wait()
		close(done)
	}()
	for answered := 0; ; answered++ {
		if w := ask(h, "SELECT ?o { <n:7> <p:p> ?o } ORDER BY ?o"); w.Code != 200 || strings.Count(w.Body.String(), `"value"`) != 2 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		select {
		case <-done:
			t.Logf("%d others answered meanwhile", answered)
			return
		default:
		}
	}
}

// Nobody keeps others from asking: so many requests are answered at a time, and fewer of one client.
func TestAtOnce(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	store := newStore(t)
	h := endpoint.NewLent(func() (*triplestore.Store, func(), error) {
		begun <- struct{}{}
		<-release
		return store, func() {}, nil
	}, endpoint.Config{AtOnce: 3, PerClient: 2, Client: func(r *http.Request) string { return r.Header.Get("X-Client") }})
	ask := func(client string) int {
		r := httptest.NewRequest("GET", "/sparql?query=ASK{}", nil)
		r.Header.Set("X-Client", client)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	answers := make(chan int)
	for _, client := range []string{"a", "a", "b"} {
		go func() { answers <- ask(client) }()
		<-begun
		if client == "a" {
			continue
		}
		for _, other := range []string{"a", "b", "c"} {
			if status := ask(other); status != http.StatusTooManyRequests {
				t.Errorf("a fourth, of %s: %d", other, status)
			}
		}
	}
	release <- struct{}{}
	release <- struct{}{}
	release <- struct{}{}
	for range 3 {
		if status := <-answers; status != 200 {
			t.Errorf("one of those that were let in: %d", status)
		}
	}
	go func() { answers <- ask("a") }()
	<-begun
	go func() { answers <- ask("a") }()
	<-begun
	if status := ask("a"); status != http.StatusTooManyRequests {
		t.Errorf("a third of one: %d", status)
	}
	close(release)
	if status := errors.Join(statusError(<-answers), statusError(<-answers)); status != nil {
		t.Error(status)
	}
}

func statusError(status int) error {
	if status != 200 {
		return fmt.Errorf("status %d", status)
	}
	return nil
}
