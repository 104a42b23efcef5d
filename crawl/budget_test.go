package crawl_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"varve/archive/warc"
	"varve/crawl"
	"varve/crawl/scope"
)

// Each limit stops the crawl where it should, and without the limit the crawl goes on to its end:
// nothing is lost or there twice, and the report says what is in the files.
func TestLimitsAndResume(t *testing.T) {
	t.Parallel()
	s := simulateSpec(t, flatSite(t, 120), 3)
	e := newEngine(t, s, noDelay())
	cases := map[string]struct {
		limit func(*crawl.Definition)
		check func(*crawl.Report) bool
		why   string
	}{
		"max-pages": {
			func(d *crawl.Definition) { d.MaxPages = 25 },
			func(r *crawl.Report) bool { return r.Pages == 25 }, "max-pages reached",
		},
		"max-urls": {
			func(d *crawl.Definition) { d.MaxURLs = 31 },
			func(r *crawl.Report) bool { return r.URLs == 31 }, "max-urls reached",
		},
		"max-bytes": {
			func(d *crawl.Definition) { d.MaxBytes = 100_000 },
			func(r *crawl.Report) bool { return r.Bytes >= 100_000 && r.Bytes < 150_000 }, "max-bytes reached",
		},
		"max-time": {
			func(d *crawl.Definition) { d.MaxTime = scope.Duration(time.Microsecond) },
			func(r *crawl.Report) bool { return r.Pages < 120 }, "max-time reached",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			place := placeIn(t.TempDir())
			def := hostScope(s.Seeds()...)
			c.limit(&def)
			rep := wait(t, start(t, e, place, def))
			if rep.Complete || rep.Why != c.why || !c.check(rep) {
				t.Errorf("complete %v, %q, %d pages, %d answers, %d bytes", rep.Complete, rep.Why, rep.Pages, rep.URLs, rep.Bytes)
			}
			checkTotals(t, place)
			complete(t, e, place, hostScope(s.Seeds()...))
			checkTotals(t, place)
			got := recorded(t, place.WarcDir)
			if len(got) != 120 || twice(got) != 0 {
				t.Errorf("%d URLs, %d twice", len(got), twice(got))
			}
		})
	}
}

// Hops are counted from the seed, also by the setting of one domain.
func TestMaxHops(t *testing.T) {
	t.Parallel()
	s := simulateText(t, `
[[site]]
host = "all.sim.test"
pages = 8
fanout = 1
links = 0
[[site]]
host = "near.sim.test"
pages = 8
fanout = 1
links = 0
`)
	three, one := 3, 1
	def := hostScope(s.Seeds()...)
	def.Scope.MaxHops = &three
	def.Scope.Domains = map[string]scope.Settings{"near.sim.test": {MaxHops: &one}}
	place := placeIn(t.TempDir())
	complete(t, newEngine(t, s, noDelay()), place, def)
	hops := map[string]int{}
	for _, l := range crawlLog(t, place) {
		if l.code == "200" && !strings.HasSuffix(l.url, "/robots.txt") {
			host := strings.Split(l.url, "/")[2]
			hops[host] = max(hops[host], strings.Count(l.hops, "L"))
		}
	}
	if hops["all.sim.test"] != 3 || hops["near.sim.test"] != 1 {
		t.Errorf("hops %v", hops)
	}
}

// A host that used up its budget is parked; the others go on, and the crawl is complete.
func TestHostBudget(t *testing.T) {
	t.Parallel()
	s := simulateText(t, `
[[site]]
host = "big{n}.sim.test"
count = 3
pages = 40
[[site]]
host = "heavy.sim.test"
pages = 40
`)
	pages, bytes := int64(7), scope.Size(60_000)
	def := hostScope(s.Seeds()...)
	def.Scope.Domains = map[string]scope.Settings{
		"big01.sim.test": {MaxPages: &pages}, "big02.sim.test": {MaxPages: &pages}, "heavy.sim.test": {MaxBytes: &bytes},
	}
	place := placeIn(t.TempDir())
	rep := complete(t, newEngine(t, s, noDelay()), place, def)
	done := map[string]int64{}
	for _, h := range rep.Hosts {
		done[h.Host] = h.Done
	}
	if done["big01.sim.test"] != pages || done["big02.sim.test"] != pages || done["big03.sim.test"] < 40 {
		t.Errorf("done %v", done)
	}
	if n := done["heavy.sim.test"]; n < 2 || n > 20 {
		t.Errorf("%d of the host with a budget in bytes", n)
	}
	parked := map[string]string{}
	for _, e := range eventsOf(t, place) {
		if e.Event == "parked" {
			parked[e.Host] = e.Why
		}
	}
	if len(parked) != 3 || !strings.Contains(parked["big01.sim.test"], "7 documents") {
		t.Errorf("parked %v", parked)
	}
	delete(def.Scope.Domains, "big01.sim.test") // a larger budget later: the rest is still queued
	rep = complete(t, newEngine(t, s, noDelay()), place, def)
	for _, h := range rep.Hosts {
		if h.Host == "big01.sim.test" && h.Done < 40 || h.Host == "big02.sim.test" && h.Done != pages {
			t.Errorf("after the resume: %s has %d", h.Host, h.Done)
		}
	}
	checkTotals(t, place)
}

// Strings that look like URLs are tried last, and only so many.
func TestSpeculativeBudget(t *testing.T) {
	t.Parallel()
	var script strings.Builder
	for i := range 30 {
		fmt.Fprintf(&script, "var u%d = \"/guess/%d.html\";\n", i, i)
	}
	s := simulateText(t, `
-- site.toml --
[[site]]
host = "guess.sim.test"
pages = 5
-- guess.sim.test/start.html --
<html><body><script>
`+script.String()+`
</script><a href="/">on</a></body></html>
`)
	for most, want := range map[int64]int{4: 4, -1: 0} {
		seen := s.Log().Len()
		def := hostScope("http://guess.sim.test/start.html")
		def.MaxGuess, def.Workers = most, 1
		place := placeIn(t.TempDir())
		rep := complete(t, newEngine(t, s, noDelay()), place, def)
		guesses, home := 0, false
		for _, e := range s.Log().Since(seen) {
			home = home || e.Target == "/"
			if strings.HasPrefix(e.Target, "/guess/") {
				guesses++
				if !home {
					t.Error("a guess came before the link on the same page")
				}
			}
		}
		if guesses != want {
			t.Errorf("%d guesses tried, want %d", guesses, want)
		}
		if n := rep.Refusals["budget of speculative URLs used up"]; n != int64(30-want) {
			t.Errorf("%d refused", n)
		}
	}
}

// Every record of a response has the digest of the bytes that the server logged for the request.
func TestExactBytes(t *testing.T) {
	t.Parallel()
	s := simulateText(t, `
[[site]]
host = "exact.sim.test"
scheme = "both"
pages = 40
assets = 40
sitemap.on = true
feed.path = "/feed.xml"
[[site.serve]]
share = 0.3
encoding = "gzip"
chunked = true
[[site.serve]]
share = 0.2
encoding = "br"
[[site.serve]]
share = 0.2
volatile = true
[[site.redirect]]
from = "/old"
to = "/"
`)
	place := placeIn(t.TempDir())
	def := hostScope("http://exact.sim.test/", "https://exact.sim.test/", "http://exact.sim.test/old", "http://exact.sim.test/none")
	rep := complete(t, newEngine(t, s, noDelay()), place, def)
	sent := map[string][]string{}
	for _, e := range s.Log().Entries() {
		sent[e.URL()] = append(sent[e.URL()], e.Digest)
	}
	n := 0
	eachRecord(t, place.WarcDir, func(rec *warc.Record) {
		if rec.Type() != warc.TypeResponse {
			return
		}
		n++
		want := sent[rec.TargetURI()]
		if got := rec.Header.Get(warc.FieldBlockDigest); len(want) != 1 || got != want[0] {
			t.Errorf("%s: the record has %s, the server sent %v", rec.TargetURI(), got, want)
		}
	})
	if n < 80 || int64(n) != rep.URLs || n != len(sent) {
		t.Errorf("%d records, %d answers in the report, %d requests", n, rep.URLs, len(sent))
	}
	checkTotals(t, place)
}

// A host that has had its time is parked.
func TestHostTime(t *testing.T) {
	t.Parallel()
	s := simulateText(t, `
[[site]]
host = "long.sim.test"
pages = 60
`)
	most, rest := scope.Duration(time.Second), scope.Duration(100*time.Millisecond)
	def := hostScope(s.Seeds()...)
	def.Scope.Domains = map[string]scope.Settings{"long.sim.test": {MaxTime: &most, Delay: &rest}}
	place := placeIn(t.TempDir())
	rep := complete(t, newEngine(t, s, noDelay()), place, def)
	if rep.URLs < 1 || rep.URLs > 13 || rep.Queued == 0 { // a busy machine may take its second for the first
		t.Errorf("%d URLs in the time of 11 at most, %d left", rep.URLs, rep.Queued)
	}
}
