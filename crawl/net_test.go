package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/history"
	"varve/archive/warc"
	"varve/crawl"
	"varve/crawl/collect"
	"varve/crawl/gather"
	"varve/crawl/polite"
	"varve/crawl/stages"
	"varve/web/links"
	"varve/web/wire"
)

// runWith crawls a site with the given collectors and history.
func runWith(t testing.TB, s *appSite, place crawl.Place, manners polite.Config, h crawl.History, who map[string]collect.Collector) *crawl.Report {
	t.Helper()
	e, err := engineFor(nil, nil, manners)
	if err != nil {
		t.Fatal(err)
	}
	run, err := e.StartIn(context.Background(), "test", place, hostScope(s.URL+"/"), crawl.Options{
		History: h, Stages: stages.Set{Collect: gather.Options{Route: new(pagesOnly), Collectors: who, Time: 30 * time.Second}}.Of,
	})
	if err != nil {
		t.Fatal(err)
	}
	return wait(t, run)
}

// runRouted is runWith with a route.
func runRouted(t testing.TB, s *appSite, place crawl.Place, r gather.Route, who map[string]collect.Collector) *crawl.Report {
	t.Helper()
	e, err := engineFor(nil, nil, noDelay())
	if err != nil {
		t.Fatal(err)
	}
	run, err := e.StartIn(context.Background(), "test", place, hostScope(s.URL+"/"), crawl.Options{
		Stages: stages.Set{Collect: gather.Options{Route: r, Collectors: who, Slots: 3}}.Of,
	})
	if err != nil {
		t.Fatal(err)
	}
	return wait(t, run)
}

// A part that is for another collector goes to it, once, and is settled with what that found.
func TestPartForAnotherCollector(t *testing.T) {
	s, place := newAppSite(t, 6), placeIn(t.TempDir())
	var mu sync.Mutex
	films := 0
	rep := runWith(t, s, place, noDelay(), nil, map[string]collect.Collector{
		"fake": collectorFunc(func(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error) {
			text, err := bodyOf(net.Fetch(ctx, &collect.Request{URL: s.URL + "/film.m3u8", Hop: links.HopEmbed}))
			if !strings.HasSuffix(text, "#EXTM3U\n") {
				err = errors.Join(err, fmt.Errorf("play list %q", text))
			}
			return nil, err
		}),
		"film": collectorFunc(func(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error) {
			mu.Lock()
			films++
			mu.Unlock()
			_, err := bodyOf(net.Fetch(ctx, &collect.Request{URL: s.URL + "/part/segment", Hop: links.HopEmbed}))
			return &collect.Result{Links: []links.Link{{URL: s.URL + "/hidden/film", Kind: links.MediaObject}}}, err
		}),
	})
	if !rep.Complete || films != 1 || s.asked("GET /film.m3u8 ") != 1 || s.asked("GET /part/segment ") != 1 || s.asked("GET /hidden/film ") != 1 {
		t.Errorf("%d films, %+v, %v", films, rep.Totals, s.seen)
	}
	for _, e := range eventsOf(t, place) {
		if e.Event == "collected" && e.Why == "" {
			t.Errorf("%+v", e)
		}
	}
	checkTotals(t, place)
}

// Fresh asks the server again and keeps both answers; ranges and HEAD have answers of their own.
func TestFreshAndRanges(t *testing.T) {
	s, place := newAppSite(t, 1), placeIn(t.TempDir())
	var got []string
	runWith(t, s, place, noDelay(), nil, map[string]collect.Collector{
		"fake": collectorFunc(func(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error) {
			for _, r := range []collect.Request{
				{URL: s.URL + "/list"},
				{URL: s.URL + "/list", Fresh: true},
				{URL: s.URL + "/list"},
				{URL: s.URL + "/list", Header: wire.Header{{Name: "Range", Value: "bytes=0-"}}},
				{URL: s.URL + "/list", Header: wire.Header{{Name: "Range", Value: "bytes=2-5"}}},
				{URL: s.URL + "/list", Header: wire.Header{{Name: "Range", Value: "bytes=2-5"}}},
				{URL: s.URL + "/list", Method: "HEAD"},
				{URL: s.URL + "/list", Method: "head"},
				{URL: s.URL + "/none", Hop: links.HopEmbed},
				{URL: s.URL + "/none", Hop: links.HopEmbed},
			} {
				resp, err := net.Fetch(ctx, &r)
				if err != nil {
					return nil, err
				}
				got = append(got, fmt.Sprint(resp.Status, resp.Cached))
				resp.Close()
			}
			return nil, nil
		}),
	})
	want := "200 false,200 false,200 true,200 true,200 false,200 true,200 false,200 true,404 false,404 true"
	if all := strings.Join(got, ","); all != want {
		t.Errorf("%s, want %s", all, want)
	}
	if s.asked("GET /list ") != 3 || s.asked("HEAD /list ") != 1 {
		t.Errorf("%v", s.seen)
	}
	checkTotals(t, place)
}

// In the crawl that follows, what the collection holds already is recorded as revisits, and collectors are
// given the bytes all the same: from the server, or where it says not modified, from the earlier record.
func TestRevisitsForCollectors(t *testing.T) {
	s, dir := newAppSite(t, 3), t.TempDir()
	store, err := history.Open(vfs.NewMem(), "h", history.Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	who := map[string]collect.Collector{"fake": collectorFunc(func(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error) {
		if !strings.Contains(string(a.Content), "id=app") || a.Status != 200 {
			return nil, fmt.Errorf("content %q, status %d", a.Content, a.Status)
		}
		for range 2 {
			for path, end := range map[string]string{"/big": "\r\n0\r\n\r\n", "/etag": "always the same, and long enough" + strings.Repeat(".", 600)} {
				got, err := bodyOf(net.Fetch(ctx, &collect.Request{URL: s.URL + path, Hop: links.HopEmbed}))
				if err != nil || !strings.HasPrefix(got, "HTTP/1.1 200 OK") || !strings.HasSuffix(got, end) {
					return nil, fmt.Errorf("%s: %.300q, %w", path, got, err)
				}
			}
		}
		return nil, nil
	})}
	for round := range 2 {
		place := crawl.Place{Dir: dir + fmt.Sprint("/crawl", round), WarcDir: dir + "/warc"}
		e, err := engineFor(nil, nil, noDelay())
		if err != nil {
			t.Fatal(err)
		}
		run, err := e.StartIn(context.Background(), fmt.Sprint("test", round), place, hostScope(s.URL+"/"), crawl.Options{
			History: store, Stages: stages.Set{Collect: gather.Options{Route: new(pagesOnly), Collectors: who}}.Of,
		})
		if err != nil {
			t.Fatal(err)
		}
		rep := wait(t, run)
		if !rep.Complete || round == 1 && rep.Revisits < 2 {
			t.Errorf("round %d: %+v", round, rep.Totals)
		}
		for _, line := range linesOf(t, place.Dir+"/events.jsonl") {
			if strings.Contains(line, `"error"`) {
				t.Error(line)
			}
		}
	}
	notModified := 0
	eachRecord(t, dir+"/warc", func(rec *warc.Record) {
		if rec.Header.Get(warc.FieldProfile) == warc.ProfileNotModified && strings.HasSuffix(rec.TargetURI(), "/etag") {
			notModified++
		}
	})
	if notModified != 1 {
		t.Errorf("%d records of /etag as not modified", notModified)
	}
}

// The parts of one page follow one another without the rest of the host, one at a time; pages rest.
func TestPartsPass(t *testing.T) {
	s, place := newAppSite(t, 1), placeIn(t.TempDir())
	manners := polite.Fixed(400 * time.Millisecond)
	manners.IPDelay = 0
	var mu sync.Mutex
	now, most := 0, 0
	s.during = func(enter int) {
		mu.Lock()
		defer mu.Unlock()
		now += enter
		most = max(most, now)
	}
	var took time.Duration
	runWith(t, s, place, manners, nil, map[string]collect.Collector{
		"fake": collectorFunc(func(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error) {
			begun := time.Now()
			var wg sync.WaitGroup
			errs := make([]error, 30)
			for i := range errs {
				wg.Go(func() {
					_, errs[i] = bodyOf(net.Fetch(ctx, &collect.Request{URL: fmt.Sprintf("%s/part/%d", s.URL, i), Hop: links.HopEmbed}))
				})
			}
			wg.Wait()
			took = time.Since(begun)
			return nil, errors.Join(errs...)
		}),
	})
	if most > 1 {
		t.Errorf("%d requests at a time", most)
	}
	if took >= 12*time.Second { // what 30 rests would take
		t.Errorf("the parts took %v", took)
	}
	if n := len(s.seen); n < 33 {
		t.Errorf("%d of the parts", n)
	}
}
