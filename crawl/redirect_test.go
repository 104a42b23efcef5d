package crawl_test

import (
	"testing"

	"varve/archive/warc"
	"varve/crawl/scope"
)

// Addresses that are easily taken for one: each is fetched and recorded, and is found again by its
// own URL. The crawl is stopped and resumed after every few answers, so that the host which the
// seed redirects to must be known again.
func TestAddressesOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := simulate(t, "redirects", 5)
	place := placeIn(t.TempDir())
	def := hostScope("http://www.apex.sim.test/", "http://apex.sim.test/d", "http://apex.sim.test/query?b=2&a=1")
	def.Scope.Mode = scope.Host
	def.Workers = 3
	stops := 0
	for {
		part := def
		part.MaxURLs = int64(8 * (stops + 1))
		rep := wait(t, start(t, newEngine(t, s, noDelay()), place, part))
		if rep.Complete {
			break
		}
		if stops++; stops > 100 {
			t.Fatal("no end")
		}
	}
	if stops < 5 {
		t.Errorf("stopped %d times only", stops)
	}
	checkTotals(t, place)
	status := map[string]int{}
	location := map[string]string{}
	eachRecord(t, place.WarcDir, func(rec *warc.Record) {
		if rec.Type() != warc.TypeResponse {
			return
		}
		h, err := rec.HTTP()
		if err != nil {
			t.Fatal(err)
		}
		status[rec.TargetURI()], location[rec.TargetURI()] = h.Status, h.Header.Get("Location")
	})
	for url, to := range map[string]string{
		"http://www.apex.sim.test/":           "https://apex.sim.test/",
		"https://apex.sim.test/":              "",
		"http://apex.sim.test/d":              "https://apex.sim.test/d",
		"https://apex.sim.test/d":             "https://apex.sim.test/d/",
		"https://apex.sim.test/d/":            "",
		"https://apex.sim.test/A":             "",
		"https://apex.sim.test/a":             "",
		"https://apex.sim.test/d2":            "/d/",
		"https://apex.sim.test/old":           "/a",
		"https://apex.sim.test/temporary":     "/A",
		"https://apex.sim.test/query?b=2&a=1": "",
	} {
		want := status[url] == 200
		if to != "" {
			want = status[url] >= 300 && status[url] < 400
		}
		if !want {
			t.Errorf("%s has the status %d and leads to %q, want %q", url, status[url], location[url], to)
		}
	}
	asked := 0
	for _, e := range s.Log().Entries() {
		if e.Target == "/robots.txt" {
			continue
		}
		asked++
		if _, there := status[e.URL()]; !there {
			t.Errorf("%s was asked for and is not in the archive by that URL", e.URL())
		}
	}
	if asked < 70 {
		t.Errorf("%d requests", asked)
	}
}

// A seed that redirects away is reported so, and the crawl goes on where it leads.
func TestSeedThatMoved(t *testing.T) {
	t.Parallel()
	s := simulateText(t, `
[[site]]
host = "old.sim.test"
pages = 1
[[site.redirect]]
from = "/moved"
to = "http://new.sim.test/"
[[site]]
host = "new.sim.test"
pages = 6
`)
	def := hostScope("http://old.sim.test/moved")
	place := placeIn(t.TempDir())
	first := def
	first.MaxURLs = 4 // both robots.txt, the seed, and where it leads
	wait(t, start(t, newEngine(t, s, noDelay()), place, first))
	rep := complete(t, newEngine(t, s, noDelay()), place, def)
	if rep.Pages != 6 {
		t.Errorf("%d pages of the host that the seed moved to, want 6", rep.Pages)
	}
	if seed := rep.Seeds["http://old.sim.test/moved"]; seed.Outcome != "redirected" || seed.To != "http://new.sim.test/" {
		t.Errorf("seed: %+v", seed)
	}
}
