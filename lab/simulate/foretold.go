package simulate

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"varve/coherence"
	"varve/crawl"
	"varve/text/layer"
)

// foretold is a figure of one page: what the formula says, its variance, and what came.
type foretold struct {
	mean, variance, found float64
}

// measure gives the figure of a page and, on the same site, of its difference to another crawl.
type measure interface {
	of(p *kept, end float64) foretold
	less(p, base *kept, end, baseEnd float64) float64 // variance of the difference
	reported(rep *crawl.Report) (float64, bool)
}

// tally sums up the crawls of one strategy.
type tally struct {
	pages     int
	foretold  foretold // sums over pages
	base      foretold // the same pages in the crawls that it is compared with
	different float64  // variance of the difference
	reported  float64  // sum over pages by the word of the crawler
	told      bool
}

// add adds one crawl. Pages that one of the crawls did not get are an error: all pages can be had.
func (t *tally) add(pages, base map[string]*kept, rep *crawl.Report, m measure) error {
	if len(pages) < 2 || len(pages) != len(base) {
		return fmt.Errorf("%d pages were captured, %d by the crawl to compare with", len(pages), len(base))
	}
	end, baseEnd := lastVisit(pages), lastVisit(base)
	for _, url := range slices.Sorted(maps.Keys(pages)) { // in order, so that sums are the same to the last digit
		p, b := pages[url], base[url]
		if b == nil {
			return errors.New("the crawls did not capture the same pages")
		}
		t.foretold.add(m.of(p, end))
		t.base.add(m.of(b, baseEnd))
		t.different += m.less(p, b, end, baseEnd)
		t.pages++
	}
	if share, ok := m.reported(rep); ok {
		t.told = true
		t.reported += share * float64(len(pages))
	}
	return nil
}

func (f *foretold) add(o foretold) {
	f.mean += o.mean
	f.variance += o.variance
	f.found += o.found
}

func lastVisit(pages map[string]*kept) float64 {
	last := 0.0
	for _, p := range pages {
		last = max(last, p.visit)
	}
	return last
}

// sharing is coherence: whether a page is the same at visit and revisit. Its chance is
// p = exp(-l*(r-t)), its variance p(1-p). On the same site a page is the same in two crawls with the
// chance exp(-l*length of the union of both intervals).
type sharing struct{}

// coherenceOf measures the share of coherent pages.
var coherenceOf measure = sharing{}

func (sharing) of(p *kept, _ float64) foretold {
	if math.IsNaN(p.revisit) {
		return foretold{mean: 1, found: 1} // visited at the reference point
	}
	chance := math.Exp(-p.rate * (p.revisit - p.visit))
	f := foretold{mean: chance, variance: chance * (1 - chance), found: 1}
	for _, c := range p.changes {
		if c > p.visit && c <= p.revisit {
			f.found = 0
		}
	}
	return f
}

func (s sharing) less(p, base *kept, _, _ float64) float64 {
	if math.IsNaN(p.revisit) || math.IsNaN(base.revisit) {
		return s.of(p, 0).variance + s.of(base, 0).variance
	}
	union := p.revisit - p.visit + base.revisit - base.visit
	if shared := min(p.revisit, base.revisit) - max(p.visit, base.visit); shared > 0 {
		union -= shared
	}
	a, b, both := s.of(p, 0).mean, s.of(base, 0).mean, math.Exp(-p.rate*union)
	return max(0, (a-both)+(b-both)-(a-b)*(a-b))
}

// reported is the share of coherent pages by the report of the crawl, on the layer of the text.
func (sharing) reported(rep *crawl.Report) (float64, bool) {
	same, all := int64(0), int64(0)
	for _, g := range rep.Groups {
		same += g.Unchanged[layer.Text] + g.Visited - g.Revisited // not revisited: the reference point
		all += g.Visited
	}
	return float64(same) / float64(max(1, all)), all > 0
}

// blurring is blur. A change at c counts w(c) = (end-c)/end after the visit at t and c/end before, so
// that its variance is l times the integral of w^2, and that of a difference l times the integral of
// the squared difference, which is (1-2c/end)^2 between the two visits and 0 elsewhere.
type blurring struct{}

// blurOf measures blur per page.
var blurOf measure = blurring{}

func (blurring) of(p *kept, end float64) foretold {
	t := p.visit
	return foretold{
		mean:     coherence.Blur(p.rate, t, end),
		variance: p.rate * (t*t*t + math.Pow(end-t, 3)) / (3 * end * end),
		found:    coherence.ActualBlur(p.changes, t, end),
	}
}

func (blurring) less(p, base *kept, end, baseEnd float64) float64 {
	n := (end + baseEnd) / 2 // crawls of the same pages last equally long, but for a request or two
	third := func(c float64) float64 { return n / 6 * math.Pow(2*c/n-1, 3) }
	return p.rate * math.Abs(third(p.visit)-third(base.visit))
}

func (blurring) reported(*crawl.Report) (float64, bool) { return 0, false }

// row writes out a tally.
func (x *crawls) row(site string, r run, t tally) Row {
	n := float64(t.pages)
	half := func(variance float64) float64 { return 1.96 * math.Sqrt(variance) / n }
	margin, found := (t.foretold.mean-t.base.mean)/n, (t.foretold.found-t.base.found)/n
	reported := math.NaN()
	if t.told {
		reported = t.reported / n
		if math.Abs(reported-t.foretold.found/n) > 1e-9 {
			x.wrong++
		}
	}
	if math.Abs(t.foretold.mean-t.foretold.found) > n*half(t.foretold.variance) {
		x.outside++
	}
	if math.Abs(margin-found) > half(t.different)+1e-12 {
		x.outside++
	}
	return Row{Name: []string{site, r.name()}, Values: []Number{
		Number(t.foretold.mean / n), Number(half(t.foretold.variance)), Number(t.foretold.found / n), Number(reported),
		Number(margin), Number(half(t.different)), Number(found),
	}}
}

// result puts the tables together.
func (x *crawls) result() *Result {
	columns := []string{"foretold", "foretold ±", "found", "reported", "margin foretold", "margin foretold ±", "margin found"}
	names := []string{"pages", "strategy"}
	r := &Result{
		Figure: "crawl", Config: x.config,
		Tables: []Table{
			{Title: "Share of coherent pages of real crawls in virtual time; margin over bfs-lifo", Names: names, Columns: columns, Rows: x.coherent},
			{Title: "Blur per page of real crawls in virtual time; margin over bfs", Names: names, Columns: columns, Rows: x.blurred},
		},
		Notes: []string{
			fmt.Sprintf("%d sites of %d pages each, a request every %v, %g changes per page during the visits on average. Foretold by the formula for the instants of the visits; ± holds 95 %%.",
				x.config.Seeds, x.config.Pages, x.config.Pace, x.config.Changes),
			fmt.Sprintf("%d of %d figures lie outside of their interval (they share sites, so they err together); of %d reports of the crawler %d differ from the truth.",
				x.outside, 2*(len(x.coherent)+len(x.blurred))-4, len(x.coherent), x.wrong), // the first of each has no margin
		},
	}
	r.Chart = Chart{Title: "Coherent pages of real crawls: found, and foretold by the formula", YLabel: "share of coherent pages", XLabel: "strategy"}
	for i := range twice {
		r.Chart.Labels = append(r.Chart.Labels, twice[i].name())
	}
	for k, site := range []string{"by links", "sitemap"} {
		for _, column := range []int{0, 2} {
			l := Line{Name: columns[column] + ", " + site}
			for i := range twice {
				l.X = append(l.X, float64(i))
				l.Y = append(l.Y, float64(x.coherent[k*len(twice)+i].Values[column]))
			}
			r.Chart.Lines = append(r.Chart.Lines, l)
		}
	}
	return r
}
