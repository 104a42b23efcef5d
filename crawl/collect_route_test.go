package crawl_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"varve/archive/warc"
	"varve/crawl/collect"
	"varve/crawl/route"
	"varve/web/links"
)

// The real route with a browser that brings nothing: three pages of the section are executed, and a probe or
// two; the others say why not. With one that brings something, all are.
func TestRouted(t *testing.T) {
	const pages = 40
	for _, brings := range []bool{false, true} {
		s, place := newAppSite(t, pages), placeIn(t.TempDir())
		var executed atomic.Int64
		who := collectorFunc(func(_ context.Context, a *collect.Answer, _ collect.Net) (*collect.Result, error) {
			executed.Add(1)
			res := &collect.Result{Cost: collect.Cost{CPU: 100 * time.Millisecond}} // told, so that a slow machine decides nothing
			if brings {
				res.Links = []links.Link{{URL: strings.Replace(a.URL, "/page/", "/hidden/", 1), Kind: links.DOMLink}}
			}
			return res, nil
		})
		router := route.New(route.Default(), route.Auto, nil, route.Browser)
		rep := runRouted(t, s, place, router, map[string]collect.Collector{route.Browser: who})
		n := executed.Load()
		var spared, got int64 // a slow machine may time out on a page
		eachRecord(t, place.WarcDir, func(rec *warc.Record) {
			if rec.Type() == warc.TypeResponse && strings.Contains(rec.TargetURI(), "/page/") {
				got++
			}
			if b, _ := io.ReadAll(rec.Block); rec.Type() == warc.TypeMetadata && strings.Contains(string(b), "\r\nroute: parser: 0 of ") {
				spared++
			}
		})
		if !rep.Complete || !brings && (n < 3 || n > 6) || brings && n != got || got < pages/2 {
			t.Errorf("brings %v: %d of %d pages executed, %s", brings, n, got, rep.Why)
		}
		if spared != got-n {
			t.Errorf("brings %v: %d pages say why they were spared", brings, spared)
		}
		if state, err := os.ReadFile(filepath.Join(place.Dir, "route.json")); err != nil || !strings.Contains(string(state), "/page/# empty-root") {
			t.Errorf("state %s, %v", state, err)
		}
		checkTotals(t, place)
	}
}

// Script files are looked at before a page with nothing else to show is decided about; they are fetched once.
func TestRouteLooks(t *testing.T) {
	s, place := newAppSite(t, 0), placeIn(t.TempDir())
	s.home = `<script src="/lists.js"></script><p>` + strings.Repeat(`words and words <a href="/part/a">a</a> <a href="/part/b">b</a> <a href="/part/c">c</a>. `, 20)
	var executed atomic.Int64
	router := route.New(route.Default(), route.Auto, nil, route.Browser)
	runRouted(t, s, place, router, map[string]collect.Collector{route.Browser: collectorFunc(
		func(context.Context, *collect.Answer, collect.Net) (*collect.Result, error) {
			executed.Add(1)
			return nil, nil
		})})
	if executed.Load() != 1 || s.asked("GET /lists.js ") != 1 {
		t.Errorf("executed %d times, script asked for %d times", executed.Load(), s.asked("GET /lists.js "))
	}
}
