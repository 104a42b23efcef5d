package replay_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/lab/attack"
	"varve/serve/replay"
	"varve/serve/replay/replaytest"
)

const (
	t1 = "2026-01-02T03:04:05Z"
	t2 = "2026-01-03T03:04:05Z"
	t3 = "2026-01-04T03:04:05Z"
)

func TestRevisit(t *testing.T) {
	h := replaytest.Handler(t, replaytest.Write(t,
		replaytest.Answer{URL: "http://a.example/p", Time: t1, Header: htmlType + "X-N: 1\n", Body: "the body"},
		replaytest.Answer{URL: "http://a.example/p", Time: t2, Header: htmlType + "X-N: 2\n", Body: "the body", Of: t1},
	), nil)
	r := get(h, "GET", "/n/20260103030405id_/http://a.example/p")
	if got := text(t, r); got != "the body" || r.Header.Get("X-Archive-Orig-X-N") != "2" {
		t.Errorf("%q %v", got, r.Header)
	}
}

func TestRevisitWithoutOriginal(t *testing.T) {
	h := replaytest.Handler(t, replaytest.Write(t,
		replaytest.Answer{URL: "http://a.example/p", Time: t2, Header: htmlType, Body: "lost", Of: t1},
		replaytest.Answer{URL: "http://a.example/p", Time: t3, Header: htmlType, Body: "other"},
	), nil)
	if r := get(h, "GET", "/n/20260103030405mp_/http://a.example/p"); r.Header.Get("Location") != "/n/20260104030405mp_/http://a.example/p" {
		t.Errorf("the next closest is not tried: %d %v", r.StatusCode, r.Header)
	}
}

func TestRedirects(t *testing.T) {
	redirect := func(from, to, at string) replaytest.Answer {
		return replaytest.Answer{URL: from, Time: at, Status: 302, Header: "Location: " + to + "\n"}
	}
	h := replaytest.Handler(t, replaytest.Write(t,
		redirect("http://a.example/self", "https://www.a.example/self", t1), // http to https: the same page to the index
		replaytest.Answer{URL: "https://www.a.example/self", Time: t2, Header: htmlType, Body: "content"},
		redirect("http://a.example/only", "https://a.example/only", t1),
		redirect("http://a.example/x", "/y", t1), redirect("http://a.example/y", "/x", t1),
		redirect("http://a.example/out", "http://b.example/?a=1#f", t1),
	), nil)
	if r := get(h, "GET", "/n/20260102030405mp_/http://a.example/self"); r.Header.Get("Location") != "/n/20260103030405mp_/http://a.example/self" {
		t.Errorf("a redirect to itself is not passed over: %v", r.Header)
	}
	for _, path := range []string{"only", "x"} {
		r := get(h, "GET", "/n/20260102030405mp_/http://a.example/"+path)
		if body := text(t, r); r.StatusCode != 404 || !strings.Contains(body, "only redirect to each other") {
			t.Errorf("%s: %d %s", path, r.StatusCode, body)
		}
	}
	if r := get(h, "GET", "/n/20260102030405mp_/http://a.example/out"); r.Header.Get("Location") != "/n/20260102030405mp_/http://b.example/?a=1#f" {
		t.Errorf("%v", r.Header)
	}
}

func TestPOST(t *testing.T) {
	post := func(sent, body string) replaytest.Answer {
		return replaytest.Answer{URL: "http://a.example/api", Time: t1, Header: "Content-Type: application/json\n", Body: body, Method: "POST", Sent: sent}
	}
	h := replaytest.Handler(t, replaytest.Write(t, post("page=1&x=a", "one"), post("page=2&x=a", "two")), nil)
	form := "Content-Type: application/x-www-form-urlencoded"
	for sent, want := range map[string]string{"page=1&x=a": "one", "x=a&page=2": "two", "page=2&x=a&y=other": "two"} {
		if got := text(t, get(h, "POST", "/n/20260102030405mp_/http://a.example/api", form, sent)); got != want {
			t.Errorf("%s gives %q, want %q", sent, got, want)
		}
	}
	if r := get(h, "GET", "/n/20260102030405mp_/http://a.example/api"); r.StatusCode != 404 {
		t.Errorf("a GET gets what was sent by POST: %d", r.StatusCode)
	}
	if r := get(h, "POST", "/n/20260102030405mp_/http://a.example/api", form, strings.Repeat("x", 2<<20)); r.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("a request of 2 MB: %d", r.StatusCode)
	}
}

func TestFuzzy(t *testing.T) {
	js := "Content-Type: text/javascript\n"
	h := replaytest.Handler(t, replaytest.Write(t,
		replaytest.Answer{URL: "http://a.example/p?id=1", Time: t1, Header: htmlType, Body: "page 1"},
		replaytest.Answer{URL: "http://a.example/s.js?v=7", Time: t1, Header: js, Body: "script()"},
		replaytest.Answer{URL: "http://a.example/j?callback=jQuery111_222&q=x&_=1700000000000", Time: t1, Header: js, Body: `jQuery111_222({"a":1})`},
		replaytest.Answer{URL: "https://www.youtube.com/watch?v=abc", Time: t1, Header: htmlType, Body: "video"},
	), nil)
	for path, want := range map[string]string{
		"/n/20260102030405im_/http://a.example/p?id=1&utm_source=x&fbclid=y":                 "page 1",
		"/n/20260102030405js_/http://a.example/s.js?v=8":                                     "script()",
		"/n/20260102030405js_/http://a.example/s.js":                                         "script()",
		"/n/20260102030405js_/http://a.example/j?callback=jQuery999_888&q=x&_=1700000000999": `jQuery999_888({"a":1})`,
		"/n/20260102030405im_/https://www.youtube.com/watch?feature=share&v=abc":             "video",
	} {
		r := get(h, "GET", path)
		if got := text(t, r); !strings.HasSuffix(got, want) {
			t.Errorf("%s gives %d %q, want %q", path, r.StatusCode, got, want)
		}
	}
	for _, path := range []string{"/n/20260102030405im_/http://a.example/p?id=2", "/n/20260102030405js_/http://a.example/j?callback=c&q=y"} {
		if r := get(h, "GET", path); r.StatusCode != 404 {
			t.Errorf("%s gives %d %q: an argument that matters was ignored", path, r.StatusCode, text(t, r))
		}
	}
}

func TestRanges(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte("0123456789"))
	z.Close()
	h := replaytest.Handler(t, replaytest.Write(t,
		replaytest.Answer{URL: "http://a.example/v.mp4", Time: t1, Header: "Content-Type: video/mp4\n", Body: "0123456789"},
		replaytest.Answer{URL: "http://a.example/z", Time: t1, Header: "Content-Type: video/mp4\nContent-Encoding: gzip\n", Body: packed.String()},
		replaytest.Answer{URL: "http://a.example/part", Time: t1, Status: 206, Header: "Content-Type: video/mp4\nContent-Range: bytes 0-9/10\n", Body: "0123456789"},
	), nil)
	for _, c := range []struct {
		url, spec, want, content string
		status                   int
	}{
		{"v.mp4", "bytes=2-4", "234", "bytes 2-4/10", 206},
		{"v.mp4", "bytes=7-", "789", "bytes 7-9/10", 206},
		{"v.mp4", "bytes=-3", "789", "bytes 7-9/10", 206},
		{"v.mp4", "bytes=0-99", "0123456789", "bytes 0-9/10", 206},
		{"v.mp4", "bytes=20-", "", "bytes */10", 416},
		{"v.mp4", "", "0123456789", "", 200},
		{"z", "bytes=2-4", "234", "bytes 2-4/10", 206},
		{"z", "", "0123456789", "", 200},
		{"part", "bytes=2-4", "234", "bytes 2-4/10", 206},
		{"part", "", "0123456789", "", 200},
	} {
		r := get(h, "GET", "/n/20260102030405oe_/http://a.example/"+c.url, "Range: "+c.spec)
		if got := text(t, r); r.StatusCode != c.status || got != c.want || r.Header.Get("Content-Range") != c.content || r.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s %s: %d %q %q", c.url, c.spec, r.StatusCode, got, r.Header.Get("Content-Range"))
		}
	}
	r := get(h, "GET", "/n/20260102030405id_/http://a.example/z")
	if got := text(t, r); got != packed.String() || r.Header.Get("Content-Encoding") != "gzip" {
		t.Error("id_ is not the bytes as archived")
	}
}

// witness says that one capture is proven at all times.
type witness struct{ digest string }

func (w witness) Valid(_ context.Context, _ string, c varve.Capture, _ time.Time) replay.Fit {
	if c.Digest == w.digest {
		return replay.Proven
	}
	return replay.Unknown
}

func TestChoiceOfEmbeddedParts(t *testing.T) {
	part := func(crawl, at, body string) replaytest.Answer {
		return replaytest.Answer{URL: "http://a.example/i.txt", Time: at, Header: "Content-Type: text/plain\n", Body: body, Crawl: crawl}
	}
	ask := func(h http.Handler, at string) (string, string) {
		r := get(h, "GET", "/n/"+at+"im_/http://a.example/i.txt")
		return text(t, r), r.Header.Get("Server-Timing")
	}
	for _, c := range []struct{ name, crawl, second, want, fit string }{
		{"two crawls saw a change", "2", "B", "A", "possible"},
		{"one crawl saw a change", "1", "B", "A", "violated"},
		{"two crawls saw the same", "2", "A", "A", "inferred"},
		{"one crawl saw the same", "1", "A", "A", "proven"},
	} {
		x := replaytest.Write(t, part("1", "2026-01-01T00:00:00Z", "A"), part(c.crawl, "2026-01-01T10:00:00Z", c.second))
		if body, timing := ask(replaytest.Handler(t, x, nil), "20260101040000"); body != c.want || !strings.Contains(timing, "20260101000000 "+c.fit) {
			t.Errorf("%s: %s %s", c.name, body, timing)
		}
	}
	between := replaytest.Write(t, part("1", "2026-01-01T00:00:00Z", "A"), part("2", "2026-01-01T05:00:00Z", "B"), part("3", "2026-01-01T10:00:00Z", "A"))
	if body, timing := ask(replaytest.Handler(t, between, nil), "20260101040000"); body != "B" || !strings.Contains(timing, "possible") {
		t.Errorf("another content between: %s %s", body, timing)
	}
	failed := part("1", "2026-01-01T04:00:01Z", "out of order")
	failed.Status = 503
	broken := replaytest.Write(t, failed, part("2", "2026-01-01T10:00:00Z", "A"))
	if body, _ := ask(replaytest.Handler(t, broken, nil), "20260101040000"); body != "A" {
		t.Errorf("a failure of the server is shown where content is there: %s", body)
	}
	changed := replaytest.Write(t, part("1", "2026-01-01T00:00:00Z", "A"), part("2", "2026-01-01T10:00:00Z", "B"))
	got, err := changed.Closest(t.Context(), "n", "example,a)/i.txt", time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC), 1)
	if err != nil {
		t.Fatal(err)
	}
	proven := replaytest.Handler(t, changed, func(c *replay.Config) { c.Witness = witness{got[0].Digest} })
	if body, timing := ask(proven, "20260101040000"); body != "B" || !strings.Contains(timing, "20260101100000 proven") {
		t.Errorf("proven before nearest: %s %s", body, timing)
	}
	bounded := replaytest.Handler(t, changed, func(c *replay.Config) { c.Span = time.Hour })
	r := get(bounded, "GET", "/n/20260101040000im_/http://a.example/i.txt")
	if r.StatusCode != 404 || r.Header.Get("Varve-Nearest") != "20260101000000" || !strings.Contains(r.Header.Get("Server-Timing"), "missing") {
		t.Errorf("beyond the span: %d %v", r.StatusCode, r.Header)
	}
	if r := get(bounded, "GET", "/n/20270101040000mp_/http://a.example/i.txt"); r.StatusCode != 302 {
		t.Errorf("a page is bounded in time: %d", r.StatusCode)
	}
}

type guard struct{}

func (guard) May(_ *http.Request, _, url string, _ time.Time) error {
	if strings.Contains(url, "secret") {
		return &varve.Error{Kind: varve.Forbidden, Op: "show " + url, Msg: "taken down", Hint: "Ask the archive."}
	}
	return nil
}

func TestWalls(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(4)
	x := replaytest.Write(t,
		replaytest.Answer{URL: "http://a.example/secret", Time: t1, Header: htmlType, Body: "x"},
		replaytest.Answer{URL: "http://a.example/sw.js", Time: t1, Header: "Content-Type: text/javascript\n", Body: "x"},
		replaytest.Answer{URL: "http://a.example/d/style.css", Time: t1, Header: "Content-Type: text/css\n", Body: "x"},
	)
	h := replaytest.Handler(t, x, func(c *replay.Config) { c.Guard = guard{} })
	for _, path := range []string{"/n/20260102030405mp_/http://a.example/secret", "/n/http://a.example/secret", "/n/timemap/link/http://a.example/secret", "/n/*/http://a.example/secret"} {
		tally.Try(1)
		if r := get(h, "GET", path); r.StatusCode != 403 || r.Header.Get("Memento-Datetime") != "" {
			t.Errorf("%s: %d", path, r.StatusCode)
		}
	}
	if r := get(h, "GET", "/n/20260102030405js_/http://a.example/sw.js", "Service-Worker: script"); r.StatusCode != 403 {
		t.Errorf("a service worker was sent: %d", r.StatusCode)
	}
	other := get(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { r.Host = "127.0.0.1:8081"; h.ServeHTTP(w, r) }), "GET", "/n/20260102030405js_/http://a.example/sw.js")
	if other.StatusCode != http.StatusTemporaryRedirect || other.Header.Get("Location") != replaytest.Base+"/n/20260102030405js_/http://a.example/sw.js" {
		t.Errorf("content under the name of the screens: %d %v", other.StatusCode, other.Header)
	}
	if r := get(h, "GET", "/n/20260102030405cs_/http://a.example/d/style.css", "Sec-Fetch-Dest: style"); r.Header.Get("Location") != "http://n.localhost:8081/n/20260102030405cs_/http://a.example/d/style.css" {
		t.Errorf("a browser gets content where the frame page is: %d %v", r.StatusCode, r.Header)
	}
	r := get(inner(h), "GET", "/d/style.css", "Referer: http://n.localhost:8081/n/20260102030405mp_/http://a.example/p", "Sec-Fetch-Dest: style")
	if r.Header.Get("Location") != "/n/20260102030405cs_/http://a.example/d/style.css" {
		t.Errorf("a stray reference is not caught: %d %v", r.StatusCode, r.Header)
	}
}
