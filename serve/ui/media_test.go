package ui_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"varve/archive/catalog"
	"varve/derive"
	"varve/lab/servetest"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/ui"
)

// mediaScreens shows an archive whose one collection has some films.
func mediaScreens(t *testing.T, rows ...derive.Medium) (*screens, string) {
	t.Helper()
	dir := t.TempDir()
	cat := catalog.Open(dir)
	col, err := cat.Collection("films")
	if err != nil {
		t.Fatal(err)
	}
	if err := col.Create(); err != nil {
		t.Fatal(err)
	}
	if rows != nil {
		if err := os.MkdirAll(filepath.Join(col.Dir(), "derived"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := parquet.WriteFile(filepath.Join(col.Dir(), "derived", "media.parquet"), rows); err != nil {
			t.Fatal(err)
		}
	}
	tmp := t.TempDir()
	audit := access.OpenAudit(tmp)
	s := &screens{users: access.OpenUsers(tmp), rules: access.OpenDecisions(tmp, audit)}
	s.UI, err = ui.New(ui.Config{
		Holdings: holdings.New(cat, time.Now), Index: servetest.Index{}, Rules: s.rules, Users: s.users, Audit: audit, Archive: dir,
		Gate: access.NewGate(access.GateConfig{Users: s.users, Audit: audit, Now: time.Now}), Background: context.Background(),
		Replay: "http://localhost:8081", Now: time.Now, Log: slog.New(slog.DiscardHandler), Version: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, col.Dir()
}

func (s *screens) post(t *testing.T, role access.Role, target string, form url.Values) (int, string) {
	t.Helper()
	r := httptest.NewRequest("POST", target, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r = r.WithContext(access.With(r.Context(), access.Visitor{Name: "eva", Role: role}))
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Header().Get("Location")
}

func TestMediaScreen(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	const evil = `"><script>alert(1)</script>`
	s, dir := mediaScreens(t,
		derive.Medium{URL: "http://a.example/film.mp4", Kind: "file", Title: "A film", Seconds: 65, Captured: &at, Page: "http://a.example/p", PageTime: &at, Pages: 3},
		derive.Medium{URL: "http://p.example/embed/7", Kind: "player", Service: "youtube", Title: evil, Around: evil, Page: "data:text/html,x", PageTime: &at, Pages: 1},
	)
	_, body, _ := s.get(t, access.Curator, "/media")
	for _, want := range []string{
		"A film", "http://localhost:8081/films/20260301120000/http://a.example/p", "url=http%3A%2F%2Fa.example%2Ffilm.mp4", "2 more captures", "nothing to play yet", `value="http://p.example/embed/7"`, "Archive</button>", "&lt;script&gt;",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("does not say %q", want)
		}
	}
	harmless(t, "/media", body)
	if _, body, _ := s.get(t, access.Curator, "/media?state=archived&q=FILM&kind=file"); !strings.Contains(body, "film.mp4") || strings.Contains(body, "embed/7") {
		t.Error("the filter does not hold")
	}
	if _, body, _ := s.get(t, access.Curator, "/media?q=nobody"); !strings.Contains(body, "No film and no sound") {
		t.Error("an empty list does not say so")
	}

	form := url.Values{"collection": {"films"}, "url": {"http://p.example/embed/7"}, "page": {"http://a.example/p"}, "back": {"/media?state=found"}}
	if code, to := s.post(t, access.Curator, "/media/archive", form); code != http.StatusSeeOther || to != "/media?state=found" {
		t.Errorf("%d %s", code, to)
	}
	form.Set("back", "//evil.example/")
	form.Set("label", "keep")
	if code, to := s.post(t, access.Curator, "/media/annotate", form); code != http.StatusSeeOther || to != "/media" {
		t.Errorf("%d %s", code, to)
	}
	if _, body, _ := s.get(t, access.Curator, "/media?state=queued&label=keep"); !strings.Contains(body, "embed/7") || !strings.Contains(body, "Skip it") {
		t.Error("neither queued nor labelled")
	}
	if text, err := os.ReadFile(filepath.Join(dir, "labels", "media.jsonl")); err != nil || !strings.Contains(string(text), `"by":"eva"`) {
		t.Errorf("%s, %v", text, err)
	}
	if code, _ := s.post(t, access.Curator, "/media/drop", form); code != http.StatusSeeOther {
		t.Error(code)
	}
	for _, bad := range []url.Values{{"collection": {"films"}, "url": {"file:///etc/passwd"}}, {"collection": {"../x"}, "url": {"http://a/"}}, {"collection": {"none"}, "url": {"http://a/"}}} {
		if code, _ := s.post(t, access.Curator, "/media/archive", bad); code < 400 {
			t.Errorf("%v: %d", bad, code)
		}
	}
	if code, _, _ := s.get(t, access.Viewer, "/media"); code != http.StatusForbidden {
		t.Errorf("a viewer sees it: %d", code)
	}
	if code, _ := s.post(t, access.Viewer, "/media/archive", form); code != http.StatusForbidden {
		t.Errorf("a viewer asks: %d", code)
	}
}

func TestMediaScreenBeforeDerive(t *testing.T) {
	s, _ := mediaScreens(t)
	if _, body, _ := s.get(t, access.Curator, "/media?collection=films"); !strings.Contains(body, "varve derive --collection films") {
		t.Error("does not say what to do")
	}
}
