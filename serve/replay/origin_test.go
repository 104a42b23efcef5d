package replay_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"varve/serve/replay"
	"varve/serve/replay/replaytest"
)

// Each collection has a label of its own, whatever its name.
func TestOriginOfCollection(t *testing.T) {
	h := replaytest.Handler(t, replaytest.NewIndex(), nil)
	names := []string{"n", "news", "News", "NEWS", "a.b", "a-b", "a--b", "-a", "x--dp", "x--", "xn--news", "a_b", strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 100), strings.Repeat("a", 99) + "b", "content", "1"}
	form := regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	seen := map[string]string{}
	for _, name := range names {
		r := get(h, "GET", "/"+name+"/20260102030405im_/http://a.example/", "Sec-Fetch-Dest: image")
		u, err := url.Parse(r.Header.Get("Location"))
		if err != nil {
			t.Fatal(err)
		}
		label, rest, _ := strings.Cut(u.Hostname(), ".")
		if rest != "localhost" || !form.MatchString(label) || strings.HasPrefix(label, "xn--") {
			t.Errorf("%s is on %q", name, u.Hostname())
		}
		if seen[label] != "" {
			t.Errorf("%s and %s share %s", name, seen[label], label)
		}
		seen[label] = name
	}
	if got := get(h, "GET", "/news/20260102030405im_/http://a.example/", "Sec-Fetch-Dest: image").Header.Get("Location"); !strings.HasPrefix(got, "http://news.localhost:8081/news/") {
		t.Errorf("a plain name is on %s", got)
	}
}

// fakeRights gives every page the same key.
type fakeRights struct{ differ bool }

func (f fakeRights) Key(_ *http.Request, _, _ string, _ time.Time, always bool) string {
	if always {
		return "oKEY"
	}
	return ""
}
func (f fakeRights) Covers(*http.Request, time.Time) bool { return true }

func (f fakeRights) Differ() bool { return f.differ }

// Without names for collections documents share an origin, unless some may see what others may not: then each is for
// itself, and asks for its collection by key.
func TestOneHostForContent(t *testing.T) {
	x := replaytest.Write(t, replaytest.Answer{URL: "http://a.example/p", Time: "2026-01-02T03:04:05Z", Header: htmlType, Body: "<p>x"})
	for _, differ := range []bool{false, true} {
		h := replaytest.Handler(t, x, func(c *replay.Config) { c.Base, c.Rights = "http://replay.example", fakeRights{differ} })
		at := func(host string) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { r.Host = host; h.ServeHTTP(w, r) })
		}
		lead := "/n/"
		if differ {
			lead = "/n~oKEY/"
		}
		if got := get(at("replay.example"), "GET", "/n/20260102030405if_/http://a.example/p", "Sec-Fetch-Dest: iframe").Header.Get("Location"); got != "http://content.replay.example"+lead+"20260102030405if_/http://a.example/p" {
			t.Errorf("content is at %s", got)
		}
		r := get(at("content.replay.example"), "GET", lead+"20260102030405if_/http://a.example/p", "Sec-Fetch-Dest: iframe", "Origin: null")
		csp := r.Header.Get("Content-Security-Policy")
		if strings.Contains(csp, "allow-same-origin") == differ || strings.Contains(csp, "connect-src http://content.replay.example/n~oKEY/ ") != differ || (r.Header.Get("Access-Control-Allow-Origin") == "null") != differ {
			t.Errorf("differ %v: %s, %v", differ, csp, r.Header)
		}
		// Of another second it leads to the capture's own time, and the browser follows only what may be read.
		if r := get(at("content.replay.example"), "GET", lead+"20260102030406mp_/http://a.example/p", "Origin: null", "Sec-Fetch-Dest: empty"); r.StatusCode != http.StatusFound || (r.Header.Get("Access-Control-Allow-Origin") == "null") != differ {
			t.Errorf("differ %v: a part of another second: %d %v", differ, r.StatusCode, r.Header)
		}
		if strings.Contains(csp, "frame-ancestors") == differ { // a document for itself can be named by nobody
			t.Errorf("differ %v: %s", differ, csp)
		}
		if csp := get(at("replay.example"), "GET", "/n/20260102030405/http://a.example/p").Header.Get("Content-Security-Policy"); !strings.Contains(csp, "frame-ancestors 'self'") {
			t.Errorf("foreign pages may hold the frame page: %s", csp)
		}
	}
	h := replaytest.Handler(t, x, func(c *replay.Config) { c.Base, c.Wildcard = "http://replay.example", true })
	at := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { r.Host = "replay.example"; h.ServeHTTP(w, r) })
	if got := get(at, "GET", "/n/20260102030405if_/http://a.example/p", "Sec-Fetch-Dest: iframe").Header.Get("Location"); got != "http://n.replay.example/n/20260102030405if_/http://a.example/p" {
		t.Errorf("with names for collections content is at %s", got)
	}
}

// Only documents with the shim in them may run scripts and share an origin; everything else is inert.
func TestInert(t *testing.T) {
	pages := []replaytest.Answer{}
	for name, typ := range map[string]string{"html": "text/html", "txt": "text/plain", "svg": "image/svg+xml", "xml": "text/xml", "json": "application/json", "js": "text/javascript", "css": "text/css", "xsl": "text/xsl", "none": ""} {
		header := "Content-Type: " + typ + "\n"
		if typ == "" {
			header = ""
		}
		pages = append(pages, replaytest.Answer{URL: "http://a.example/x." + name, Time: "2026-01-02T03:04:05Z", Header: header, Body: "<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>"})
	}
	h := inner(replaytest.Handler(t, replaytest.Write(t, pages...), nil))
	for _, p := range pages {
		for _, mod := range []string{"if_", "mp_", "id_", "js_", "im_", "oe_", "wkr_"} {
			r := get(h, "GET", "/n/20260102030405"+mod+"/"+p.URL, "Sec-Fetch-Dest: iframe")
			csp := r.Header.Get("Content-Security-Policy")
			shimmed := strings.HasSuffix(p.URL, ".html") && mod != "id_" && mod != "js_" && mod != "wkr_"
			if strings.Contains(csp, "allow-same-origin") != shimmed || strings.Contains(csp, "allow-scripts") != shimmed || !strings.Contains(csp, "sandbox") {
				t.Errorf("%s of %s: %s", mod, p.URL, csp)
			}
		}
	}
	for _, path := range []string{"/n/20260102030405if_/http://a.example/missing", "/favicon.ico", "/robots.txt", "/_varve/shim.js", "/n/20260102030405if_/", "/n"} {
		if csp := get(h, "GET", path, "Sec-Fetch-Dest: iframe").Header.Get("Content-Security-Policy"); !strings.Contains(csp, "sandbox") || strings.Contains(csp, "allow-same-origin") {
			t.Errorf("%s: %s", path, csp)
		}
	}
}
