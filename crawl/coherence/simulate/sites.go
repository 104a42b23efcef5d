package simulate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"varve/crawl/coherence"
	"varve/websim/truth"
)

// SitesConfig is what the experiments on named sites depend on.
type SitesConfig struct {
	Sites []string      `json:"sites"` // presets of the simulated web; nil is DefaultSites
	Pages int           `json:"pages"` // of a site at most; 0 is all
	Seed  uint64        `json:"seed"`  // of the first site
	Seeds int           `json:"seeds"` // sites of each kind; 0 is 20
	Lasts time.Duration `json:"lasts"` // of the visits of a capture; 0 is 24 hours
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
		c.Lasts = 24 * time.Hour
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
}

// variant is what a strategy knows.
type variant struct {
	name      string
	predicted bool
	online    bool
}

var variants = []variant{
	{"oracle offline", false, false},
	{"oracle online", false, true},
	{"predictor offline", true, false},
	{"predictor online", true, true},
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
	visits, err := c.visits()
	if err != nil {
		return 0, err
	}
	if k.revisit == "" {
		return c.blur(visits), nil
	}
	return c.incoherence(visits, k.revisit), nil
}

// compete runs all strategies on all sites and gives one row per site and strategy, with the median
// of each variant over the seeds.
func compete(ctx context.Context, c SitesConfig, field []contest, progress func(done, all int)) ([]Row, error) {
	var rows []Row
	for i, name := range c.Sites {
		scores := make([][][]float64, len(field)) // strategy, variant, seed
		for k := range scores {
			scores[k] = make([][]float64, len(variants))
		}
		for seed := range c.Seeds {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			s, err := newSite(siteConfig{preset: name, seed: c.Seed + uint64(seed), pages: c.Pages, lasts: c.Lasts, layer: truth.Main})
			if err != nil {
				return nil, err
			}
			if err := competeOn(s, c.Seed+uint64(seed), field, scores); err != nil {
				return nil, fmt.Errorf("site %s, seed %d: %w", name, c.Seed+uint64(seed), err)
			}
			if progress != nil {
				progress(i*c.Seeds+seed+1, len(c.Sites)*c.Seeds)
			}
		}
		for k, one := range field {
			row := Row{Name: []string{name, one.name}}
			for v := range variants {
				row.Values = append(row.Values, Number(median(scores[k][v])))
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// competeOn adds the scores of all strategies on one site.
func competeOn(s *site, seed uint64, field []contest, scores [][][]float64) error {
	predicted, err := s.predicted(seed)
	if err != nil {
		return err
	}
	for k, one := range field {
		for v, what := range variants {
			rates := s.rates
			if what.predicted {
				rates = predicted
			}
			if one.deaf && v > 0 || one.blind && !what.online {
				continue // nothing else than what stands there already
			}
			x, err := one.score(s, what, rates)
			if err != nil {
				return err
			}
			scores[k][v] = append(scores[k][v], x)
		}
	}
	return nil
}

// Blur compares the single-visit strategies: actual blur per page, the median over seeds.
func Blur(ctx context.Context, c SitesConfig, progress func(done, all int)) (*Result, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	field := []contest{
		{name: "bfs", strategy: coherence.BFS, deaf: true},
		{name: "dfs", strategy: coherence.DFS, deaf: true},
		{name: "hottest-first", strategy: coherence.HottestFirst},
		{name: "hottest-last", strategy: coherence.HottestLast},
		{name: "freshness", strategy: coherence.Freshness},
		{name: "measurable", strategy: coherence.MeasurableThreshold},
		{name: "sharc", strategy: coherence.SHARC},
		{name: "sharc, size not known", strategy: coherence.SHARC, blind: true},
	}
	rows, err := compete(ctx, c, field, progress)
	if err != nil {
		return nil, err
	}
	return sitesResult("blur", "Blur per page: mean number of changes between the capture of a page and any instant of the crawl, median over seeds", c, rows, field), nil
}

// Incoherence compares the visit-revisit strategies: the share of pages that changed between visit
// and revisit, the median over seeds.
func Incoherence(ctx context.Context, c SitesConfig, progress func(done, all int)) (*Result, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	var field []contest
	for _, s := range []coherence.Strategy{coherence.BFS, coherence.DFS, coherence.HottestFirst, coherence.HottestLast} {
		for _, k := range []coherence.RevisitKind{coherence.FIFO, coherence.LIFO} {
			deaf := s == coherence.BFS || s == coherence.DFS
			field = append(field, contest{name: fmt.Sprintf("%s-%s", s, k), strategy: s, revisit: k, deaf: deaf})
		}
	}
	for _, eta := range []float64{0.45, 0.6, 0.7} {
		field = append(field, contest{name: fmt.Sprintf("inducible %.2f", eta), strategy: coherence.InducibleThreshold, eta: eta, revisit: coherence.LIFO})
	}
	field = append(field,
		contest{name: "sharc pyramid", strategy: coherence.SHARC, revisit: coherence.LIFO},
		contest{name: "varve", strategy: coherence.Varve, revisit: coherence.Plan},
		contest{name: "varve, size not known", strategy: coherence.Varve, revisit: coherence.Plan, blind: true},
		contest{name: "bfs, planned revisits", strategy: coherence.BFS, revisit: coherence.Plan},
	)
	rows, err := compete(ctx, c, field, progress)
	if err != nil {
		return nil, err
	}
	return sitesResult("incoherence", "Incoherence: share of pages that changed between visit and revisit, median over seeds", c, rows, field), nil
}

// sitesResult puts table and chart together. The chart has what can really be known: predicted
// rates, online.
func sitesResult(figure, title string, c SitesConfig, rows []Row, field []contest) *Result {
	r := &Result{Figure: figure, Config: c}
	t := Table{Title: title, Names: []string{"site", "strategy"}, Rows: rows}
	for _, v := range variants {
		t.Columns = append(t.Columns, v.name)
	}
	r.Tables = []Table{t}
	r.Notes = []string{fmt.Sprintf("%d sites of each kind; the visits take %v; strategies that look neither at rates nor at all pages have one figure.", c.Seeds, c.Lasts)}
	r.Chart = Chart{Title: title[:len(figure)] + " with predicted rates, pages found by links", YLabel: figure, Labels: c.Sites}
	for k, one := range field {
		l := Line{Name: one.name}
		for i := range c.Sites {
			values := rows[i*len(field)+k].Values
			y := values[len(values)-1]
			if one.deaf {
				y = values[0]
			}
			l.X = append(l.X, float64(i))
			l.Y = append(l.Y, float64(y))
		}
		r.Chart.Lines = append(r.Chart.Lines, l)
	}
	return r
}
