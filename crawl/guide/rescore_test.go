package guide

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"varve/clock"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/crawl/polite"
	"varve/crawl/relevance"
	"varve/crawl/scope"
	"varve/web/canon"
)

// site has a front page with links to pages about cats and about dogs, which answer when they are let.
type site struct{ let atomic.Pointer[chan struct{}] }

// hold has pages wait until the result is called.
func (s *site) hold() (let func()) {
	c := make(chan struct{})
	s.let.Store(&c)
	return func() { close(c) }
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	switch r.URL.Path {
	case "/robots.txt":
		http.NotFound(w, r)
	case "/":
		fmt.Fprint(w, "<title>animals</title><p>a page about animals of all kinds")
		for i := range 40 {
			fmt.Fprintf(w, "<p><a href=/p%d>%s %d</a>", i, []string{"cats", "dogs"}[i%2], i)
		}
	default:
		select {
		case <-*s.let.Load():
		case <-r.Context().Done():
		}
		fmt.Fprint(w, "<p>that is all")
	}
}

func about(word string) relevance.About {
	return relevance.About{Keywords: []relevance.Keyword{{Word: word}}}
}

// begin starts or resumes the crawl.
func begin(t *testing.T, place crawl.Place, url string, about relevance.About) (*crawl.Run, *Judged) {
	t.Helper()
	return beginDef(t, place, crawl.Definition{Seeds: []string{url + "/"}, Workers: 2, MinDisk: -1, About: about})
}

func beginDef(t *testing.T, place crawl.Place, def crawl.Definition, more ...relevance.Module) (*crawl.Run, *Judged) {
	t.Helper()
	def.Scope = scope.Definition{Mode: scope.Host}
	client, err := fetch.New(fetch.Config{UserAgent: "test", AllowPrivate: true, Clock: clock.Real()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	e := crawl.NewEngine(crawl.EngineConfig{Fetcher: client, Polite: polite.Fixed(0), Clock: clock.Real(), Log: slog.New(slog.DiscardHandler)})
	judge, err := relevance.New(def.About, nil, more...)
	if err != nil {
		t.Fatal(err)
	}
	var stage *Judged
	run, err := e.StartIn(context.Background(), "test", place, def, crawl.Options{Stages: func(def crawl.Definition) []crawl.Stage {
		stage = NewJudged(def, judge)
		return []crawl.Stage{stage}
	}})
	if err != nil {
		t.Fatal(err)
	}
	return run, stage
}

// until waits for something, but not for ever.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	untilIn(t, time.Minute, what, is)
}

func untilIn(t *testing.T, most time.Duration, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(most); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it did not come to this: " + what)
		}
	}
}

// means returns the mean score of the links to cats and to dogs that wait.
func means(t *testing.T, run *crawl.Run, url string) (mean [2]float64) {
	t.Helper()
	n := [2]float64{}
	for i := range 40 {
		u, err := canon.Parse(fmt.Sprintf("%s/p%d", url, i))
		if err != nil {
			t.Fatal(err)
		}
		if e, err := run.Frontier().Lookup(u.FrontierKey()); err == nil && e.State == frontier.Queued {
			mean[i%2] += e.Item.Score
			n[i%2]++
		}
	}
	return [2]float64{mean[0] / n[0], mean[1] / n[1]}
}

// When what a crawl is about changes, what waits is scored again while it runs, and also after it was interrupted; why says by what.
func TestRescore(t *testing.T) {
	s := &site{}
	let := s.hold()
	server := httptest.NewServer(s)
	defer server.Close()
	dir := t.TempDir()
	place := crawl.Place{Dir: filepath.Join(dir, "crawl"), WarcDir: filepath.Join(dir, "warc")}
	run, stage := begin(t, place, server.URL, about("cats"))
	until(t, "the links of the front page wait", func() bool { return run.Frontier().Stats().Queued >= 38 })
	cats := means(t, run, server.URL)
	if cats[0] <= cats[1] {
		t.Errorf("a crawl about cats has cats at %.3f and dogs at %.3f", cats[0], cats[1])
	}
	if err := stage.SetAbout(relevance.About{Threshold: 7}); err == nil {
		t.Error("a wrong definition was taken")
	}
	if err := stage.SetAbout(about("dogs")); err != nil {
		t.Fatal(err)
	}
	noted := func() bool {
		note, err := run.Frontier().NoteOf(rescoreNote)
		return err != nil || len(note) > 0
	}
	until(t, "the queue is scored again", func() bool { return !noted() })
	if m := means(t, run, server.URL); m[0] >= m[1] || m[0] >= cats[0] {
		t.Errorf("a crawl about dogs has cats at %.3f and dogs at %.3f; when it was about cats these were at %.3f", m[0], m[1], cats[0])
	}
	if err := stage.SetAbout(about("zebras")); err != nil {
		t.Fatal(err)
	}
	until(t, "the queue is scored a second time", func() bool { return !noted() })
	if m := means(t, run, server.URL); m[0] != 0 || m[1] != 0 {
		t.Errorf("a crawl about zebras, which no page names, has cats at %.3f and dogs at %.3f", m[0], m[1])
	}
	if err := stage.SetAbout(about("dogs")); err != nil {
		t.Fatal(err)
	}
	until(t, "the queue is scored a third time", func() bool { return !noted() })
	def, err := crawl.ReadDefinition(place.Dir)
	if err != nil || len(def.About.Keywords) != 1 || def.About.Keywords[0].Word != "dogs" {
		t.Errorf("definition.json: %v %+v", err, def.About)
	}
	w, err := stage.Why(server.URL + "/p39")
	if err != nil || w.Found != server.URL+"/" || !w.Opinion || !strings.Contains(fmt.Sprint(w.Modules), "dogs 1") {
		t.Errorf("why: %v %+v", err, w)
	}
	if w, err = stage.Why(server.URL + "/"); err != nil || w.Found != "" || !w.Opinion {
		t.Errorf("why of the front page: %v %+v", err, w)
	}
	if w, err = stage.Why(server.URL + "/never"); err != nil || w.Opinion {
		t.Errorf("why of a page that was never met: %v %+v", err, w)
	}

	// An interruption before the first step: the note is there, and nothing is scored yet.
	if err := stage.keep(fromBegin); err != nil {
		t.Fatal(err)
	}
	run.Stop("test")
	let()
	if _, err := run.Wait(); err != nil {
		t.Fatal(err)
	}
	let = s.hold()
	run, _ = begin(t, place, server.URL, about("cats"))
	until(t, "the queue is scored again after an interruption", func() bool { return !noted() })
	if run.Frontier().Stats().Queued > 1 {
		if m := means(t, run, server.URL); m[0] <= m[1] {
			t.Errorf("after the interruption cats are at %.3f and dogs at %.3f", m[0], m[1])
		}
	}
	let()
	if _, err := run.Wait(); err != nil {
		t.Fatal(err)
	}
}
