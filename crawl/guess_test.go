package crawl_test

import (
	"context"
	"strings"
	"testing"

	"varve/crawl"
	"varve/crawl/collect"
	"varve/crawl/gather"
	"varve/crawl/stages"
)

// byHost routes the pages of one host to a collector.
type byHost string

func (h byHost) Choose(e *collect.Evidence) collect.Choice {
	if e.MIME == "text/html" && strings.Contains(e.URL, string(h)) {
		return collect.Choice{Collector: "run", Why: "test"}
	}
	return collect.Choice{}
}

func (byHost) Learn(collect.Choice, collect.Yield) {}

// A host whose pages were executed is not guessed at; others are, as before.
func TestNoGuessesWhereScriptsRun(t *testing.T) {
	t.Parallel()
	page := `<html><body><script>var a = "/guess/1.html", b = "/guess/2.html";</script><a href="/">on</a></body></html>`
	s := simulateText(t, `
-- site.toml --
[[site]]
host = "run.sim.test"
pages = 2
[[site]]
host = "read.sim.test"
pages = 2
-- run.sim.test/start.html --
`+page+`
-- read.sim.test/start.html --
`+page+`
`)
	nothing := collectorFunc(func(context.Context, *collect.Answer, collect.Net) (*collect.Result, error) {
		return &collect.Result{}, nil
	})
	opts := crawl.Options{Stages: stages.Set{Collect: gather.Options{Route: byHost("run.sim.test"), Collectors: map[string]collect.Collector{"run": nothing}, Runs: "run"}}.Of}
	def := hostScope("http://run.sim.test/start.html", "http://read.sim.test/start.html")
	run, err := newEngine(t, s, noDelay()).StartIn(context.Background(), "test", placeIn(t.TempDir()), def, opts)
	if err != nil {
		t.Fatal(err)
	}
	rep := wait(t, run)
	guesses := map[string]int{}
	for _, e := range s.Log().Entries() {
		if strings.HasPrefix(e.Target, "/guess/") {
			guesses[e.Host]++
		}
	}
	if guesses["run.sim.test"] != 0 || guesses["read.sim.test"] != 2 {
		t.Errorf("guesses %v", guesses)
	}
	if n := rep.Refusals["pages of the host were executed"]; n != 2 {
		t.Errorf("refusals %v", rep.Refusals)
	}
}
