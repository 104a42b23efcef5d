package ui_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/archive/fixity"
	"varve/archive/journal"
	"varve/lab/servetest"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/ui"
)

// reviewScreens shows an archive with one collection, whose files are given.
func reviewScreens(t *testing.T, files map[string]string, looks ...fixity.Look) (*screens, string) {
	t.Helper()
	dir := t.TempDir()
	cat := catalog.Open(dir)
	col, err := cat.Collection("news")
	if err == nil {
		err = col.Create()
	}
	for name, text := range files {
		path := filepath.Join(col.Dir(), name)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o755)
		}
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
	}
	if err == nil && len(looks) > 0 {
		err = journal.Append(fixity.LedgerFile(col), looks...)
	}
	if err != nil {
		t.Fatal(err)
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

var decideForm = regexp.MustCompile(`action="(/tray/[0-9a-f]{16}/)snooze"`)

func TestTrayScreen(t *testing.T) {
	const evil = `"><script>alert(1)</script>`
	s, dir := reviewScreens(t, nil, fixity.Look{Time: time.Now().Add(-time.Hour), File: "warc/" + evil, Outcome: fixity.Missing, Why: evil})
	_, body, _ := s.get(t, access.Curator, "/tray?collection=news")
	harmless(t, "/tray", body)
	for _, want := range []string{"&lt;script&gt;", "varve audit --collection news", `href="/collections/news"`, "missing: ", `href="/tray"`} {
		if !strings.Contains(body, want) {
			t.Errorf("does not say %q", want)
		}
	}
	m := decideForm.FindStringSubmatch(body)
	if m == nil {
		t.Fatal("no form to decide with")
	}
	for _, c := range []struct {
		role   access.Role
		target string
		form   url.Values
		code   int
		to     string
	}{
		{access.Viewer, m[1] + "done", nil, http.StatusForbidden, ""},
		{access.Curator, m[1] + "burn", nil, http.StatusBadRequest, ""},
		{access.Curator, m[1] + "snooze", url.Values{"until": {"never"}}, http.StatusBadRequest, ""},
		{access.Curator, m[1] + "snooze", url.Values{"until": {"2001-01-01"}}, http.StatusBadRequest, ""},
		{access.Curator, "/tray/0123456789abcdef/done", nil, http.StatusNotFound, ""},
		{access.Curator, m[1] + "snooze", url.Values{"until": {time.Now().AddDate(0, 0, 3).Format(time.DateOnly)}, "why": {evil}, "back": {"//evil.example/"}}, http.StatusSeeOther, "/tray"},
	} {
		if code, to := s.post(t, c.role, c.target, c.form); code != c.code || c.to != to {
			t.Errorf("%s %s: %d %s", c.role, c.target, code, to)
		}
	}
	_, body, _ = s.get(t, access.Curator, "/tray?show=aside")
	harmless(t, "/tray?show=aside", body)
	if !strings.Contains(body, "Reopen") || !strings.Contains(body, "eva") {
		t.Error("it was not put aside")
	}
	if _, body, _ = s.get(t, access.Curator, "/tray?collection=news"); !strings.Contains(body, "Nothing is open in news") {
		t.Error("it is still open")
	}
	if code, to := s.post(t, access.Curator, m[1]+"open", url.Values{"back": {"/tray?show=aside"}}); code != http.StatusSeeOther || to != "/tray?show=aside" {
		t.Errorf("%d %s", code, to)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "labels", "tray.jsonl")); err != nil || strings.Count(string(text), `"by":"eva"`) != 2 {
		t.Errorf("%s, %v", text, err)
	}
	if code, _, _ := s.get(t, access.Viewer, "/tray"); code != http.StatusForbidden {
		t.Errorf("a viewer sees it: %d", code)
	}
	if _, body, _ := s.get(t, access.Viewer, "/"); strings.Contains(body, `href="/tray"`) {
		t.Error("a viewer is led to it")
	}
}

// A line of a journal that cannot be read loses only itself, and is told of in the tray and where its kind is shown.
func TestLostLinesAreTold(t *testing.T) {
	const at = `"at":"2026-01-08T03:00:00Z"`
	s, _ := reviewScreens(t, map[string]string{
		"labels/searches.jsonl": `{"do":"save","id":"a1","collection":"news","name":"First","query":"q=a","by":"eva",` + at + "}\n{\"do\":\n" +
			`{"do":"save","id":"a2","collection":"news","name":"Second","query":"q=b","by":"eva",` + at + "}\n",
		"labels/selection-vote.jsonl": `{"do":"define","define":{"name":"vote","topic":"vote","threshold":0.1,"by":"eva",` + at + "}}\nnonsense\n" +
			`{"do":"inclu?e","surt":"com,example)/","url":"http://example.com/"}` + "\n",
		"labels/selection-gone.jsonl": "\x00\x00{}\n",
		"labels/media.jsonl":          "{}\n",
		"media/queue.jsonl":           `{"event":"a?k","url":"http://example.com/film"}` + "\n",
		"labels/definitions.jsonl":    "[]\n",
		"labels/notes.jsonl":          "no\n",
	})
	for path, want := range map[string][]string{
		"/searches":             {"First", "Second", "1 line of", "searches.jsonl, line 2"},
		"/selections":           {"2 lines of", "selection-vote.jsonl, line 2", "line 3: neither a definition nor a decision", "gone of", "cannot be read any more"},
		"/selections/news/vote": {"selection-vote.jsonl, line 2"},
		"/tray?collection=news": {
			"labels/searches.jsonl", "labels/selection-vote.jsonl", "labels/selection-gone.jsonl", "labels/media.jsonl", "it says nothing of an object",
			"labels/definitions.jsonl", "labels/notes.jsonl",
		},
	} {
		code, body, _ := s.get(t, access.Curator, path)
		for _, w := range want {
			if !strings.Contains(body, w) {
				t.Errorf("%s (%d) does not say %q", path, code, w)
			}
		}
	}
}
