package crawl_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/crawl"
	"varve/crawl/control"
	"varve/crawl/polite"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// api talks to the control interface of a run.
type api struct {
	t      *testing.T
	base   string
	client *http.Client
}

func controlOf(t *testing.T, run *crawl.Run) api {
	t.Helper()
	s := httptest.NewServer(control.Of(run).Handler())
	t.Cleanup(s.Close)
	return api{t, s.URL, s.Client()}
}

func (a api) do(method, path, body string) (int, string, string) {
	a.t.Helper()
	req, err := http.NewRequest(method, a.base+path, strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	res, err := a.client.Do(req)
	if err != nil {
		a.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		a.t.Fatal(err)
	}
	return res.StatusCode, res.Header.Get("Content-Type"), string(b)
}

// ok does a request that must succeed and reads its answer.
func (a api) ok(method, path, body string, into any) {
	a.t.Helper()
	status, _, text := a.do(method, path, body)
	if status != http.StatusOK {
		a.t.Fatalf("%s %s: %d %s", method, path, status, text)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			a.t.Fatalf("%s %s: %v in %s", method, path, err, text)
		}
	}
}

// eventually waits for a condition that another goroutine brings about.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 2000 {
		if is() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("never: %s", what)
}

// slowSite is one host whose pages are all linked from its home page, and an engine that takes its time.
func slowSite(t *testing.T, rest time.Duration) (*server.Server, *crawl.Engine) {
	t.Helper()
	s := simulateText(t, `
[[site]]
host = "one.sim.test"
pages = 40
fanout = 60
links = 0
[[site]]
host = "two.sim.test"
pages = 20
fanout = 60
links = 0
`)
	manners := polite.Fixed(rest)
	manners.IPConns, manners.IPDelay, manners.Grace = 0, 0, 30*time.Millisecond
	return s, newEngine(t, s, manners)
}

func targets(s *server.Server, host string, since int64) []string {
	var out []string
	for _, e := range s.Log().Since(since) {
		if e.Host == host && e.Target != "/robots.txt" {
			out = append(out, e.Target)
		}
	}
	return out
}

type listing struct {
	Items []struct {
		URL   string  `json:"url"`
		Score float64 `json:"score"`
		State string  `json:"state"`
	} `json:"items"`
	Cursor string `json:"cursor"`
}

// queued lists all that is queued on a host, page by page.
func (a api) queued(host string) []string {
	a.t.Helper()
	var out []string
	for cursor := ""; ; {
		var l listing
		a.ok("GET", fmt.Sprintf("/api/crawls/test/queue?host=%s&limit=7&cursor=%s", host, cursor), "", &l)
		for _, i := range l.Items {
			out = append(out, strings.TrimPrefix(i.URL, "http://"+host))
		}
		if cursor = l.Cursor; cursor == "" {
			return out
		}
	}
}

// Pause keeps servers alone for as long as it lasts; then URLs are re-ranked, barred and added, and the
// later requests show it.
func TestControlPauseAndUpdate(t *testing.T) {
	t.Parallel()
	s, e := slowSite(t, 10*time.Millisecond)
	place := placeIn(t.TempDir())
	run := start(t, e, place, hostScope(s.Seeds()...))
	a := controlOf(t, run)
	eventually(t, "a few pages", func() bool { return run.Progress().Pages >= 5 })
	a.ok("POST", "/api/crawls/test/pause", "", nil)
	var p crawl.Progress
	eventually(t, "rest", func() bool {
		a.ok("GET", "/api/crawls/test", "", &p)
		return p.State == crawl.Paused && len(a.queued("one.sim.test"))+len(a.queued("two.sim.test")) == int(p.Queued)
	})
	time.Sleep(50 * time.Millisecond) // a request that was on its way has come by then
	seen := s.Log().Len()
	queue := a.queued("one.sim.test")
	if len(queue) < 10 {
		t.Fatalf("queue %q", queue)
	}
	last, barred := queue[len(queue)-3:], queue[2:6]
	var updates []control.URLUpdate
	for _, path := range last {
		updates = append(updates, control.URLUpdate{URL: "http://one.sim.test" + path, Score: 1})
	}
	for _, path := range barred {
		updates = append(updates, control.URLUpdate{URL: "http://one.sim.test" + path, Blacklist: true, Reason: "not wanted"})
	}
	updates = append(updates, control.URLUpdate{URL: "http://one.sim.test/added?by=hand", Score: 0.9})
	body, err := json.Marshal(updates)
	if err != nil {
		t.Fatal(err)
	}
	var counts map[string]int
	a.ok("POST", "/api/crawls/test/urls", string(body), &counts)
	time.Sleep(100 * time.Millisecond) // longer than the grace after which a host loses its place
	if s.Log().Len() != seen {
		t.Errorf("%d requests during the pause", s.Log().Len()-seen)
	}
	a.ok("POST", "/api/crawls/test/resume", "", nil)
	rep := wait(t, run)
	if !rep.Complete {
		t.Errorf("not complete: %s", rep.Why)
	}
	after := targets(s, "one.sim.test", seen)
	if len(after) < 4 || !slices.Contains(after, "/added?by=hand") {
		t.Fatalf("after the pause: %q", after)
	}
	if first := slices.Sorted(slices.Values(after[:3])); !slices.Equal(first, slices.Sorted(slices.Values(last))) {
		t.Errorf("first after the pause: %q, want those re-ranked: %q", first, last)
	}
	for _, path := range barred {
		if slices.Contains(after, path) {
			t.Errorf("%s was barred", path)
		}
	}
	if want := len(queue) - len(barred) + 1; len(after) != want {
		t.Errorf("%d requests after the pause, want %d", len(after), want)
	}
	checkTotals(t, place)
}

// New rules and settings take effect while the crawl runs, are kept for a resume, and a paused host
// keeps the crawl from being complete.
func TestControlScope(t *testing.T) {
	t.Parallel()
	s, e := slowSite(t, 5*time.Millisecond)
	place := placeIn(t.TempDir())
	run := start(t, e, place, hostScope(s.Seeds()...))
	a := controlOf(t, run)
	eventually(t, "a few pages", func() bool { return run.Progress().Pages >= 6 })
	a.ok("PUT", "/api/crawls/test/scope", `
scope = "host"
[[rule]]
name = "no more of one"
do = "reject"
regex = ['^http://one\.sim\.test/.*[02468]\.html$']
[domain."two.sim.test"]
paused = true
[domain."one.sim.test"]
delay = "20ms"
`, nil)
	time.Sleep(100 * time.Millisecond)
	seen := s.Log().Len()
	rep := wait(t, run)
	if rep.Complete {
		t.Error("complete, though a host is paused")
	}
	if got := targets(s, "two.sim.test", seen); len(got) > 0 {
		t.Errorf("the paused host was asked for %q", got)
	}
	one := 0
	for _, entry := range s.Log().Since(seen) {
		if entry.Host == "one.sim.test" {
			one++
			if strings.HasSuffix(entry.Target, "2.html") {
				t.Errorf("%s is out of the new scope", entry.Target)
			}
		}
	}
	if one == 0 {
		t.Error("the other host was not crawled on")
	}
	if one > 2 {
		spaced(t, slices.DeleteFunc(s.Log().Since(seen), func(e websim.Entry) bool { return e.Host != "one.sim.test" }), 20*time.Millisecond, "new delay")
	}
	def, err := crawl.ReadDefinition(place.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(def.Scope.Rules) != 1 || def.Scope.Domains["two.sim.test"].Paused == nil {
		t.Errorf("the new scope is not kept: %+v", def.Scope)
	}
	still := wait(t, start(t, e, place, def))
	if still.Complete || len(targets(s, "two.sim.test", seen)) > 0 {
		t.Error("the resumed crawl forgot that a host is paused")
	}
	delete(def.Scope.Domains, "two.sim.test")
	complete(t, e, place, def)
	if n := len(targets(s, "two.sim.test", 0)); n != 20 {
		t.Errorf("%d requests to the host that was paused, want 20", n)
	}
}

// What is listed, counted and streamed; stop ends the crawl, and a resume completes it.
func TestControlViews(t *testing.T) {
	t.Parallel()
	s, e := slowSite(t, 10*time.Millisecond)
	place := placeIn(t.TempDir())
	run := start(t, e, place, hostScope(s.Seeds()...))
	a := controlOf(t, run)
	res, err := a.client.Get(a.base + "/api/crawls/test/events")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if got := res.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("events are %q", got)
	}
	eventually(t, "a few pages", func() bool { return run.Progress().Pages >= 4 })
	var hosts []struct {
		Host   string `json:"host"`
		Queued int64  `json:"queued"`
		Done   int64  `json:"done"`
	}
	a.ok("GET", "/api/crawls/test/hosts?by=queued", "", &hosts)
	if len(hosts) != 2 || hosts[0].Host != "one.sim.test" || hosts[0].Queued == 0 || hosts[0].Done == 0 {
		t.Errorf("hosts %+v", hosts)
	}
	var def struct{ Scope string }
	if a.ok("GET", "/api/crawls/test/scope", "", &def); def.Scope != "host" {
		t.Errorf("scope %+v", def)
	}
	_, _, text := a.do("GET", "/metrics", "")
	for _, want := range []string{`varve_crawl_running{crawl="test"} 1`, "varve_crawl_pages_total{", "varve_crawl_queued{", "# TYPE varve_crawl_urls_total counter"} {
		if !strings.Contains(text, want) {
			t.Errorf("metrics lack %s:\n%s", want, text)
		}
	}
	a.ok("POST", "/api/crawls/test/stop", "", nil)
	rep := wait(t, run)
	if rep.Complete || rep.Why != "by request" || rep.Queued == 0 {
		t.Errorf("after the stop: %+v", rep)
	}
	var names []string
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
			var ev event
			if err := json.Unmarshal([]byte(data), &ev); err != nil {
				t.Errorf("event %q: %v", data, err)
			}
			names = append(names, ev.Event)
		}
	}
	if !slices.Contains(names, "stopping") || !slices.Contains(names, "ended") {
		t.Errorf("events %q", names)
	}
	for _, path := range []string{"", "/queue", "/hosts", "/scope"} { // an ended crawl can still be asked
		if status, _, text := a.do("GET", "/api/crawls/test"+path, ""); status != http.StatusOK && status != http.StatusServiceUnavailable {
			t.Errorf("%s after the end: %d %s", path, status, text)
		}
	}
	rep = complete(t, e, place, hostScope(s.Seeds()...))
	if got := recorded(t, place.WarcDir); len(got) != 60 || twice(got) != 0 || rep.Pages != 60 {
		t.Errorf("%d URLs, %d twice, %d pages", len(got), twice(got), rep.Pages)
	}
	checkTotals(t, place)
}

// Wrong and huge requests get a problem with the cause, and change nothing.
func TestControlBadRequests(t *testing.T) {
	t.Parallel()
	s, e := slowSite(t, time.Second)
	run := start(t, e, placeIn(t.TempDir()), hostScope(s.Seeds()...))
	a := controlOf(t, run)
	list := `[{"url":"http://one.sim.test/x","score":0.5}`
	for _, c := range []struct{ method, path, body, cause string }{
		{"POST", "/urls", "", "list"},
		{"POST", "/urls", "{}", "list"},
		{"POST", "/urls", list, "list"},
		{"POST", "/urls", list + "] trailing", "list"},
		{"POST", "/urls", `[{"url":"http://one.sim.test/","scor":1}]`, "scor"},
		{"POST", "/urls", `[{"url":"http://one.sim.test/"},{"url":"ftp://x/"}]`, "urls[1]"},
		{"POST", "/urls", `[{"url":"http://one.sim.test/","score":2}]`, "score"},
		{"POST", "/urls", "[" + strings.Repeat(`{"url":"http://one.sim.test/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},`, 300_000) + "{}]", "16 MB"},
		{"PUT", "/scope", "scope = 7", "scope"},
		{"PUT", "/scope", "[[rule]]\ndo = \"reject\"\nregexp = ['x']", "line 3"},
		{"PUT", "/scope", "[[rule]]\ndo = \"reject\"\nregex = ['(']", "rule 1"},
		{"PUT", "/scope", "scope = \"host\"\n" + strings.Repeat("# a long comment that says nothing at all\n", 420_000), "16 MB"},
		{"GET", "/hosts?by=beauty", "", "queued, done"},
		{"GET", "/queue?cursor=zz", "", "cursor"},
	} {
		status, kind, text := a.do(c.method, "/api/crawls/test"+c.path, c.body)
		if status != http.StatusBadRequest || kind != "application/problem+json" || !strings.Contains(text, c.cause) {
			t.Errorf("%s %s %.60q: %d %s %.300s, want the cause %q", c.method, c.path, c.body, status, kind, text, c.cause)
		}
	}
	if status, _, _ := a.do("GET", "/api/crawls/other", ""); status != http.StatusNotFound {
		t.Errorf("another crawl: %d", status)
	}
	if status, _, _ := a.do("DELETE", "/api/crawls/test", ""); status != http.StatusMethodNotAllowed {
		t.Errorf("DELETE: %d", status)
	}
	run.Stop("enough")
	wait(t, run)
}
