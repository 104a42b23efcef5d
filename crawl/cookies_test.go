package crawl_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"varve/crawl"
	"varve/crawl/fetch"
)

// A crawl that was stopped and is resumed is still logged in, without being given its cookies again.
func TestCookiesOutliveTheRun(t *testing.T) {
	var strangers atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		if c, err := r.Cookie("session"); r.URL.Path != "/" && (err != nil || c.Value != "ours") {
			strangers.Add(1)
		}
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "ours", Path: "/"})
		fmt.Fprintf(w, `<html><body><p>Page %s.</p>`, r.URL.Path)
		for i := range 30 {
			fmt.Fprintf(w, `<a href="/page/%d">%d</a>`, i, i)
		}
	}))
	defer web.Close()
	place := placeIn(t.TempDir())
	def := hostScope(web.URL + "/")
	def.MaxPages, def.Workers = 8, 1
	e, err := engineFor(nil, nil, noDelay())
	if err != nil {
		t.Fatal(err)
	}
	for part := 1; ; part++ {
		run, err := e.StartIn(context.Background(), "test", place, def, crawl.Options{Jar: fetch.NewJar(time.Now)})
		if err != nil {
			t.Fatal(err)
		}
		rep := wait(t, run)
		if rep.Complete {
			if part < 2 || rep.Pages != 31 {
				t.Errorf("%d parts, %d pages", part, rep.Pages)
			}
			break
		}
		def.MaxPages = 0
	}
	if n := strangers.Load(); n > 0 {
		t.Errorf("%d requests without the cookie", n)
	}
}
