package ui_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/archive/catalog"
	model "varve/coherence"
	"varve/coherence/report"
	"varve/lab/attack"
	"varve/lab/servetest"
	"varve/serve/access"
	"varve/serve/coherence"
	"varve/serve/holdings"
	"varve/serve/review"
	"varve/serve/ui"
	"varve/serve/ui/bundle/assets"
	"varve/text/layer"
	"varve/web/canon"
)

var archive string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "varve-ui-*")
	if err == nil {
		err = servetest.Small(context.Background(), dir)
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

const home = "http://aachen.sim.test/"

type screens struct {
	*ui.UI
	users *access.Users
	rules *access.Decisions
	desk  *coherence.Desk
	crawl string

	holdings *holdings.Holdings
}

// noEffect is what rules do to an archive without captures.
type noEffect struct{}

func (noEffect) Effect(context.Context, access.Rule) (access.Effect, error) {
	return access.Effect{}, nil
}

func newScreens(t testing.TB, dir string, index holdings.Index) *screens {
	t.Helper()
	cat := catalog.Open(dir)
	if index == nil {
		x, err := servetest.NewIndex(dir)
		if err != nil {
			t.Fatal(err)
		}
		index = x
	}
	tmp := t.TempDir()
	audit := access.OpenAudit(tmp)
	s := &screens{users: access.OpenUsers(tmp), rules: access.OpenDecisions(tmp, audit), desk: coherence.New(cat, 2), holdings: holdings.New(cat, time.Now)}
	var err error
	s.UI, err = ui.New(ui.Config{
		Holdings: s.holdings, Index: index, Contents: holdings.NewFiles(cat, index), Coherence: s.desk, Rules: s.rules, Effects: noEffect{}, Users: s.users, Audit: audit,
		Gate: access.NewGate(access.GateConfig{Users: s.users, Audit: audit, Now: time.Now}), Background: context.Background(),
		Replay: "http://localhost:8081", Now: time.Now, Log: slog.New(slog.DiscardHandler), Version: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	if col, err := cat.Collection("aachen"); err == nil {
		if ids, err := col.Crawls(); err == nil && len(ids) > 0 {
			s.crawl = ids[len(ids)-1]
		}
	}
	return s
}

func (s *screens) get(t testing.TB, role access.Role, target string) (int, string, http.Header) {
	t.Helper()
	r := httptest.NewRequest("GET", target, nil)
	r = r.WithContext(access.With(r.Context(), access.Visitor{Name: "eva", Role: role, CSRF: "token"}))
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	b, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.Code, string(b), w.Header()
}

// paths are all screens with what each must say.
func (s *screens) paths() map[string]string {
	u := url.QueryEscape(home)
	return map[string]string{
		"/":                         "Archive pulse",
		"/?at=2026-02":              "Crawls of February 2026",
		"/?collection=aachen":       "show all collections",
		"/collections":              "What this archive holds",
		"/collections/aachen":       "What the town told its people.",
		"/collections/aachen/pages": "aachen.sim.test",
		"/collections/aachen/plan":  "Planned crawls",
		"/collections/aachen/plan?hops=L&url=" + u:                   "the last word",
		"/collections/aachen/plan?url=https://else.example/":         "not fetched",
		"/collections/aachen/plan?pages=200&delay=1.5":               "unplanned",
		"/collections/aachen/plan?pages=many&delay=1":                "Pages are a number",
		"/collections/aachen/plan?pages=5&delay=NaN":                 "Pages are a number",
		"/collections/aachen/plan?definition=none&url=" + u:          "no such crawl",
		"/collections/aachen/plan?hops=%3Cb%3E&url=" + u:             "the way &lt;b&gt;",
		"/collections/aachen/pages?type=all&url=" + u:                "data-key=\"]\"",
		"/collections/aachen/pages?type=all&url=" + u + "culture%2F": "that is all",
		"/collections/aachen/pages?url=nowhere.example":              "No address matches",
		"/collections/aachen/page?url=" + u:                          "Distinct versions",
		"/collections/aachen/calendar?url=" + u:                      "January 2026",
		"/collections/aachen/compare?url=" + u:                       "What changed between",
		"/collections/aachen/compare?view=links&url=" + u:            "stayed",
		"/collections/aachen/compare?view=side&url=" + u:             "<iframe",
		"/collections/aachen/map":                                    "depth 0",
		"/collections/aachen/map?from=2030-01-01":                    "Nothing here in this time",
		"/collections/aachen/map?url=" + u + "&with=nowhere.example": "Nothing here in this time",
		"/collections/aachen/crawls/" + s.crawl:                      "Seeds",
		"/collections/aachen/crawls/" + s.crawl + "/coherence":       "hang together",
		"/collections/aachen/crawls/" + s.crawl + "/events":          "Over time",
		"/collections/aachen/crawls/" + s.crawl + "/events?q=nosuch": "No events match",
		"/crawls":                 "All crawls",
		"/crawls?state=running":   "No crawl is running",
		"/find":                   "an address, a name, a date",
		"/find?q=aachen.sim.test": "Found in 1 collection",
		"/find?q=nowhere.example": "Not in this archive",
		"/access":                 "Who may see what?",
		"/login":                  "Password",
	}
}

func TestScreens(t *testing.T) {
	s := newScreens(t, archive, nil)
	for path, want := range s.paths() {
		status, body, _ := s.get(t, access.Admin, path)
		if status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d, says %q: %v", path, status, want, strings.Contains(body, want))
		}
		harmless(t, path, body)
		if len(body) > 110<<10 {
			t.Errorf("%s has %d bytes", path, len(body))
		}
	}
}

var (
	inline = regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>[^<]|<style|\sstyle=|\son[a-z]+=|javascript:`)
	links  = regexp.MustCompile(`(?:href|src|action)="([^"]*)"`)
)

// harmless checks what the CSP forbids anyway, and that every link leads to one of our hosts.
func harmless(t *testing.T, path, body string) {
	t.Helper()
	if m := inline.FindString(body); m != "" {
		t.Errorf("%s: inline code: %q", path, m)
	}
	for _, m := range links.FindAllStringSubmatch(body, -1) {
		if strings.HasPrefix(m[1], "mailto:?body=") { // a context by mail: to whom is the reader's choice
			continue
		}
		if !strings.HasPrefix(m[1], "/") && !strings.HasPrefix(m[1], "#") && !strings.HasPrefix(m[1], "http://localhost:8081/") || strings.HasPrefix(m[1], "//") {
			t.Errorf("%s leads to %q", path, m[1])
		}
	}
}

func TestBrokenStates(t *testing.T) {
	s := newScreens(t, archive, nil)
	for path, want := range map[string]int{
		"/nothing":                   404,
		"/collections/none":          404,
		"/collections/..%2f..%2fetc": 400,
		"/collections/aachen/page":   400,
		"/collections/aachen/page?url=http://no.example/":                   404,
		"/collections/aachen/compare?url=" + url.QueryEscape(home) + "&a=x": 400,
		"/collections/aachen/map?from=yesterday":                            400,
		"/collections/aachen/crawls/none":                                   404,
		"/collections/aachen/crawls/none/coherence":                         404,
		"/assets/none.js": 404,
	} {
		status, body, _ := s.get(t, access.Admin, path)
		if status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
		if !strings.HasPrefix(path, "/assets") && !strings.Contains(body, "</html>") {
			t.Errorf("%s is not told as a page", path)
		}
	}
}

func TestRoles(t *testing.T) {
	s := newScreens(t, archive, nil)
	for path := range s.paths() {
		status, _, h := s.get(t, access.Nobody, path)
		if path == "/login" {
			continue
		}
		if status != http.StatusSeeOther || !strings.HasPrefix(h.Get("Location"), "/login?to=") {
			t.Errorf("%s for nobody: %d %s", path, status, h.Get("Location"))
		}
	}
	if status, body, _ := s.get(t, access.Viewer, "/access"); status != http.StatusForbidden || strings.Contains(body, "Rules in force") {
		t.Errorf("access for a viewer: %d", status)
	}
	if _, body, _ := s.get(t, access.Viewer, "/"); strings.Contains(body, `href="/access"`) {
		t.Error("a viewer is shown the way to access")
	}
}

func TestEmptyArchive(t *testing.T) {
	s := newScreens(t, t.TempDir(), servetest.Index{})
	for path, want := range map[string]string{"/": "Nothing is archived yet", "/crawls": "No crawl yet", "/find?q=x.example": "Not in this archive"} {
		if status, body, _ := s.get(t, access.Admin, path); status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d", path, status)
		}
	}
}

func TestDamagedFilesAreTold(t *testing.T) {
	dir := t.TempDir()
	c := filepath.Join(dir, "collections", "bad")
	k := filepath.Join(c, "crawls", "20260101T000000Z")
	if err := os.MkdirAll(k, 0o755); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{filepath.Join(c, "collection.toml"): "title = ", filepath.Join(k, "report.json"): "{", filepath.Join(k, "coherence.json"): "["} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := newScreens(t, dir, servetest.Index{})
	for path, want := range map[string]string{
		"/":                "collection.toml cannot be read",
		"/collections/bad": "collection.toml cannot be read",
		"/collections/bad/crawls/20260101T000000Z":           "cannot be read",
		"/collections/bad/crawls/20260101T000000Z/coherence": "cannot be read",
	} {
		if status, body, _ := s.get(t, access.Admin, path); status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d, says so: %v", path, status, strings.Contains(body, want))
		}
	}
}

// hostile is an index whose every string wants to break out.
type hostile struct{}

const evil = `http://evil.example/"><script>alert(1)</script><img src=x onerror=alert(1)>'` + "\u202e{{.}}${x}"

func (hostile) Captures(_ context.Context, q holdings.Query) iter.Seq2[holdings.IndexedCapture, error] {
	return func(yield func(holdings.IndexedCapture, error) bool) {
		for i, u := range []string{evil, "javascript:alert(1)", evil} {
			c := holdings.IndexedCapture{Key: canon.SURT(evil), Capture: varve.Capture{
				URL: u, Time: time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC), Status: 200, MIME: `text/html"><b>`, Digest: fmt.Sprintf(`<i>%d</i>`, i),
			}}
			if !yield(c, nil) {
				return
			}
		}
	}
}

func TestArchivedStringsDoNothing(t *testing.T) {
	tally := attack.Count(t)
	dir := t.TempDir()
	c := filepath.Join(dir, "collections", "aachen")
	if err := os.MkdirAll(c, 0o755); err != nil {
		t.Fatal(err)
	}
	toml := fmt.Sprintf("title = %q\npurpose = %q\n", `<script>alert("title")</script>`, `"><svg onload=alert(1)>`)
	if err := os.WriteFile(filepath.Join(c, "collection.toml"), []byte(toml), 0o644); err != nil {
		t.Fatal(err)
	}
	s := newScreens(t, dir, hostile{})
	u := url.QueryEscape(evil)
	for _, path := range []string{"/", "/collections/aachen", "/collections/aachen/pages?type=all", "/collections/aachen/pages?url=" + u, "/collections/aachen/page?url=" + u, "/collections/aachen/compare?url=" + u, "/collections/aachen/compare?view=side&url=" + u, "/collections/aachen/map", "/find?q=" + u} {
		status, body, _ := s.get(t, access.Admin, path)
		if status != 200 {
			t.Errorf("%s: %d", path, status)
		}
		for _, bad := range []string{"<script>alert", "<img src=x", "<svg onload", `text/html"><b>`, "<i>0", `href="javascript`} {
			tally.Try(1)
			if strings.Contains(body, bad) {
				t.Errorf("%s has %s", path, bad)
			}
		}
		for _, m := range links.FindAllStringSubmatch(body, -1) {
			if !strings.HasPrefix(m[1], "/") && !strings.HasPrefix(m[1], "#") && !strings.HasPrefix(m[1], "http://localhost:8081/") {
				t.Errorf("%s leads to %q", path, m[1])
			}
		}
	}
}

func TestAssets(t *testing.T) {
	built, err := assets.Bundle("assets")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range built {
		got, err := os.ReadFile(filepath.Join("assets", "built", name))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s is not what its source gives: run 'go run ./serve/ui/bundle' (%v)", name, err)
		}
	}
	s := newScreens(t, archive, nil)
	_, body, _ := s.get(t, access.Admin, "/")
	total := len(body)
	for _, m := range regexp.MustCompile(`/assets/[a-z]+-[0-9a-f]{10}\.(?:js|css)`).FindAllString(body, -1) {
		r := httptest.NewRequest("GET", m, nil)
		r.Header.Set("Accept-Encoding", "gzip")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != 200 || w.Header().Get("Content-Encoding") != "gzip" || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %v", m, w.Code, w.Header())
		}
		total += w.Body.Len()
	}
	t.Logf("the first page weighs %d bytes with its assets", total)
	if total > 150<<10 {
		t.Errorf("the first page weighs %d bytes", total)
	}
}

func TestMeasuringInTheBackground(t *testing.T) {
	s := newScreens(t, archive, nil)
	r := httptest.NewRequest("POST", "/collections/aachen/measure", nil)
	r = r.WithContext(access.With(r.Context(), access.Visitor{Role: access.Curator}))
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != http.StatusSeeOther {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	t.Cleanup(func() {
		files, _ := filepath.Glob(filepath.Join(archive, "collections", "aachen", "crawls", "*", "coherence.json"))
		for _, f := range files {
			os.Remove(f)
		}
	})
	if _, body, _ := s.get(t, access.Curator, "/collections/aachen"); !strings.Contains(body, "Measuring coherence") && !strings.Contains(body, "% coherent") {
		t.Error("nobody is told that it is being measured")
	}
	deadline := time.Now().Add(60 * time.Second)
	for {
		if j, _ := s.desk.Job("aachen"); !j.Running {
			if j.Err != nil || j.Done != 3 {
				t.Fatalf("%+v", j)
			}
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("it does not end")
		}
		time.Sleep(20 * time.Millisecond)
	}
	if _, body, _ := s.get(t, access.Curator, "/collections/aachen/crawls/"+s.crawl+"/coherence"); !strings.Contains(body, "Reference point") || !strings.Contains(body, `data-graph="/api/collections/aachen/crawls/`) {
		t.Error("the report is not shown")
	}
}

// Pages that a part breaks are named, with the part, where a curator looks: on the screens of coherence and of what a crawl lacks. A report of before such were
// judged is shown as it is.
func TestPagesWithPartsOnScreens(t *testing.T) {
	s := newScreens(t, archive, nil)
	file := filepath.Join(archive, "collections", "aachen", "crawls", s.crawl, "coherence.json")
	t.Cleanup(func() { os.Remove(file) })
	rep := report.Report{Layers: report.Layers{layer.Text: {Coherent: 3}}, Data: &report.Part{}, Pages: 3}
	write := func() {
		t.Helper()
		b, err := json.Marshal(&rep)
		if err == nil {
			err = os.WriteFile(file, b, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	screens := []string{"/collections/aachen/crawls/" + s.crawl + "/coherence", "/collections/aachen/crawls/" + s.crawl + "/review"}
	write()
	for _, screen := range screens {
		if status, body, _ := s.get(t, access.Curator, screen); status != http.StatusOK || strings.Contains(body, `id="whole"`) {
			t.Errorf("%s: %d, a report of before is not shown as it is", screen, status)
		}
	}
	violated := model.Finding{Verdict: model.Violated, Level: model.Witnessed, Reason: model.ByChange}
	rep.Composite = &report.Composites{Pages: 3, Coherent: 1, Violated: 1, Possible: 1, Parts: 7, Worst: []report.Incomplete{{
		URL: "http://aachen.test/page", Together: report.Together{Finding: violated, Parts: 7, Amiss: 6, Broken: []report.Broken{{URL: "http://aachen.test/<b>.png", Finding: violated}}},
	}}}
	write()
	for _, screen := range screens {
		_, body, _ := s.get(t, access.Curator, screen)
		for _, want := range []string{
			"1 of 3 pages stood together with all they show at some instant", "1 are broken by a part that changed", "of 1 it is not proven", "7 parts in all",
			"aachen.test/page", "aachen.test/&lt;b&gt;.png", "6 of 7 parts in all",
		} {
			if !strings.Contains(body, want) {
				t.Errorf("%s does not say %q", screen, want)
			}
		}
	}
}

func TestRulesOnTheScreen(t *testing.T) {
	s := newScreens(t, archive, nil)
	post := func(role access.Role, target string, form url.Values) int {
		r := httptest.NewRequest("POST", target, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r = r.WithContext(access.With(r.Context(), access.Visitor{Name: "eva", Role: role}))
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Code
	}
	block := url.Values{"prefix": {"http://a.example/"}, "level": {"blocked"}, "reason": {"letter"}}
	if got := post(access.Curator, "/access/rules", block); got != http.StatusForbidden {
		t.Errorf("a curator took down: %d", got)
	}
	block.Set("make", "yes")
	block.Set("word", "http://a.example/")
	if got := post(access.Admin, "/access/rules", block); got != http.StatusSeeOther {
		t.Errorf("takedown: %d", got)
	}
	if got := post(access.Admin, "/access/rules", url.Values{"embargo": {"many"}, "reason": {"x"}}); got != http.StatusBadRequest {
		t.Errorf("embargo of many days: %d", got)
	}
	_, body, _ := s.get(t, access.Admin, "/access")
	if !strings.Contains(body, "nobody: taken down") || !strings.Contains(body, "rule added") {
		t.Error("rule and audit entry are not shown")
	}
	rules, err := s.rules.Rules()
	if err != nil || len(rules) != 1 {
		t.Fatal(rules, err)
	}
	if got := post(access.Admin, "/access/rules/"+rules[0].ID+"/lift", url.Values{"reason": {"agreed"}}); got != http.StatusSeeOther {
		t.Errorf("lift: %d", got)
	}
}

// The first page and the list of collections count the same captures.
func TestCountsAgree(t *testing.T) {
	s := newScreens(t, archive, nil)
	lead := regexp.MustCompile(`(?s)<p class="lead">.*?</p>`)
	tags := regexp.MustCompile(`<[^>]*>|\s+`)
	var said []string
	for _, path := range []string{"/", "/collections"} {
		_, body, _ := s.get(t, access.Viewer, path)
		said = append(said, strings.Join(strings.Fields(tags.ReplaceAllString(lead.FindString(body), " ")), " "))
	}
	if said[0] != said[1] || !strings.Contains(said[0], "captures") {
		t.Errorf("the first page says\n%s, the list of collections\n%s", said[0], said[1])
	}
}

// The screens speak as archivists do: words that only we understood do not come back.
func TestPlainWords(t *testing.T) {
	banned := regexp.MustCompile(`(?i)leave it\b|\breckon|rest of a host|set the rest|blur, expected|members differ|take all out|>[^<{]*\b(seed-failed|std\.words)`)
	files, err := filepath.Glob("templates/*.html")
	if err != nil || len(files) < 30 {
		t.Fatal(len(files), err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range banned.FindAllString(regexp.MustCompile(`value="[a-z]+"|\.Reckoned`).ReplaceAllString(string(b), ""), -1) {
			t.Errorf("%s says %q", f, m)
		}
	}
	for _, k := range []review.Kind{review.SeedFailed, review.CrawlGaps, "made-up"} {
		if strings.Contains(k.Words(), "-") {
			t.Errorf("%s is called %s", k, k.Words())
		}
	}
}

// The box at the top takes words, addresses, names and dates, and never leads nowhere.
func TestOneBox(t *testing.T) {
	s := newScreens(t, archive, nil)
	for q, want := range map[string][]string{
		"aachen.sim.test":   {`"kind":"Addresses"`, "/collections/aachen/page?url=", "Search the texts for"},
		"city of":           {`"kind":"Collections"`, `"href":"/collections/aachen"`, "Search the texts for"},
		"2026-01":           {`"kind":"Times"`, "from=2026-01", "/?at=2026-01"},
		"3 May 2024":        {"from=2024-05-03", "Search the texts for"},
		"zzz nothing of it": {`[{"kind":"Texts"`, "/search?q=zzz"},
		"":                  {"[]"},
		"<b>&\"":            {"/search?q=%3Cb%3E%26%22"},
	} {
		code, body, _ := s.get(t, access.Viewer, "/suggest?q="+url.QueryEscape(q))
		for _, w := range want {
			if code != 200 || !strings.Contains(strings.ReplaceAll(body, `\u0026`, "&"), w) {
				t.Errorf("%q: %d %s lacks %q", q, code, body, w)
			}
		}
	}
	code, _, head := s.get(t, access.Viewer, "/find?q=rising+rents")
	if code != http.StatusSeeOther || head.Get("Location") != "/search?q=rising+rents" {
		t.Errorf("words lead to %d %s", code, head.Get("Location"))
	}
	if _, body, _ := s.get(t, access.Viewer, "/find?q=nowhere.example"); !strings.Contains(body, "Search the texts for") {
		t.Error("an address that is not there is a dead end")
	}
}
