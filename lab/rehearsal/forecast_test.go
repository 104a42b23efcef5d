package rehearsal_test

import (
	"testing"
	"time"

	"varve/coherence"
	"varve/crawl"
	"varve/crawl/stages"
	"varve/lab/rehearsal"
	"varve/text/layer"
)

// TestForecastOfAFirstCrawl: nothing is known of the site before. Where pages or the sitemap say when they last changed, the forecast is near what is found and its interval is not
// idle; where they do not, or lie, the interval says that nothing is known. It holds what is found in each case.
func TestForecastOfAFirstCrawl(t *testing.T) {
	site := func(serve, sitemap string) string {
		return `
span = "1y"
[[site]]
host = "first.sim.test"
pages = 120
fanout = 8
links = 3
size.html = { mean = 1500, sigma = 0.2 }
sitemap = ` + sitemap + `
[[site.change]]
type = ["html"]
every = "2d"
spread = "exponential"
[[site.serve]]
type = ["html"]
last_modified = "off"
` + serve
	}
	for name, c := range map[string]struct {
		site  string
		known bool
	}{
		"pages say it":         {site(`dates = ["meta"]`, `{ on = false }`), true},
		"the sitemap says it":  {site(`dates = []`, `{ on = true, changefreq = "off" }`), true},
		"nobody says it":       {site(`dates = []`, `{ on = false }`), false},
		"the sitemap says now": {site(`dates = []`, `{ on = true, lastmod = "now", changefreq = "off" }`), false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, c.site, 7, rehearsal.Config{Pace: 10 * time.Minute, Memory: true})
			s.Clock.Advance(60 * 24 * time.Hour)
			res, err := s.Crawl(t.Context(), t.TempDir(), defOf(s, crawl.Coherence{Revisit: coherence.Plan}), crawl.Options{Stages: stages.Set{}.Of})
			if err != nil {
				t.Fatal(err)
			}
			g := res.Report.Groups[0]
			t.Logf("%d revisited, forecast %.3f (%.3f to %.3f), found %.3f on %s; rates %v", g.Revisited, g.Forecast, g.ForecastLow, g.ForecastHigh, g.Actual, g.Layer, g.Rates)
			width := g.ForecastHigh - g.ForecastLow
			if g.Layer != layer.Main || g.Actual < g.ForecastLow || g.Actual > g.ForecastHigh {
				t.Errorf("%.3f was found, %.3f to %.3f foretold", g.Actual, g.ForecastLow, g.ForecastHigh)
			}
			if c.known != (width < 0.4) {
				t.Errorf("the interval is %.3f wide", width)
			}
		})
	}
}
