package simulate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"varve/coherence"
)

// SitesConfig is what the experiments on named sites depend on.
type SitesConfig struct {
	Sites []string      `json:"sites"` // presets of the simulated web; nil is DefaultSites
	Pages int           `json:"pages"` // of a site at most; 0 is all
	Seed  uint64        `json:"seed"`  // of the first site
	Seeds int           `json:"seeds"` // sites of each kind; 0 is 20
	Lasts time.Duration `json:"lasts"` // of the visits of a capture; 0 is 72 hours
}

// DefaultSites are presets whose first host is a whole site.
var DefaultSites = []string{"blog", "news", "shop", "ministry", "university"}

func (c SitesConfig) withDefaults() (SitesConfig, error) {
	if c.Sites == nil {
		c.Sites = DefaultSites
	}
	if c.Seeds == 0 {
		c.Seeds = 20
	}
	if c.Lasts == 0 {
		c.Lasts = 72 * time.Hour
	}
	if c.Pages < 0 || c.Seeds < 1 || c.Seeds > 1000 || c.Lasts < time.Minute {
		return c, errors.New("pages must not be negative, seeds be 1 to 1,000, and a capture last a minute at least")
	}
	return c, nil
}

// contest is one strategy as it competes.
type contest struct {
	name     string
	strategy coherence.Strategy
	eta      float64
	revisit  coherence.RevisitKind // "" is none
	deaf     bool                  // does not look at rates: all variants are one
	blind    bool                  // does not know how many pages there are
	ours     bool                  // no strategy of the seeds
}

// variant is what a strategy knows.
type variant struct {
	name      string
	predicted bool
	online    bool
	learning  bool // from what each visit tells
	listed    bool // the dates of the sitemap are read before
	later     bool // earlier captures are known
}

var variants = []variant{
	{name: "oracle offline"},
	{name: "oracle online", online: true},
	{name: "predictor online", predicted: true, online: true},
	{name: "learning online", online: true, learning: true},
	{name: "sitemap online", online: true, learning: true, listed: true},
	{name: "later online", online: true, learning: true, listed: true, later: true},
}

// score runs one strategy once.
func (k contest) score(s *site, v variant, rates []float64) (float64, error) {
	c := capture{
		site: s, strategy: k.strategy, rates: rates, online: v.online || k.deaf,
		options: coherence.Options{Revisit: k.revisit != "", Eta: k.eta, Expected: len(rates)},
	}
	if k.blind {
		c.options.Expected = 0
	}
	if v.learning {
		c.learn(v)
	}
	visits, err := c.visits()
	if err != nil {
		return 0, err
	}
	if k.revisit == "" {
		return c.blur(visits), nil
	}
	return c.incoherence(visits, k.revisit), nil
}

// Blur compares the single-visit strategies: actual blur per page, the mean over seeds.
func Blur(ctx context.Context, c SitesConfig, progress func(done, all int)) (*Result, error) {
	field := []contest{
		{name: "bfs", strategy: coherence.BFS, deaf: true},
		{name: "dfs", strategy: coherence.DFS, deaf: true},
		{name: "hottest-first", strategy: coherence.HottestFirst},
		{name: "hottest-last", strategy: coherence.HottestLast},
		{name: "freshness", strategy: coherence.Freshness},
		{name: "measurable", strategy: coherence.MeasurableThreshold},
		{name: "sharc", strategy: coherence.SHARC, ours: true},
		{name: "sharc, size not known", strategy: coherence.SHARC, blind: true, ours: true},
	}
	return contests(ctx, c, "blur", field, "sharc", progress)
}

// Incoherence compares the visit-revisit strategies: the share of pages that changed between visit
// and revisit, the mean over seeds.
func Incoherence(ctx context.Context, c SitesConfig, progress func(done, all int)) (*Result, error) {
	var field []contest
	for _, k := range []coherence.RevisitKind{coherence.LIFO, coherence.FIFO} {
		for _, s := range []coherence.Strategy{coherence.BFS, coherence.DFS, coherence.HottestFirst, coherence.HottestLast} {
			deaf := s == coherence.BFS || s == coherence.DFS
			field = append(field, contest{name: fmt.Sprintf("%s-%s", s, k), strategy: s, revisit: k, deaf: deaf})
		}
	}
	for _, eta := range []float64{0.45, 0.6, 0.7} {
		field = append(field, contest{name: fmt.Sprintf("inducible %.2f", eta), strategy: coherence.InducibleThreshold, eta: eta, revisit: coherence.LIFO})
	}
	field = append(field,
		contest{name: "sharc pyramid", strategy: coherence.SHARC, revisit: coherence.LIFO},
		contest{name: "varve", strategy: coherence.Varve, revisit: coherence.Plan, ours: true},
		contest{name: "bfs, planned revisits", strategy: coherence.BFS, revisit: coherence.Plan, blind: true, ours: true},
	)
	return contests(ctx, c, "incoherence", field, "varve", progress)
}

// sitesChart shows what a first crawl knows.
func sitesChart(figure string, c SitesConfig, rows []Row, field []contest) Chart {
	chart := Chart{Title: figure + " of a first crawl that learns, pages found by links", YLabel: figure, XLabel: "site", Labels: c.Sites}
	for k, one := range field {
		l := Line{Name: one.name}
		for i := range c.Sites {
			y := rows[i*len(field)+k].Values[3*learningOnline]
			if one.deaf {
				y = rows[i*len(field)+k].Values[0]
			}
			l.X = append(l.X, float64(i))
			l.Y = append(l.Y, float64(y))
		}
		chart.Lines = append(chart.Lines, l)
	}
	return chart
}
