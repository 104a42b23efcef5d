package rehearsal_test

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve/archive/history"
	"varve/archive/warc"
	"varve/coherence"
	"varve/crawl"
	"varve/crawl/stages"
	"varve/lab/rehearsal"
	"varve/lab/websim"
	"varve/text/layer"
)

// slowSite changes from day to day.
const slowSite = `
span = "1y"
[[site]]
host = "slow.sim.test"
pages = 80
fanout = 8
links = 3
size.html = { mean = 1500, sigma = 0.2 }
[[site.change]]
type = ["html"]
every = "12h"
spread = "exponential"
kinds = { content = 2, token = 1 }
`

// Crawls of one collection learn from those before: rates come from visits that were compared, pages not modified are
// judged by the record that holds them, and the forecast becomes right.
func TestLearningFromCrawls(t *testing.T) {
	s := newStage(t, slowSite, 5, rehearsal.Config{Pace: 5 * time.Minute})
	h, err := history.Open(vfs.NewMem(), "history", history.Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	dir := t.TempDir()
	var last crawl.GroupReport
	for n := range 6 {
		place := crawl.Place{Dir: filepath.Join(dir, fmt.Sprint("crawl", n)), WarcDir: filepath.Join(dir, "warc"), Files: warc.Disk{}, Store: vfs.NewMem()}
		def := defOf(s, crawl.Coherence{Revisit: coherence.Plan, Layers: []layer.Name{layer.Bytes, layer.Text, layer.Links}})
		res, err := s.CrawlIn(t.Context(), fmt.Sprint("crawl", n), place, def, crawl.Options{History: h, Stages: stages.Set{}.Of})
		if err != nil || !res.Report.Complete {
			t.Fatal(res.Report, err)
		}
		checkTruth(t, res)
		last = res.Report.Groups[0]
		t.Logf("crawl %d: rates %v, expected %d of %d pages, forecast %.3f, actual %.3f", n, last.Rates, last.Expected, last.Visited, last.Forecast, last.Actual)
		s.Clock.Advance(20 * time.Hour)
	}
	if last.Rates["visits"]+last.Rates["dates"] < last.Visited*9/10 {
		t.Errorf("rates come from %v", last.Rates)
	}
	if math.Abs(last.Forecast-last.Actual) > 0.15 {
		t.Errorf("%.3f was forecast, %.3f found", last.Forecast, last.Actual)
	}
	if last.Expected < int(last.Visited) || last.Expected > int(last.Visited)+5 {
		t.Errorf("%d pages were expected, there are %d", last.Expected, last.Visited)
	}
}

// checkTruth holds the verdicts at the byte layer to the versions that were sent.
func checkTruth(t *testing.T, res *rehearsal.Result) {
	t.Helper()
	asked := map[string][]websim.Entry{}
	for _, e := range res.Looks {
		asked[e.URL()] = append(asked[e.URL()], e)
	}
	pages := 0
	records := readWARC(t, res.Place)
	for url, looks := range asked {
		if len(looks) != 2 || looks[0].Page == websim.NoPage {
			continue
		}
		pages++
		if same := looks[0].Version == looks[1].Version; same != has(records[url].unchanged, "bytes") {
			t.Errorf("%s: %s, then %s, but unchanged are %v", url, looks[0].Version, looks[1].Version, records[url].unchanged)
		}
	}
	if pages == 0 {
		t.Error("no page was looked at twice")
	}
}

// Layers can be kept by a crawl that visits each page once: the next knows what changed for readers.
func TestLayersInHistory(t *testing.T) {
	s := newStage(t, slowSite, 5, rehearsal.Config{Pace: time.Second, Memory: true})
	h, err := history.Open(vfs.NewMem(), "history", history.Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	for _, layers := range [][]layer.Name{nil, {layer.Text}} {
		if _, err := s.Crawl(t.Context(), t.TempDir(), defOf(s, crawl.Coherence{Layers: layers}), crawl.Options{History: h, Stages: stages.Set{}.Of}); err != nil {
			t.Fatal(err)
		}
		s.Clock.Advance(20 * time.Hour)
		pages, with := 0, 0
		for e, err := range h.Entries("http://slow.sim.test/") {
			if err != nil {
				t.Fatal(err)
			}
			pages++
			if _, ok := e.Digest(string(layer.Text)); ok {
				with++
			}
		}
		if want := len(layers) * pages / 3; pages < 80 || with < want || layers == nil && with > 0 { // not modified: no body
			t.Errorf("asked for %v: %d of %d pages have a digest of their text", layers, with, pages)
		}
	}
}
