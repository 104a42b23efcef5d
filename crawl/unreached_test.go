package crawl_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"varve/clock"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/polite"
	"varve/crawl/scope"
)

// failingFetcher fails for one cause, whatever is asked for.
type failingFetcher struct {
	class fetch.Class
	asked atomic.Int64
}

func (f *failingFetcher) Fetch(_ context.Context, r *fetch.Request) (*fetch.Exchange, error) {
	f.asked.Add(1)
	return &fetch.Exchange{}, &fetch.Error{Class: f.class, URL: r.URL, Err: errors.New("the cause in words")}
}

func (f *failingFetcher) Resolve(context.Context, string) (*fetch.Answer, error) {
	return nil, errors.New("no answer")
}

// Whatever keeps robots.txt from being read, the host is given up after as many attempts as are allowed, in time that is bounded,
// and the report has the cause.
func TestGivesUpForEveryCause(t *testing.T) {
	for _, class := range []fetch.Class{
		fetch.NoName, fetch.DNSFailure, fetch.DNSTimeout, fetch.NoConnect, fetch.ConnectTimeout, fetch.BadTLS, fetch.TLSTimeout, fetch.BadProxy,
		fetch.Reset, fetch.Disconnect, fetch.Protocol, fetch.HeadLarge, fetch.HeadTimeout, fetch.IdleTimeout, fetch.TooSlow, fetch.Local,
	} {
		for _, wait := range []time.Duration{time.Millisecond, 30 * time.Second, 20 * time.Hour} {
			v, f := clock.NewVirtual(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)), &failingFetcher{class: class}
			e := crawl.NewEngine(crawl.EngineConfig{Fetcher: f, Polite: polite.Default(), Clock: v, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
			def := crawl.Definition{
				Seeds: []string{"http://a.example/", "http://a.example/b", "http://a.example/c"}, Contact: "a@example.org", Scope: scope.Definition{Mode: scope.Host},
				Workers: 2, MinDisk: -1, RetryAfter: scope.Duration(wait), MaxTime: scope.Duration(30 * 24 * time.Hour),
			}
			begun := v.Now()
			rep, err := start(t, e, placeIn(t.TempDir()), def).Drive(v)
			if err != nil {
				t.Fatal(err)
			}
			u := rep.Unreached["http://a.example"]
			attempts, longest, shortest := 4, 3*max(wait, time.Hour), 3*wait
			if class == fetch.NoName { // it will not be there soon
				attempts, longest, shortest = 2, time.Minute, min(wait, time.Second)
			}
			if !rep.Finished || rep.Complete || int(f.asked.Load()) != attempts || u.Attempts != attempts || u.URLs != 3 || u.Why != "robots.txt: "+string(class)+": the cause in words" {
				t.Errorf("%s, %v: asked %d times; %s, %+v", class, wait, f.asked.Load(), rep.Why, rep.Unreached)
			}
			if took := v.Now().Sub(begun); took > longest || took < shortest {
				t.Errorf("%s, %v: it took %v", class, wait, took)
			}
			if rep.Failed+rep.Refused != 3 {
				t.Errorf("%s: %d failed, %d refused", class, rep.Failed, rep.Refused)
			}
		}
	}
}

// A certificate that nobody vouches for, with short waits: robots.txt was asked for again and again, for ever.
func TestGivesUpBadCertificate(t *testing.T) {
	bad := httptest.NewTLSServer(nil)
	bad.Config.ErrorLog = slog.NewLogLogger(slog.NewTextHandler(io.Discard, nil), slog.LevelError)
	defer bad.Close()
	e, err := engineFor(nil, nil, polite.Config{BackoffFirst: 20 * time.Millisecond, BackoffMost: 40 * time.Millisecond, MaxFailing: 10})
	if err != nil {
		t.Fatal(err)
	}
	rep := complete(t, e, placeIn(t.TempDir()), hostScope(bad.URL+"/"))
	if u := rep.Unreached[bad.URL]; u.Attempts != 3 || u.URLs != 1 || !strings.Contains(u.Why, "tls: ") || !strings.Contains(u.Why, "certificate") {
		t.Errorf("%+v", rep.Unreached)
	}
}
