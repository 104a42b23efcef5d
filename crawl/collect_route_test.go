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
	"varve/crawl"
	"varve/crawl/collect"
	"varve/crawl/gather"
	"varve/crawl/route"
	"varve/crawl/stages"
	"varve/web/links"
	"varve/web/markup"
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

// counting counts what it chose and what it was told of.
type counting struct {
	pagesOnly
	chosen atomic.Int64
}

func (c *counting) Choose(e *collect.Evidence) collect.Choice {
	choice := c.pagesOnly.Choose(e)
	if choice.Collector != "" {
		c.chosen.Add(1)
	}
	return choice
}

// The route is told the end of everything that it chose, also of a visit that is given back because the run stops: it counts
// what is under way, and others wait for that.
func TestRouteLearnsOfGivenBack(t *testing.T) {
	one, other, place := newAppSite(t, 1), newAppSite(t, 1), placeIn(t.TempDir())
	e, err := engineFor(nil, nil, noDelay())
	if err != nil {
		t.Fatal(err)
	}
	router, goOn := new(counting), make(chan struct{})
	who := collectorFunc(func(context.Context, *collect.Answer, collect.Net) (*collect.Result, error) {
		<-goOn
		return nil, nil
	})
	run, err := e.StartIn(context.Background(), "test", place, hostScope(one.URL+"/", other.URL+"/"), crawl.Options{
		Stages: stages.Set{Collect: gather.Options{Route: router, Collectors: map[string]collect.Collector{"fake": who}, Slots: 1}}.Of,
	})
	if err != nil {
		t.Fatal(err)
	}
	for bound := time.Now().Add(time.Minute); router.chosen.Load() < 2; time.Sleep(time.Millisecond) {
		if time.Now().After(bound) {
			t.Fatal("the pages of two hosts were not chosen")
		}
	}
	run.Stop("test") // one is being collected, the other waits for the slot
	close(goOn)
	wait(t, run)
	if told := len(router.learn); int64(told) != router.chosen.Load() {
		t.Errorf("%d were chosen, the route was told of %d", router.chosen.Load(), told)
	}
}

// looking is a route with a reader of its own.
type looking struct {
	pagesOnly
	begun, found atomic.Int64
}

func (l *looking) NewReader() markup.Subscriber { return &lookingReader{of: l} }

func (l *looking) Choose(e *collect.Evidence) collect.Choice {
	if r, ok := e.Look.(*lookingReader); ok && r.title == e.Info.Title && e.Info.Title != "" {
		l.found.Add(1)
	}
	return collect.Choice{}
}

type lookingReader struct {
	of    *looking
	title string
}

func (r *lookingReader) Begin([]byte) markup.Kinds {
	r.of.begun.Add(1)
	r.title = ""
	return markup.Of(markup.Raw)
}

func (r *lookingReader) Token(t *markup.Token) {
	if string(t.Name) == "title" {
		r.title = string(t.Data)
	}
}

// A page is read once: the route, the layers of a planned crawl and the links have the same pass over it.
func TestPageIsReadOnce(t *testing.T) {
	s, place := newAppSite(t, 0), placeIn(t.TempDir())
	s.home = `<title>Home</title><p>words</p>`
	router := new(looking)
	runRouted(t, s, place, router, map[string]collect.Collector{"fake": collectorFunc(
		func(context.Context, *collect.Answer, collect.Net) (*collect.Result, error) { return nil, nil })})
	if router.begun.Load() != 1 || router.found.Load() != 1 {
		t.Errorf("read %d times, and the route was asked with its own reader %d times", router.begun.Load(), router.found.Load())
	}
}
