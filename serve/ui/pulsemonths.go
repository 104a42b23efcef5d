package ui

import (
	"fmt"
	"time"

	"varve/serve/holdings"
	"varve/serve/pulse"
)

// axis is the time that the strips of all collections share.
type axis struct {
	First time.Time
	N     int  // bands
	Years bool // a band is a year, else a month
	Ticks []tick
	Names []string // of bands in which something was captured, newest first, for the table
}

// How many bands a strip, and all strips of a page, may have: more are made of years.
const (
	mostMonths = 120
	mostBars   = 360
)

// monthBar is one band of a strip; places are percent of its width, heights percent of its height.
type monthBar struct {
	X, W, Y, H float64
	Parts      []barPart // colours, from the bottom up
	Name       string    // 2025-03
	Href       string
	Title      string
	Here       bool // it is chosen
	pulse.Month
}

// barPart is a share of a bar with one meaning.
type barPart struct {
	Class string
	Y, H  float64
}

// draw makes the strips: one bar for each month, its height by captures, its colours by coherence.
func (d *pulseData) draw() {
	var last time.Time
	for _, c := range d.Collections {
		for _, m := range c.Months {
			if d.Axis.First.IsZero() || m.At.Before(d.Axis.First) {
				d.Axis.First = m.At
			}
			if m.At.After(last) {
				last = m.At
			}
		}
	}
	d.Axis.measure(last, min(mostMonths, max(12, mostBars/max(1, len(d.Collections)))))
	named := map[string]bool{}
	for _, c := range d.Collections {
		row := pulseRow{Collection: c, Bars: d.Axis.bars(d.Axis.fold(c.Months))}
		if c.Every > 0 {
			row.Manner = "every " + duration(c.Every)
		}
		for i := range row.Bars {
			b := &row.Bars[i]
			b.Href, b.Here = d.with("at", b.Name), b.Name == d.At
			b.Title = fmt.Sprintf("%s · %s: %s in %s, %s", c.Title, b.Name, count(b.Captures, "capture"), count(b.Crawls, "crawl"), tallyLine(b.Tally))
			named[b.Name] = true
		}
		d.Rows = append(d.Rows, row)
	}
	for i := d.Axis.N - 1; i >= 0; i-- {
		if name := d.Axis.name(i); named[name] {
			d.Axis.Names = append(d.Axis.Names, name)
		}
	}
}

func (a *axis) measure(last time.Time, most int) {
	if a.First.IsZero() {
		return
	}
	a.N = a.index(last) + 1
	if a.N > most {
		a.Years = true
		a.N = a.index(last) + 1
	}
	step := max(1, (a.N+7)/8)
	for i := 0; i < a.N; i += step {
		if x := float64(i) / float64(a.N) * 100; x < 88 {
			a.Ticks = append(a.Ticks, tick{x, a.name(i)})
		}
	}
}

// index is the band of an instant.
func (a *axis) index(t time.Time) int {
	if a.Years {
		return t.Year() - a.First.Year()
	}
	return (t.Year()-a.First.Year())*12 + int(t.Month()) - int(a.First.Month())
}

func (a *axis) name(i int) string {
	if a.Years {
		return a.First.AddDate(i, 0, 0).Format("2006")
	}
	return a.First.AddDate(0, i, 0).Format("2006-01")
}

// fold makes years of months where bands are years.
func (a *axis) fold(list []pulse.Month) []pulse.Month {
	if !a.Years {
		return list
	}
	var out []pulse.Month
	for _, m := range list {
		if n := len(out); n == 0 || out[n-1].At.Year() != m.At.Year() {
			out = append(out, pulse.Month{At: m.At})
		}
		y := &out[len(out)-1]
		y.Captures, y.Pages, y.Crawls = y.Captures+m.Captures, y.Pages+m.Pages, y.Crawls+m.Crawls
		if m.Tally != nil {
			sum := *m.Tally
			if y.Tally != nil {
				sum.Coherent, sum.Content, sum.Links = sum.Coherent+y.Tally.Coherent, sum.Content+y.Tally.Content, sum.Links+y.Tally.Links
				sum.Missing, sum.Unknown = sum.Missing+y.Tally.Missing, sum.Unknown+y.Tally.Unknown
			}
			y.Tally = &sum
		}
	}
	return out
}

func (a *axis) bars(list []pulse.Month) []monthBar {
	most := int64(1)
	for _, m := range list {
		most = max(most, m.Captures)
	}
	var out []monthBar
	w := 100 / float64(max(a.N, 1))
	for _, m := range list {
		i := a.index(m.At)
		b := monthBar{X: float64(i) * w, W: w * 0.86, Name: a.name(i), Month: m}
		b.H = max(8, 100*float64(m.Captures)/float64(most)) // what is there is seen
		b.Y = 100 - b.H
		y := 100.0
		for _, p := range tallyParts(m.Tally) {
			if p.Share <= 0 {
				continue
			}
			h := p.Share * b.H
			y -= h
			b.Parts = append(b.Parts, barPart{p.Class, y, h})
		}
		out = append(out, b)
	}
	return out
}

// Of gives the bar of that name, for the table.
func (r pulseRow) Of(name string) *monthBar {
	for i := range r.Bars {
		if r.Bars[i].Name == name {
			return &r.Bars[i]
		}
	}
	return nil
}

// worstClass is the colour that stands for a crawl: of the worst that befell more than a twentieth of its pages.
func worstClass(t *holdings.Tally) string {
	for _, p := range []struct {
		class string
		n     int64
	}{{"missing", t.Missing}, {"links", t.Links}, {"content", t.Content}, {"unknown", t.Unknown}} {
		if 20*p.n > t.Total() {
			return p.class
		}
	}
	return "coherent"
}

// tallyLine tells in words how well crawls hang together.
func tallyLine(t *holdings.Tally) string {
	if t == nil || t.Total() == 0 {
		return "coherence not measured"
	}
	return fmt.Sprintf("%s coherent", percent(t.Coherent, t.Total()))
}

// sentence tells when most was captured, of the collections shown.
func (d *pulseData) sentence() string {
	sums := map[string]int64{}
	var all int64
	best := ""
	for _, r := range d.Rows {
		for _, b := range r.Bars {
			sums[b.Name] += b.Captures
			all += b.Captures
			if best == "" || sums[b.Name] > sums[best] || sums[b.Name] == sums[best] && b.Name > best {
				best = b.Name
			}
		}
	}
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("Most was captured in %s: %s of %s.", best, number(sums[best]), count(all, "capture"))
}
