package crawl_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/crawl"
	"varve/crawl/control"
	"varve/crawl/guide"
)

// paused starts a crawl of the slow site and pauses it when it has queued its pages.
func paused(t *testing.T, rest time.Duration, change func(*crawl.Definition)) (*steered, crawl.Place) {
	t.Helper()
	s, e := slowSite(t, rest)
	place := placeIn(t.TempDir())
	def := hostScope(s.Seeds()...)
	if change != nil {
		change(&def)
	}
	run := start(t, e, place, def)
	w := &steered{api: controlOf(t, run), run: run, engine: e}
	w.targets = func(host string, since int64) []string { return targets(s, host, since) }
	w.asked = func() int64 { return int64(s.Log().Len()) }
	eventually(t, "pages queued", func() bool { return run.Progress().Pages >= 3 })
	w.ok("POST", "/api/crawls/test/pause", "", nil)
	eventually(t, "rest", func() bool {
		var p crawl.Progress
		w.ok("GET", "/api/crawls/test", "", &p)
		return p.State == crawl.Paused && len(w.queued("one.sim.test"))+len(w.queued("two.sim.test")) == int(p.Queued)
	})
	time.Sleep(50 * time.Millisecond) // a request that was on its way has come by then
	return w, place
}

type steered struct {
	api
	run     *crawl.Run
	engine  *crawl.Engine
	targets func(host string, since int64) []string
	asked   func() int64
}

// A priority re-ranks what is queued, holds for what is found later, and survives.
func TestControlPriority(t *testing.T) {
	t.Parallel()
	w, place := paused(t, 40*time.Millisecond, nil)
	queue := w.queued("one.sim.test")
	last := queue[len(queue)-1]
	var rep guide.Reranked
	w.ok("POST", "/api/crawls/test/priorities", fmt.Sprintf(`{"prefix":"http://one.sim.test%s","score":1}`, last), &rep)
	if rep.Changed < 1 || !rep.Whole || len(rep.Priorities) != 1 || rep.Priorities[0].Prefix != "one.sim.test"+last {
		t.Fatalf("%+v", rep)
	}
	if now := w.queued("one.sim.test"); now[0] != last {
		t.Errorf("first is %s, want %s", now[0], last)
	}
	w.ok("POST", "/api/crawls/test/priorities", `{"prefix":"two.sim.test","score":0.1}`, &rep)
	if rep.Changed != len(w.queued("two.sim.test")) || len(rep.Priorities) != 2 {
		t.Errorf("%+v", rep)
	}
	def, err := crawl.ReadDefinition(place.Dir)
	if err != nil || len(def.Priorities) != 2 {
		t.Fatalf("%+v, %v", def.Priorities, err)
	}
	seen := w.asked()
	w.ok("POST", "/api/crawls/test/resume", "", nil)
	eventually(t, "the first page", func() bool { return len(w.targets("one.sim.test", seen)) > 0 })
	if got := w.targets("one.sim.test", seen)[0]; got != last {
		t.Errorf("asked for %s first, want %s", got, last)
	}
	w.run.Stop("enough")
	wait(t, w.run)
	again := start(t, w.engine, place, def)
	b := controlOf(t, again)
	b.ok("POST", "/api/crawls/test/pause", "", nil)
	var watch control.Watch
	if b.ok("GET", "/api/crawls/test/watch", "", &watch); len(watch.Priorities) != 2 {
		t.Errorf("the resumed crawl forgot: %+v", watch.Priorities)
	}
	b.ok("POST", "/api/crawls/test/priorities", `{"prefix":"two.sim.test/","score":0,"lift":true}`, &rep)
	if len(rep.Priorities) != 1 {
		t.Errorf("%+v", rep)
	}
	again.Stop("enough")
	wait(t, again)
}

// A planned crawl has its own order.
func TestControlPriorityOfPlannedCrawls(t *testing.T) {
	t.Parallel()
	s, e := slowSite(t, time.Second)
	def := hostScope(s.Seeds()...)
	def.Revisit = "fifo"
	run := start(t, e, placeIn(t.TempDir()), def)
	a := controlOf(t, run)
	if status, _, text := a.do("POST", "/api/crawls/test/priorities", `{"prefix":"one.sim.test","score":1}`); status != http.StatusConflict || !strings.Contains(text, "planned for coherence") {
		t.Errorf("%d %s", status, text)
	}
	run.Stop("enough")
	wait(t, run)
}

// What a preview says is what the rules do.
func TestControlPreview(t *testing.T) {
	t.Parallel()
	w, _ := paused(t, 40*time.Millisecond, nil)
	const rules = "scope = \"host\"\n[[rule]]\ndo = \"reject\"\nhost = [\"two.sim.test\"]\n"
	two := len(w.queued("two.sim.test"))
	if two < 5 {
		t.Fatalf("%d queued", two)
	}
	var p control.Preview
	w.ok("POST", "/api/crawls/test/scope/preview", rules, &p)
	if p.Dropped != two || !p.Whole || len(p.Examples) == 0 || p.Looked < two || !strings.Contains(p.Examples[0].URL, "two.sim.test") {
		t.Errorf("%+v, %d queued", p, two)
	}
	seen := w.asked()
	var def any
	w.ok("GET", "/api/crawls/test/scope", "", &def)
	if strings.Contains(fmt.Sprint(def), "two.sim.test") {
		t.Error("the preview is in force")
	}
	w.ok("PUT", "/api/crawls/test/scope", rules, nil)
	w.ok("POST", "/api/crawls/test/resume", "", nil)
	rep := wait(t, w.run)
	if got := w.targets("two.sim.test", seen); len(got) > 0 || rep.Refused < int64(p.Dropped) {
		t.Errorf("asked for %q; %d refused", got, rep.Refused)
	}
}

// Limits are changed both ways while a crawl runs, and are kept.
func TestControlLimits(t *testing.T) {
	t.Parallel()
	w, place := paused(t, 40*time.Millisecond, func(d *crawl.Definition) { d.MaxPages = 40 })
	var l crawl.Limits
	if w.ok("GET", "/api/crawls/test/limits", "", &l); l.MaxPages != 40 {
		t.Errorf("%+v", l)
	}
	w.ok("PUT", "/api/crawls/test/limits", `{"maxPages":45,"maxBytes":100000000,"maxTime":"1h"}`, &l)
	w.ok("POST", "/api/crawls/test/resume", "", nil)
	if rep := wait(t, w.run); rep.Pages != 45 || rep.Why != "max-pages reached" {
		t.Errorf("%d pages: %s", rep.Pages, rep.Why)
	}
	def, err := crawl.ReadDefinition(place.Dir)
	if err != nil || def.MaxPages != 45 || def.MaxBytes != 100_000_000 || time.Duration(def.MaxTime) != time.Hour {
		t.Errorf("%+v, %v", def, err)
	}
	events, err := os.ReadFile(filepath.Join(place.Dir, "events.jsonl"))
	if err != nil || !strings.Contains(string(events), `"event":"limits"`) || !strings.Contains(string(events), `"was":{"maxPages":40}`) {
		t.Errorf("%v: %s", err, events)
	}
}

// Those who watch see rates, states, hosts, faults and the newest pages.
func TestControlWatch(t *testing.T) {
	t.Parallel()
	w, _ := paused(t, 40*time.Millisecond, nil)
	var got control.Watch
	w.ok("GET", "/api/crawls/test/watch", "", &got)
	if got.State != crawl.Paused || got.States.Queued == 0 || got.States.Done == 0 || len(got.Readings) == 0 || got.At.IsZero() {
		t.Errorf("%+v", got)
	}
	if len(got.TopHosts) != 2 || got.TopHosts[0].Host != "one.sim.test" || got.TopHosts[0].Queued == 0 {
		t.Errorf("hosts %+v", got.TopHosts)
	}
	if n := len(got.Newest); n < 3 || got.Newest[0].Title == "" || got.Newest[0].At.Before(got.Newest[n-1].At) {
		t.Errorf("newest %+v", got.Newest)
	}
	if b, err := json.Marshal(got); err != nil || len(b) > 100_000 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	// While it is paused the rate falls to nothing, and nobody is told a time left.
	deadline := time.Now().Add(time.Minute)
	for {
		w.ok("GET", "/api/crawls/test/watch", "", &got)
		n := len(got.Readings)
		if n > 1 && got.Readings[n-1].URLs == got.Readings[n-2].URLs && got.Rate == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("paused, and still %v a second; readings %+v", got.Rate, got.Readings)
		}
		time.Sleep(200 * time.Millisecond)
	}
	if got.ETA != 0 {
		t.Errorf("paused, with %v left", got.ETA)
	}
	w.run.Stop("enough")
	wait(t, w.run)
}

func TestSteeringIsChecked(t *testing.T) {
	t.Parallel()
	s, e := slowSite(t, time.Second)
	run := start(t, e, placeIn(t.TempDir()), hostScope(s.Seeds()...))
	a := controlOf(t, run)
	for _, c := range []struct{ method, path, body, cause string }{
		{"PUT", "/limits", `{"maxPages":-1}`, "less than nothing"},
		{"PUT", "/limits", `{"pages":1}`, "pages"},
		{"PUT", "/limits", `[]`, "limits"},
		{"POST", "/priorities", `{"prefix":"","score":1}`, "no host"},
		{"POST", "/priorities", `{"prefix":"ftp://a/","score":1}`, "no host"},
		{"POST", "/priorities", `{"prefix":"one.sim.test","score":7}`, "score"},
		{"POST", "/priorities", `{"prefix":"one.sim.test","score":1} {}`, "follows"},
		{"POST", "/scope/preview", "[[rule]]\ndo = \"reject\"\nregex = ['(']", "rule 1"},
	} {
		status, _, text := a.do(c.method, "/api/crawls/test"+c.path, c.body)
		if status != http.StatusBadRequest || !strings.Contains(text, c.cause) {
			t.Errorf("%s %s %q: %d %s", c.method, c.path, c.body, status, text)
		}
	}
	run.Stop("enough")
	wait(t, run)
}
