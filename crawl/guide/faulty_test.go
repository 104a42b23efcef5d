package guide

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/crawl"
	"varve/crawl/priority"
	"varve/crawl/relevance"
)

// breaks is a module that panics.
type breaks struct{}

func (breaks) Name() string                                           { return "breaks" }
func (breaks) Page(*relevance.Page) relevance.Opinion                 { panic("no page is good enough") }
func (breaks) Link(*relevance.Page, *priority.Link) relevance.Opinion { return relevance.Opinion{} }

// A module that panics loses its voice and not the crawl: all pages come, judged by the others, and events and report tell of it once. (One that
// hangs is in crawl/relevance: a crawl would wait for 10 s.)
func TestFaultyModule(t *testing.T) {
	s := &site{}
	s.hold()()
	web := httptest.NewServer(s)
	defer web.Close()
	dir := t.TempDir()
	place := crawl.Place{Dir: filepath.Join(dir, "crawl"), WarcDir: filepath.Join(dir, "warc")}
	run, _ := beginDef(t, place, crawl.Definition{Seeds: []string{web.URL + "/"}, Workers: 2, MinDisk: -1, About: about("cats")}, breaks{})
	rep, err := run.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if rep.Guidance == nil || rep.Guidance.Pages != 41 || !strings.Contains(rep.Guidance.Silent["breaks"], "no page is good enough") {
		t.Errorf("judged: %+v", rep.Guidance)
	}
	events, err := os.ReadFile(filepath.Join(place.Dir, "events.jsonl"))
	if err != nil || strings.Count(string(events), "module-silent") != 1 {
		t.Errorf("%v; events:\n%s", err, events)
	}
}
