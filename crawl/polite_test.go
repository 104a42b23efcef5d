package crawl_test

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// spaced tells where the log shows a request that came too early: less than rest after the end of
// the one before, which also means that no two were under way at once.
func spaced(t *testing.T, entries []websim.Entry, rest time.Duration, what string) {
	t.Helper()
	if len(entries) < 3 {
		t.Errorf("%s: only %d requests", what, len(entries))
	}
	for i := 1; i < len(entries); i++ {
		before, next := entries[i-1], entries[i]
		if gap := next.Time.Sub(before.End); gap < rest {
			t.Errorf("%s: %s came %v after the end of %s, want %v", what, next.URL(), gap, before.URL(), rest)
		}
	}
}

// paced is for rests from start to start, as they hold for addresses. What the server sees of a
// start is late by the time that the request was on its way, so the pace is looked at over many.
func paced(t *testing.T, entries []websim.Entry, rest time.Duration, what string) {
	t.Helper()
	const step, onTheWay = 8, 120 * time.Millisecond
	if len(entries) <= step {
		t.Errorf("%s: only %d requests", what, len(entries))
	}
	for i := step; i < len(entries); i++ {
		if gap := entries[i].Time.Sub(entries[i-step].Time); gap < step*rest-onTheWay {
			t.Errorf("%s: %d requests within %v, each should take %v", what, step, gap, rest)
		}
	}
}

// robotsFirst checks that robots.txt was asked for before anything else of the authority.
func robotsFirst(t *testing.T, s *server.Server) {
	t.Helper()
	asked := map[string]bool{}
	for _, e := range s.Log().Entries() {
		authority := e.Scheme + "://" + e.Host
		if e.Target == "/robots.txt" {
			asked[authority] = true
		} else if !asked[authority] {
			t.Errorf("%s was asked before robots.txt", e.URL())
		}
	}
}

// Two crawls in one engine visit the same hosts: together they keep the rest of each host.
func TestRestOfHostsAcrossTwoCrawls(t *testing.T) {
	t.Parallel()
	s := simulateText(t, `
[[site]]
host = "h{n}.sim.test"
count = 3
pages = 6
fanout = 3
links = 2
`)
	const rest = 40 * time.Millisecond
	manners := polite.Fixed(rest)
	manners.IPConns, manners.IPDelay = 0, 0
	e := newEngine(t, s, manners)
	one := start(t, e, placeIn(t.TempDir()), hostScope(s.Seeds()...))
	two := start(t, e, placeIn(t.TempDir()), hostScope(s.Seeds()...))
	a, b := wait(t, one), wait(t, two)
	if a.URLs != b.URLs || a.URLs < 18 || !a.Complete || !b.Complete {
		t.Errorf("the crawls recorded %d and %d answers", a.URLs, b.URLs)
	}
	for n := range 3 {
		host := fmt.Sprintf("h%02d.sim.test", n+1)
		entries := logOf(s, host)
		if want := 2 * a.URLs / 3; int64(len(entries)) != want {
			t.Errorf("%s: %d requests, want %d", host, len(entries), want)
		}
		spaced(t, entries, rest, host)
	}
	robotsFirst(t, s)
}

// Hosts that share an address share its rest, too.
func TestRestOfAddress(t *testing.T) {
	t.Parallel()
	s := simulateText(t, `
[[site]]
host = "shared{n}.sim.test"
count = 4
addr = "127.0.0.2"
pages = 5
[[site]]
host = "own.sim.test"
addr = "127.0.0.3"
pages = 5
`)
	const rest = 30 * time.Millisecond
	manners := polite.Fixed(time.Millisecond)
	manners.IPConns, manners.IPDelay = 1, rest
	e := newEngine(t, s, manners)
	one := start(t, e, placeIn(t.TempDir()), hostScope(s.Seeds()...))
	two := start(t, e, placeIn(t.TempDir()), hostScope(s.Seeds()...))
	for _, rep := range []bool{wait(t, one).Complete, wait(t, two).Complete} {
		if !rep {
			t.Error("not complete")
		}
	}
	byAddr := map[string][]websim.Entry{}
	for _, entry := range s.Log().Entries() {
		addr, _, _ := net.SplitHostPort(entry.Local)
		byAddr[addr] = append(byAddr[addr], entry)
	}
	if len(byAddr) != 2 {
		t.Fatalf("%d addresses", len(byAddr))
	}
	for addr, entries := range byAddr {
		paced(t, entries, rest, addr)
		spaced(t, entries, 0, addr) // one connection at a time
	}
}

// What robots.txt forbids is never asked for, and its Crawl-delay is kept.
func TestRobots(t *testing.T) {
	t.Parallel()
	s := simulateText(t, `
[[site]]
host = "delay.sim.test"
pages = 24
fanout = 6
links = 4
robots = { delay = "60ms", disallow = ["/economy/", "/culture/", "/*.html$"], allow = ["/culture/index"] }
[[site]]
host = "gone.sim.test"
pages = 4
robots.status = 404
[[site]]
host = "broken.sim.test"
pages = 4
robots.status = 503
[[site]]
host = "named.sim.test"
pages = 8
robots.text = "User-agent: *\nDisallow: /\n\nUser-agent: archivist\nDisallow: /politics/\n"
`)
	manners := polite.Fixed(time.Millisecond)
	manners.IPConns, manners.IPDelay = 0, 0
	manners.BackoffFirst, manners.BackoffMost = 5*time.Millisecond, 20*time.Millisecond
	def := hostScope(s.Seeds()...)
	def.UserAgent = "archivist/2.0"
	place := placeIn(t.TempDir())
	rep := complete(t, newEngine(t, s, manners), place, def)
	robotsFirst(t, s)
	for _, e := range logOf(s, "delay.sim.test") {
		if strings.HasPrefix(e.Target, "/economy/") || strings.HasSuffix(e.Target, ".html") {
			t.Errorf("%s is forbidden", e.URL())
		}
	}
	spaced(t, logOf(s, "delay.sim.test")[1:], 60*time.Millisecond, "Crawl-delay")
	for _, e := range logOf(s, "named.sim.test") {
		if strings.HasPrefix(e.Target, "/politics/") {
			t.Errorf("%s is forbidden to us by name", e.URL())
		}
	}
	if len(logOf(s, "named.sim.test")) < 2 || len(logOf(s, "gone.sim.test")) < 4 {
		t.Error("allowed pages were not fetched")
	}
	for _, e := range logOf(s, "broken.sim.test") {
		if e.Target != "/robots.txt" {
			t.Errorf("%s was asked without knowing robots.txt", e.URL())
		}
	}
	if n := len(logOf(s, "broken.sim.test")); n < 2 {
		t.Errorf("robots.txt that failed was asked for %d times: a short outage costs the host", n)
	}
	if seed := rep.Seeds["http://broken.sim.test/"]; seed.Outcome != "blocked" || !strings.Contains(seed.Why, "503") {
		t.Errorf("seed without robots.txt: %+v", seed)
	}
	if rep.Refusals["robots.txt"] == 0 {
		t.Errorf("refusals %v", rep.Refusals)
	}
}

// A server that asks for time with 429 or 503 and Retry-After gets it, and the page comes after all.
func TestRetryAfter(t *testing.T) {
	t.Parallel()
	s := simulateText(t, `
[[site]]
host = "limit.sim.test"
pages = 4
limit = { every = "500ms", burst = 2, retry_after = "1s" }
[[site]]
host = "busy.sim.test"
pages = 3
[[site.fault]]
kind = "status"
at = "/once"
status = 503
retry_after = "1"
times = 1
[[site]]
host = "dated.sim.test"
pages = 3
[[site.fault]]
kind = "status"
at = "/once"
status = 503
retry_after = "date"
times = 1
`)
	place := placeIn(t.TempDir())
	rep := complete(t, newEngine(t, s, noDelay()), place, hostScope(s.Seeds()...))
	asked := 0
	for _, host := range []string{"limit.sim.test", "busy.sim.test"} {
		entries := logOf(s, host)
		for i, e := range entries {
			if e.Status != 429 && e.Status != 503 {
				continue
			}
			asked++
			if i+1 == len(entries) {
				t.Errorf("%s: no request after %d", host, e.Status)
			} else if gap := entries[i+1].Time.Sub(e.End); gap < time.Second {
				t.Errorf("%s: came back %v after %d with Retry-After: 1", host, gap, e.Status)
			}
		}
	}
	if asked < 2 || rep.Status[429] == 0 || rep.Status[503] < 2 {
		t.Errorf("%d answers asked for time; statuses %v", asked, rep.Status)
	}
	got := map[string]int{}
	for _, l := range crawlLog(t, place) {
		if l.code == "200" {
			got[l.url]++
		}
	}
	for _, url := range []string{"http://busy.sim.test/once", "http://dated.sim.test/once"} {
		if got[url] != 1 {
			t.Errorf("%s came %d times in the end", url, got[url])
		}
	}
}

// A rest of its own for one domain, and the rest that a definition asks for.
func TestRestBySettings(t *testing.T) {
	t.Parallel()
	s := simulateText(t, `
[[site]]
host = "slow.sim.test"
pages = 5
[[site]]
host = "fast.sim.test"
pages = 5
`)
	manners := polite.Fixed(time.Hour) // what the engine would do by itself
	manners.IPConns, manners.IPDelay = 0, 0
	def := hostScope(s.Seeds()...)
	quick, slow := scope.Duration(2*time.Millisecond), scope.Duration(60*time.Millisecond)
	def.Delay = &quick
	def.Scope.Domains = map[string]scope.Settings{"slow.sim.test": {Delay: &slow}}
	complete(t, newEngine(t, s, manners), placeIn(t.TempDir()), def)
	spaced(t, logOf(s, "slow.sim.test"), 60*time.Millisecond, "slow")
	spaced(t, logOf(s, "fast.sim.test"), 2*time.Millisecond, "fast")
}
