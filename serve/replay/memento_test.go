package replay_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"varve/serve/replay"
	"varve/serve/replay/replaytest"
)

// three captures of a page, one of a redirect and one of a missing page.
func mementos(t *testing.T) *replay.Handler {
	t.Helper()
	page := func(at string) replaytest.Answer {
		return replaytest.Answer{URL: "http://a.example/p", Time: at, Header: htmlType, Body: "at " + at}
	}
	return replaytest.Handler(t, replaytest.Write(t,
		page("2024-01-01T00:00:00Z"), page("2025-01-01T00:00:00Z"), page("2026-01-01T00:00:00Z"),
		replaytest.Answer{URL: "http://a.example/r", Time: "2025-01-01T00:00:00Z", Status: 301, Header: "Location: /p\n"},
		replaytest.Answer{URL: "http://a.example/m", Time: "2025-01-01T00:00:00Z", Status: 404, Header: htmlType, Body: "gone"},
	), nil)
}

const (
	linkOriginal = `<http://a.example/p>; rel="original"`
	linkGate     = `<http://localhost:8081/n/timegate/http://a.example/p>; rel="timegate"`
	linkMap      = `<http://localhost:8081/n/timemap/link/http://a.example/p>; rel="timemap"; type="application/link-format"`
)

// The headers of each case of RFC 7089 that an archive meets.
func TestMementoHeaders(t *testing.T) {
	h := mementos(t)
	for _, c := range []struct {
		name, path string
		headers    []string
		status     int
		want       map[string]string // "" is: not there
		links      []string
	}{
		{"memento", "/n/20250101000000mp_/http://a.example/p", nil, 200, map[string]string{"Memento-Datetime": "Wed, 01 Jan 2025 00:00:00 GMT", "Vary": "Sec-CH-UA", "Location": ""}, []string{
			linkOriginal, linkGate, linkMap,
			`<http://localhost:8081/n/20240101000000mp_/http://a.example/p>; rel="first prev memento"; datetime="Mon, 01 Jan 2024 00:00:00 GMT"`,
			`<http://localhost:8081/n/20250101000000mp_/http://a.example/p>; rel="memento"; datetime="Wed, 01 Jan 2025 00:00:00 GMT"`,
			`<http://localhost:8081/n/20260101000000mp_/http://a.example/p>; rel="next last memento"; datetime="Thu, 01 Jan 2026 00:00:00 GMT"`,
		}},
		{"framed", "/n/20250101000000/http://a.example/p", nil, 200, map[string]string{"Memento-Datetime": "Wed, 01 Jan 2025 00:00:00 GMT", "Vary": "Sec-CH-UA"}, []string{linkOriginal, linkMap}},
		{"raw", "/n/20250101000000id_/http://a.example/p", nil, 200, map[string]string{"Memento-Datetime": "Wed, 01 Jan 2025 00:00:00 GMT", "Vary": ""}, []string{linkOriginal}},
		{"archived redirect", "/n/20250101000000mp_/http://a.example/r", nil, 301, map[string]string{"Memento-Datetime": "Wed, 01 Jan 2025 00:00:00 GMT", "Location": "/n/20250101000000mp_/http://a.example/p"}, nil},
		{"archived 404", "/n/20250101000000mp_/http://a.example/m", nil, 404, map[string]string{"Memento-Datetime": "Wed, 01 Jan 2025 00:00:00 GMT"}, nil},
		{"intermediate redirect", "/n/202503mp_/http://a.example/p", nil, 302, map[string]string{"Memento-Datetime": "", "Vary": "", "Location": "/n/20250101000000mp_/http://a.example/p"}, []string{linkOriginal}},
		{"time gate", "/n/timegate/http://a.example/p", []string{"Accept-Datetime: Sat, 01 Mar 2025 00:00:00 GMT"}, 302, map[string]string{"Memento-Datetime": "", "Vary": "accept-datetime", "Location": "/n/20250101000000mp_/http://a.example/p"}, []string{linkOriginal, linkGate, linkMap}},
		{"time gate by address", "/n/http://a.example/p", []string{"Accept-Datetime: Sat, 01 Mar 2025 00:00:00 GMT"}, 302, map[string]string{"Vary": "accept-datetime", "Location": "/n/20250101000000mp_/http://a.example/p"}, []string{linkOriginal}},
		{"time gate, no header", "/n/timegate/http://a.example/p", nil, 302, map[string]string{"Vary": "accept-datetime", "Location": "/n/20260101000000mp_/http://a.example/p"}, nil},
		{"time gate, before the first", "/n/timegate/http://a.example/p", []string{"Accept-Datetime: Thu, 01 Jan 1998 00:00:00 GMT"}, 302, map[string]string{"Location": "/n/20240101000000mp_/http://a.example/p"}, nil},
		{"time gate, after the last", "/n/timegate/http://a.example/p", []string{"Accept-Datetime: Fri, 01 Jan 2038 00:00:00 GMT"}, 302, map[string]string{"Location": "/n/20260101000000mp_/http://a.example/p"}, nil},
		{"time gate for people", "/n/http://a.example/p", []string{"Sec-Fetch-Dest: document"}, 302, map[string]string{"Vary": "accept-datetime", "Location": "/n/20260101000000/http://a.example/p"}, nil},
		{"time gate, raw preferred", "/n/timegate/http://a.example/p", []string{"Prefer: raw"}, 302, map[string]string{"Vary": "accept-datetime, prefer", "Preference-Applied": "raw", "Location": "/n/20260101000000id_/http://a.example/p"}, nil},
		{"time gate, unreadable", "/n/timegate/http://a.example/p", []string{"Accept-Datetime: yesterday"}, 400, map[string]string{"Memento-Datetime": "", "Vary": "", "Link": ""}, nil},
		{"time gate, nothing", "/n/timegate/http://b.example/", []string{"Accept-Datetime: Sat, 01 Mar 2025 00:00:00 GMT"}, 404, map[string]string{"Memento-Datetime": "", "Vary": "", "Link": ""}, nil},
		{"memento, nothing", "/n/2025mp_/http://b.example/", nil, 404, map[string]string{"Memento-Datetime": "", "Vary": "", "Link": ""}, nil},
		{"time map, nothing", "/n/timemap/link/http://b.example/", nil, 404, map[string]string{"Memento-Datetime": ""}, nil},
		{"time map, unknown kind", "/n/timemap/rdf/http://a.example/p", nil, 400, nil, nil},
		{"time map, no such page", "/n/timemap/link/9/http://a.example/p", nil, 404, nil, nil},
		{"time map", "/n/timemap/link/http://a.example/p", nil, 200, map[string]string{"Content-Type": "application/link-format", "Memento-Datetime": ""}, nil},
		{"no collection", "/other/2025mp_/http://a.example/p", nil, 404, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := get(h, "GET", c.path, c.headers...)
			if r.StatusCode != c.status {
				t.Errorf("status %d, want %d", r.StatusCode, c.status)
			}
			for name, want := range c.want {
				if got := r.Header.Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
			for _, link := range c.links {
				if !strings.Contains(r.Header.Get("Link"), link) {
					t.Errorf("Link has no %s\n%s", link, r.Header.Get("Link"))
				}
			}
		})
	}
}

func TestTimeMapFormats(t *testing.T) {
	h := mementos(t)
	got := text(t, get(h, "GET", "/n/timemap/link/http://a.example/p"))
	want := `<http://localhost:8081/n/timemap/link/http://a.example/p>; rel="self"; type="application/link-format"; from="Mon, 01 Jan 2024 00:00:00 GMT"; until="Thu, 01 Jan 2026 00:00:00 GMT",
<http://localhost:8081/n/timegate/http://a.example/p>; rel="timegate",
<http://a.example/p>; rel="original",
<http://localhost:8081/n/20240101000000mp_/http://a.example/p>; rel="first memento"; datetime="Mon, 01 Jan 2024 00:00:00 GMT"; collection="n",
<http://localhost:8081/n/20250101000000mp_/http://a.example/p>; rel="memento"; datetime="Wed, 01 Jan 2025 00:00:00 GMT"; collection="n",
<http://localhost:8081/n/20260101000000mp_/http://a.example/p>; rel="last memento"; datetime="Thu, 01 Jan 2026 00:00:00 GMT"; collection="n"
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := text(t, get(h, "GET", "/n/timemap/json/http://a.example/p")); !strings.Contains(got, `"original_uri": "http://a.example/p"`) || strings.Count(got, `"datetime"`) != 5 {
		t.Error(got)
	}
	if got := text(t, get(h, "GET", "/n/timemap/cdxj/http://a.example/p")); strings.Count(got, "example,a)/p ") != 3+0 && strings.Count(got, "\nexample,a)/p 2") != 3 || !strings.HasPrefix(got, "!context") {
		t.Error(got)
	}
}

// A page with 10,000 captures has a time map of pages that together list all, once.
func TestTimeMapOfManyCaptures(t *testing.T) {
	x := replaytest.NewIndex()
	start := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	var captures []replay.Found
	for i := range 10000 {
		c := replay.Found{Key: "example,a)/p"}
		c.URL, c.Time, c.Digest = "http://a.example/p", start.Add(time.Duration(i)*time.Hour), fmt.Sprint("sha1:", i/3)
		captures = append(captures, c)
	}
	x.Add("n", captures...)
	h := replaytest.Handler(t, x, nil)
	seen := map[string]bool{}
	first := text(t, get(h, "GET", "/n/timemap/link/http://a.example/p"))
	if n := strings.Count(first, `rel="timemap"`); n != 1 {
		t.Fatalf("the first page names %d others, want 1", n)
	}
	for page := 1; page <= 2; page++ {
		body := text(t, get(h, "GET", fmt.Sprintf("/n/timemap/link/%d/http://a.example/p", page)))
		for line := range strings.Lines(body) {
			if strings.Contains(line, "memento\"") {
				uri, _, _ := strings.Cut(line, ">")
				if seen[uri] {
					t.Fatalf("%s is listed twice", uri)
				}
				seen[uri] = true
			}
		}
		if strings.Contains(body, `rel="first memento"`) != (page == 1) || strings.Contains(body, `rel="last memento"`) != (page == 2) {
			t.Errorf("page %d: first or last in the wrong place", page)
		}
	}
	if len(seen) != 10000 {
		t.Errorf("%d captures are listed", len(seen))
	}
}

func TestCitations(t *testing.T) {
	x := replaytest.Write(t, replaytest.Answer{URL: "http://a.example/p?x=1", Time: t1, Header: htmlType, Body: "x"})
	h := replaytest.Handler(t, x, func(c *replay.Config) {
		c.List = func(context.Context) ([]string, error) { return []string{"none", "n"}, nil }
	})
	for path, want := range map[string]string{
		"/_varve/pwid/urn:pwid:localhost:2026-01-02T03:04:05Z:page:http://a.example/p?x=1": "302 /n/20260102030405/http://a.example/p?x=1",
		"/_varve/pwid/urn:pwid:localhost:2026-01-02T03:04:05Z:part:http://a.example/p?x=1": "302 /n/20260102030405id_/http://a.example/p?x=1",
		"/_varve/pwid/urn:pwid:localhost:2026-01-02T03:04:06Z:page:http://a.example/p?x=1": "404 ",
		"/_varve/pwid/urn:pwid:localhost:yesterday":                                        "400 ",
	} {
		r := get(h, "GET", path)
		if got := r.Status[:3] + " " + r.Header.Get("Location"); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// An address without a time is a time gate, whatever it asks the capture as.
func TestAcceptDatetimeWithoutTime(t *testing.T) {
	x := replaytest.Write(t, replaytest.Answer{URL: "http://a.example/p", Time: "2024-01-01T00:00:00Z", Header: htmlType, Body: "old"}, replaytest.Answer{URL: "http://a.example/p", Time: "2026-01-01T00:00:00Z", Header: htmlType, Body: "new"})
	h := replaytest.Handler(t, x, nil)
	for path, want := range map[string]string{
		"/n/mp_/http://a.example/p": "/n/20240101000000mp_/http://a.example/p", "/n/id_/http://a.example/p": "/n/20240101000000id_/http://a.example/p",
	} {
		r := get(h, "GET", path, "Accept-Datetime: Mon, 01 Jan 2024 00:00:00 GMT")
		if got := r.Header.Get("Location"); got != want || r.Header.Get("Vary") != "accept-datetime" {
			t.Errorf("%s leads to %q, want %q; Vary %q", path, got, want, r.Header.Get("Vary"))
		}
	}
	if r := get(h, "GET", "/n/mp_/http://a.example/p", "Accept-Datetime: yesterday"); r.StatusCode != 400 {
		t.Errorf("a time that is none: %d", r.StatusCode)
	}
	if r := get(h, "GET", "/n/20260101000000mp_/http://a.example/p", "Accept-Datetime: Mon, 01 Jan 2024 00:00:00 GMT"); r.StatusCode != 200 {
		t.Errorf("a memento negotiates: %d", r.StatusCode)
	}
}

// The bytes as archived of a redirect have its status, and lead to the bytes as archived of where it led.
func TestIdentityOfRedirect(t *testing.T) {
	x := replaytest.Write(t, replaytest.Answer{URL: "http://a.example/old", Time: "2026-01-01T00:00:00Z", Status: 301, Header: htmlType + "Location: /new\n", Body: "moved"},
		replaytest.Answer{URL: "http://a.example/odd", Time: "2026-01-01T00:00:00Z", Status: 302, Header: htmlType, Body: "nowhere"})
	h := replaytest.Handler(t, x, nil)
	r := get(h, "GET", "/n/20260101000000id_/http://a.example/old")
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	if r.StatusCode != 301 || r.Header.Get("Location") != "/n/20260101000000id_/http://a.example/new" || r.Header.Get("X-Archive-Orig-Location") != "/new" || string(body) != "moved" {
		t.Errorf("%d %v %q", r.StatusCode, r.Header, body)
	}
	if r := get(h, "GET", "/n/20260101000000id_/http://a.example/odd"); r.StatusCode != 302 || r.Header.Get("Location") != "" {
		t.Errorf("a redirect to nowhere: %d %v", r.StatusCode, r.Header)
	}
}

// Nothing is stored on this host, and who tries is told.
func TestNothingIsStored(t *testing.T) {
	h := replaytest.Handler(t, replaytest.Write(t, replaytest.Answer{URL: "http://a.example/p", Time: "2026-01-01T00:00:00Z", Header: htmlType, Body: "x"}), nil)
	for _, path := range []string{"/n", "/n/", "/n/timemap/link/http://a.example/p", "/n/timegate/http://a.example/p", "/n/*/http://a.example/p"} {
		for _, method := range []string{"POST", "PUT", "DELETE"} {
			r := get(h, method, path, "Content-Type: text/plain", "example)/ 20260101000000 http://example.com/ text/html 200 X - - 1 1 x.warc.gz")
			if r.StatusCode != 405 || r.Header.Get("Allow") != "GET, HEAD" || strings.Contains(r.Header.Get("Content-Type"), "html") {
				t.Errorf("%s %s: %d %v", method, path, r.StatusCode, r.Header)
			}
		}
	}
}
