package rehearsal_test

import (
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
	"varve/web/canon"
	"varve/web/links"
)

// planSite has pages that change at very different rates, and pictures that never do.
const planSite = `
span = "30d"
[[site]]
host = "plan.sim.test"
pages = 90
fanout = 6
links = 4
assets = 25
size.html = { mean = 2500, sigma = 0.2 }
[[site.change]]
type = ["html"]
every = "15m"
spread = "exponential"
`

// pure is the plan of the pure planner for the same site: pages are found by the links of pages visited.
func pure(t *testing.T, web *websim.Web, start time.Time, c crawl.Coherence, pace float64) (visits, revisits []string) {
	t.Helper()
	p, err := coherence.NewPlanner(c.Strategy, coherence.Options{
		Revisit: c.Revisit != crawl.NoRevisit, Eta: c.Eta, Pace: pace, Expected: web.Len(), Prior: plan.PriorRate,
	})
	if err != nil {
		t.Fatal(err)
	}
	rate := func(id websim.PageID) float64 { return web.Rate(id, truth.Text) / 3600 }
	found := map[websim.PageID]bool{}
	discover := func(id websim.PageID) {
		if id != websim.NoPage && !found[id] {
			found[id] = true
			p.Discover(coherence.Candidate{ID: uint64(id), Rate: rate(id)})
		}
	}
	discover(web.Hosts()[0].First)
	var visited []coherence.Visited
	for {
		at := float64(len(visited)) * pace
		p.SetElapsed(at)
		page, ok := p.Next()
		if !ok {
			break
		}
		id := websim.PageID(page.ID)
		now := start.Add(time.Duration(at * float64(time.Second)))
		visits = append(visits, web.URL(id, now))
		visited = append(visited, coherence.Visited{ID: page.ID, Rate: rate(id), At: at})
		for _, to := range written(t, web, id, now) {
			discover(to)
		}
	}
	if c.Revisit == crawl.NoRevisit {
		return visits, nil
	}
	end := visited[len(visited)-1].At
	all := append(visited, coherence.Visited{ID: 1 << 40, At: end})
	for _, r := range coherence.RevisitOrder(all, coherence.Revisits{Kind: c.Revisit, Pace: pace, Start: end}) {
		if r.ID < 1<<40 {
			revisits = append(revisits, web.URL(websim.PageID(r.ID), start))
		}
	}
	return visits, revisits
}

// written gives the pages that a page leads to, in the order in which they are written.
func written(t *testing.T, web *websim.Web, id websim.PageID, at time.Time) (out []websim.PageID) {
	t.Helper()
	url := web.URL(id, at)
	a := web.Get(url, at)
	_, err := links.Extract(links.Document{URL: url, MIME: a.Get("Content-Type"), Body: a.Body}, func(l links.Link) {
		if u, err := canon.Parse(l.URL); err == nil {
			if to, ok := web.Lookup(u.Host(), u.Target()); ok {
				out = append(out, to)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// One seeded site goes through the crawler and through the pure planner, and the plans are equal.
func TestPlanIsThePlanners(t *testing.T) {
	const pace = 4.0
	for _, c := range []crawl.Coherence{
		{Strategy: coherence.BFS, Revisit: coherence.FIFO},
		{Strategy: coherence.DFS, Revisit: coherence.LIFO},
		{Strategy: coherence.HottestFirst, Revisit: crawl.NoRevisit},
		{Strategy: coherence.HottestLast, Revisit: coherence.FIFO},
		{Strategy: coherence.Freshness, Revisit: crawl.NoRevisit},
		{Strategy: coherence.MeasurableThreshold, Eta: 0.5, Revisit: crawl.NoRevisit},
		{Strategy: coherence.InducibleThreshold, Eta: 0.5, Revisit: coherence.Plan},
		{Strategy: coherence.SHARC, Revisit: crawl.NoRevisit},
		{Strategy: coherence.SHARC, Revisit: coherence.Plan},
		{Strategy: coherence.Varve, Revisit: coherence.Plan},
	} {
		t.Run(string(c.Strategy)+" "+string(c.Revisit), func(t *testing.T) {
			c.Layers = []layer.Name{layer.Text}
			s := newStage(t, planSite, 11, rehearsal.Config{Pace: pace * time.Second, Memory: true})
			start := s.Clock.Now()
			res, err := s.Crawl(t.Context(), t.TempDir(), defOf(s, c), crawl.Options{Stages: stages.Set{Plan: plan.Options{
				Rates: rehearsal.Oracle{Web: s.Web, Layer: truth.Text}, Size: func(string) int { return s.Web.Len() },
			}}.Of})
			if err != nil || !res.Report.Complete {
				t.Fatal(res.Report, err)
			}
			visits, revisits := pure(t, s.Web, start, c, pace)
			got := res.Looks[1:] // after robots.txt
			if len(got) != len(visits)+len(revisits) || len(visits) != s.Web.Len() {
				t.Fatalf("%d requests, the plan has %d and %d", len(got), len(visits), len(revisits))
			}
			for i, want := range append(visits, revisits...) {
				if got[i].URL() != want {
					t.Fatalf("request %d of %d is %s, the plan says %s", i, len(visits), got[i].URL(), want)
				}
			}
		})
	}
}
