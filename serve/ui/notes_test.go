package ui_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/lab/attack"
	"varve/serve/access"
)

// Notes are written, answered and closed by curators; readers see what is public and about nothing that is withheld;
// nothing that is written breaks out.
func TestNotesScreen(t *testing.T) {
	tally := attack.Count(t)
	const evil = `"><script>alert(1)</script><img src=x>` + "\u202e{{.}}"
	s, dir := reviewScreens(t, map[string]string{"crawls/20260301T030000Z/crawl.log": ""})
	const notes = "/collections/news/notes"
	for _, c := range []struct {
		role access.Role
		form url.Values
		code int
		to   string
	}{
		{access.Viewer, url.Values{"kind": {"note"}, "text": {"x"}}, http.StatusForbidden, ""},
		{access.Curator, url.Values{"kind": {"note"}, "text": {"  "}}, http.StatusBadRequest, ""},
		{access.Curator, url.Values{"kind": {"rumour"}, "text": {"x"}}, http.StatusBadRequest, ""},
		{access.Curator, url.Values{"kind": {"note"}, "text": {strings.Repeat("x", 8001)}}, http.StatusBadRequest, ""},
		{access.Curator, url.Values{"kind": {"note"}, "text": {"x"}, "link": {"javascript:alert(1)"}}, http.StatusBadRequest, ""},
		{access.Curator, url.Values{"kind": {"note"}, "text": {"x"}, "url": {"javascript:alert(1)"}}, http.StatusBadRequest, ""},
		{access.Curator, url.Values{"kind": {"note"}, "text": {"x"}, "url": {"http://a.example/"}, "at": {"soon"}}, http.StatusBadRequest, ""},
		{access.Curator, url.Values{"kind": {"decision"}, "text": {"of the house " + evil}, "back": {"//evil.example/"}}, http.StatusSeeOther, notes},
		{access.Curator, url.Values{"kind": {"question"}, "text": {"Is it whole? " + evil}, "crawl": {"20260301T030000Z"}, "link": {"https://a.example/?" + url.QueryEscape(evil)}, "back": {"/collections/news/crawls/20260301T030000Z/review"}}, http.StatusSeeOther, "/collections/news/crawls/20260301T030000Z/review"},
		{access.Curator, url.Values{"kind": {"note"}, "text": {"for all"}, "public": {"yes"}, "back": {"/collections/news"}}, http.StatusSeeOther, "/collections/news"},
		{access.Curator, url.Values{"kind": {"note"}, "text": {"secret page"}, "public": {"yes"}, "url": {"http://secret.example/?" + url.QueryEscape(evil)}, "back": {"/collections/newspaper"}}, http.StatusSeeOther, notes},
		{access.Curator, url.Values{"kind": {"note"}, "text": {"open page"}, "public": {"yes"}, "url": {"http://open.example/"}, "at": {"20260301030000"}}, http.StatusSeeOther, notes},
	} {
		code, to := s.post(t, c.role, notes, c.form)
		if base, mark, _ := strings.Cut(to, "#note-"); code != c.code || base != c.to || code == http.StatusSeeOther && len(mark) != 16 {
			t.Errorf("%s %v: %d %s", c.role, c.form, code, to)
		}
	}
	if _, err := s.rules.Add(access.Rule{Prefix: "secret.example", Level: access.Curators, Reason: "x"}, "eva", access.Admin, time.Now()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		role       access.Role
		path       string
		says, hush []string
	}{
		{access.Curator, notes, []string{"of the house", "Is it whole?", "for all", "secret page", "open page", "question, open", `name="text"`}, nil},
		{access.Viewer, notes, []string{"for all", "open page"}, []string{"of the house", "Is it whole?", "secret", `name="text"`}},
		{access.Curator, notes + "?state=open", []string{"Is it whole?"}, []string{"of the house"}},
		{access.Curator, notes + "?kind=decision", []string{"of the house"}, []string{"Is it whole?"}},
		{access.Curator, notes + "?url=http://open.example/&at=20260301030000", []string{"open page", "http://open.example/ at 2026-03-01 03:00:00"}, []string{"of the house"}},
		{access.Curator, "/collections/news", []string{"of the house", "for all"}, []string{"Is it whole?"}},
		{access.Viewer, "/collections/news", []string{"for all"}, []string{"of the house"}},
		{access.Curator, "/collections/news/crawls/20260301T030000Z/review", []string{"Is it whole?", `href="/find?q=https%3A%2F%2Fa.example`}, []string{"of the house"}},
		{access.Curator, "/collections/news/crawls/20260301T030000Z", []string{"Is it whole?"}, []string{"of the house"}},
		{access.Viewer, "/collections/news/crawls/20260301T030000Z", nil, []string{"Is it whole?"}},
		{access.Curator, "/tray?collection=news", []string{"eva asks: Is it whole?", notes + "?state=open#note-"}, []string{"of the house"}},
		{access.Curator, "/", []string{"question"}, nil},
	} {
		code, body, _ := s.get(t, c.role, c.path)
		harmless(t, c.path, body)
		for _, w := range c.says {
			if code != 200 || !strings.Contains(body, w) {
				t.Errorf("%s to a %s: %d, does not say %q", c.path, c.role, code, w)
			}
		}
		for _, w := range c.hush {
			tally.Try(1)
			if strings.Contains(body, w) {
				t.Errorf("%s to a %s says %q", c.path, c.role, w)
			}
		}
	}
	if code, _, _ := s.get(t, access.Curator, notes+"?crawl=../../etc"); code != http.StatusBadRequest {
		t.Errorf("a bad subject: %d", code)
	}
	text, err := os.ReadFile(filepath.Join(dir, "labels", "notes.jsonl"))
	if err != nil || strings.Count(string(text), "\n") != 5 {
		t.Fatalf("%s, %v", text, err)
	}
	// What is done about one.
	_, body, _ := s.get(t, access.Curator, notes+"?state=open")
	_, id, _ := strings.Cut(body, `id="note-`)
	act := notes + "/" + id[:16] + "/"
	for _, c := range []struct {
		role access.Role
		do   string
		text string
		code int
	}{
		{access.Viewer, "close", "", http.StatusForbidden},
		{access.Curator, "burn", "", http.StatusBadRequest},
		{access.Curator, "answer", "", http.StatusBadRequest},
		{access.Curator, "answer", evil, http.StatusSeeOther},
		{access.Curator, "publish", "", http.StatusSeeOther},
		{access.Curator, "publish", "", http.StatusConflict},
		{access.Curator, "close", "seen", http.StatusSeeOther},
	} {
		if code, _ := s.post(t, c.role, act+c.do, url.Values{"text": {c.text}}); code != c.code {
			t.Errorf("%s %s: %d", c.role, c.do, code)
		}
	}
	if _, body, _ := s.get(t, access.Curator, "/tray?collection=news"); strings.Contains(body, "asks:") {
		t.Error("a closed question needs a look")
	}
	_, body, _ = s.get(t, access.Viewer, notes)
	harmless(t, notes, body)
	if !strings.Contains(body, "question, closed") || !strings.Contains(body, "&lt;script&gt;") {
		t.Error("what was published is not shown")
	}
}
