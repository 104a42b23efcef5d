package crawls

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"

	"varve/coherence"
	"varve/coherence/changerate"
	"varve/serve/holdings"
)

// Limits of what is read to foretell a crawl: enough for shares to the percent, and an answer within a second.
const (
	maxHistory = 50_000                   // captures
	maxRated   = 2000                     // pages
	standing   = coherence.ExactLimit / 2 // pages that stand for all in one reckoning

	// MaxPages and MaxDelay bound what can be foretold.
	MaxPages = 1_000_000
	MaxDelay = 10 * time.Minute
)

// History is how often pages of a collection change, as far as captures tell.
type History struct {
	Rates       []float64 `json:"-"`           // changes per second, highest first; one per page with two captures or more
	Comparisons int       `json:"comparisons"` // captures that were compared with the one before
	Changed     int       `json:"changed"`
	Whole       bool      `json:"whole"` // all captures were looked at
}

// ReadHistory rates the HTML pages of captures, which come sorted by key and time. Contents are
// compared by digest, so every change of a byte counts.
func ReadHistory(captures iter.Seq2[holdings.IndexedCapture, error]) (History, error) {
	h := History{Whole: true}
	var before holdings.IndexedCapture
	var pages [][]changerate.Comparison
	var page []changerate.Comparison
	seen := 0
	for c, err := range captures {
		if err != nil {
			return History{}, err
		}
		if seen++; seen > maxHistory || len(pages) >= maxRated {
			h.Whole = false
			break
		}
		again := c.Key == before.Key && (c.Revisit || c.Status == 304) // it says only that nothing changed
		if again && c.Status == 304 {
			c.Digest = before.Digest
		} else if !again && (c.Status != 200 || !holdings.IsPage(c.MIME)) {
			continue
		}
		if c.Key != before.Key {
			pages, page = with(pages, page), nil
		} else if gap := c.Time.Sub(before.Time).Seconds(); gap > 0 {
			page = append(page, changerate.Comparison{Interval: gap, Changed: c.Digest != before.Digest})
		}
		before = c
	}
	h.rate(with(pages, page))
	return h, nil
}

func with(pages [][]changerate.Comparison, page []changerate.Comparison) [][]changerate.Comparison {
	if len(page) == 0 {
		return pages
	}
	return append(pages, page)
}

// all forecasts for every page the rate of all pages together.
type all changerate.Rate

func (a all) Forecast(changerate.Subject) changerate.Rate { return changerate.Rate(a) }

// rate gives each page its rate. Few captures say little of a page: what all pages together show is
// the prior, else a site that never changed would seem to change as fast as it could unseen.
func (h *History) rate(pages [][]changerate.Comparison) {
	together := slices.Concat(pages...)
	if len(together) == 0 {
		return
	}
	h.Comparisons = len(together)
	for _, c := range together {
		if c.Changed {
			h.Changed++
		}
	}
	e := changerate.Estimator{Forecaster: all(changerate.Corrected(together, changerate.Level))}
	for _, page := range pages {
		if l := e.Rate(changerate.Facts{Older: page}).Value; l >= 0 && !math.IsInf(l, 0) {
			h.Rates = append(h.Rates, l)
		}
	}
	slices.SortFunc(h.Rates, func(a, b float64) int { return cmp.Compare(b, a) })
}

// Foretold is what a crawl of so many pages at such a pace may come to.
type Foretold struct {
	Pages   int           `json:"pages"`
	Delay   time.Duration `json:"delay"`
	Lasts   time.Duration `json:"lasts"`   // visits and revisits
	Planned float64       `json:"planned"` // expected share of coherent pages with revisit = "plan"
	Plain   float64       `json:"plain"`   // the same with revisits in the order of the visits
}

// PlannedPercent is Planned in percent.
func (f Foretold) PlannedPercent() float64 { return 100 * f.Planned }

// PlainPercent is Plain in percent.
func (f Foretold) PlainPercent() float64 { return 100 * f.Plain }

// Foretell gives the expected coherence of a crawl that visits n pages of one host and then revisits
// them, one request per delay. The pages change as those of the history do: n rates are taken evenly
// from the sorted ones. For many pages, fewer stand for all, at a pace that is slower by as much.
//
//	planned = mean of exp(-l*L), L the nested intervals 0, 2, 4, ... delays, arranged as crawls do
//	plain   = mean of exp(-l*n*delay): first visited, first revisited
func (h History) Foretell(n int, delay time.Duration) Foretold {
	n, delay = min(n, MaxPages), max(0, min(delay, MaxDelay))
	f := Foretold{Pages: n, Delay: delay, Lasts: time.Duration(2*n) * delay}
	if n <= 0 || len(h.Rates) == 0 {
		return f
	}
	m := min(n, standing)
	pace := delay.Seconds() * float64(n) / float64(m)
	l, even := make([]float64, m), make([]float64, m)
	for i := range m {
		l[i] = h.Rates[min(len(h.Rates)-1, (2*i+1)*len(h.Rates)/(2*m))]
		even[i] = float64(m) * pace
	}
	gaps := coherence.Gaps(m, pace)
	placed := make([]float64, m)
	for k, page := range coherence.Arrange(l, gaps) {
		placed[k] = l[page]
	}
	f.Planned, f.Plain = coherence.Expected(placed, gaps), coherence.Expected(l, even)
	return f
}
