package crawl_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/history"
	"varve/archive/warc"
	"varve/coherence"
	"varve/crawl"
	"varve/crawl/stages"
)

// visitTwice crawls a server as proof.example with revisits.
func visitTwice(t *testing.T, s *httptest.Server, place crawl.Place, memory crawl.History) {
	t.Helper()
	e, err := engineFor([]string{"proof.example=" + s.Listener.Addr().String()}, nil, noDelay())
	if err != nil {
		t.Fatal(err)
	}
	def := hostScope("http://proof.example/")
	def.Revisit = coherence.LIFO
	run, err := e.StartIn(t.Context(), "c", place, def, crawl.Options{History: memory, Stages: stages.Set{}.Of})
	if err != nil {
		t.Fatal(err)
	}
	if rep := wait(t, run); !rep.Complete {
		t.Fatalf("%+v", rep)
	}
}

// What the visit found unmodified since the last crawl, and the revisit too, is equal on every layer, also if it is no
// page and nobody looked at its body.
func TestUnmodifiedIsEqual(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := strings.Repeat("\x89PNG of red", 60)
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			body = `<img src="/a.png">` + strings.Repeat("<p>the same words", 60)
		case "/a.png":
			w.Header().Set("Content-Type", "image/png")
		default:
			http.NotFound(w, r)
			return
		}
		http.ServeContent(w, r, "", time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), strings.NewReader(body))
	}))
	t.Cleanup(s.Close)
	memory, err := history.Open(vfs.NewMem(), "h", history.Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer memory.Close()
	dir := t.TempDir()
	for _, name := range []string{"first", "second"} {
		visitTwice(t, s, crawl.Place{Dir: filepath.Join(dir, name), WarcDir: filepath.Join(dir, "warc")}, memory)
	}
	unmodified, seen := 0, 0
	for _, l := range looksOf(t, filepath.Join(dir, "warc")) {
		if !strings.HasSuffix(l.url, ".png") {
			continue
		}
		if l.pass == "visit" && l.status == "304" {
			unmodified++
		}
		if l.pass == "revisit" {
			if seen++; l.unchanged != "bytes,dom,text,main,near,links" {
				t.Errorf("a picture that never changed is unchanged in %s", l.unchanged)
			}
		}
	}
	if unmodified != 1 || seen != 2 {
		t.Errorf("%d visits answered 304, %d revisits of the picture", unmodified, seen)
	}
}

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
	place := placeIn(t.TempDir())
	visitTwice(t, s, place, nil)
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
