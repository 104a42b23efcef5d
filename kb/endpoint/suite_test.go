package endpoint_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

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
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

const (
	ht  = "http://www.w3.org/2011/http#"
	cnt = "http://www.w3.org/2011/content#"
)

// The suites of the protocol and the graph store protocol: requests with what must be answered.
func TestSuites(t *testing.T) {
	suite := w3c.Open(t, "sparql11")
	var table w3c.Table
	for _, m := range []string{"protocol/manifest.ttl", "graph-store-protocol/manifest.ttl"} {
		for _, c := range suite.Tests(t, w3c.Base+"sparql/sparql11/"+m) {
			store := newStore(t)
			h := endpoint.New(store, endpoint.Config{Updates: true})
			for _, data := range c.Graph[c.ID][w3c.UT+"graphData"] {
				file, label := c.Graph.One(data, w3c.UT+"graph").Value, c.Graph.One(data, w3c.RDFS+"label").Value
				r := httptest.NewRequest("PUT", "/graphs?graph="+label, bytes.NewReader(suite.File(t, file)))
				r.Header.Set("Content-Type", "application/n-triples")
				w := httptest.NewRecorder()
				if h.ServeHTTP(w, r); w.Code >= 300 {
					t.Fatalf("%s: %d %s", file, w.Code, w.Body)
				}
			}
			if why := converse(c, h); why != "" {
				table.Failed(c.Group, c.Name, why)
			} else {
				table.Passed(c.Group)
			}
		}
	}
	table.Report(t, nil)
}

// converse sends the requests of a test, and returns what is wrong with an answer.
func converse(c w3c.Test, h http.Handler) string {
	g := c.Graph
	location := ""
	for i, request := range g.List(g.One(c.Action, ht+"requests")) {
		path := g.One(request, ht+"absolutePath").Value
		path = strings.ReplaceAll(path, "$LOCATION$", location)
		body := strings.ReplaceAll(g.One(g.One(request, ht+"body"), cnt+"chars").Value, "$LOCATION$", location)
		if strings.HasPrefix(path, "/gsp") {
			path = "/graphs" + strings.TrimPrefix(path, "/gsp")
		}
		if rest, ok := strings.CutPrefix(path, "http://www.example"); ok {
			path = rest
		}
		r := httptest.NewRequest(g.One(request, ht+"methodName").Value, "http://www.example"+path, strings.NewReader(body))
		for _, header := range g.List(g.One(request, ht+"headers")) {
			r.Header.Set(g.One(header, ht+"fieldName").Value, g.One(header, ht+"fieldValue").Value)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		response := g.One(request, ht+"resp")
		statuses := ""
		good := false
		for _, s := range g[response][w3c.MF+"expectedStatus"] {
			name := s.Value[strings.LastIndexByte(s.Value, '#')+1:]
			statuses += " " + name
			class, isClass := strings.CutPrefix(name, "StatusCode")
			code := map[string]int{"OK": 200, "Created": 201, "NoContent": 204, "NotFound": 404, "BadRequest": 400}[name]
			good = good || isClass && fmt.Sprint(w.Code)[:1] == class[:1] || code == w.Code
		}
		if !good {
			return fmt.Sprintf("request %d: %s %s: status %d, want%s: %s", i+1, r.Method, path, w.Code, statuses, w.Body)
		}
		media := w.Header().Get("Content-Type")
		if l := g.One(response, w3c.MF+"expectedLocation"); l.Kind != rdf.None {
			if location = w.Header().Get("Location"); location == "" {
				return "no Location"
			}
		}
		switch want := g.One(response, w3c.MF+"expectedFormat").Value; want {
		case "boolean", "tabular":
			if sparql.ResultFormatOf(media) == 0 {
				return fmt.Sprintf("request %d: a %s answer expected, not %s", i+1, want, media)
			}
		case "RDF":
			if rdf.FormatOf(media) == 0 {
				return fmt.Sprintf("request %d: RDF expected, not %s", i+1, media)
			}
		}
		if want := g.One(response, w3c.MF+"expectedBoolean"); want.Kind != rdf.None {
			var got struct{ Boolean bool }
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || fmt.Sprint(got.Boolean) != want.Value {
				return fmt.Sprintf("request %d: %s, want %s (%v)", i+1, w.Body, want.Value, err)
			}
		}
		if want := g.One(g.One(response, ht+"body"), cnt+"chars"); want.Kind != rdf.None && r.Method != "HEAD" {
			base := "http://www.example" + path
			expected, err := rdf.ReadAll(strings.NewReader(want.Value), rdf.Turtle, rdf.Options{Base: base})
			if err != nil {
				return err.Error()
			}
			got, err := rdf.ReadAll(w.Body, rdf.FormatOf(media), rdf.Options{Base: base})
			if err != nil || !rdf.Isomorphic(got, expected) {
				return fmt.Sprintf("request %d: %v, want %v (%v)", i+1, got, expected, err)
			}
		}
	}
	return ""
}
