package rehearsal_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/coherence"
	"varve/crawl"
	"varve/crawl/plan"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/lab/rehearsal"
	"varve/lab/websim"
	"varve/lab/websim/truth"
	"varve/text/layer"
)

// threeSites are hosts of different sizes that link to each other; pages appear while they are crawled.
const threeSites = `
span = "1h"
[[site]]
host = "small.sim.test"
pages = 40
fanout = 6
links = 3
external = 0.3
size.html = { mean = 1500, sigma = 0.2 }
[[site]]
host = "middle.sim.test"
pages = 40
assets = 8
links = 6
external = 0.3
size.html = { mean = 1500, sigma = 0.2 }
[[site]]
host = "large.sim.test"
pages = 100
links = 10
external = 0.8
size.html = { mean = 1500, sigma = 0.2 }
[[site.change]]
every = "1h"
kinds = { content = 1, links = 3 }
`

// crawlSites crawls hosts of a web to the end.
func crawlSites(t *testing.T, s *rehearsal.Stage, def crawl.Definition) *rehearsal.Result {
	t.Helper()
	def.Layers = []layer.Name{layer.Bytes, layer.Text, layer.Links}
	res, err := s.Crawl(t.Context(), t.TempDir(), def, crawl.Options{Stages: stages.Set{Plan: plan.Options{Rates: rehearsal.Oracle{Web: s.Web, Layer: truth.Text}}}.Of})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// spans gives, for each group and round of the records, the instants of its looks.
type spans struct{ visits, revisits []time.Time }

// spansOf joins the records with what the web logged, and checks that each page is looked at twice.
func spansOf(t *testing.T, res *rehearsal.Result) map[string]*spans {
	t.Helper()
	asked := map[string][]websim.Entry{}
	for _, e := range res.Looks {
		asked[e.URL()] = append(asked[e.URL()], e)
	}
	out := map[string]*spans{}
	for url, p := range readWARC(t, res.Place) {
		looks := asked[url]
		if p.group == "" || looks[0].Status >= 400 {
			continue
		}
		if p.visit != 1 || p.again != 1 || len(looks) != 2 {
			t.Errorf("%s: %d visits, %d revisits, %d requests", url, p.visit, p.again, len(looks))
			continue
		}
		if out[p.group] == nil {
			out[p.group] = &spans{}
		}
		out[p.group].visits = append(out[p.group].visits, looks[0].At)
		out[p.group].revisits = append(out[p.group].revisits, looks[1].At)
	}
	return out
}

// checkSpans checks that every group and round has all visits before its first revisit, and is in the report.
func checkSpans(t *testing.T, got map[string]*spans, rep *crawl.Report) {
	t.Helper()
	for name, s := range got {
		if last, first := slices.MaxFunc(s.visits, time.Time.Compare), slices.MinFunc(s.revisits, time.Time.Compare); first.Before(last) {
			t.Errorf("%s: the last visit is at %s, the first revisit at %s", name, last, first)
		}
	}
	reported := map[string]int64{}
	for _, g := range rep.Groups {
		name := g.Group
		if g.Round > 1 {
			name += fmt.Sprint("#", g.Round)
		}
		reported[name] = g.Visited
		if g.Phase != crawl.PhaseOver || g.Visited != g.Revisited {
			t.Errorf("%s: %+v", name, g)
		}
	}
	for name, s := range got {
		if reported[name] != int64(len(s.visits)) {
			t.Errorf("%s has %d pages, the report says %d", name, len(s.visits), reported[name])
		}
	}
	if len(reported) != len(got) {
		t.Errorf("the report has %v, the records %v", slices.Sorted(maps.Keys(reported)), slices.Sorted(maps.Keys(got)))
	}
}

func seedsOf(s *rehearsal.Stage) (out []string) {
	for _, h := range s.Web.Hosts() {
		out = append(out, h.Seed)
	}
	return out
}

// Each host is a group with a reference point of its own; the small one does not wait for the large one, and pages found
// late make further rounds.
func TestGroupsByHost(t *testing.T) {
	s := newStage(t, threeSites, 4, rehearsal.Config{Pace: 10 * time.Second, Memory: true})
	def := defOf(s, crawl.Coherence{Revisit: coherence.LIFO})
	def.Seeds = seedsOf(s)
	res := crawlSites(t, s, def)
	got := spansOf(t, res)
	checkSpans(t, got, res.Report)
	small, large := got["host:small.sim.test"], got["host:large.sim.test"]
	if small == nil || large == nil || !slices.MaxFunc(small.revisits, time.Time.Compare).Before(slices.MinFunc(large.revisits, time.Time.Compare)) {
		t.Errorf("the small host waits for the large one: %v", slices.Sorted(maps.Keys(got)))
	}
}

// chain is a host whose pages are linked in a row; the last links to a page of another host that nothing else links to.
type chain struct{ length int }

// Answer gives a page of the chain, or of the other host.
func (c chain) Answer(r *websim.Request, _ time.Time) *websim.Answer {
	body := "<p>Nothing.</p>"
	var n int
	switch _, err := fmt.Sscanf(r.Target, "/%d", &n); {
	case r.Target == "/robots.txt":
		return nil
	case r.Host == "b.sim.test" && r.Target == "/":
		body = `<a href="/1">first</a>`
	case r.Host == "b.sim.test" && err == nil && n < c.length:
		body = fmt.Sprintf(`<a href="/%d">next</a>`, n+1)
	case r.Host == "b.sim.test":
		body = `<a href="http://a.sim.test/late">late</a>`
	}
	return &websim.Answer{
		Status: 200, Header: []websim.Field{{Name: "Content-Type", Value: "text/html"}, {Name: "Content-Length", Value: fmt.Sprint(len(body))}},
		Body: []byte(body), Page: websim.NoPage, VersionID: "one",
	}
}

// A page that is found when the revisits of its group have been made begins another round, and is revisited in it.
func TestLatePages(t *testing.T) {
	spec, err := websim.Load("test.toml", []byte("[[site]]\nhost = \"a.sim.test\"\n[[site]]\nhost = \"b.sim.test\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, 1, websim.WithHandler("a.sim.test", chain{}), websim.WithHandler("b.sim.test", chain{12}))
	if err != nil {
		t.Fatal(err)
	}
	s, err := rehearsal.New(web, rehearsal.Config{Pace: time.Second, Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	def := defOf(s, crawl.Coherence{Revisit: coherence.Plan})
	def.Seeds = seedsOf(s)
	res := crawlSites(t, s, def)
	got := spansOf(t, res)
	checkSpans(t, got, res.Report)
	want := map[string]int{"host:a.sim.test": 1, "host:a.sim.test#2": 1, "host:b.sim.test": 13}
	for name, n := range want {
		if got[name] == nil || len(got[name].visits) != n {
			t.Errorf("%s: %+v", name, got[name])
		}
	}
	if len(got) != len(want) {
		t.Errorf("groups %v", slices.Sorted(maps.Keys(got)))
	}
}

// downSite does not answer now and then.
const downSite = `
span = "30d"
[[site]]
host = "down.sim.test"
pages = 80
size.html = { mean = 1500, sigma = 0.2 }
[[site.fault]]
kind = "close"
path = "/**"
every = "40s"
lasts = "6s"
[[site.serve]]
etag = "off"
last_modified = "off"
`

// A page that does not answer when it is visited again is missing, and the files say so.
func TestSilentRevisits(t *testing.T) {
	s := newStage(t, downSite, 2, rehearsal.Config{Pace: 2 * time.Second, Memory: true})
	res := crawlSites(t, s, defOf(s, crawl.Coherence{Revisit: coherence.FIFO}))
	silent := map[string]bool{}
	for _, e := range res.Looks {
		if e.Fault != "" && e.At.After(res.Report.Groups[0].Reference) {
			silent[e.URL()] = true
		}
	}
	for url, p := range readWARC(t, res.Place) {
		if p.again > 0 && silent[url] != (p.defect == "missing") {
			t.Errorf("%s: silent %v, but the record says %q", url, silent[url], p.defect)
		}
		delete(silent, url)
	}
	if g := res.Report.Groups[0]; g.Missing == 0 || len(silent) > 0 || g.Missing+g.Unchanged["bytes"] != g.Revisited {
		t.Errorf("%+v; not in the files: %v", g, silent)
	}
}

// A crawl as one group begins its revisits when all hosts are visited.
func TestGroupByCrawl(t *testing.T) {
	s := newStage(t, threeSites, 4, rehearsal.Config{Pace: 10 * time.Second, Memory: true})
	def := defOf(s, crawl.Coherence{Revisit: coherence.FIFO, GroupBy: crawl.ByCrawl})
	def.Seeds = seedsOf(s)
	res := crawlSites(t, s, def)
	got := spansOf(t, res)
	checkSpans(t, got, res.Report)
	if len(got) != 1 || len(got["crawl"].visits) < 150 {
		t.Errorf("groups %v", slices.Sorted(maps.Keys(got)))
	}
}

// Pages under a prefix are a group; the pages around them another.
func TestGroupsByPrefix(t *testing.T) {
	s := newStage(t, planSite, 11, rehearsal.Config{Pace: time.Second, Memory: true})
	home := s.Web.Hosts()[0].Seed
	def := defOf(s, crawl.Coherence{Revisit: coherence.Plan, Groups: []string{home + "politics/", home + "sport/"}})
	res := crawlSites(t, s, def)
	got := spansOf(t, res)
	checkSpans(t, got, res.Report)
	for _, name := range []string{"prefix:" + home + "politics/", "prefix:" + home + "sport/", "host:plan.sim.test"} {
		if got[name] == nil {
			t.Errorf("no group %s among %v", name, slices.Sorted(maps.Keys(got)))
		}
	}
}

// listedSite tells its pages in a sitemap, with how often they change.
const listedSite = `
span = "30d"
[[site]]
host = "listed.sim.test"
pages = 30
size.html = { mean = 1500, sigma = 0.2 }
sitemap = { on = true, split = 10, lastmod = "true", changefreq = "true" }
[[site.change]]
type = ["html"]
every = "1d"
spread = "exponential"
`

// The pages of a sitemap are a group, and what it says of them is used.
func TestGroupsBySitemap(t *testing.T) {
	s := newStage(t, listedSite, 2, rehearsal.Config{Pace: time.Second, Memory: true})
	res, err := s.Crawl(t.Context(), t.TempDir(), defOf(s, crawl.Coherence{Revisit: coherence.Plan, GroupBy: crawl.BySitemap}), crawl.Options{Stages: stages.Set{}.Of})
	if err != nil {
		t.Fatal(err)
	}
	got := spansOf(t, res)
	checkSpans(t, got, res.Report)
	listed := false
	for _, g := range res.Report.Groups {
		if strings.HasPrefix(g.Group, "sitemap:") {
			listed = true
			if g.Rates["lastmod"]+g.Rates["changefreq"] == 0 {
				t.Errorf("rates of %s are from %v", g.Group, g.Rates)
			}
		}
	}
	if !listed {
		t.Errorf("groups %v", slices.Sorted(maps.Keys(got)))
	}
}

// A budget leaves out what buys least; the limits on a crawl end its visits and not its revisits.
func TestBudgets(t *testing.T) {
	for _, c := range []struct {
		name               string
		set                func(*crawl.Definition)
		visited, revisited int64
		complete           bool
	}{
		{"all", func(*crawl.Definition) {}, 115, 115, true},
		{"pages", func(d *crawl.Definition) { d.RevisitPages = 30 }, 115, 30, true},
		{"time", func(d *crawl.Definition) { d.RevisitTime = scope.Duration(100 * time.Second) }, 115, 25, true},
		{"limit", func(d *crawl.Definition) { d.MaxURLs = 41 }, 40, 40, false},
	} {
		for _, kind := range []coherence.RevisitKind{coherence.FIFO, coherence.LIFO, coherence.Plan} {
			s := newStage(t, planSite, 11, rehearsal.Config{Pace: 4 * time.Second, Memory: true})
			def := defOf(s, crawl.Coherence{Revisit: kind})
			c.set(&def)
			res := crawlSites(t, s, def)
			g := res.Report.Groups[0]
			if g.Visited != c.visited || g.Revisited != c.revisited || res.Report.Complete != c.complete || len(res.Report.Groups) != 1 {
				t.Errorf("%s %s: complete %v, %+v", c.name, kind, res.Report.Complete, res.Report.Groups)
			}
			if c.complete && g.Revisited+g.Skipped != g.Visited {
				t.Errorf("%s %s: %d revisited and %d left out of %d", c.name, kind, g.Revisited, g.Skipped, g.Visited)
			}
		}
	}
}

// The budget of a host ends its visits; what was visited is revisited all the same.
func TestHostBudget(t *testing.T) {
	s := newStage(t, planSite, 11, rehearsal.Config{Pace: 4 * time.Second, Memory: true})
	def := defOf(s, crawl.Coherence{Revisit: coherence.Plan})
	most := int64(20)
	def.Scope.Domains = map[string]scope.Settings{"plan.sim.test": {MaxPages: &most}}
	res := crawlSites(t, s, def)
	got := spansOf(t, res)
	if g := res.Report.Groups[0]; len(res.Report.Groups) != 1 || g.Visited != 20 || g.Revisited != 20 || g.Phase != crawl.PhaseOver {
		t.Errorf("%+v", res.Report.Groups)
	}
	checkSpans(t, got, res.Report)
}

// A crawl that is stopped in its visits or its revisits goes on where it was, and ends as if it had not been.
func TestStoppedAndResumed(t *testing.T) {
	for _, after := range []int64{30, 150} {
		s := newStage(t, planSite, 11, rehearsal.Config{Pace: 4 * time.Second, Memory: true})
		def := defOf(s, crawl.Coherence{Revisit: coherence.Plan})
		def.MaxTime = scope.Duration(time.Duration(after) * 4 * time.Second)
		first := crawlSites(t, s, def)
		if first.Report.Complete || first.Report.Why != "max-time reached" {
			t.Fatalf("it was not stopped: %+v", first.Report)
		}
		def.MaxTime = 0
		def.Layers = []layer.Name{layer.Bytes, layer.Text, layer.Links}
		second, err := s.CrawlIn(t.Context(), "rehearsal", first.Place, def, crawl.Options{Stages: stages.Set{Plan: plan.Options{Rates: rehearsal.Oracle{Web: s.Web, Layer: truth.Text}}}.Of})
		if err != nil || !second.Report.Complete {
			t.Fatal(second.Report, err)
		}
		second.Looks = append(first.Looks, second.Looks...)
		checkSpans(t, spansOf(t, second), second.Report)
		if g := second.Report.Groups[0]; g.Visited != 115 || g.Revisited != 115 || len(second.Report.Groups) != 1 {
			t.Errorf("stopped after %d: %+v", after, second.Report.Groups)
		}
	}
}

// flakySite refuses every URL once.
const flakySite = `
span = "30d"
[[site]]
host = "flaky.sim.test"
pages = 25
size.html = { mean = 1500, sigma = 0.2 }
[[site.fault]]
kind = "status"
path = "/**"
status = 503
times = 1
`

// An answer that is tried again later is no look at the page: each page has one visit and one revisit in the records.
func TestRetriesAreNoLooks(t *testing.T) {
	s := newStage(t, flakySite, 3, rehearsal.Config{Pace: time.Second, Memory: true})
	def := defOf(s, crawl.Coherence{Revisit: coherence.LIFO})
	def.Retries, def.RetryAfter = 2, scope.Duration(20*time.Second)
	res := crawlSites(t, s, def)
	pages := 0
	for url, p := range readWARC(t, res.Place) {
		if p.visit+p.again == 0 {
			continue
		}
		if pages++; p.visit != 1 || p.again != 1 || p.defect != "" {
			t.Errorf("%s: %+v", url, p)
		}
	}
	if g := res.Report.Groups[0]; pages != 25 || g.Revisited != 25 || g.Missing != 0 || res.Report.Status[503] != 25 {
		t.Errorf("%d pages, %+v, status %v", pages, g, res.Report.Status)
	}
}
