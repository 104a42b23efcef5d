package replay_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"varve/lab/attack"
	"varve/serve/replay"
	"varve/serve/replay/replaytest"
)

// scripted are documents of every kind that may run scripts, and their like.
var scripted = []replaytest.Answer{
	{URL: "http://a.example/p", Time: "2026-01-02T03:04:05Z", Header: htmlType, Body: `<head><meta http-equiv=refresh content="7; url=/q"></head><noscript>plain</noscript><a href=/q target=_blank>q</a><script>1</script>`},
	{URL: "http://a.example/q", Time: "2026-01-02T03:04:05Z", Header: htmlType, Body: `<script>2</script>`},
	{URL: "http://a.example/x", Time: "2026-01-02T03:04:05Z", Header: "Content-Type: application/xhtml+xml\n", Body: `<html xmlns="http://www.w3.org/1999/xhtml"><body><script>3</script></body></html>`},
	{URL: "http://a.example/f.pdf", Time: "2026-01-02T03:04:05Z", Header: "Content-Type: application/pdf\n", Body: "%PDF-1.4"},
	{URL: "http://a.example/none", Time: "2026-01-02T03:04:05Z", Body: `<html><script>4</script>`},
}

// Browsers are known by Sec-CH-UA alone; in all others, and in those that are not understood, no script runs.
func TestScriptsByBrowser(t *testing.T) {
	tally := attack.Count(t)
	x := replaytest.Write(t, scripted...)
	for _, c := range []struct {
		setting replay.Scripts
		headers []string
		runs    bool
	}{
		{replay.ScriptsAuto, []string{"Sec-CH-UA: " + chromium}, true},
		{replay.ScriptsAuto, []string{`Sec-CH-UA: "Google Chrome";v="157", "Chromium";v="157", "Not=A?Brand";v="24"`}, true},
		{replay.ScriptsAuto, []string{`Sec-CH-UA: "Not\"A;Brand, \"";v="8", "Chromium";v="200"`}, true},
		{replay.ScriptsAuto, []string{`Sec-CH-UA: "Chromium";v="155"`}, false},
		{replay.ScriptsAuto, []string{`Sec-CH-UA: "Chromium";v="156", "Chromium";v="99"`}, false},
		{replay.ScriptsAuto, []string{`Sec-CH-UA: "Chromium";v="156.0"`}, false},
		{replay.ScriptsAuto, []string{`Sec-CH-UA: "Chromium";v=156`}, false},
		{replay.ScriptsAuto, []string{`Sec-CH-UA: "Not\"Chromium";v="156"`}, false},
		{replay.ScriptsAuto, []string{`Sec-CH-UA: "x\", \"Chromium";v="156"`}, false},
		{replay.ScriptsAuto, []string{`Sec-CH-UA: "x;v=\"1\", \"Chromium\";v=\"156\""`}, false},
		{replay.ScriptsAuto, []string{`Sec-CH-UA: "Chromium`}, false},
		{replay.ScriptsAuto, []string{`Sec-CH-UA: "Firefox";v="156"`}, false},
		{replay.ScriptsAuto, []string{"Sec-CH-UA: ", "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0"}, false},
		{replay.ScriptsAuto, []string{"Sec-CH-UA: ", "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Ladybird/1.0 Chrome/156.0.0.0 Safari/537.36"}, false},
		{replay.ScriptsAuto, []string{"Sec-CH-UA: "}, false},
		{replay.ScriptsNever, []string{"Sec-CH-UA: " + chromium}, false},
		{replay.ScriptsAlways, []string{"Sec-CH-UA: "}, true},
	} {
		outer := replaytest.Handler(t, x, func(cfg *replay.Config) { cfg.Scripts = c.setting })
		for _, h := range []http.Handler{outer, inner(outer)} {
			for _, p := range scripted {
				for _, mod := range []string{"mp_", "if_", "fr_", "oe_", "im_", "wkr_", "sw_", "js_", "id_"} {
					for _, dest := range []string{"iframe", "frame", "object", "document", ""} {
						r := get(h, "GET", "/n/20260102030405"+mod+"/"+p.URL, append([]string{"Sec-Fetch-Dest: " + dest}, c.headers...)...)
						if r.StatusCode == http.StatusFound || r.StatusCode == http.StatusTemporaryRedirect {
							continue
						}
						csp := r.Header.Get("Content-Security-Policy")
						if !c.runs {
							tally.Try(1)
						}
						if strings.Contains(csp, "allow-scripts") && !c.runs || !strings.Contains(csp, "sandbox") {
							tally.Through(1)
							t.Errorf("%q: %s of %s for %q: %s", c.headers, mod, p.URL, dest, csp)
						}
						if document := mod == "mp_" || mod == "if_" || mod == "fr_"; document && c.runs != strings.Contains(csp, "allow-scripts") {
							t.Errorf("%q: %s of %s for %q, want scripts %v: %s", c.headers, mod, p.URL, dest, c.runs, csp)
						} else if vary := r.Header.Get("Vary"); document && (vary == "Sec-CH-UA") != (c.setting == replay.ScriptsAuto) {
							t.Errorf("%s of %s: Vary %q", mod, p.URL, vary)
						}
						if body := text(t, r); !c.runs && mod == "mp_" && strings.Contains(body, "shim.js") {
							t.Errorf("%s of %s has the shim", mod, p.URL)
						}
					}
				}
			}
		}
	}
}

// firefox asks as a browser that is not known to keep scripts in; jar holds its cookies on the replay host.
type firefox struct {
	t   *testing.T
	h   http.Handler
	jar map[string]string
}

func (f *firefox) ask(method, target, body string, headers ...string) *http.Response {
	f.t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("Sec-Fetch-Dest", "document")
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, v := range headers {
		name, value, _ := strings.Cut(v, ": ")
		r.Header.Set(name, value)
	}
	if strings.HasPrefix(target, replaytest.Base+"/") {
		for name, value := range f.jar {
			r.AddCookie(&http.Cookie{Name: name, Value: value})
		}
	}
	w := httptest.NewRecorder()
	f.h.ServeHTTP(w, r)
	resp := w.Result()
	for _, c := range resp.Cookies() {
		if strings.HasPrefix(target, replaytest.Base+"/") && c.Domain == "" {
			f.jar[c.Name] = c.Value
		}
	}
	return resp
}

var frameSrc = regexp.MustCompile(`<iframe id="page"[^>]* src="([^"]*)" sandbox="([^"]*)"`)

// open opens a page in its frame and returns the address of the content, and whether its frame may run scripts.
func (f *firefox) open(path string) (content string, frame bool, page string) {
	f.t.Helper()
	page = text(f.t, f.ask("GET", replaytest.Base+path, ""))
	m := frameSrc.FindStringSubmatch(page)
	if m == nil {
		f.t.Fatalf("%s: no frame in %s", path, page)
	}
	return m[1], strings.Contains(m[2], "allow-scripts"), page
}

// runs reports whether scripts run in content that a frame shows.
func (f *firefox) runs(content string) bool {
	f.t.Helper()
	r := f.ask("GET", content, "", "Sec-Fetch-Dest: iframe")
	if r.StatusCode != 200 {
		f.t.Fatalf("%s: %s", content, r.Status)
	}
	return strings.Contains(r.Header.Get("Content-Security-Policy"), "allow-scripts")
}

const (
	pagePath   = "/n/20260102030405/http://a.example/p"
	otherPath  = "/n/20260102030405/http://a.example/q"
	fromBanner = "Origin: " + replaytest.Base
)

// The reader lets scripts run: of a page as it is shown once, or of a collection.
func TestScriptsChosen(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	f := &firefox{t: t, h: replaytest.Handler(t, replaytest.Write(t, scripted...), func(c *replay.Config) { c.Now = func() time.Time { return now } }), jar: map[string]string{}}
	content, frame, page := f.open(pagePath)
	if frame || f.runs(content) || !strings.Contains(page, "Run this page&#39;s scripts") {
		t.Fatalf("at first scripts run: %s", page)
	}
	r := f.ask("POST", replaytest.Base+"/_varve/scripts", "for=page&page="+pagePath, fromBanner)
	if r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != pagePath {
		t.Fatalf("%s to %s", r.Status, r.Header.Get("Location"))
	}
	content, frame, page = f.open(pagePath)
	if !frame || !f.runs(content) || !strings.Contains(page, "this once") {
		t.Fatalf("the scripts of the page do not run: %s", page)
	}
	other := strings.Replace(content, "/p", "/q", 1)
	embedded := strings.Replace(other, "mp_", "if_", 1)
	if !f.runs(embedded) {
		t.Error("the scripts of a frame of the page do not run")
	}
	if f.runs(other) {
		t.Error("the scripts of another page run, in its place")
	}
	if f.runs(embedded) {
		t.Error("the scripts of a frame of the other page run")
	}
	if r := f.ask("GET", strings.Replace(content, "mp_", "if_", 1), ""); strings.Contains(r.Header.Get("Content-Security-Policy"), "allow-scripts") {
		t.Error("scripts run in an address that was opened by itself")
	}
	if _, frame, _ := f.open(pagePath); frame {
		t.Error("a choice for one view is good for two")
	}

	f.ask("POST", replaytest.Base+"/_varve/scripts", "for=collection&page="+pagePath, fromBanner)
	for _, path := range []string{pagePath, otherPath, pagePath} {
		if content, frame, page := f.open(path); !frame || !f.runs(content) || !strings.Contains(page, "Stop them") {
			t.Errorf("the scripts of the collection do not run: %s", page)
		}
	}
	stranger := &firefox{t: t, h: f.h, jar: map[string]string{}}
	if _, frame, _ := stranger.open(pagePath); frame {
		t.Error("the choice of one reader counts for another")
	}
	now = now.Add(13 * time.Hour)
	if _, frame, _ := f.open(pagePath); frame {
		t.Error("a choice is good for ever")
	}
	f.ask("POST", replaytest.Base+"/_varve/scripts", "for=collection&page="+pagePath, fromBanner)
	f.ask("POST", replaytest.Base+"/_varve/scripts", "for=none&page="+pagePath, fromBanner)
	if _, frame, _ := f.open(pagePath); frame {
		t.Error("a choice cannot be taken back")
	}
}

// Archived content cannot choose for the reader: neither by asking for it nor by making up addresses or cookies.
func TestScriptsAreChosenByTheReaderAlone(t *testing.T) {
	tally := attack.Count(t)
	f := &firefox{t: t, h: replaytest.Handler(t, replaytest.Write(t, scripted...), nil), jar: map[string]string{}}
	content, _, _ := f.open(pagePath)
	lead := content[:strings.Index(content, "/20260102030405mp_/")]
	for _, what := range []string{"page", "collection"} {
		for _, target := range []string{replaytest.Base, "http://n.localhost:8081", lead} {
			for _, headers := range [][]string{
				nil,
				{"Origin: null"},
				{"Origin: http://n.localhost:8081"},
				{"Origin: http://evil.example"},
				{"Referer: " + replaytest.Base + pagePath},
				{fromBanner, "Sec-Fetch-Site: same-site"},
				{fromBanner, "Sec-Fetch-Site: cross-site"},
				{fromBanner, "Sec-Fetch-Dest: iframe"},
				{fromBanner, "Sec-Fetch-Dest: empty"},
			} {
				for _, method := range []string{"POST", "GET", "PUT"} {
					tally.Try(1)
					body := "for=" + what + "&page=" + pagePath
					r := f.ask(method, target+"/_varve/scripts?"+body, body, headers...)
					if len(r.Cookies()) > 0 || r.StatusCode == http.StatusSeeOther {
						tally.Through(1)
						t.Errorf("%s %s %q: %s %v", method, target, headers, r.Status, r.Header)
					}
					if _, frame, _ := f.open(pagePath); frame {
						tally.Through(1)
						t.Errorf("%s %s %q: scripts run", method, target, headers)
					}
				}
			}
		}
	}
	for _, cookie := range []string{"", "n", "*", "collection", strings.Repeat("A", 26)} {
		f.jar["varve-scripts"] = cookie
		tally.Try(1)
		if _, frame, _ := f.open(pagePath); frame {
			tally.Through(1)
			t.Errorf("the cookie %q lets scripts run", cookie)
		}
	}
	f.jar = map[string]string{}

	// The view of a reader who chose, in an address of another collection or another page.
	f.ask("POST", replaytest.Base+"/_varve/scripts", "for=page&page="+otherPath, fromBanner)
	chosen, _, _ := f.open(otherPath)
	view := regexp.MustCompile(`~~([A-Z0-9]+)/`).FindStringSubmatch(chosen)[1]
	for _, address := range []string{
		"http://n.localhost:8081/n~~" + view + "/20260102030405mp_/http://a.example/p", "http://n.localhost:8081/n~~" + view + "/20260102030405if_/http://a.example/p",
		"http://n.localhost:8081/n~~" + view + "x/20260102030405mp_/http://a.example/q", "http://n.localhost:8081/n~~*/20260102030405mp_/http://a.example/q", "http://n.localhost:8081/n~" + view + "/20260102030405mp_/http://a.example/q",
		"http://n.localhost:8081/n~~/20260102030405mp_/http://a.example/q",
	} {
		tally.Try(1)
		if f.runs(address) {
			tally.Through(1)
			t.Errorf("scripts run at %s", address)
		}
	}
	for _, path := range []string{"/\\evil.example/2026/http://a.example/", "//evil.example/2026/http://a.example/", "https://evil.example/2026/http://a.example/", "/n/2026if_/http://a.example/p", ""} {
		r := f.ask("POST", replaytest.Base+"/_varve/scripts", "for=page&page="+path, fromBanner)
		tally.Try(1)
		if to := r.Header.Get("Location"); to != "" && (len(to) < 2 || to[0] != '/' || to[1] == '/' || to[1] == '\\') {
			tally.Through(1)
			t.Errorf("%q leads to %q", path, to)
		}
	}
	never := &firefox{t: t, h: replaytest.Handler(t, replaytest.Write(t, scripted...), func(c *replay.Config) { c.Scripts = replay.ScriptsNever }), jar: map[string]string{}}
	never.ask("POST", replaytest.Base+"/_varve/scripts", "for=collection&page="+pagePath, fromBanner)
	tally.Try(1)
	if content, frame, page := never.open(pagePath); frame || never.runs(content) || strings.Contains(page, "/_varve/scripts") {
		tally.Through(1)
		t.Errorf("scripts run where the archive says never: %s", page)
	}
}

// Without scripts in its frame the banner learns from the server what is shown.
func TestViewTellsTheBanner(t *testing.T) {
	f := &firefox{t: t, h: replaytest.Handler(t, replaytest.Write(t, scripted...), nil), jar: map[string]string{}}
	content, _, page := f.open(pagePath)
	view := regexp.MustCompile(`data-view="([^"]*)"`).FindStringSubmatch(page)[1]
	lead := content[:strings.Index(content, "20260102030405mp_/")]
	ask := func() (out struct {
		Page, Gone *struct{ URL, Time string }
		Parts      [][4]any
		Refresh    *struct {
			After int
			To    string
		}
		Leaks []string
	},
	) {
		t.Helper()
		if err := json.Unmarshal([]byte(text(t, f.ask("GET", replaytest.Base+"/_varve/view?id="+view, "", "Sec-Fetch-Dest: empty"))), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	body := text(t, f.ask("GET", content, "", "Sec-Fetch-Dest: iframe"))
	if !strings.Contains(body, `<a href="/n~~`+view+`/20260102030405mp_/http://a.example/q" varve-href="/q" target="_self" varve-target="_blank">`) {
		t.Errorf("a link to a new window, which cannot be opened, leads nowhere: %s", body)
	}
	f.ask("GET", lead+"20260102030405im_/http://a.example/f.pdf", "", "Sec-Fetch-Dest: image")
	f.ask("GET", lead+"20260102030405im_/http://a.example/missing.gif", "", "Sec-Fetch-Dest: image")
	f.ask("POST", "http://n.localhost:8081/_varve/leak", `{"csp-report":{"document-uri":"`+content+`","blocked-uri":"http://live.example/","effective-directive":"img-src"}}`, "Sec-Fetch-Dest: report")
	v := ask()
	if v.Page == nil || v.Page.URL != "http://a.example/p" || v.Page.Time != "20260102030405" || len(v.Parts) != 2 || v.Parts[0][2] != "proven" || v.Parts[1][2] != "missing" || len(v.Leaks) != 1 {
		t.Errorf("%+v", v)
	}
	if v.Refresh == nil || v.Refresh.After != 7 || v.Refresh.To != "/n~~"+view+"/20260102030405mp_/http://a.example/q" {
		t.Errorf("refresh: %+v", v.Refresh)
	}
	f.ask("GET", lead+"20260102030405mp_/http://a.example/q", "", "Sec-Fetch-Dest: iframe")
	if v := ask(); v.Page == nil || v.Page.URL != "http://a.example/q" || len(v.Parts) != 0 || v.Refresh != nil {
		t.Errorf("after a link: %+v", v)
	}
	f.ask("GET", lead+"20260102030405mp_/http://a.example/nowhere", "", "Sec-Fetch-Dest: iframe")
	if v := ask(); v.Gone == nil || v.Gone.URL != "http://a.example/nowhere" || v.Page != nil {
		t.Errorf("after a dead link: %+v", v)
	}
	if r := f.ask("GET", replaytest.Base+"/_varve/view?id=x", ""); r.StatusCode != http.StatusNotFound {
		t.Errorf("a view that is none: %s", r.Status)
	}
}
