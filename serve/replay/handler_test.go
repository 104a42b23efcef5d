package replay_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"varve/serve/replay/replaytest"
)

// get asks a handler; headers come as "Name: value".
// chromium is how a browser names itself that is known to keep archived scripts in.
const chromium = `"Not:A-Brand";v="8", "Chromium";v="156"`

// get asks as such a browser, unless the headers say otherwise.
func get(h http.Handler, method, path string, headers ...string) *http.Response {
	var body string
	if len(headers) > 0 && !strings.Contains(headers[len(headers)-1], ": ") {
		body, headers = headers[len(headers)-1], headers[:len(headers)-1]
	}
	r := httptest.NewRequest(method, replaytest.Base+path, strings.NewReader(body))
	r.Header.Set("Sec-CH-UA", chromium)
	for _, v := range headers {
		name, value, _ := strings.Cut(v, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

// text reads the body of an answer.
func text(t *testing.T, r *http.Response) string {
	t.Helper()
	defer r.Body.Close()
	var b strings.Builder
	buf := make([]byte, 4096)
	for {
		n, err := r.Body.Read(buf)
		b.Write(buf[:n])
		if err != nil {
			return b.String()
		}
	}
}

const htmlType = "Content-Type: text/html; charset=utf-8\n"

func TestPage(t *testing.T) {
	x := replaytest.Write(t, replaytest.Answer{URL: "http://a.example/p", Time: "2026-01-02T03:04:05Z", Header: htmlType + "Set-Cookie: a=b\nX-Frame-Options: DENY\n", Body: `<html><head></head><a href="/q">q</a>`})
	h := replaytest.Handler(t, x, nil)
	r := get(h, "GET", "/n/20260102030405mp_/http://a.example/p")
	body := text(t, r)
	if r.StatusCode != 200 || !strings.Contains(body, `<a href="/n/20260102030405mp_/http://a.example/q" varve-href="/q">`) || !strings.Contains(body, `<head><script src="/_varve/shim.js?`) {
		t.Fatalf("%d %s", r.StatusCode, body)
	}
	for name, want := range map[string]string{
		"Set-Cookie": "", "X-Archive-Orig-Set-Cookie": "a=b", "X-Frame-Options": "", "X-Archive-Orig-X-Frame-Options": "DENY",
		"Memento-Datetime": "Fri, 02 Jan 2026 03:04:05 GMT", "Content-Location": "/n/20260102030405mp_/http://a.example/p", "Vary": "Sec-CH-UA",
		"Content-Type": "text/html; charset=utf-8", "Server-Timing": `varve;desc="20260102030405 proven"`,
	} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if csp := r.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'self'") || !strings.Contains(csp, "sandbox allow-scripts") || strings.Contains(csp, "allow-popups") || strings.Contains(csp, "allow-top") {
		t.Error(csp)
	}
}

// Asked for 2010, a page of 2026 says so, once; asked for its own day it says nothing.
func TestAnotherTimeThanAskedForIsTold(t *testing.T) {
	x := replaytest.Write(t, replaytest.Answer{URL: "http://a.example/p", Time: "2026-01-02T03:04:05Z", Header: htmlType, Body: `<p>x`})
	h := replaytest.Handler(t, x, nil)
	for asked, want := range map[string]string{
		"2010": "You asked for <b>2010</b>", "20300501": "You asked for <b>2030-05-01</b>", "2026": "", "20260102": "", "20260102120000": "",
	} {
		r := get(h, "GET", "/n/"+asked+"/http://a.example/p")
		to := strings.TrimPrefix(r.Header.Get("Location"), replaytest.Base)
		cookie, _, _ := strings.Cut(r.Header.Get("Set-Cookie"), ";")
		if r.StatusCode != 302 {
			t.Fatalf("%s: %d", asked, r.StatusCode)
		}
		page := get(h, "GET", to, "Cookie: "+cookie)
		body := text(t, page)
		if strings.Contains(body, "You asked for") != (want != "") || !strings.Contains(body, want) {
			t.Errorf("%s: cookie %q, %s", asked, cookie, body)
		}
		if want != "" && !strings.Contains(page.Header.Get("Set-Cookie"), "Max-Age=0") {
			t.Errorf("%s: it would be said again: %s", asked, page.Header.Get("Set-Cookie"))
		}
		if other := text(t, get(h, "GET", to, "Cookie: varve-asked=2010-20250102030405")); strings.Contains(other, "You asked for") {
			t.Errorf("%s: said of another capture", asked)
		}
	}
}

func TestExactTime(t *testing.T) {
	x := replaytest.Write(t, replaytest.Answer{URL: "http://a.example/p", Time: "2026-01-02T03:04:05Z", Header: htmlType, Body: "x"})
	h := replaytest.Handler(t, x, nil)
	for path, want := range map[string]string{
		"/n/2026mp_/http://a.example/p":                    "/n/20260102030405mp_/http://a.example/p",
		"/n/2026/http://a.example/p":                       "/n/20260102030405/http://a.example/p",
		"/n/mp_/a.example/p":                               "/n/20260102030405mp_/a.example/p",
		"/n/20260102030405mp_/http://a.example/p?utm_id=3": "",
	} {
		r := get(h, "GET", path)
		if got := r.Header.Get("Location"); got != want && !(path == "/n/mp_/a.example/p") {
			t.Errorf("%s leads to %q, want %q", path, got, want)
		}
		if strings.Contains(r.Header.Get("Vary"), "datetime") && !strings.HasPrefix(path, "/n/mp_/") {
			t.Errorf("%s: Vary on a redirect to the exact time", path)
		}
	}
	if r := get(h, "GET", "/n/20260102030405im_/http://a.example/p"); r.StatusCode != 200 {
		t.Errorf("an embedded part was redirected: %d", r.StatusCode)
	}
	if r := get(h, "GET", "/n/20260102030405mp_/http://a.example/p", "Sec-Fetch-Dest: document"); r.Header.Get("Location") != "/n/20260102030405/http://a.example/p" {
		t.Errorf("a page opened by itself is not led into the frame: %v", r.Header)
	}
}

// inner asks a handler under the name of content, as browsers do.
func inner(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host = "n.localhost:8081"
		h.ServeHTTP(w, r)
	})
}
