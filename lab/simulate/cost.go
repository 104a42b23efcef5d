package simulate

import (
	"context"
	"fmt"
	"math/rand/v2"

	"varve/coherence"
	"varve/coherence/changerate"
	"varve/lab/eval/cpu"
)

// Costs measures what planning costs per page in CPU time, the steps of a crawl apart, on made sites of ten sections whose pages say when they last changed.
func Costs(ctx context.Context, c SitesConfig, progress func(done, all int)) (*Result, error) {
	sizes := []int{1000, 10_000, 50_000}
	if c.Pages > 0 {
		sizes = []int{c.Pages}
	}
	table := Table{Title: "CPU microseconds per page", Names: []string{"pages"}, Columns: []string{"learn", "believe", "order visits", "order revisits", "foretell", "all"}}
	for k, n := range sizes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		costs, err := costOf(n, c.Seed)
		if err != nil {
			return nil, err
		}
		table.Rows = append(table.Rows, Row{Name: []string{fmt.Sprint(n)}, Values: costs})
		if progress != nil {
			progress(k+1, len(sizes))
		}
	}
	return &Result{Figure: "cost", Config: c, Tables: []Table{table}, Notes: []string{
		"learn: what a visit tells; believe: the rate of a page that was found; the whole visits and revisits of a site with all pages known; foretell: the chance of each page and the interval of all.",
	}}, nil
}

// costOf measures one site.
func costOf(n int, seed uint64) ([]Number, error) {
	r := rand.New(rand.NewPCG(seed, 22))
	pool := &changerate.Pool{Prior: 1e-6, Horizon: float64(n)}
	pages, ages := make([]changerate.Subject, n), make([]float64, n)
	for i := range n {
		pages[i].URL = fmt.Sprintf("http://site.test/section%c/page-%d", 'a'+i%10, i)
		ages[i] = r.ExpFloat64() / r.ExpFloat64() * float64(n) * float64(1+i%10)
	}
	found := make([]coherence.Candidate, n)
	visited := make([]coherence.Visited, n)
	var order []int
	var revisits []coherence.Revisit
	steps := []func() error{
		func() error {
			for i := range n {
				pool.Learn(pages[i], ages[i])
			}
			return nil
		},
		func() error {
			for i := range n {
				found[i].Rate = pool.Rate(pages[i], changerate.Own{Changes: 1, Quiet: ages[i]}, true).Value
			}
			return nil
		},
		func() (err error) {
			order, err = coherence.Order(coherence.Varve, found, coherence.Options{Revisit: true, Pace: 1})
			return err
		},
		func() error {
			for t, i := range order {
				visited[t] = coherence.Visited{ID: uint64(i), Rate: found[i].Rate, At: float64(t)}
			}
			revisits = coherence.RevisitOrder(visited, coherence.Revisits{Kind: coherence.Plan, Pace: 1})
			return nil
		},
		func() error {
			var share changerate.Share
			for _, v := range revisits {
				share.Add(pool.Belief(pages[v.ID], changerate.Own{Changes: 1, Quiet: ages[v.ID]}, true), v.At)
			}
			share.Interval(changerate.Level)
			return nil
		},
	}
	var out []Number
	all := 0.0
	for _, step := range steps {
		u, err := cpu.Measure(step)
		if err != nil {
			return nil, err
		}
		each := u.CPU.Seconds() * 1e6 / float64(n)
		out = append(out, Number(each))
		all += each
	}
	return append(out, Number(all)), nil
}
