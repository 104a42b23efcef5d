package simulate

import (
	"context"
	"fmt"
	"time"

	"varve/coherence"
	"varve/lab/websim/truth"
)

// Qualities compares the two qualities of the seed (001, section 5) on the same visits: measurable, the share of pages that changed after the capture began and before their visit, as it is and as dates
// of pages tell it; and inducible, the share that changed between visit and revisit, with the revisits in reverse and planned.
func Qualities(ctx context.Context, c SitesConfig, progress func(done, all int)) (*Result, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	knowledge := []variant{variants[oracleOnline], variants[learningOnline]}
	strategies := []coherence.Strategy{coherence.BFS, coherence.DFS, coherence.HottestFirst, coherence.HottestLast, coherence.Freshness, coherence.MeasurableThreshold, coherence.SHARC}
	table := Table{
		Title: "Qualities of the same visits, mean over sites with the interval of 95 % (bootstrap): measurable, as it is and by dates of the share of pages that have one; inducible with revisits in reverse, and planned",
		Names: []string{"site", "strategy", "knowledge"},
		Columns: []string{
			"measurable", "measurable from", "measurable to", "by dates", "dated", "inducible, lifo", "inducible, lifo from", "inducible, lifo to", "inducible, planned",
		},
	}
	for n, name := range c.Sites {
		found := map[[2]int][]qualities{}
		for seed := range c.Seeds {
			s, err := newSite(siteConfig{preset: name, seed: c.Seed + uint64(seed), pages: c.Pages, lasts: c.Lasts, layer: truth.Main})
			if err != nil {
				return nil, err
			}
			for k, strategy := range strategies {
				for v, what := range knowledge {
					if err := ctx.Err(); err != nil {
						return nil, err
					}
					q, err := s.qualities(strategy, what)
					if err != nil {
						return nil, err
					}
					found[[2]int{k, v}] = append(found[[2]int{k, v}], q)
				}
			}
			if progress != nil {
				progress(n*c.Seeds+seed+1, len(c.Sites)*c.Seeds)
			}
		}
		for k, strategy := range strategies {
			for v, what := range knowledge {
				if v > 0 && (strategy == coherence.BFS || strategy == coherence.DFS) {
					continue // they know of no rates
				}
				table.Rows = append(table.Rows, Row{Name: []string{name, string(strategy), what.name}, Values: meansOf(found[[2]int{k, v}])})
			}
		}
	}
	return &Result{
		Figure: "quality", Config: c, Tables: []Table{table},
		Notes: []string{fmt.Sprintf("%d sites of each kind; the visits take %v.", c.Seeds, c.Lasts)},
	}, nil
}

// qualities are those of one capture.
type qualities struct{ measurable, byDates, dated, lifo, planned float64 }

// qualities runs one strategy once.
func (s *site) qualities(strategy coherence.Strategy, v variant) (q qualities, err error) {
	c := capture{site: s, strategy: strategy, rates: s.rates, online: true, options: coherence.Options{Expected: len(s.rates)}}
	if v.learning {
		c.learn(v)
	}
	visits, err := c.visits()
	if err != nil {
		return q, err
	}
	pages := make([]coherence.Captured, 0, len(visits))
	for t, i := range visits {
		if s.changed(i, 0, float64(t)) {
			q.measurable++
		}
		look := s.look(i, s.start.Add(time.Duration(float64(t)*float64(s.slot))))
		pages = append(pages, coherence.Captured{Visit: look.At, Modified: look.Modified})
	}
	n := float64(len(visits))
	by := coherence.Measurable(pages, s.start)
	q.byDates, _ = by.Q()
	q.measurable, q.dated = q.measurable/n, float64(by.Known)/n
	q.lifo, q.planned = c.incoherence(visits, coherence.LIFO), c.incoherence(visits, coherence.Plan)
	return q, nil
}

func meansOf(list []qualities) []Number {
	of := func(figure func(qualities) float64) (mean, low, high Number) {
		value := func(at []int) (sum float64) {
			for _, i := range at {
				sum += figure(list[i])
			}
			return sum / float64(len(at))
		}
		all := make([]int, len(list))
		for i := range all {
			all[i] = i
		}
		from, to := bootstrap(len(list), value)
		return Number(value(all)), Number(from), Number(to)
	}
	m, mLow, mHigh := of(func(q qualities) float64 { return q.measurable })
	d, _, _ := of(func(q qualities) float64 { return q.byDates })
	share, _, _ := of(func(q qualities) float64 { return q.dated })
	l, lLow, lHigh := of(func(q qualities) float64 { return q.lifo })
	p, _, _ := of(func(q qualities) float64 { return q.planned })
	return []Number{m, mLow, mHigh, d, share, l, lLow, lHigh, p}
}
