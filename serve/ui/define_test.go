package ui_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/lab/attack"
	"varve/lab/servetest"
	"varve/serve/access"
	"varve/serve/crawls"
	"varve/serve/holdings"
	"varve/serve/ui"
)

// planning is the screens of an archive of its own, whose plans can be changed.
type planning struct {
	*screens
	audit *access.Audit
	rules *access.Decisions
	desk  *crawls.Desk
}

func newPlanning(t *testing.T) *planning {
	t.Helper()
	dir := t.TempDir()
	p := &planning{audit: access.OpenAudit(filepath.Join(dir, "access"))}
	p.rules = access.OpenDecisions(dir, p.audit)
	p.desk = &crawls.Desk{Archive: catalog.Open(dir), Audit: p.audit, Now: time.Now}
	x, err := ui.New(ui.Config{
		Holdings: holdings.New(catalog.Open(dir), time.Now), Index: servetest.Index{}, Crawls: &starter{}, Plans: p.desk, Archive: dir,
		Rules: p.rules, Users: access.OpenUsers(dir), Audit: p.audit,
		Background: context.Background(), Now: time.Now, Log: slog.New(slog.DiscardHandler), Version: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	p.screens = &screens{UI: x}
	if err := p.desk.Begin(crawls.NewCollection{Name: "news", Title: "News"}, "eva"); err != nil {
		t.Fatal(err)
	}
	return p
}

func form(pairs ...string) url.Values {
	f := url.Values{
		"name": {"daily"}, "seeds": {"https://a.example/\nhttps://b.example/"}, "contact": {"eva@library.example"}, "scope": {"host"},
		"every": {"1 day"}, "max-pages": {"100"}, "revisit": {"none"}, "capture": {"auto"}, "do": {"save"},
	}
	for i := 0; i < len(pairs); i += 2 {
		f.Set(pairs[i], pairs[i+1])
	}
	return f
}

const draft = "/collections/news/plan/draft"

// Define, look, change, copy, retire.
func TestDefineOnScreen(t *testing.T) {
	p := newPlanning(t)
	if status, to := p.post(t, access.Curator, draft, form()); status != 303 || to != "/collections/news/plan/daily" {
		t.Fatalf("%d %s", status, to)
	}
	_, body, _ := p.get(t, access.Viewer, "/collections/news/plan/daily")
	for _, want := range []string{"[crawl.daily]", "https://b.example/", "only-public = true", "defined it", "<b>eva</b>"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page of the crawl lacks %s", want)
		}
	}
	if strings.Contains(body, "Retire") || strings.Contains(body, "Start now") {
		t.Error("a viewer is offered to change it")
	}
	_, body, _ = p.get(t, access.Curator, "/collections/news/plan")
	if !strings.Contains(body, "New crawl") || !strings.Contains(body, "by eva") || !strings.Contains(body, `aria-label="Change daily"`) {
		t.Error("the plan does not show it")
	}
	_, body, _ = p.get(t, access.Curator, "/collections/news/plan/daily/edit")
	was := between(body, `name="was" value="`, `"`)
	if was == "" || !strings.Contains(body, "readonly") || !strings.Contains(body, "https://a.example/\nhttps://b.example/</textarea>") {
		t.Errorf("the form: was %q", was)
	}
	change := form("from", "daily", "was", was, "max-pages", "7", "note", "smaller")
	if status, to := p.post(t, access.Curator, draft, change); status != 303 {
		t.Fatalf("%d %s", status, to)
	}
	if status, _ := p.post(t, access.Curator, draft, change); status != 409 {
		t.Errorf("a change of what was changed: %d", status)
	}
	_, body, _ = p.get(t, access.Viewer, "/collections/news/plan/daily")
	if !strings.Contains(body, "<del>- max-pages = 100</del>") || !strings.Contains(body, "<ins>+ max-pages = 7</ins>") || !strings.Contains(body, "smaller") {
		t.Error("its history does not say what was changed")
	}
	_, body, _ = p.get(t, access.Curator, "/collections/news/plan/new?copy=daily")
	if !strings.Contains(body, "Copy of daily") || !strings.Contains(body, `name="was" value=""`) || !strings.Contains(body, `value="7"`) {
		t.Error("the copy is not filled in")
	}
	if status, _ := p.post(t, access.Curator, "/collections/news/plan/daily/retire", url.Values{"note": {"over"}}); status != 303 {
		t.Errorf("retire: %d", status)
	}
	_, body, _ = p.get(t, access.Viewer, "/collections/news/plan/daily")
	if !strings.Contains(body, "Planned no more") || !strings.Contains(body, "retired it: over") {
		t.Error("it is not retired")
	}
}

func between(s, a, b string) string {
	_, s, _ = strings.Cut(s, a)
	s, _, _ = strings.Cut(s, b)
	return s
}

// What is wrong is said beside its field, and nothing that was typed is lost.
func TestDefineFaults(t *testing.T) {
	tally := attack.Count(t)
	p := newPlanning(t)
	evil := `"><script>alert(1)</script>`
	f := form("name", evil, "seeds", "https://ok.example/\nhttp://"+evil, "contact", evil, "topic", evil, "include", evil, "rules", evil, "note", evil, "operator", evil, "every", evil, "url", evil)
	for _, do := range []string{"save", "check", "test", "reckon", ""} {
		tally.Try(1)
		f.Set("do", do)
		status, body := p.send(t, access.Curator, draft, f)
		if do == "save" && status != 422 || do != "save" && status != 200 {
			t.Errorf("%q: %d", do, status)
		}
		if strings.Contains(body, "<script>alert") || strings.Count(body, "&lt;script&gt;alert") < 8 {
			t.Errorf("%q: what was typed is lost, or alive", do)
		}
		harmless(t, draft, body)
	}
	_, body := p.send(t, access.Curator, draft, form("contact", "", "max-pages", "many"))
	for _, want := range []string{`id="fault-contact" role="alert">site owners must be able to reach you`, `id="fault-max-pages" role="alert">it is a number`, "https://b.example/</textarea>", `value="many"`} {
		if !strings.Contains(body, want) {
			t.Errorf("the form lacks %s", want)
		}
	}
	_, body = p.send(t, access.Curator, draft, url.Values{"name": {"x"}}) // while one types
	if strings.Contains(body, "site owners must") || !strings.Contains(body, "Still needed: seeds") {
		t.Errorf("fields that nobody has come to are blamed: %s", between(body, `id="save-note">`, "<"))
	}
	if list, err := p.desk.List("news"); err != nil || len(list) != 0 {
		t.Errorf("something was saved: %+v, %v", list, err)
	}
}

// Who may do what.
func TestDefineRoles(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(1)
	p := newPlanning(t)
	for _, path := range []string{"/new", "/collections/news/plan/new", "/collections/news/plan/daily/edit"} {
		tally.Try(1)
		if status, _, _ := p.get(t, access.Viewer, path); status != 403 {
			t.Errorf("%s for a viewer: %d", path, status)
		}
	}
	for _, path := range []string{draft, "/new", "/collections/news/plan/daily/retire", "/collections/news/crawls/x/change"} {
		tally.Try(1)
		if status, _ := p.post(t, access.Viewer, path, form()); status != 403 {
			t.Errorf("POST %s for a viewer: %d", path, status)
		}
	}
	local := form("seeds", "http://127.0.0.1:1/")
	if status, body := p.send(t, access.Curator, draft, local); status != 422 || !strings.Contains(body, "administrator") {
		t.Errorf("this machine for a curator: %d", status)
	}
	if status, _ := p.post(t, access.Admin, draft, local); status != 303 {
		t.Errorf("this machine for an administrator: %d", status)
	}
	if e, err := p.desk.Entry("news", "daily"); err != nil || e.Definition.OnlyPublic {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestBeginOnScreen(t *testing.T) {
	p := newPlanning(t)
	if status, to := p.post(t, access.Curator, "/new", url.Values{"name": {"town"}, "title": {"<i>Town</i>"}, "purpose": {"all"}}); status != 303 || to != "/collections/town/plan/new" {
		t.Errorf("%d %s", status, to)
	}
	_, body, _ := p.get(t, access.Curator, "/collections/town/plan")
	if !strings.Contains(body, "Plan the first crawl") || strings.Contains(body, "<i>Town") {
		t.Error("the new collection does not show the way")
	}
	status, body := p.send(t, access.Curator, "/new", url.Values{"name": {"../x"}, "title": {"kept <b>"}})
	if status != 422 || !strings.Contains(body, "letters, digits") || !strings.Contains(body, "kept &lt;b&gt;") {
		t.Errorf("%d: %.300s", status, body)
	}
}

func TestServerThatChangesNoPlans(t *testing.T) {
	s := newStarting(t, nil)
	for _, path := range []string{"/new", "/collections/aachen/plan/new"} {
		if status, _, _ := s.get(t, access.Admin, path); status != 503 {
			t.Errorf("%s: %d", path, status)
		}
	}
	if status, _ := s.post(t, access.Admin, "/collections/aachen/plan/draft", form()); status != 503 {
		t.Errorf("%d", status)
	}
}

// send posts a form and gives the page that answers it.
func (p *planning) send(t *testing.T, role access.Role, target string, form url.Values) (int, string) {
	t.Helper()
	r := httptest.NewRequest("POST", target, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r = r.WithContext(access.With(r.Context(), access.Visitor{Name: "eva", Role: role, CSRF: "token"}))
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}
