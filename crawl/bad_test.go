package crawl_test

import (
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"varve/archive/warc"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/scope"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// hastyEngine gives up on slow servers after some 100 ms.
func hastyEngine(t testing.TB, s *server.Server) *crawl.Engine {
	t.Helper()
	cfg, err := fetchConfig(s.Resolve(), s.Pool())
	if err != nil {
		t.Fatal(err)
	}
	cfg.SpoolDir = t.TempDir()
	cfg.Timeouts = fetch.Timeouts{FirstByte: 300 * time.Millisecond, Idle: 300 * time.Millisecond, Total: 2 * time.Second}
	client, err := fetch.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return crawl.NewEngine(engineConfig(client, noDelay()))
}

// highWater watches the heap until the function is called, which tells the most that was in use.
func highWater() func() uint64 {
	var most atomic.Uint64
	stop, stopped := make(chan struct{}), make(chan struct{})
	look := func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most.Store(max(most.Load(), m.HeapInuse))
	}
	go func() {
		defer close(stopped)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				look()
			}
		}
	}()
	return func() uint64 {
		close(stop)
		<-stopped
		return most.Load()
	}
}

// Servers that misbehave in every way that websim knows: the crawl ends by itself, each fault is
// in crawl.log with its cause, what came is recorded and marked as truncated, the WARC files are
// valid, and memory stays bounded.
func TestBadServers(t *testing.T) {
	spec, err := websim.Preset("bad")
	if err != nil {
		t.Fatal(err)
	}
	s := simulateSpec(t, spec, 11)
	place := placeIn(t.TempDir())
	def := hostScope("http://bad.sim.test/")
	def.MaxBody, def.Retries, def.Timeout = 1<<20, 1, scope.Duration(2*time.Second)
	runtime.GC()
	most := highWater()
	rep := complete(t, hastyEngine(t, s), place, def)
	if used := most(); used > 200<<20 {
		t.Errorf("%d MB of heap in use; the bomb alone unpacks to 256 MB", used>>20)
	}
	checkTotals(t, place)
	checkFaults(t, spec, place)
	checkTraps(t, rep, place)
}

// fault is how a fault shows in crawl.log: one of the codes, one of the notes, and the reason in
// WARC-Truncated if there is a record.
type fault struct {
	codes, notes []string
	truncated    string
}

var faultsShow = map[string]fault{
	"slow":          {codes: []string{"-4"}, notes: []string{"timeout-first-byte"}},
	"drip":          {codes: []string{"200"}, notes: []string{"-"}},
	"truncate":      {codes: []string{"200"}, notes: []string{"disconnect"}, truncated: "disconnect"},
	"short-length":  {codes: []string{"200"}, notes: []string{"-"}},
	"no-length":     {codes: []string{"200"}, notes: []string{"-"}},
	"endless":       {codes: []string{"200"}, notes: []string{"too-large"}, truncated: "length"},
	"bomb":          {codes: []string{"200"}, notes: []string{"contentCut"}},
	"bad-gzip":      {codes: []string{"200"}, notes: []string{"-"}},
	"broken-chunks": {codes: []string{"200"}, notes: []string{"protocol"}, truncated: "unspecified"},
	"cut-chunks":    {codes: []string{"200"}, notes: []string{"disconnect"}, truncated: "disconnect"},
	"reset":         {codes: []string{"200", "-3"}, notes: []string{"reset"}, truncated: "disconnect"},
	"reset-early":   {codes: []string{"-3"}, notes: []string{"reset"}},
	"close":         {codes: []string{"-3"}, notes: []string{"disconnect", "reset"}},
	"hang":          {codes: []string{"-4"}, notes: []string{"timeout-first-byte"}},
	"garbage":       {codes: []string{"-3"}, notes: []string{"protocol"}},
	"header-flood":  {codes: []string{"-3"}, notes: []string{"head-too-big"}},
	"huge-header":   {codes: []string{"-3"}, notes: []string{"head-too-big"}},
	"odd-head":      {codes: []string{"200"}, notes: []string{"-"}},
	"interim":       {codes: []string{"200"}, notes: []string{"-"}},
	"wrong-type":    {codes: []string{"200"}, notes: []string{"-"}},
	"loop":          {codes: []string{"302", "301"}, notes: []string{"-"}},
	"chain":         {codes: []string{"302", "301"}, notes: []string{"-"}},
	"status":        {codes: []string{"429", "500", "503", "200"}, notes: []string{"-"}},
}

func checkFaults(t *testing.T, spec *websim.Spec, place crawl.Place) {
	t.Helper()
	lines := map[string]logLine{}
	for _, l := range crawlLog(t, place) {
		lines[l.url] = l // the last attempt
	}
	truncated := map[string]string{}
	eachRecord(t, place.WarcDir, func(rec *warc.Record) {
		if rec.Type() == warc.TypeResponse {
			truncated[rec.TargetURI()] = rec.Header.Get(warc.FieldTruncated)
		}
	})
	shown := map[string]bool{}
	for _, f := range spec.Sites[0].Fault {
		url := "http://bad.sim.test" + f.At
		want, known := faultsShow[f.Kind]
		l, logged := lines[url]
		if !known || !logged {
			t.Errorf("%s: not in crawl.log", f.Kind)
			continue
		}
		if !slices.Contains(want.codes, l.code) || !slices.Contains(want.notes, l.note) {
			t.Errorf("%s: crawl.log says %s %q, want %v %q", f.Kind, l.code, l.note, want.codes, want.notes)
		}
		if got, recorded := truncated[url]; recorded != (l.code[0] != '-') || recorded && got != want.truncated {
			t.Errorf("%s: recorded %v, truncated %q, want %q", f.Kind, recorded, got, want.truncated)
		}
		shown[f.Kind] = true
	}
	for _, kind := range websim.Faults() {
		if !shown[kind] {
			t.Errorf("%s is not shown", kind)
		}
	}
}

// checkTraps tells that each trap was left, and why.
func checkTraps(t *testing.T, rep *crawl.Report, place crawl.Place) {
	t.Helper()
	in := map[string]int{}
	for _, l := range crawlLog(t, place) {
		for _, at := range []string{"/calendar", "/deeper", "/session", "/list", "/bad/chain", "/bad/loop"} {
			if l.code[0] != '-' && strings.HasPrefix(l.url, "http://bad.sim.test"+at) {
				in[at]++
			}
		}
	}
	t.Logf("fetched in traps: %v; suspicions %v; refused %v", in, rep.Traps, rep.Refusals)
	for at, n := range in {
		if n > 3000 {
			t.Errorf("%d URLs of the trap %s", n, at)
		}
	}
	if in["/bad/chain"] > 30 || in["/bad/loop"] > 30 {
		t.Errorf("redirects without end were followed: %v", in)
	}
	if rep.Traps["calendar"] == 0 || rep.Traps["repeat"]+rep.Traps["deep"] == 0 || rep.Traps["params"] == 0 {
		t.Errorf("suspicions %v", rep.Traps)
	}
}
