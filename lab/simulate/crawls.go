package simulate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"varve/coherence"
	"varve/crawl"
	"varve/crawl/plan"
	"varve/crawl/scope"
	"varve/crawl/stages"
	"varve/lab/rehearsal"
	"varve/lab/websim"
	"varve/lab/websim/truth"
)

// CrawlsConfig is what the experiment with real crawls depends on.
type CrawlsConfig struct {
	Pages   int           `json:"pages"`   // of a site; 0 is 150
	Seed    uint64        `json:"seed"`    // of the first site
	Seeds   int           `json:"seeds"`   // sites of each kind; 0 is 20
	Pace    time.Duration `json:"pace"`    // from one request to the next; 0 is 20 s
	Changes float64       `json:"changes"` // mean number of changes of a page while the visits last; 0 is 1
	Dir     string        `json:"-"`       // for the files of the crawls; the caller removes it
}

func (c CrawlsConfig) withDefaults() (CrawlsConfig, error) {
	if c.Pages == 0 {
		c.Pages = 150
	}
	if c.Seeds == 0 {
		c.Seeds = 20
	}
	if c.Pace == 0 {
		c.Pace = 20 * time.Second
	}
	if c.Changes == 0 {
		c.Changes = 1
	}
	if c.Pages < 10 || c.Pages > 100_000 || c.Seeds < 1 || c.Seeds > 1000 || c.Pace < time.Second || !(c.Changes > 0) {
		return c, errors.New("pages must be 10 to 100,000, seeds 1 to 1,000, the pace a second at least, and changes more than none")
	}
	if c.Dir == "" {
		return c, errors.New("a directory for the files of the crawls is needed")
	}
	return c, nil
}

// crawlSite describes the sites that are crawled: all changes are Poisson and change the words of a
// page, rates are exponentially spread. With a sitemap all pages are known from the start.
const crawlSite = `
span = "60d"
[[site]]
host = "site.sim.test"
pages = %d
fanout = 10
links = 4
size.html = { mean = 2500, sigma = 0.2 }
sitemap = { on = %v, lastmod = "off", changefreq = "off" }
[[site.change]]
type = ["html"]
process = "poisson"
every = "%s"
spread = "exponential"
`

// web makes a site.
func (c CrawlsConfig) web(sitemap bool, seed uint64) (*websim.Web, error) {
	every := time.Duration(float64(c.Pages) * float64(c.Pace) / c.Changes).Round(time.Second)
	spec, err := websim.Load("crawl.toml", fmt.Appendf(nil, crawlSite, c.Pages, sitemap, every))
	if err != nil {
		return nil, err
	}
	return websim.New(spec, seed)
}

// run is a strategy as the crawler is asked for it.
type run struct {
	strategy coherence.Strategy
	revisit  coherence.RevisitKind
}

func (r run) name() string {
	if r.revisit == crawl.NoRevisit {
		return string(r.strategy)
	}
	return fmt.Sprintf("%s-%s", r.strategy, r.revisit)
}

// The first of each is what the others are compared with.
var (
	twice = []run{
		{coherence.BFS, coherence.LIFO},
		{coherence.BFS, coherence.FIFO},
		{coherence.InducibleThreshold, coherence.LIFO},
		{coherence.SHARC, coherence.LIFO},
		{coherence.Varve, coherence.Plan},
	}
	once = []run{
		{coherence.BFS, crawl.NoRevisit},
		{coherence.HottestFirst, crawl.NoRevisit},
		{coherence.SHARC, crawl.NoRevisit},
	}
)

// kept is what the web was asked for one URL: its visit and, if there was one, its revisit, in hours
// since the start, and its true rate per hour. A sitemap is one, and never changes.
type kept struct {
	rate    float64
	visit   float64
	revisit float64 // not a number: none
	changes []float64
}

// crawlOnce runs the crawl engine on a site in virtual time and gives what it did to each page.
func (c CrawlsConfig) crawlOnce(ctx context.Context, web *websim.Web, r run, dir string) (map[string]*kept, *crawl.Report, error) {
	start := web.Epoch().Add(10 * 24 * time.Hour)
	stage, err := rehearsal.New(web, rehearsal.Config{Start: start, Pace: c.Pace, Memory: true})
	if err != nil {
		return nil, nil, err
	}
	defer stage.Close()
	def := crawl.Definition{
		Seeds: []string{web.Hosts()[0].Seed}, Scope: scope.Definition{Mode: scope.Host}, Retries: -1,
		Coherence: crawl.Coherence{Strategy: r.strategy, Revisit: r.revisit},
	}
	res, err := stage.Crawl(ctx, dir, def, crawl.Options{Stages: stages.Set{Plan: plan.Options{
		Rates: rehearsal.Oracle{Web: web, Layer: truth.Text},
		Size:  func(string) int { return c.Pages },
	}}.Of})
	if err != nil {
		return nil, nil, err
	}
	return keptOf(web, start, res.Looks), res.Report, nil
}

// keptOf reads the log of the web.
func keptOf(web *websim.Web, start time.Time, looks []websim.Entry) map[string]*kept {
	pages := map[string]*kept{}
	for _, e := range looks {
		if e.Status >= 400 || e.Target == "/robots.txt" {
			continue
		}
		at := e.At.Sub(start).Hours()
		if p := pages[e.URL()]; p != nil {
			p.revisit = at
			continue
		}
		p := &kept{visit: at, revisit: math.NaN()}
		pages[e.URL()] = p
		if e.Page == websim.NoPage {
			continue
		}
		p.rate = web.Rate(e.Page, truth.Text)
		for c, ok := web.NextChange(e.Page, start, truth.Text); ok; c, ok = web.NextChange(e.Page, c, truth.Text) {
			p.changes = append(p.changes, c.Sub(start).Hours())
		}
	}
	return pages
}

// Crawls runs real crawls through the crawl engine in virtual time, and compares the share of
// coherent pages that it reports, and the blur, with what the formulas foretell for the instants at
// which pages were visited. The intervals hold 95 % of what chance does.
func Crawls(ctx context.Context, c CrawlsConfig, progress func(done, all int)) (*Result, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	x := &crawls{config: c, ctx: ctx, progress: progress, all: 2 * c.Seeds * (len(twice) + len(once))}
	for _, sitemap := range []bool{false, true} {
		if err := x.site(sitemap); err != nil {
			return nil, err
		}
	}
	return x.result(), nil
}

// crawls collects what crawls came to.
type crawls struct {
	config    CrawlsConfig
	ctx       context.Context
	progress  func(done, all int)
	done, all int
	coherent  []Row
	blurred   []Row
	outside   int
	wrong     int // reports of the crawler that differ from the truth
}

// site runs all strategies on the sites of one kind.
func (x *crawls) site(sitemap bool) error {
	name := map[bool]string{false: "found by links", true: "listed in a sitemap"}[sitemap]
	shares, blurs := make([]tally, len(twice)), make([]tally, len(once))
	for n := range x.config.Seeds {
		web, err := x.config.web(sitemap, x.config.Seed+uint64(n))
		if err != nil {
			return err
		}
		if err := x.runs(web, fmt.Sprintf("%v-%d", sitemap, n), twice, shares, coherenceOf); err != nil {
			return err
		}
		if err := x.runs(web, fmt.Sprintf("%v-%d", sitemap, n), once, blurs, blurOf); err != nil {
			return err
		}
	}
	for i, r := range twice {
		x.coherent = append(x.coherent, x.row(name, r, shares[i]))
	}
	for i, r := range once {
		x.blurred = append(x.blurred, x.row(name, r, blurs[i]))
	}
	return nil
}

// runs crawls one site with each of the strategies.
func (x *crawls) runs(web *websim.Web, dir string, rs []run, sums []tally, measure measure) error {
	var base map[string]*kept
	for i, r := range rs {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		pages, rep, err := x.config.crawlOnce(x.ctx, web, r, filepath.Join(x.config.Dir, dir+"-"+r.name()))
		if err != nil {
			return fmt.Errorf("%s: %w", r.name(), err)
		}
		if i == 0 {
			base = pages
		}
		if err := sums[i].add(pages, base, rep, measure); err != nil {
			return fmt.Errorf("%s: %w", r.name(), err)
		}
		if x.done++; x.progress != nil {
			x.progress(x.done, x.all)
		}
	}
	return nil
}
