package crawl_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/archive/warc"
	"varve/crawl"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// simulateText serves a web described here.
func simulateText(t testing.TB, text string) *server.Server {
	t.Helper()
	spec, err := websim.Load("test.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return simulateSpec(t, spec, 7)
}

// placeIn is a place for one crawl below a directory.
func placeIn(dir string) crawl.Place {
	return crawl.Place{Dir: filepath.Join(dir, "crawl"), WarcDir: filepath.Join(dir, "warc")}
}

// hostScope is the definition of a crawl of the hosts of its seeds, for tests: retries come at once.
func hostScope(seeds ...string) crawl.Definition {
	return crawl.Definition{
		Seeds: seeds, Scope: scope.Definition{Mode: scope.Host}, Workers: 6, MinDisk: -1,
		Retries: 2, RetryAfter: scope.Duration(5 * time.Millisecond),
	}
}

// start starts a crawl and fails the test if it cannot.
func start(t testing.TB, e *crawl.Engine, place crawl.Place, def crawl.Definition) *crawl.Run {
	t.Helper()
	run, err := e.StartIn(context.Background(), "test", place, def, crawl.Options{Stages: stages.Set{}.Of})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// wait waits for a crawl, but not for ever.
func wait(t testing.TB, run *crawl.Run) *crawl.Report {
	t.Helper()
	for last, ended := int64(-1), false; !ended; {
		select {
		case <-run.Done():
			ended = true
		case <-time.After(90 * time.Second): // a slow machine is no fault, standing still is
			n := run.Progress().URLs
			if n == last {
				t.Fatalf("the crawl stands still: %+v", run.Progress())
			}
			last = n
		}
	}
	rep, err := run.Wait()
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// complete runs a crawl to its end, which must be the end of what can be had of the site.
func complete(t testing.TB, e *crawl.Engine, place crawl.Place, def crawl.Definition) *crawl.Report {
	t.Helper()
	rep := wait(t, start(t, e, place, def))
	if !rep.Finished {
		t.Fatalf("not finished: %s, %d queued", rep.Why, rep.Queued)
	}
	return rep
}

// logOf is what the server saw of one host, in the order in which it came.
func logOf(s *server.Server, host string) []websim.Entry {
	var out []websim.Entry
	for _, e := range s.Log().Entries() {
		if e.Host == host {
			out = append(out, e)
		}
	}
	return out
}

// eachRecord reads all WARC files of a directory strictly, with all digests checked.
func eachRecord(t testing.TB, dir string, do func(*warc.Record)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		readRecords(t, path, f, do)
		f.Close()
	}
}

func readRecords(t testing.TB, name string, src io.Reader, do func(*warc.Record)) {
	t.Helper()
	r, err := warc.NewReader(src, warc.Options{Name: name, Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(rec.TargetURI(), "#") {
			t.Errorf("%s: a fragment is never sent, so no record can be of it", rec.TargetURI())
		}
		do(rec)
	}
}

// event is a line of events.jsonl.
type event struct {
	Event, URL, Class, Why, Host, Kind string
	Status                             int
}

func eventsOf(t testing.TB, place crawl.Place) []event {
	t.Helper()
	var out []event
	for _, line := range linesOf(t, filepath.Join(place.Dir, "events.jsonl")) {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("event %q: %v", line, err)
		}
		out = append(out, e)
	}
	return out
}

// logLine is a line of crawl.log.
type logLine struct {
	code, url, hops, note string
}

func crawlLog(t testing.TB, place crawl.Place) []logLine {
	t.Helper()
	var out []logLine
	for _, line := range linesOf(t, filepath.Join(place.Dir, "crawl.log")) {
		f := strings.Fields(line)
		if len(f) < 12 {
			t.Fatalf("crawl.log: %q", line)
		}
		out = append(out, logLine{code: f[1], url: f[3], hops: f[4], note: strings.Join(f[11:], " ")})
	}
	return out
}

func linesOf(t testing.TB, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		out = append(out, s.Text())
	}
	return out
}

// inFiles is what the WARC files of a crawl hold, counted as reports count it.
type inFiles struct {
	urls, pages, bytes int64
	status             map[int]int64
}

func countFiles(t testing.TB, dir string) inFiles {
	t.Helper()
	n := inFiles{status: map[int]int64{}}
	eachRecord(t, dir, func(rec *warc.Record) {
		if typ := rec.Type(); typ != warc.TypeResponse && typ != warc.TypeRevisit {
			return
		}
		h, err := rec.HTTP()
		if err != nil {
			t.Fatalf("%s: %v", rec.TargetURI(), err)
		}
		n.urls++
		n.bytes += rec.Length()
		n.status[h.Status]++
		if h.Status >= 200 && h.Status < 300 && h.MediaType() == "text/html" && !strings.HasSuffix(rec.TargetURI(), "/robots.txt") {
			n.pages++
		}
	})
	return n
}

// checkTotals compares the report of a crawl, as it is on disk, with its WARC files.
func checkTotals(t testing.TB, place crawl.Place) {
	t.Helper()
	rep, err := crawl.ReadReport(place.Dir)
	if err != nil {
		t.Fatal(err)
	}
	n := countFiles(t, place.WarcDir)
	if rep.URLs != n.urls || rep.Pages != n.pages || rep.Bytes != n.bytes || !maps.Equal(rep.Status, n.status) {
		t.Errorf("the report says %d answers, %d pages, %d bytes, %v; the files have %d, %d, %d, %v",
			rep.URLs, rep.Pages, rep.Bytes, rep.Status, n.urls, n.pages, n.bytes, n.status)
	}
	files, err := filepath.Glob(filepath.Join(place.WarcDir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range files {
		files[i] = filepath.Base(files[i])
	}
	if listed := slices.Sorted(slices.Values(rep.Files)); !slices.Equal(listed, files) {
		t.Errorf("the report lists %v, there are %v", listed, files)
	}
}
