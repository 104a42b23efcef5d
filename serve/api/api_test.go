package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"varve/archive/catalog"
	"varve/lab/servetest"
	"varve/serve/access"
	"varve/serve/api"
	"varve/serve/coherence"
	"varve/serve/holdings"
	"varve/serve/pulse"
)

var (
	archive string
	texts   *servetest.Texts
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "varve-api-*")
	if err == nil {
		err = servetest.Small(context.Background(), dir)
	}
	if err == nil {
		texts, err = servetest.NewTexts(context.Background(), dir)
	}
	if err == nil {
		err = os.CopyFS(filepath.Join(dir, "collections", "aachen", "webapp"), fstest.MapFS{"town.toml": {Data: []byte(town)}})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	archive = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// town is how the pages of the archive are read as what people wrote.
const town = `version = 1
name = "Town"
kind = "blog"
about = "pages of the town"
marks = ["<html"]
signs = ['0.9 body']

[object.post]
each = "body"
page = true
title = ["h1", "title"]
text = ["."]
`

// packages remembers what it was asked.
type packages struct{ asked api.Selection }

func (p *packages) Export(_ context.Context, s api.Selection, begin func(string) io.Writer) error {
	p.asked = s
	_, err := io.WriteString(begin("x.wacz"), "PK")
	return err
}

func (p *packages) Import(_ context.Context, _, _ string, body io.Reader) ([]api.Imported, error) {
	b, err := io.ReadAll(body)
	return []api.Imported{{Name: "a.warc.gz", Bytes: int64(len(b)), Outcome: "written"}}, err
}

type world struct {
	*api.API
	packages *packages
	starter  *starter
	rules    *access.Decisions
	crawls   []string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	cat := catalog.Open(archive)
	index, err := servetest.NewIndex(archive)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	audit := access.OpenAudit(dir)
	w := &world{packages: &packages{}, starter: &starter{}, rules: access.OpenDecisions(dir, audit)}
	w.API = api.New(api.Config{
		Holdings: holdings.New(cat, time.Now), Index: index, Contents: holdings.NewFiles(cat, index), Texts: texts, Links: texts, Source: servetest.Source{Index: index, Files: holdings.NewFiles(cat, index), Archive: cat}, Archive: archive, Coherence: coherence.New(cat, 2),
		Rules: w.rules, Effects: noEffect{}, Audit: audit, Packages: w.packages, Crawls: w.starter, Pulse: pulse.New(pulse.Config{Archive: archive, Holdings: holdings.New(cat, time.Now), Texts: texts, Now: time.Now}), Now: time.Now, Log: slog.New(slog.DiscardHandler), Version: "test",
	})
	col, err := cat.Collection("aachen")
	if err != nil {
		t.Fatal(err)
	}
	if w.crawls, err = col.Crawls(); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) do(t *testing.T, role access.Role, method, target, body string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r = r.WithContext(access.With(r.Context(), access.Visitor{Name: "eva", Role: role}))
	rec := httptest.NewRecorder()
	w.ServeHTTP(rec, r)
	return rec.Result()
}

// get asks and reads the answer into to.
func (w *world) get(t *testing.T, target string, to any) {
	t.Helper()
	resp := w.do(t, access.Viewer, "GET", target, "")
	b, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != 200 {
		t.Fatalf("%s: %d %s", target, resp.StatusCode, b)
	}
	if err := json.Unmarshal(b, to); err != nil {
		t.Fatalf("%s: %v in %.200s", target, err, b)
	}
}

const home = "http://aachen.sim.test/"

// document reads the OpenAPI document.
func (w *world) document(t *testing.T) (paths map[string]map[string]map[string]any, schemas map[string]any) {
	t.Helper()
	var doc struct {
		OpenAPI    string
		Paths      map[string]map[string]map[string]any
		Components struct{ Schemas map[string]any }
	}
	w.get(t, "/api/openapi.json", &doc)
	if doc.OpenAPI != "3.1.0" || len(doc.Paths) < 15 {
		t.Fatalf("document %s with %d paths", doc.OpenAPI, len(doc.Paths))
	}
	return doc.Paths, doc.Components.Schemas
}

var ref = regexp.MustCompile(`"#/components/schemas/([^"]+)"`)

// Every route of the document is there, answers, and only to those it says; what it refers to exists.
func TestDocumentMatchesRoutes(t *testing.T) {
	w := newWorld(t)
	paths, schemas := w.document(t)
	raw, err := json.Marshal(map[string]any{"p": paths, "s": schemas})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range ref.FindAllStringSubmatch(string(raw), -1) {
		if schemas[m[1]] == nil {
			t.Errorf("schema %s is referred to and not there", m[1])
		}
	}
	ids := map[string]bool{}
	fill := strings.NewReplacer("{collection}", "aachen", "{crawl}", w.crawls[1], "{rule}", "none", "{node}", "1", "{definition}", "regular", "{search}", "none", "{selection}", "none")
	for path, ops := range paths {
		for method, op := range ops {
			id, _ := op["operationId"].(string)
			if id == "" || ids[id] || op["summary"] == "" {
				t.Errorf("%s %s: operation id %q", method, path, id)
			}
			ids[id] = true
			role, _ := op["x-role"].(string)
			target := fill.Replace(path) + "?" + url.Values{"url": {home}, "a": {"20260108"}, "b": {"20260309"}, "reason": {"x"}, "terms": {"people"}, "from": {"2026"}}.Encode()
			if role != "" {
				resp := w.do(t, access.Nobody, strings.ToUpper(method), target, "")
				if resp.StatusCode != http.StatusUnauthorized || resp.Header.Get("WWW-Authenticate") == "" {
					t.Errorf("%s %s for nobody: %d", method, path, resp.StatusCode)
				}
			}
			if role == "admin" {
				if resp := w.do(t, access.Curator, strings.ToUpper(method), target, ""); resp.StatusCode != http.StatusForbidden {
					t.Errorf("%s %s for a curator: %d", method, path, resp.StatusCode)
				}
			}
			resp := w.do(t, access.Admin, strings.ToUpper(method), target, "{}")
			if b, _ := io.ReadAll(resp.Body); resp.StatusCode == http.StatusMethodNotAllowed || strings.Contains(string(b), "no such route") || resp.StatusCode >= 500 && resp.StatusCode != 503 {
				t.Errorf("%s %s: %d %.200s", method, path, resp.StatusCode, b)
			}
		}
	}
}

// A method that a path does not have is answered with those it has.
func TestMethodNotAllowed(t *testing.T) {
	w := newWorld(t)
	for _, method := range []string{"DELETE", "PATCH", "TRACE", "OPTIONS"} {
		resp := w.do(t, access.Admin, method, "/api/whoami", "")
		if allow := resp.Header.Get("Allow"); resp.StatusCode != http.StatusMethodNotAllowed || allow != "GET" {
			t.Errorf("%s: %d, Allow %q", method, resp.StatusCode, allow)
		}
	}
}

// What is answered is what the document says: fields that it calls required are there.
func TestAnswersFitTheDocument(t *testing.T) {
	w := newWorld(t)
	paths, schemas := w.document(t)
	fill := strings.NewReplacer("{collection}", "aachen", "{crawl}", w.crawls[1], "{node}", "1", "{definition}", "regular", "{facet}", "host", "{taxonomy}", "figer")
	n := 0
	evolved := regexp.MustCompile(`^/api/(beside|collections/{collection}/(terms|names|phrases)\b)`) // need tables of words through time
	for path, ops := range paths {
		op := ops["get"]
		if evolved.MatchString(path) {
			continue
		}
		if op == nil || strings.HasSuffix(path, "/progress") || strings.HasSuffix(path, "/watch") || strings.HasSuffix(path, "{crawl}/about") || strings.HasSuffix(path, "{crawl}/why") || strings.HasSuffix(path, "/valid") || strings.HasSuffix(path, "/coherence") || strings.Contains(path, "/selections/") || path == "/api/opinions" || strings.HasPrefix(path, "/api/entities") || strings.HasPrefix(path, "/api/facts") {
			continue
		}
		content := op["responses"].(map[string]any)["200"].(map[string]any)["content"].(map[string]any)
		media, ok := content["application/json"].(map[string]any)
		if !ok || path == "/api/openapi.json" {
			continue
		}
		var got any
		params := url.Values{"url": {home}, "a": {"20260108"}, "b": {"20260309"}}
		switch path {
		case "/api/search", "/api/cloud", "/api/rising":
			params = url.Values{"q": {"people"}, "from": {"2026-01"}, "to": {"2026-02"}}
		case "/api/clouds":
			params = url.Values{"split": {"2026-02"}}
		case "/api/trends":
			params = url.Values{"terms": {"people"}}
		case "/api/facets/{facet}":
			params = url.Values{"prefix": {"w"}}
		}
		resp := w.do(t, access.Admin, "GET", fill.Replace(path)+"?"+params.Encode(), "")
		if err := json.NewDecoder(resp.Body).Decode(&got); err != nil || resp.StatusCode != 200 {
			t.Errorf("%s: %d, %v", path, resp.StatusCode, err)
			continue
		}
		fits(t, path, media["schema"].(map[string]any), schemas, got)
		n++
		var nothing any // a question that finds nothing is answered in the same form
		params = url.Values{"url": {"http://nobody.test/"}, "q": {"xyzzy"}, "terms": {"xyzzy"}, "from": {"1999"}, "to": {"1999"}}
		resp = w.do(t, access.Admin, "GET", fill.Replace(path)+"?"+params.Encode(), "")
		if resp.StatusCode == http.StatusOK {
			if err := json.NewDecoder(resp.Body).Decode(&nothing); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			fits(t, path+" (nothing)", media["schema"].(map[string]any), schemas, nothing)
		}
	}
	if n < 10 {
		t.Errorf("only %d answers were compared", n)
	}
}

// fits compares a value with a schema, as far as kinds and required fields go.
func fits(t *testing.T, at string, schema, schemas map[string]any, v any) {
	t.Helper()
	if name, ok := schema["$ref"].(string); ok {
		schema = schemas[name[strings.LastIndex(name, "/")+1:]].(map[string]any)
	}
	if v == nil && schema["type"] != "array" {
		return
	}
	switch schema["type"] {
	case "object":
		o, ok := v.(map[string]any)
		if !ok {
			t.Errorf("%s: %T is no object", at, v)
			return
		}
		required, _ := schema["required"].([]any)
		for _, name := range required {
			if _, ok := o[name.(string)]; !ok {
				t.Errorf("%s: %s is missing", at, name)
			}
		}
		props, _ := schema["properties"].(map[string]any)
		for name, val := range o {
			if p, ok := props[name].(map[string]any); ok {
				fits(t, at+"."+name, p, schemas, val)
			} else if more, ok := schema["additionalProperties"].(map[string]any); ok {
				fits(t, at+"."+name, more, schemas, val)
			} else {
				t.Errorf("%s: %s is not in the document", at, name)
			}
		}
	case "array":
		list, ok := v.([]any)
		if !ok {
			t.Errorf("%s: %T is no list", at, v)
			return
		}
		for _, x := range list[:min(len(list), 3)] {
			fits(t, at+"[]", schema["items"].(map[string]any), schemas, x)
		}
	case "string":
		if _, ok := v.(string); !ok {
			t.Errorf("%s: %T is no text", at, v)
		}
	case "integer", "number":
		if _, ok := v.(float64); !ok {
			t.Errorf("%s: %T is no number", at, v)
		}
	case "boolean":
		if _, ok := v.(bool); !ok {
			t.Errorf("%s: %T is no yes or no", at, v)
		}
	}
}

// Pages of a list put together are the whole list.
func TestCursorsLeadThroughEverything(t *testing.T) {
	w := newWorld(t)
	type list struct {
		Items []json.RawMessage
		Next  string
	}
	for _, base := range []string{
		"/api/collections/aachen/pages?x=1", "/api/collections/aachen/crawls?x=1",
		"/api/collections/aachen/captures?match=domain&url=aachen.sim.test",
		"/api/collections/aachen/captures?url=" + url.QueryEscape(home),
	} {
		var whole list
		w.get(t, base+"&limit=1000", &whole)
		var got []string
		next := ""
		for range 2000 {
			var part list
			w.get(t, base+"&limit=7&cursor="+url.QueryEscape(next), &part)
			for _, x := range part.Items {
				got = append(got, string(x))
			}
			if next = part.Next; next == "" {
				break
			}
		}
		if len(got) == 0 || len(got) != len(whole.Items) {
			t.Errorf("%s: %d in pieces, %d at once", base, len(got), len(whole.Items))
			continue
		}
		for i := range got {
			if got[i] != string(whole.Items[i]) {
				t.Fatalf("%s: item %d differs", base, i)
			}
		}
	}
}

func TestProblems(t *testing.T) {
	w := newWorld(t)
	for _, tt := range []struct {
		target string
		status int
		kind   string
	}{
		{"/api/nothing", 404, "not_found"},
		{"/api/collections/none", 404, "not_found"},
		{"/api/collections/..%2fx", 400, "invalid"},
		{"/api/collections/aachen/crawls/none", 404, "not_found"},
		{"/api/collections/aachen/captures", 400, "invalid"},
		{"/api/collections/aachen/captures?url=http://a/&limit=0", 400, "invalid"},
		{"/api/collections/aachen/captures?url=http://a/&match=all", 400, "invalid"},
		{"/api/collections/aachen/captures?url=http://a/&from=yesterday", 400, "invalid"},
		{"/api/collections/aachen/captures?url=http://a/&cursor=x", 400, "invalid"},
		{"/api/collections/aachen/versions?url=http://nowhere.example/", 404, "not_found"},
		{"/api/collections/aachen/compare?url=" + url.QueryEscape(home), 400, "invalid"},
		{"/api/collections/aachen/crawls/" + w.crawls[0] + "/progress", 409, "conflict"},
		{"/api/collections/aachen/crawls/" + w.crawls[0] + "/coherence", 404, "not_found"},
		{"/api/collections/aachen/crawls/" + w.crawls[0] + "/coherence/graph?limit=99999", 400, "invalid"},
		{"/api/collections/aachen/crawls/" + w.crawls[0] + "/coherence/graph?x0=a&y0=1&x1=1&y1=1", 400, "invalid"},
	} {
		resp := w.do(t, access.Viewer, "GET", tt.target, "")
		var p api.Problem
		err := json.NewDecoder(resp.Body).Decode(&p)
		if err != nil || resp.StatusCode != tt.status || p.Status != tt.status || p.Title != tt.kind || p.Detail == "" || resp.Header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %+v, %v", tt.target, resp.StatusCode, p, err)
		}
	}
}

func TestCoherenceIsMeasuredOnce(t *testing.T) {
	w := newWorld(t)
	base := "/api/collections/aachen/crawls/" + w.crawls[2] + "/coherence"
	t.Cleanup(func() {
		os.Remove(filepath.Join(archive, "collections", "aachen", "crawls", w.crawls[2], "coherence.json"))
	})
	resp := w.do(t, access.Curator, "POST", base, "")
	var made struct {
		Pages  int64
		Layers map[string]struct{ Coherent, Changed, Links, Missing, Unknown int64 }
	}
	if err := json.NewDecoder(resp.Body).Decode(&made); err != nil || resp.StatusCode != 200 || made.Pages == 0 {
		t.Fatalf("measure: %d, %v, %+v", resp.StatusCode, err, made)
	}
	again := made
	w.get(t, base, &again)
	text := again.Layers["text"]
	if again.Pages != made.Pages || text.Coherent+text.Changed+text.Links+text.Missing+text.Unknown != made.Pages {
		t.Errorf("%+v", again)
	}
	var detail struct{ Coherence *holdings.Tally }
	w.get(t, strings.TrimSuffix(base, "/coherence"), &detail)
	if detail.Coherence == nil || detail.Coherence.Total() != made.Pages {
		t.Errorf("the crawl does not know: %+v", detail.Coherence)
	}
	var view struct {
		Total int
		Nodes []struct{ ID, Parent int }
	}
	w.get(t, base+"/graph?limit=20", &view)
	if len(view.Nodes) == 0 || len(view.Nodes) > 20 || view.Total < len(view.Nodes) {
		t.Errorf("view of %d of %d nodes", len(view.Nodes), view.Total)
	}
	for _, file := range []string{"/graph.graphml", "/graph.gexf", "/graph.svg", "/worst.csv"} {
		resp := w.do(t, access.Viewer, "GET", base+file, "")
		if b, _ := io.ReadAll(resp.Body); resp.StatusCode != 200 || len(b) == 0 {
			t.Errorf("%s: %d, %d bytes", file, resp.StatusCode, len(b))
		}
	}
}

func TestPackages(t *testing.T) {
	w := newWorld(t)
	resp := w.do(t, access.Viewer, "GET", "/api/collections/aachen/wacz?crawl=x&from=2026", "")
	if b, _ := io.ReadAll(resp.Body); string(b) != "PK" || resp.Header.Get("Content-Type") != "application/wacz" || !strings.Contains(resp.Header.Get("Content-Disposition"), "x.wacz") {
		t.Errorf("%v %s", resp.Header, b)
	}
	if w.packages.asked.Crawl != "x" || w.packages.asked.From.Year() != 2026 {
		t.Errorf("asked %+v", w.packages.asked)
	}
	if resp := w.do(t, access.Viewer, "POST", "/api/collections/aachen/wacz", "PK"); resp.StatusCode != http.StatusForbidden {
		t.Errorf("a viewer imported: %d", resp.StatusCode)
	}
	if resp := w.do(t, access.Curator, "POST", "/api/collections/aachen/wacz", "PK"); resp.StatusCode != 200 {
		t.Errorf("import: %d", resp.StatusCode)
	}
}

func TestRulesOverTheInterface(t *testing.T) {
	w := newWorld(t)
	block := `{"prefix":"http://a.example/","level":"blocked","reason":"letter"}`
	if resp := w.do(t, access.Curator, "POST", "/api/access/rules", block); resp.StatusCode != http.StatusForbidden {
		t.Errorf("a curator took down: %d", resp.StatusCode)
	}
	if resp := w.do(t, access.Curator, "POST", "/api/access/rules", `{"embargoDays":30,"reason":"agreed"}`); resp.StatusCode != 200 {
		t.Errorf("embargo: %d", resp.StatusCode)
	}
	resp := w.do(t, access.Admin, "POST", "/api/access/rules", block)
	var made access.Rule
	if err := json.NewDecoder(resp.Body).Decode(&made); err != nil || made.ID == "" || made.By != "eva" {
		t.Fatalf("%+v, %v", made, err)
	}
	for _, bad := range []string{"", "{", `{"level":"blocked"}`, `{"colour":"red","reason":"x"}`} {
		if resp := w.do(t, access.Admin, "POST", "/api/access/rules", bad); resp.StatusCode != http.StatusBadRequest {
			t.Errorf("%q: %d", bad, resp.StatusCode)
		}
	}
	if resp := w.do(t, access.Admin, "DELETE", "/api/access/rules/"+made.ID+"?reason=agreed", ""); resp.StatusCode != 200 {
		t.Errorf("lift: %d", resp.StatusCode)
	}
	var log api.List[access.Entry]
	resp = w.do(t, access.Admin, "GET", "/api/access/audit", "")
	if err := json.NewDecoder(resp.Body).Decode(&log); err != nil || len(log.Items) != 3 || log.Items[0].Did != "rule lifted" {
		t.Errorf("audit %+v, %v", log, err)
	}
}

// noEffect is what rules do to an archive without captures.
type noEffect struct{}

func (noEffect) Effect(context.Context, access.Rule) (access.Effect, error) {
	return access.Effect{}, nil
}
