package serve_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve"
	"varve/archive/catalog"
	"varve/derive/quads"
	"varve/kb/rdf"
	"varve/kb/triplestore"
	"varve/serve"
	"varve/serve/access"
)

// base makes a knowledge base of N-Quads in an archive.
func base(t *testing.T, archive, quads string) {
	t.Helper()
	s, err := triplestore.Open(vfs.Default, filepath.Join(archive, "kb"), triplestore.DefaultConfig(), rand.New(rand.NewPCG(1, 1)), nil)
	if err == nil {
		_, err = s.Load(t.Context(), func(scope string) iter.Seq2[rdf.Quad, error] {
			return rdf.Read(strings.NewReader(quads), rdf.NQuads, rdf.Options{Scope: scope})
		})
		err = errors.Join(err, s.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

const (
	openGraph   = "urn:varve:capture:site:20260110120000:http://open.test/"
	hiddenGraph = "urn:varve:capture:site:20260110120000:http://open.test/hush/page"
	// The second was sent by a form: its key is not that of its address.
	formGraph = "urn:varve:capture:site:20260110120000:http://open.test/form#test,open)/hush/page?__wb_method=post"
	lateGraph = "urn:varve:capture:site:20260610120000:http://open.test/"
	allGraph  = "urn:varve:captures:site:20260110120000-20260610120000:http://open.test/hush/page"
	siteGraph = "urn:varve:collection:site"
	ownGraph  = "http://example.org/loaded"
)

// Who asks the knowledge base sees the graphs of captures that rules do not withhold from him now, by whatever form of query.
func TestKnowledgeRules(t *testing.T) {
	dir := t.TempDir()
	var quads strings.Builder
	graphs := []string{openGraph, hiddenGraph, formGraph, lateGraph, allGraph, siteGraph, ownGraph, ""}
	for i, g := range graphs {
		name := ""
		if g != "" {
			name = " <" + g + ">"
		}
		secret := string(rune('a' + i))
		quads.WriteString("<urn:x:root> <urn:x:has> <urn:x:" + secret + ">" + name + " .\n<urn:x:" + secret + "> <urn:x:says> \"word-" + secret + "\"" + name + " .\n")
	}
	base(t, dir, quads.String())
	now := time.Date(2026, 6, 15, 0, 0, 0, 0, time.UTC)
	var clock atomic.Int64 // the server reads it all the time
	clock.Store(now.Unix())
	srv, err := serve.Listen(t.Context(), serve.Config{Archive: dir, Addr: "127.0.0.1:0", ReplayAddr: "localhost:0", RequireLogin: true, Now: func() time.Time { return time.Unix(clock.Load(), 0) }})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- srv.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	main, _ := srv.Handlers()
	users, rules := access.OpenUsers(filepath.Join(dir, "access")), access.OpenDecisions(filepath.Join(dir, "access"), nil)
	tokens := map[access.Role]string{}
	for _, role := range []access.Role{access.Viewer, access.Curator, access.Admin} {
		if err := users.Put(string(role), role, "", now); err != nil {
			t.Fatal(err)
		}
		if tokens[role], _, err = users.NewToken(string(role), "", now, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	asked := 0
	ask := func(role access.Role, method, target, body, kind string) (int, string) {
		t.Helper()
		r := httptest.NewRequest(method, srv.URL()+target, strings.NewReader(body))
		asked++
		r.RemoteAddr = fmt.Sprintf("203.0.%d.%d:999", asked/250, asked%250+1) // one address would ask too often
		if tokens[role] != "" {
			r.Header.Set("Authorization", "Bearer "+tokens[role])
		}
		if kind != "" {
			r.Header.Set("Content-Type", kind)
		}
		r.Header.Set("Accept", "text/tab-separated-values, application/n-triples;q=0.5")
		w := httptest.NewRecorder()
		main.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	query := func(role access.Role, q string) string {
		t.Helper()
		status, body := ask(role, "GET", "/sparql?query="+url.QueryEscape(q), "", "")
		if status != 200 {
			t.Errorf("%s as %s: %d %s", q, role, status, body)
		}
		return body
	}
	// seen tells which of the letters a visitor comes to, by many ways that must agree.
	seen := func(role access.Role) string {
		t.Helper()
		var out string
		for i, g := range graphs {
			letter := string(rune('a' + i))
			said := strings.Contains(query(role, `SELECT ?o { ?s <urn:x:says> ?o }`), "word-"+letter)
			for what, got := range map[string]bool{
				"ask":       strings.Contains(query(role, `ASK { ?s ?p "word-`+letter+`" }`), "true"),
				"count":     strings.Contains(query(role, `SELECT (COUNT(*) AS ?n) { <urn:x:`+letter+`> ?p ?o }`), "\n1"),
				"path":      strings.Contains(query(role, `SELECT ?o { <urn:x:root> <urn:x:has>/<urn:x:says> ?o }`), "word-"+letter),
				"star":      strings.Contains(query(role, `SELECT ?o { <urn:x:root> (<urn:x:has>|<urn:x:says>)* ?o }`), "word-"+letter),
				"all nodes": strings.Contains(query(role, `SELECT ?o { ?s <urn:x:none>* ?o }`), "word-"+letter),
				"describe":  strings.Contains(query(role, `DESCRIBE <urn:x:`+letter+`>`), "word-"+letter),
				"construct": strings.Contains(query(role, `CONSTRUCT WHERE { ?s ?p ?o }`), "word-"+letter),
				"exists":    !strings.Contains(query(role, `SELECT ?x { BIND(1 AS ?x) FILTER NOT EXISTS { <urn:x:`+letter+`> ?p ?o } }`), "\n1"),
				"minus":     !strings.Contains(query(role, `SELECT ?x { VALUES ?x { <urn:x:`+letter+`> } MINUS { ?x ?p ?o } }`), "urn:x:"+letter),
				"group":     strings.Contains(query(role, `SELECT (GROUP_CONCAT(?o) AS ?all) { ?s <urn:x:says> ?o }`), "word-"+letter),
				"subquery":  strings.Contains(query(role, `SELECT ?o { { SELECT ?o { ?s ?p ?o } ORDER BY ?o LIMIT 100 } }`), "word-"+letter),
			} {
				if got != said {
					t.Errorf("%s sees %s: %v by %s, %v by SELECT", role, g, got, what, said)
				}
			}
			if g != "" {
				for what, got := range map[string]bool{
					"GRAPH ?g":    strings.Contains(query(role, `SELECT ?g { GRAPH ?g { ?s ?p ?o } }`), "<"+g+">"),
					"GRAPH ?g {}": strings.Contains(query(role, `SELECT ?g { GRAPH ?g {} }`), "<"+g+">"),
					"GRAPH <>":    strings.Contains(query(role, `ASK { GRAPH <`+g+`> {} }`), "true"),
					"FROM":        strings.Contains(query(role, `SELECT ?o FROM <`+g+`> { ?s ?p ?o }`), "word-"),
					"FROM NAMED":  strings.Contains(query(role, `SELECT ?o FROM NAMED <`+g+`> { GRAPH ?g { ?s ?p ?o } }`), "word-"),
				} {
					if got != said {
						t.Errorf("%s sees %s: %v by %s, %v by SELECT", role, g, got, what, said)
					}
				}
				if status, body := ask(role, "GET", "/graphs?graph="+url.QueryEscape(g), "", ""); (status == 200) != said || strings.Contains(body, "word-") != said {
					t.Errorf("%s gets %s: %d %s", role, g, status, body)
				}
			}
			if said {
				out += letter
			}
		}
		if _, body := ask(role, "GET", "/graphs", "", ""); strings.Count(body, "word-") != len(out) {
			t.Errorf("%s is given more or less than %s: %s", role, out, body)
		}
		return out
	}
	if status, body := ask("", "GET", "/sparql?query=ASK{}", "", ""); status != http.StatusForbidden || strings.Contains(body, "true") {
		t.Errorf("nobody is answered: %d %s", status, body)
	}
	check := func(when, viewer, curator string) {
		t.Helper()
		for role, want := range map[access.Role]string{access.Viewer: viewer, access.Curator: curator, access.Admin: curator} {
			if got := seen(role); got != want {
				t.Errorf("%s, %s sees %q, want %q", when, role, got, want)
			}
		}
	}
	check("without rules", "abcdefgh", "abcdefgh")
	add := func(r access.Rule) access.Rule {
		t.Helper()
		r.Reason = "test"
		r, err := rules.Add(r, "ada", access.Admin, now)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	rule := add(access.Rule{Prefix: "http://open.test/hush/", Level: access.Curators})
	check("a folder for curators", "ad", "abcdefgh")
	if err := rules.Lift(rule.ID, "ada", "test", now); err != nil {
		t.Fatal(err)
	}
	rule = add(access.Rule{Embargo: 30})
	check("an embargo", "abc", "abcdefgh")
	now = now.AddDate(0, 1, 0) // it passes for d and e
	clock.Store(now.Unix())
	if got := seen(access.Viewer); got != "abcde" {
		t.Errorf("when the embargo is over a reader sees %q", got)
	}
	if err := rules.Lift(rule.ID, "ada", "test", now); err != nil {
		t.Fatal(err)
	}
	add(access.Rule{Prefix: "http://open.test/hush/", Level: access.Blocked})
	check("a takedown", "ad", "adgh")

	// Only administrators change something.
	for role, want := range map[access.Role]int{"": 403, access.Viewer: 403, access.Curator: 403, access.Admin: 204} {
		if status, body := ask(role, "POST", "/sparql", `INSERT DATA { GRAPH <http://example.org/new> { <urn:x:new> <urn:x:says> "new" } }`, "application/sparql-update"); status != want {
			t.Errorf("an update by %q: %d %s", role, status, body)
		}
		if status, body := ask(role, "PUT", "/graphs?graph=http://example.org/put", `<urn:x:new> <urn:x:says> "put" .`, "text/turtle"); status != want && !(want == 204 && status == 201) {
			t.Errorf("a graph put by %q: %d %s", role, status, body)
		}
	}
	if body := query(access.Admin, `SELECT ?o { <urn:x:new> ?p ?o }`); !strings.Contains(body, "new") || !strings.Contains(body, "put") {
		t.Errorf("what an administrator wrote: %s", body)
	}
}

// A base that is not there, and one that another process has open, are told as such; one that nobody asks is given back.
func TestKnowledgeIsLent(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir, nil)
	ask := func() (int, string) {
		resp, err := http.Get(s.ui + "/sparql?query=" + url.QueryEscape("ASK { ?s ?p 1 }"))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(b)
	}
	if status, body := ask(); status != 404 || !strings.Contains(body, "there is none yet") {
		t.Errorf("without a knowledge base: %d %s", status, body)
	}
	if _, err := os.Stat(filepath.Join(dir, "kb")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a question made a knowledge base: %v", err)
	}
	store, err := triplestore.Open(vfs.Default, filepath.Join(dir, "kb"), triplestore.DefaultConfig(), rand.New(rand.NewPCG(1, 1)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if status, body := ask(); status != 503 || !strings.Contains(body, "a command is at work on it") {
		t.Errorf("while another has it: %d %s", status, body)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if status, body := ask(); status != 200 || !strings.Contains(body, "false") {
		t.Errorf("%d %s", status, body)
	}
	until(t, func() bool {
		store, err := triplestore.Open(vfs.Default, filepath.Join(dir, "kb"), triplestore.DefaultConfig(), rand.New(rand.NewPCG(1, 1)), nil)
		if err == nil {
			err = store.Close()
		} else if varve.KindOf(err) != varve.Conflict {
			t.Fatal(err)
		}
		return err == nil
	}, func() any { return "the server keeps the knowledge base" })
}

// known loads what is known of a collection into the knowledge base of its archive; tables must have been derived.
func known(t testing.TB, dir, collection string) {
	t.Helper()
	col, err := catalog.Open(dir).Collection(collection)
	if err != nil {
		t.Fatal(err)
	}
	s, err := triplestore.Open(vfs.Default, filepath.Join(dir, "kb"), triplestore.DefaultConfig(), rand.New(rand.NewPCG(1, 1)), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Load(context.Background(), func(string) iter.Seq2[rdf.Quad, error] {
		return (&quads.Export{Collection: col, Dir: filepath.Join(col.Dir(), "derived")}).Quads(context.Background())
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
}

// knownVersions asks which versions pages had.
const knownVersions = `PREFIX varve: <urn:varve:ns#>
SELECT ?v ?first ?from ?until { ?v a varve:Version ; varve:firstCapture ?first ; varve:validFrom ?from ; varve:url ?url OPTIONAL { ?v varve:validUntil ?until } } ORDER BY ?url ?from LIMIT 15`

// The screen of queries in a real browser: examples, completion by keys, three views, downloads, mistakes.
func TestKnowledgeScreen(t *testing.T) {
	b := newTab(t)
	dir := searchable(t)
	known(t, dir, "aachen")
	s := start(t, dir, nil)
	b.open(s.ui + "/knowledge")
	b.is("document.readyState === 'complete' && document.querySelectorAll('details[open] li a').length >= 5")
	b.do("document.querySelector('details li a').click()")
	b.is("document.querySelectorAll('#answer tbody tr').length > 3 && document.querySelector('#answer th').textContent === 'page'")
	b.is("document.querySelector('#query').value.includes('varve:validFrom')")

	// A key that the page takes; the browser's own way would type it as well.
	hit := func(key string, ctrl bool) {
		b.do(fmt.Sprintf("document.querySelector('#query').dispatchEvent(new KeyboardEvent('keydown', { key: %q, ctrlKey: %v, bubbles: true, cancelable: true }))", key, ctrl))
	}
	// Completion: a property by its beginning, whose prefix is declared with it; a variable that is there; and Ctrl+Enter asks.
	b.do("const q = document.querySelector('#query'); q.value = ''; q.focus()")
	b.press("SELECT ?page { ?v varve:validF")
	b.is("!document.querySelector('#completions').hidden && document.querySelector('#completions [aria-selected=true]').dataset.word === 'varve:validFrom'")
	b.is("document.querySelector('#query').getAttribute('aria-expanded') === 'true'")
	hit("Enter", false)
	b.is("document.querySelector('#query').value === 'PREFIX varve: <urn:varve:ns#>\\nSELECT ?page { ?v varve:validFrom'")
	b.press(" ?from ; varve:url ?pa")
	b.is("document.querySelector('#completions [aria-selected=true]').dataset.word === '?page'")
	hit("Tab", false)
	b.press(" } ORDER BY ?page LIMIT 7")
	b.is("document.querySelector('#query').value.endsWith('varve:validFrom ?from ; varve:url ?page } ORDER BY ?page LIMIT 7')")
	hit("Enter", true)
	b.is("document.querySelectorAll('#answer tbody tr').length === 7 && location.search.includes('query=')")

	// The three views say the same; names of the archive lead to it.
	ask := s.ui + "/knowledge?query=" + url.QueryEscape(knownVersions)
	b.open(ask)
	b.is("document.querySelectorAll('#answer tbody tr').length === 15 && [...document.querySelectorAll('#answer tbody td:first-child a')].every(a => a.getAttribute('href').startsWith('/collections/aachen/page?url='))")
	b.open(ask + "&view=graph")
	b.is("document.querySelectorAll('svg.knowledge line').length === 15 && document.querySelectorAll('svg.knowledge circle').length === 30 && document.querySelectorAll('#answer tbody tr').length === 15")
	b.open(ask + "&view=timeline")
	b.is("document.querySelectorAll('svg.knowledge rect').length === 15 && [...document.querySelectorAll('svg.knowledge rect')].every(r => parseFloat(r.getAttribute('x')) + parseFloat(r.getAttribute('width')) <= 100)")
	if resp, body := s.do("GET", s.ui+"/sparql?format=csv&query="+url.QueryEscape(knownVersions), ""); resp.StatusCode != 200 || !strings.HasPrefix(body, "v,first,from,until\r\n") || strings.Count(body, "\n") != 16 {
		t.Errorf("the download: %d %s", resp.StatusCode, body)
	}
	b.open(s.ui + "/knowledge?query=" + url.QueryEscape("ASK { ?s ?p ?o }"))
	b.is("document.querySelector('#answer b').textContent === 'yes'")
	b.console()
	b.open(s.ui + "/knowledge?query=" + url.QueryEscape("SELECT ?a { ?a ?b }"))
	b.is("document.querySelector('#trouble').textContent.includes('line 1, column') && document.querySelector('#query').value === 'SELECT ?a { ?a ?b }'")
}
