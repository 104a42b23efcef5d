package websim_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"varve/lab/websim"
	"varve/lab/websim/truth"
)

// ask fetches a URL with header fields given as name, value, name, value.
func ask(w *websim.Web, url string, at time.Time, header ...string) *websim.Answer {
	scheme, rest, _ := strings.Cut(url, "://")
	host, path, _ := strings.Cut(rest, "/")
	r := &websim.Request{Scheme: scheme, Host: host, Target: "/" + path}
	for i := 0; i < len(header); i += 2 {
		r.Header = append(r.Header, websim.Field{Name: header[i], Value: header[i+1]})
	}
	return w.Fetch(r, at)
}

func TestConditionalRequests(t *testing.T) {
	const site = "[[site]]\nhost='a.sim.test'\npages=3\n[[site.change]]\nevery='10d'\nkinds={content=1,token=1}\n"
	w := load(t, 1, site)
	events := w.History(0)
	at := events[3].Time.Add(time.Second)
	a := ask(w, "http://a.sim.test/", at)
	for _, c := range []struct {
		name, field, value string
		when               time.Time
		want               int
	}{
		{"same tag", "If-None-Match", a.Get("ETag"), at, 304},
		{"among others", "if-none-match", `"x", ` + a.Get("ETag") + `, "y"`, at, 304},
		{"any", "If-None-Match", "*", at, 304},
		{"other tag", "If-None-Match", `"x"`, at, 200},
		{"after a change", "If-None-Match", a.Get("ETag"), events[4].Time, 200},
		{"date", "If-Modified-Since", a.Get("Last-Modified"), at, 304},
		{"date after a change", "If-Modified-Since", a.Get("Last-Modified"), events[4].Time.Add(time.Second), 200},
		{"no date at all", "If-Modified-Since", "yesterday", at, 200},
	} {
		got := ask(w, "http://a.sim.test/", c.when, c.field, c.value)
		if got.Status != c.want || c.want == 304 && len(got.Body) > 0 || c.want == 200 && len(got.Body) == 0 {
			t.Errorf("%s: %d with %d bytes, want %d", c.name, got.Status, len(got.Body), c.want)
		}
	}
	both := ask(w, "http://a.sim.test/", at, "If-None-Match", `"x"`, "If-Modified-Since", a.Get("Last-Modified"))
	if both.Status != 200 {
		t.Error("a tag that differs counts more than a date")
	}
}

func TestValidatorsLie(t *testing.T) {
	for _, c := range []struct {
		serve      string
		check      func(a *websim.Answer, at time.Time) bool
		stillFresh bool // a conditional request is answered 304 although the page changed
	}{
		{"last_modified='now'\netag='off'", func(a *websim.Answer, at time.Time) bool { return a.Get("Last-Modified") == a.Get("Date") }, false},
		{"last_modified='constant'\netag='off'", func(a *websim.Answer, at time.Time) bool { return stamp(a).Before(at.Add(-90 * oneDay)) }, true},
		{"last_modified='future'\netag='off'", func(a *websim.Answer, at time.Time) bool { return stamp(a).After(at) }, false},
		{"last_modified='off'\netag='off'", func(a *websim.Answer, at time.Time) bool { return a.Get("Last-Modified")+a.Get("ETag") == "" }, false},
		{"etag='weak'", func(a *websim.Answer, at time.Time) bool { return strings.HasPrefix(a.Get("ETag"), `W/"`) }, false},
	} {
		w := load(t, 1, "[[site]]\nhost='a.sim.test'\n[[site.change]]\nevery='5d'\n[[site.serve]]\n"+c.serve)
		at := w.Epoch().Add(100 * oneDay)
		a := w.Get("http://a.sim.test/", at)
		if !c.check(a, at) {
			t.Errorf("%s: %v", c.serve, a.Header)
		}
		later := w.History(0)[len(w.History(0))-1].Time
		b := ask(w, "http://a.sim.test/", later, "If-Modified-Since", a.Get("Last-Modified"), "If-None-Match", a.Get("ETag"))
		if fresh := b.Status == 304; fresh != c.stillFresh {
			t.Errorf("%s: a conditional request after a change gives %d", c.serve, b.Status)
		}
	}
}

func stamp(a *websim.Answer) time.Time {
	t, _ := http.ParseTime(a.Get("Last-Modified"))
	return t
}

// A weak tag stays the same under noise, a strong one does not.
func TestWeakTagPassesOverNoise(t *testing.T) {
	for _, kind := range []string{"strong", "weak"} {
		w := load(t, 1, "[[site]]\nhost='a.sim.test'\n[[site.change]]\nevery='5d'\nkinds={token=1,ad=1}\n[[site.serve]]\netag='"+kind+"'")
		a, b := w.Look(0, w.Epoch()), w.Look(0, w.End())
		if same := a.ETag == b.ETag; same != (kind == "weak") || a.Digest == b.Digest {
			t.Errorf("%s: %s and %s", kind, a.ETag, b.ETag)
		}
	}
}

func TestVolatilePages(t *testing.T) {
	w := load(t, 1, "[[site]]\nhost='a.sim.test'\n[[site.serve]]\nvolatile=true")
	a, b := w.Get("http://a.sim.test/", w.Epoch()), w.Get("http://a.sim.test/", w.Epoch().Add(time.Millisecond))
	if bytes.Equal(a.Body, b.Body) || a.VersionID == b.VersionID {
		t.Error("two instants, the same bytes")
	}
	if !bytes.Equal(a.Body, w.Get("http://a.sim.test/", w.Epoch()).Body) {
		t.Error("one instant, two bodies")
	}
	next := w.Epoch().Add(time.Millisecond)
	if !w.Changed(0, w.Epoch(), next, truth.Bytes) || w.Changed(0, w.Epoch(), next, truth.DOM) {
		t.Error("only the bytes change")
	}
}

func TestEncodings(t *testing.T) {
	open := map[string]func(io.Reader) (io.Reader, error){
		"gzip":    func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"deflate": func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) },
		"br":      func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
	}
	for name, unpack := range open {
		w := load(t, 1, "[[site]]\nhost='a.sim.test'\n[[site.serve]]\nencoding='"+name+"'")
		plain := w.Get("http://a.sim.test/", w.Epoch())
		if plain.Get("Content-Encoding") != "" {
			t.Errorf("%s: encoded without being asked", name)
		}
		for _, accept := range []string{"gzip, deflate, br", "*;q=0.5", strings.ToUpper(name)} {
			a := ask(w, "http://a.sim.test/", w.Epoch(), "Accept-Encoding", accept)
			if a.Get("Content-Encoding") != name || a.Get("Vary") == "" {
				t.Fatalf("%s: %v", accept, a.Header)
			}
			r, err := unpack(bytes.NewReader(a.Body))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, plain.Body) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if a := ask(w, "http://a.sim.test/", w.Epoch(), "Accept-Encoding", name+";q=0"); a.Get("Content-Encoding") != "" {
			t.Errorf("%s was refused and sent", name)
		}
	}
}

// A page that appears, moves, vanishes and returns answers accordingly, and its parent follows.
func TestLife(t *testing.T) {
	w := load(t, 3, `
[[site]]
host = "life.sim.test"
pages = 90
fanout = 9
[[site.life]]
appear = 0.5
vanish = "120d"
gone = 0.5
return = "30d"
move = "60d"
`)
	statuses := map[int]int{}
	for i := range w.Len() {
		first := w.URL(id(i), w.Epoch())
		for _, e := range w.History(id(i)) {
			before := w.Get(first, e.Time.Add(-time.Millisecond)).Status
			a := w.Get(first, e.Time)
			statuses[a.Status]++
			switch e.Kind {
			case truth.Appear:
				if before != 404 || a.Status != 200 {
					t.Fatalf("page %d appears: %d then %d", i, before, a.Status)
				}
			case truth.Vanish:
				if a.Status != 404 && a.Status != 410 || listed(w, i, e.Time) {
					t.Fatalf("page %d vanishes: %d", i, a.Status)
				}
			case truth.Return:
				if before < 404 || a.Status > 301 || !listed(w, i, e.Time) {
					t.Fatalf("page %d returns: %d then %d", i, before, a.Status)
				}
			case truth.Move:
				to := a.Get("Location")
				if a.Status != 301 || w.Get("http://life.sim.test"+to, e.Time).Status != 200 || !listed(w, i, e.Time) {
					t.Fatalf("page %d moves: %d to %q", i, a.Status, to)
				}
			}
		}
	}
	for _, s := range []int{200, 301, 404, 410} {
		if statuses[s] == 0 {
			t.Errorf("never %d", s)
		}
	}
}

// listed tells whether the parent of a page links to where the page is now.
func listed(w *websim.Web, i int, at time.Time) bool {
	for _, l := range w.Links(w.Page(id(i)).Parent, at) {
		if l.URL == w.URL(id(i), at) {
			return true
		}
	}
	return false
}

func TestAddresses(t *testing.T) {
	w := load(t, 1, "redirects")
	for _, c := range []struct {
		url    string
		status int
		to     string
	}{
		{"http://apex.sim.test/", 301, "https://apex.sim.test/"},
		{"https://apex.sim.test/", 200, ""},
		{"https://apex.sim.test:443/", 200, ""},
		{"https://APEX.sim.test/", 200, ""},
		{"http://www.apex.sim.test/a?b", 301, "https://apex.sim.test/a?b"},
		{"https://www.apex.sim.test/", 301, "https://apex.sim.test/"},
		{"https://apex.sim.test/d", 301, "/d/"},
		{"https://apex.sim.test/d/", 200, ""},
		{"https://apex.sim.test/A", 200, ""},
		{"https://apex.sim.test/a", 200, ""},
		{"https://apex.sim.test/a?utm_source=x", 200, ""},
		{"https://apex.sim.test/query?b=2&a=1", 200, ""},
		{"https://apex.sim.test/query?a=1&b=2", 404, ""},
		{"https://apex.sim.test/old", 301, "/a"},
		{"https://apex.sim.test/temporary", 307, "/A"},
		{"https://apex.sim.test/elsewhere", 308, "http://plain.sim.test/"},
		{"https://apex.sim.test/none", 404, ""},
		{"http://plain.sim.test/none", 200, ""},
		{"http://www.plain.sim.test/", 421, ""},
		{"http://unknown.test/", 421, ""},
	} {
		if a := w.Get(c.url, w.Epoch()); a.Status != c.status || a.Get("Location") != c.to {
			t.Errorf("%s: %d %q, want %d %q", c.url, a.Status, a.Get("Location"), c.status, c.to)
		}
	}
	upper, lower := w.Get("https://apex.sim.test/A", w.Epoch()), w.Get("https://apex.sim.test/a", w.Epoch())
	if bytes.Equal(upper.Body, lower.Body) || upper.Page == lower.Page {
		t.Error("/A and /a must be two pages")
	}
}

func TestCharsets(t *testing.T) {
	for _, c := range []struct{ serve, header, meta string }{
		{"charset='iso-8859-1'", "text/html; charset=iso-8859-1", `<meta charset="iso-8859-1">`},
		{"charset='iso-8859-1'\ndeclared='none'", "text/html", ""},
		{"charset='iso-8859-1'\ndeclared='wrong'", "text/html; charset=utf-8", `<meta charset="utf-8">`},
		{"declared='wrong'", "text/html; charset=iso-8859-1", `<meta charset="iso-8859-1">`},
		{"content_type='image/gif'", "image/gif", `<meta charset="utf-8">`},
	} {
		w := load(t, 1, "[[site]]\nhost='a.sim.test'\nlang='de'\n[[site.serve]]\n"+c.serve)
		a := w.Get("http://a.sim.test/", w.Epoch())
		if a.Get("Content-Type") != c.header || !bytes.Contains(a.Body, []byte(c.meta)) {
			t.Errorf("%s: %s", c.serve, a.Get("Content-Type"))
		}
		latin := strings.Contains(c.serve, "charset='iso")
		if bytes.ContainsAny(a.Body, "äöü") == latin || bytes.Contains(a.Body, []byte{0xfc}) != latin {
			t.Errorf("%s: the bytes are in another charset", c.serve)
		}
	}
}
