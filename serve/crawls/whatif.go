package crawls

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"

	"varve/crawl/changerate"
	"varve/crawl/coherence"
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
func ReadHistory(captures iter.Seq2[holdings.Capture, error]) (History, error) {
	h := History{Whole: true}
	var before holdings.Capture
	var page []changerate.Comparison
	seen := 0
	for c, err := range captures {
		if err != nil {
			return History{}, err
		}
		if seen++; seen > maxHistory || len(h.Rates) >= maxRated {
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
			h.rate(page)
			page = page[:0]
		} else if gap := c.Time.Sub(before.Time).Seconds(); gap > 0 {
			page = append(page, changerate.Comparison{Interval: gap, Changed: c.Digest != before.Digest})
		}
		before = c
	}
	h.rate(page)
	slices.SortFunc(h.Rates, func(a, b float64) int { return cmp.Compare(b, a) })
	return h, nil
}

// rate adds a page. One that changed each time has no finite rate from that alone: the estimator is
// asked, and what it cannot tell is left out.
func (h *History) rate(page []changerate.Comparison) {
	if len(page) == 0 {
		return
	}
	for _, c := range page {
		h.Comparisons++
		if c.Changed {
			h.Changed++
		}
	}
	if l := changerate.Corrected(page, changerate.Level).Value; l >= 0 && !math.IsInf(l, 0) {
		h.Rates = append(h.Rates, l)
	}
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
