package replay_test

import (
	"strings"
	"testing"

	"varve/serve/replay/replaytest"
)

func TestKindsOfContent(t *testing.T) {
	page := func(path, header, body string) replaytest.Answer {
		return replaytest.Answer{URL: "http://a.example/" + path, Time: t1, Header: header, Body: body}
	}
	h := replaytest.Handler(t, replaytest.Write(t,
		page("latin", "Content-Type: text/html; charset=iso-8859-1\n", "<p>K\xf6ln</p>"),
		page("meta", "Content-Type: text/html\n", "<meta charset=windows-1251><p>\xcf</p>"),
		page("klingon", "Content-Type: text/html; charset=klingon\n", strings.Repeat(" ", 1500)+"<meta charset=windows-1251><p>\xcf</p>"),
		page("sjis", "Content-Type: text/html\n", "<meta charset=shift_jis><script>var a=\"\x95\x5c\";location</script>"),
		page("utf16", "Content-Type: text/html\n", "\xff\xfe<\x00b\x00>\x00"),
		page("none", "", "<!doctype html><a href=/x>"),
		page("json.html", htmlType, `{"html":"<b>"}`),
		page("s.js", "Content-Type: text/plain\n", "location"),
		page("notfound.js", htmlType, "<!doctype html><p>not found"),
		page("s.css", "Content-Type: text/plain\n", "a{b:url(/x)}"),
		page("w.js", "Content-Type: text/javascript\n", "location"),
		page("i.svg", "Content-Type: image/svg+xml\n", `<svg xmlns="http://www.w3.org/2000/svg"><image href="/x.png"/><script>location</script></svg>`),
		page("v.m3u8", "Content-Type: application/vnd.apple.mpegurl\n", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=9\nhigh.m3u8\n"),
		page("high.m3u8", "Content-Type: application/vnd.apple.mpegurl\n", "#EXTM3U\nhttp://b.example/1.ts\n"),
	), nil)
	const at = "/n/20260102030405"
	for _, c := range []struct{ path, dest, typ, has, hasNot string }{
		{"mp_/http://a.example/latin", "", "text/html; charset=iso-8859-1", "K\xf6ln", ""},
		{"mp_/http://a.example/meta", "", "text/html; charset=windows-1251", "<p>\xcf</p>", ""},
		{"mp_/http://a.example/klingon", "", "text/html; charset=windows-1251", "<p>\xcf</p>", ""}, // as browsers do: nobody knows the label
		{"mp_/http://a.example/sjis", "", "text/html; charset=utf-8", `var a="表";varve$location`, ""},
		{"mp_/http://a.example/utf16", "", "text/html; charset=utf-8", "<b>", ""},
		{"mp_/http://a.example/none", "", "text/html; charset=utf-8", "mp_/http://a.example/x", ""},
		{"mp_/http://a.example/json.html", "empty", "text/html; charset=utf-8", `{"html":"<b>"}`, "shim.js"},
		{"js_/http://a.example/s.js", "", "text/plain", "varve$location", ""},
		{"js_/http://a.example/notfound.js", "", "text/html; charset=utf-8", "not found", "shim.js"},
		{"cs_/http://a.example/s.css", "", "text/plain", "im_/http://a.example/x", ""},
		{"wkr_/http://a.example/w.js", "", "text/javascript", "self.varve$settings={", ""},
		{"im_/http://a.example/i.svg", "", "image/svg+xml", "im_/http://a.example/x.png", "varve$"},
		{"oe_/http://a.example/v.m3u8", "", "application/vnd.apple.mpegurl", "oe_/http://a.example/high.m3u8", "low.m3u8"},
		{"oe_/http://a.example/high.m3u8", "", "application/vnd.apple.mpegurl", "oe_/http://b.example/1.ts", ""},
	} {
		path, headers := at+c.path, []string(nil)
		if c.dest != "" {
			headers = []string{"Sec-Fetch-Dest: " + c.dest}
		}
		r := get(inner(h), "GET", path, headers...)
		body := text(t, r)
		if r.StatusCode != 200 || r.Header.Get("Content-Type") != c.typ || !strings.Contains(body, c.has) || c.hasNot != "" && strings.Contains(body, c.hasNot) {
			t.Errorf("%s: %d %q\n%s", c.path, r.StatusCode, r.Header.Get("Content-Type"), body)
		}
	}
}

func TestPagesOfOurOwn(t *testing.T) {
	h := replaytest.Handler(t, replaytest.Write(t,
		replaytest.Answer{URL: "http://a.example/d/one", Time: t1, Header: htmlType, Body: "1"},
		replaytest.Answer{URL: "http://a.example/d/one", Time: t2, Header: htmlType, Body: "2"},
		replaytest.Answer{URL: "http://a.example/d/two", Time: t2, Header: htmlType, Body: "2"},
	), nil)
	for path, want := range map[string][]string{
		"/":                                   {"200", "Archived pages are shown here"},
		"/n/":                                 {"200", "Pages of n"},
		"/n/*/http://a.example/d/one":         {"200", "2026-01-02 03:04:05", "2026-01-03 03:04:05"},
		"/n/20260103*/http://a.example/d/one": {"200", "2026-01-03 03:04:05"},
		"/n/*/http://a.example/d/*":           {"200", "/d/one", "/d/two"},
		"/n/2026/http://a.example/d/three":    {"404", "not in the archive", "/d/one", "/d/two"},
		"/n/20260102030405/http://a.example/d/one":    {"200", `sandbox="allow-scripts`, "http://n.localhost:8081/n/20260102030405mp_/http://a.example/d/one", "all 2", "urn:pwid:localhost:2026-01-02T03:04:05Z:page:http://a.example/d/one"},
		"/_varve/nothing":                             {"404", "There is nothing here"},
		"/n/20260102mp_/":                             {"400", "cannot be read"},
		"/robots.txt":                                 {"200", "Disallow: /"},
		"/_varve/go?collection=n&url=a.example/d/one": {"302", ""},
	} {
		r := get(h, "GET", path)
		body := text(t, r)
		if got := r.Status[:3]; got != want[0] {
			t.Errorf("%s: %s, want %s", path, got, want[0])
		}
		for _, s := range want[1:] {
			if !strings.Contains(body, s) {
				t.Errorf("%s: no %q in\n%s", path, s, body)
			}
		}
		if csp := r.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") {
			t.Errorf("%s: policy %q", path, csp)
		}
	}
}
