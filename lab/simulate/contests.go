package simulate

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"varve/lab/websim/truth"
)

// scores are the figures of all strategies on sites of one kind: by strategy, variant and seed. What
// was not run is not a number.
type scores [][][]float64

// compete runs all strategies on all sites of one kind, several sites at a time.
func compete(ctx context.Context, c SitesConfig, name string, field []contest, done func()) (scores, error) {
	all := make(scores, len(field))
	for k := range all {
		all[k] = make([][]float64, len(variants))
		for v := range variants {
			all[k][v] = make([]float64, c.Seeds)
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for n := range c.Seeds {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			seed := c.Seed + uint64(n)
			s, err := newSite(siteConfig{preset: name, seed: seed, pages: c.Pages, lasts: c.Lasts, layer: truth.Main})
			if err != nil {
				return err
			}
			predicted, err := s.predicted(seed)
			if err != nil {
				return fmt.Errorf("site %s, seed %d: %w", name, seed, err)
			}
			for k, one := range field {
				for v, what := range variants {
					if err := ctx.Err(); err != nil {
						return err
					}
					if all[k][v][n], err = one.run(s, what, predicted); err != nil {
						return err
					}
				}
			}
			done()
			return nil
		})
	}
	return all, g.Wait()
}

// run runs one strategy as one variant, if that is not the same as another.
func (k contest) run(s *site, v variant, predicted []float64) (float64, error) {
	if k.deaf && (v.online || v.learning || v.predicted) || k.blind && !v.online {
		return math.NaN(), nil
	}
	if v.predicted {
		return k.score(s, v, predicted)
	}
	return k.score(s, v, s.rates)
}

// contests runs a field on all sites and gives the table of means, and beside it how far the strategy of ours that is named comes.
func contests(ctx context.Context, c SitesConfig, figure string, field []contest, ours string, progress func(done, all int)) (*Result, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	r := &Result{Figure: figure, Config: c}
	means := Table{Title: titles[figure], Names: []string{"site", "strategy"}}
	ways := Table{
		Title: ours + ": share of the way from the best strategy of others, with the same knowledge, to the oracle online; of means over seeds, with the interval of 95 % (bootstrap over sites)",
		Names: []string{"site", "knowledge", "best of others"}, Columns: []string{"best of others", "ours", "oracle online", "share", "from", "to"},
	}
	for _, v := range variants {
		means.Columns = append(means.Columns, v.name, v.name+" from", v.name+" to")
	}
	var mu sync.Mutex
	finished := 0
	done := func() {
		mu.Lock()
		defer mu.Unlock()
		if finished++; progress != nil {
			progress(finished, len(c.Sites)*c.Seeds)
		}
	}
	for _, name := range c.Sites {
		all, err := compete(ctx, c, name, field, done)
		if err != nil {
			return nil, err
		}
		for k, one := range field {
			means.Rows = append(means.Rows, Row{Name: []string{name, one.name}, Values: all.means(k)})
		}
		at := slices.IndexFunc(field, func(k contest) bool { return k.name == ours })
		for v, what := range variants {
			if what.online && v != oracleOnline {
				best, values := all.way(field, at, v)
				ways.Rows = append(ways.Rows, Row{Name: []string{name, what.name, best}, Values: values})
			}
		}
	}
	r.Tables = []Table{means, ways}
	r.Notes = []string{fmt.Sprintf("%d sites of each kind; the visits take %v. Strategies that do not look at rates have one figure.", c.Seeds, c.Lasts)}
	r.Chart = sitesChart(figure, c, means.Rows, field)
	return r, nil
}

// means are those of one strategy, each with its interval of 95 %.
func (s scores) means(k int) []Number {
	var out []Number
	for v := range variants {
		low, high := bootstrap(len(s[k][v]), func(of []int) (sum float64) {
			for _, i := range of {
				sum += s[k][v][i]
			}
			return sum / float64(len(of))
		})
		out = append(out, Number(mean(s[k][v])), Number(low), Number(high))
	}
	return out
}

// Variants by their places: the one that knows all rates and has to find the pages, and a first crawl.
const (
	oracleOnline   = 1
	learningOnline = 3
)

// bootstrap gives the interval of 95 % of a figure over n sites: the figure of as many drawn anew, a thousand times.
func bootstrap(n int, figure func(of []int) float64) (low, high float64) {
	r := rand.New(rand.NewPCG(22, 95))
	drawn := make([]float64, 0, 1000)
	of := make([]int, n)
	for range cap(drawn) {
		for i := range of {
			of[i] = r.IntN(n)
		}
		drawn = append(drawn, figure(of))
	}
	slices.Sort(drawn)
	return drawn[len(drawn)*25/1000], drawn[len(drawn)*975/1000-1]
}

// way compares strategy k as variant v with the best strategy of others that knows as much, and with what the oracle reaches online.
func (s scores) way(field []contest, k, v int) (best string, _ []Number) {
	var base []float64
	for i, one := range field {
		list := s[i][v]
		if one.deaf {
			list = s[i][0]
		}
		if !one.ours && (base == nil || mean(list) < mean(base)) {
			base, best = list, one.name
		}
	}
	mine, oracle := s[k][v], s[k][oracleOnline]
	share := func(of []int) float64 {
		var b, m, o float64
		for _, i := range of {
			b, m, o = b+base[i], m+mine[i], o+oracle[i]
		}
		return (b - m) / (b - o)
	}
	all := make([]int, len(base))
	for i := range all {
		all[i] = i
	}
	low, high := bootstrap(len(base), share)
	return best, []Number{Number(mean(base)), Number(mean(mine)), Number(mean(oracle)), Number(share(all)), Number(low), Number(high)}
}

func mean(list []float64) (sum float64) {
	for _, x := range list {
		sum += x
	}
	return sum / float64(len(list))
}

// titles of the tables.
var titles = map[string]string{
	"blur":        "Blur per page (mean number of changes between the capture of a page and any instant of the crawl), mean over seeds with the interval of 95 % (bootstrap over sites)",
	"incoherence": "Incoherence (share of pages that changed between visit and revisit), mean over seeds with the interval of 95 % (bootstrap over sites)",
}
