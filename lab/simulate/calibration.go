package simulate

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"varve/coherence"
	"varve/coherence/changerate"
	"varve/lab/websim/truth"
)

// forecasters are the ways of foretelling whether a page stands until its revisit, the last being the one that crawls use. The oracle is what no forecast can be better than.
var forecasters = []string{"blind", "mean rate", "oracle", "forecast"}

const (
	blind = iota
	meanRate
	oracle
	believed
)

// calibrationBins is the number of bins of what was foretold; one more has the pages of which nothing is known.
const calibrationBins = 10

// calibrated sums up what was foretold and what came.
type calibrated struct {
	pages [4][calibrationBins + 1]float64
	told  [4][calibrationBins + 1]float64
	stood [4][calibrationBins + 1]float64
	brier [4]float64

	captures, held int // of these: the share that stood lies in its interval
	share, width   float64
}

func (c *calibrated) add(by int, known bool, chance, stood float64) {
	bin := min(calibrationBins-1, int(chance*calibrationBins))
	if !known {
		bin = calibrationBins
	}
	c.pages[by][bin]++
	c.told[by][bin] += chance
	c.stood[by][bin] += stood
	c.brier[by] += (chance - stood) * (chance - stood)
}

func (c *calibrated) sum(o *calibrated) {
	for by := range forecasters {
		for b := range c.pages[by] {
			c.pages[by][b] += o.pages[by][b]
			c.told[by][b] += o.told[by][b]
			c.stood[by][b] += o.stood[by][b]
		}
		c.brier[by] += o.brier[by]
	}
	c.captures, c.held = c.captures+o.captures, c.held+o.held
	c.share, c.width = c.share+o.share, c.width+o.width
}

// totals are pages, what was foretold of them and what stood.
func (c *calibrated) totals(by int) (pages, told, stood float64) {
	for b := range c.pages[by] {
		pages, told, stood = pages+c.pages[by][b], told+c.told[by][b], stood+c.stood[by][b]
	}
	return pages, told, stood
}

// calibration of one capture: each page is foretold when all visits are over and its revisit has its turn.
func (c *capture) calibration(visits []int) calibrated {
	var out calibrated
	at := make([]float64, len(visits))
	for t, i := range visits {
		at[i] = float64(t)
	}
	var share changerate.Share
	all, stood := 0.0, 0.0
	for _, r := range c.revisits(visits, coherence.Plan) {
		i := int(r.ID)
		d := r.At - at[i]
		b := c.pool.Belief(c.site.page(i), c.own[i], true)
		share.Add(b, d)
		still := 1.0
		if c.site.changed(i, at[i], r.At) {
			still = 0
		}
		all, stood = all+1, stood+still
		out.add(blind, true, math.Exp(-c.pool.Prior*d), still)
		out.add(meanRate, b.Known(), math.Exp(-b.Mean()*d), still)
		out.add(oracle, true, math.Exp(-c.site.rates[i]*d), still)
		out.add(believed, b.Known(), b.Unchanged(d), still)
	}
	low, high := share.Interval(changerate.Level)
	out.captures, out.share, out.width = 1, stood/all, high-low
	if low <= out.share && out.share <= high {
		out.held = 1
	}
	return out
}

// Calibration foretells of each page of visit-revisit captures whether it stands until its revisit, by what a first crawl knows at that time, with and without the dates of a sitemap, or a later one, and
// compares with what came: of the pages of which 90 % are foretold to stand, do 90 %?
func Calibration(ctx context.Context, c SitesConfig, progress func(done, all int)) (*Result, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	knowledge := []variant{{name: "learning"}, {name: "sitemap", listed: true}, {name: "later", listed: true, later: true}}
	sums := make([][]calibrated, len(c.Sites))
	for i := range sums {
		sums[i] = make([]calibrated, len(knowledge))
	}
	var mu sync.Mutex
	finished := 0
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for k, name := range c.Sites {
		for n := range c.Seeds {
			g.Go(func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				s, err := newSite(siteConfig{preset: name, seed: c.Seed + uint64(n), pages: c.Pages, lasts: c.Lasts, layer: truth.Main})
				if err != nil {
					return err
				}
				for v, what := range knowledge {
					x := capture{site: s, strategy: coherence.Varve, rates: s.rates, online: true, options: coherence.Options{Revisit: true, Expected: len(s.rates)}}
					x.learn(what)
					visits, err := x.visits()
					if err != nil {
						return err
					}
					one := x.calibration(visits)
					mu.Lock()
					sums[k][v].sum(&one)
					mu.Unlock()
				}
				mu.Lock()
				defer mu.Unlock()
				if finished++; progress != nil {
					progress(finished, len(c.Sites)*c.Seeds)
				}
				return nil
			})
		}
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return calibrationResult(c, knowledge, sums), nil
}

// calibrationResult puts the tables together.
func calibrationResult(c SitesConfig, knowledge []variant, sums [][]calibrated) *Result {
	r := &Result{Figure: "calibration", Config: c, Chart: Chart{Title: "Pages that stood until their revisit, by what was foretold", XLabel: "foretold", YLabel: "stood"}}
	curve := Table{
		Title: "Pages by what was foretold of them, all sites: how many, the mean that was foretold, the share that stood", Names: []string{"knowledge", "foretold"},
		Columns: []string{"pages", "foretold", "stood", "pages, mean rate", "foretold, mean rate", "stood, mean rate", "pages, blind", "foretold, blind", "stood, blind"},
	}
	bySite := Table{
		Title: "By site: share that stood, as foretold; captures whose share lies in its interval of 95 %, and its mean width; Brier scores (0 is perfect)", Names: []string{"site", "knowledge"},
		Columns: []string{"pages", "stood", "forecast", "blind", "captures", "in interval", "width", "Brier blind", "Brier mean rate", "Brier forecast", "Brier oracle"},
	}
	for v, what := range knowledge {
		var all calibrated
		for k := range c.Sites {
			all.sum(&sums[k][v])
		}
		line := Line{Name: what.name}
		for b := range calibrationBins + 1 {
			var values []Number
			for _, by := range []int{believed, meanRate, blind} {
				n := all.pages[by][b]
				values = append(values, Number(n), Number(all.told[by][b]/n), Number(all.stood[by][b]/n))
			}
			name := "nothing known"
			if b < calibrationBins {
				name = fmt.Sprintf("%.1f to %.1f", float64(b)/calibrationBins, float64(b+1)/calibrationBins)
			}
			curve.Rows = append(curve.Rows, Row{Name: []string{what.name, name}, Values: values})
			if all.pages[believed][b] > 0 && b < calibrationBins {
				line.X, line.Y = append(line.X, float64(values[1])), append(line.Y, float64(values[2]))
			}
		}
		r.Chart.Lines = append(r.Chart.Lines, line)
	}
	for k, name := range c.Sites {
		for v, what := range knowledge {
			s := &sums[k][v]
			pages, told, stood := s.totals(believed)
			_, without, _ := s.totals(blind)
			n := float64(max(1, s.captures))
			bySite.Rows = append(bySite.Rows, Row{Name: []string{name, what.name}, Values: []Number{
				Number(pages), Number(stood / pages), Number(told / pages), Number(without / pages), Number(n), Number(s.held), Number(s.width / n),
				Number(s.brier[blind] / pages), Number(s.brier[meanRate] / pages), Number(s.brier[believed] / pages), Number(s.brier[oracle] / pages),
			}})
		}
	}
	r.Tables = []Table{curve, bySite}
	r.Notes = []string{fmt.Sprintf("%d sites of each kind; the visits take %v. Blind: one change in 30 days for all pages.", c.Seeds, c.Lasts)}
	return r
}
