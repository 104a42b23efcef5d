package crawl_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"varve/archive/warc"
	"varve/crawl/coherence"
)

// A revisit asks "has it changed?" only where the answer proves something. A file server without ETags says 304 to a
// date, after which nobody knows the bytes: its pages are fetched again, and stored as references.
func TestRevisitsProve(t *testing.T) {
	site := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := "<title>" + r.URL.Path + "</title>" + strings.Repeat("<p>the same words", 60)
		switch r.URL.Path {
		case "/":
			body += `<a href="/date">1</a><a href="/strong">2</a><a href="/weak">3</a><a href="/large">4</a>`
		case "/date":
		case "/strong":
			w.Header().Set("ETag", `"a"`)
		case "/weak":
			w.Header().Set("ETag", `W/"a"`)
		case "/large":
			body += strings.Repeat("<p>and more of them", 1<<16)
		default:
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		http.ServeContent(w, r, "", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), bytes.NewReader([]byte(body)))
	})
	s := httptest.NewServer(site)
	t.Cleanup(s.Close)
	e, err := engineFor([]string{"proof.example=" + s.Listener.Addr().String()}, nil, noDelay())
	if err != nil {
		t.Fatal(err)
	}
	place := placeIn(t.TempDir())
	def := hostScope("http://proof.example/")
	def.Revisit = coherence.LIFO
	complete(t, e, place, def)
	got := map[string]string{}
	for _, l := range looksOf(t, place.WarcDir) {
		if l.pass == "revisit" {
			got[strings.TrimPrefix(l.url, "http://proof.example")] = fmt.Sprint(l.status, " ", l.profile == warc.ProfileIdentical, " ", strings.HasPrefix(l.unchanged, "bytes"))
		}
	}
	want := map[string]string{"/": "200 true true", "/date": "200 true true", "/strong": "304 false true", "/weak": "200 true true", "/large": "304 false false"}
	for path, w := range want {
		if got[path] != w {
			t.Errorf("revisit of %s: status, identical payload, bytes known: %s; want %s", path, got[path], w)
		}
	}
}
