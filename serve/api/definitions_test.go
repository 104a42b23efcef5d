package api_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/serve/access"
	"varve/serve/api"
	"varve/serve/crawls"
	"varve/serve/holdings"
)

// office is the interface on an archive of its own, whose plans can be changed.
type office struct {
	t     *testing.T
	api   http.Handler
	audit *access.Audit
}

func newOffice(t *testing.T) *office {
	t.Helper()
	dir := t.TempDir()
	audit := access.OpenAudit(filepath.Join(dir, "access"))
	cat := catalog.Open(dir)
	return &office{t, api.New(api.Config{
		Holdings: holdings.New(cat, time.Now), Audit: audit, Archive: dir, Plans: &crawls.Desk{Archive: cat, Audit: audit, Now: time.Now}, Now: time.Now, Log: slog.New(slog.DiscardHandler),
	}), audit}
}

func (o *office) ask(role access.Role, method, path, body string) (int, string) {
	o.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r = r.WithContext(access.With(r.Context(), access.Visitor{Name: "eva", Role: role}))
	w := httptest.NewRecorder()
	o.api.ServeHTTP(w, r)
	b, err := io.ReadAll(w.Result().Body)
	if err != nil {
		o.t.Fatal(err)
	}
	return w.Code, string(b)
}

const (
	list  = "/api/collections/news/definitions"
	daily = `{"name":"daily","definition":{"seeds":["https://a.example/"],"contact":"eva@library.example","every":"24h","scope":{"scope":"host"}}}`
)

func TestDefinitions(t *testing.T) {
	o := newOffice(t)
	if status, body := o.ask(access.Curator, "POST", "/api/collections", `{"name":"news","title":"News"}`); status != 200 || !strings.Contains(body, `"title":"News"`) {
		t.Fatalf("%d %s", status, body)
	}
	if status, body := o.ask(access.Curator, "POST", list, daily); status != 200 || !strings.Contains(body, `"toml":"[crawl.daily]`) || !strings.Contains(body, `"onlyPublic":true`) {
		t.Fatalf("%d %s", status, body)
	}
	if status, _ := o.ask(access.Curator, "POST", list, daily); status != 409 {
		t.Errorf("twice: %d", status)
	}
	change := strings.Replace(daily, `"every":"24h"`, `"every":"12h","maxPages":7`, 1)
	if status, body := o.ask(access.Curator, "PUT", list+"/daily", change); status != 200 || !strings.Contains(body, `"maxPages":7`) {
		t.Errorf("%d %s", status, body)
	}
	_, body := o.ask(access.Viewer, "GET", list+"/daily", "")
	var got api.DefinitionDetail
	if err := json.Unmarshal([]byte(body), &got); err != nil || len(got.History) != 2 || got.By != "eva" || got.Source != crawls.FromScreen {
		t.Errorf("%v: %s", err, body)
	}
	if status, body := o.ask(access.Curator, "DELETE", list+"/daily", ""); status != 200 || !strings.Contains(body, `"items":[]`) {
		t.Errorf("%d %s", status, body)
	}
	if status, _ := o.ask(access.Viewer, "GET", list+"/daily", ""); status != 404 {
		t.Errorf("retired: %d", status)
	}
	n := 0
	for e, err := range o.audit.Entries() {
		if n++; err != nil || e.By != "eva" {
			t.Errorf("%+v, %v", e, err)
		}
	}
	if n != 4 {
		t.Errorf("%d lines in the audit log", n)
	}
}

func TestDefinitionsAreGuarded(t *testing.T) {
	o := newOffice(t)
	if status, _ := o.ask(access.Curator, "POST", "/api/collections", `{"name":"news"}`); status != 200 {
		t.Fatal(status)
	}
	for _, c := range []struct {
		role         access.Role
		method, path string
		body         string
		status       int
		says         string
	}{
		{access.Viewer, "POST", list, daily, 403, "curator"},
		{access.Viewer, "DELETE", list + "/daily", "", 403, "curator"},
		{access.Viewer, "POST", "/api/collections", `{"name":"x"}`, 403, "curator"},
		{access.Curator, "POST", "/api/collections", `{"name":"../x"}`, 400, "letters"},
		{access.Curator, "POST", list, `{"name":"a"`, 400, "JSON"},
		{access.Curator, "POST", list, strings.Repeat(" ", 4<<20), 400, "more than"},
		{access.Curator, "POST", list, strings.Replace(daily, `"scope"`, `"ignoreRobots":true,"scope"`, 1), 400, "ignore-robots"},
		{access.Curator, "POST", list, strings.Replace(daily, `"scope"`, `"routes":"/etc/passwd","scope"`, 1), 400, "routes"},
		{access.Curator, "POST", list, strings.Replace(daily, `"scope"`, `"wish":1,"scope"`, 1), 400, "wish"},
		{access.Curator, "POST", list, strings.Replace(daily, "https://a.example/", "http://127.0.0.1/", 1), 400, "administrator"},
		{access.Curator, "POST", list, strings.Replace(daily, `"daily"`, `"../daily"`, 1), 400, "letters"},
		{access.Curator, "PUT", list + "/daily", daily, 404, "no such crawl"},
		{access.Curator, "DELETE", list + "/daily", "", 404, "no such crawl"},
		{access.Curator, "POST", "/api/collections/none/definitions", daily, 404, "no such collection"},
	} {
		if status, body := o.ask(c.role, c.method, c.path, c.body); status != c.status || !strings.Contains(body, c.says) {
			t.Errorf("%s %s %.120s: %d %s", c.method, c.path, c.body, status, body)
		}
	}
}
