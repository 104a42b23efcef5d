package rehearsal_test

import (
	"math"
	"os"
	"testing"
	"time"

	"varve/coherence"
	"varve/crawl"
	"varve/crawl/plan"
	"varve/crawl/stages"
	"varve/lab/rehearsal"
	"varve/lab/websim"
	"varve/lab/websim/truth"
	"varve/text/layer"
)

// marginSite has pages that change about once in a crawl, most of them seldom and some often.
const marginSite = `
span = "30d"
[[site]]
host = "margin.sim.test"
pages = 200
fanout = 15
links = 3
size.html = { mean = 1500, sigma = 0.2 }
[[site.change]]
type = ["html"]
every = "15m"
spread = "exponential"
`

// share adds up pages, how many of them were expected to be unchanged, and how many were.
type share struct{ pages, expected, found, variance float64 }

func (s *share) add(web *websim.Web, looks []websim.Entry) {
	first := map[websim.PageID]websim.Entry{}
	for _, e := range looks {
		if e.Page == websim.NoPage {
			continue
		}
		visit, twice := first[e.Page]
		if !twice {
			first[e.Page] = e
			continue
		}
		rate := web.Rate(e.Page, truth.Text) / 3600
		p := math.Exp(-rate * e.At.Sub(visit.At).Seconds())
		s.pages++
		s.expected += p
		s.variance += p * (1 - p)
		if !web.Changed(e.Page, visit.At, e.At, truth.Text) {
			s.found++
		}
	}
}

// On real crawls SHARC and varve beat breadth first by the margin that the formula foretells: the expected share of
// unchanged pages is exp(-l*(r-t)) on average, and what is found lies within three standard deviations of it.
func TestMargins(t *testing.T) {
	seeds := uint64(2)
	if os.Getenv("VARVE_DRILL") != "" {
		seeds = 20
	}
	shares := map[string]*share{}
	plans := map[string]crawl.Coherence{
		"bfs fifo": {Strategy: coherence.BFS, Revisit: coherence.FIFO},
		"sharc":    {Strategy: coherence.SHARC, Revisit: coherence.Plan},
		"varve":    {Strategy: coherence.Varve, Revisit: coherence.Plan},
	}
	for name, c := range plans {
		shares[name] = &share{}
		c.Layers = []layer.Name{layer.Text}
		for seed := range seeds {
			s := newStage(t, marginSite, 100+seed, rehearsal.Config{Pace: 4 * time.Second, Memory: true})
			res, err := s.Crawl(t.Context(), t.TempDir(), defOf(s, c), crawl.Options{Stages: stages.Set{Plan: plan.Options{Rates: rehearsal.Oracle{Web: s.Web, Layer: truth.Text}}}.Of})
			if err != nil {
				t.Fatal(err)
			}
			shares[name].add(s.Web, res.Looks)
			g := res.Report.Groups[0]
			if math.Abs(g.Actual-g.Forecast) > 5*math.Sqrt(0.25/float64(g.Revisited)) {
				t.Errorf("%s: %.3f was forecast, %.3f found", name, g.Forecast, g.Actual)
			}
		}
		s := shares[name]
		t.Logf("%-8s %4.0f pages, expected %.4f, found %.4f, standard deviation %.4f", name, s.pages, s.expected/s.pages, s.found/s.pages, math.Sqrt(s.variance)/s.pages)
	}
	bfs := shares["bfs fifo"]
	for _, name := range []string{"sharc", "varve"} {
		s := shares[name]
		expected := s.expected/s.pages - bfs.expected/bfs.pages
		found := s.found/s.pages - bfs.found/bfs.pages
		sd := math.Sqrt(s.variance/s.pages/s.pages + bfs.variance/bfs.pages/bfs.pages)
		t.Logf("%-8s beats breadth first by %.4f, foretold were %.4f +- %.4f", name, found, expected, 3*sd)
		if math.Abs(found-expected) > 3*sd || expected < 3*sd {
			t.Errorf("%s beats breadth first by %.4f, foretold were %.4f +- %.4f", name, found, expected, 3*sd)
		}
	}
	if v, s := shares["varve"], shares["sharc"]; v.expected/v.pages < s.expected/s.pages-0.002 {
		t.Errorf("varve is expected to find %.4f, sharc %.4f", v.expected/v.pages, s.expected/s.pages)
	}
}
