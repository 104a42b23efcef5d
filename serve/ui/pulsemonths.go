package ui

import (
	"maps"
	"slices"
	"time"

	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/pulse"
	"varve/serve/strip"
)

// months is the time that the strips of all collections share, month by month or year by year.
type months struct {
	strip.Axis
	Years bool     // a band is a year, else a month
	Names []string // of bands in which something was captured, newest first, for the table
}

// How many bands a strip, and all strips of a page, may have: more are made of years.
const (
	mostMonths = 120
	mostBars   = 360
)

// monthBar is one band of a strip, and a row of the table.
type monthBar struct {
	Name string // 2025-03
	pulse.Month
}

// draw makes the strips: one bar for each month, its height by captures, its colours by coherence.
func (d *pulseData) draw(l *message.Language) {
	d.Months.measure(d.Collections)
	d.Months.Dates = axisIn(l).Dates
	named := map[string]bool{}
	for _, c := range d.Collections {
		row := pulseRow{Collection: c}
		if c.Every > 0 {
			row.Manner = l.Text("every {0}", l.Duration(c.Every))
		}
		row.Strip = strip.Strip{Axis: d.Months.Axis, Height: 34, Bare: true, Label: l.Text("Captures of {0} by {1}", c.Title, l.Word(d.Months.unit()))}
		for _, m := range d.Months.fold(c.Months) {
			b := monthBar{d.Months.name(m.At), m}
			named[b.Name] = true
			row.Bars = append(row.Bars, b)
			row.Strip.Bands = append(row.Strip.Bands, strip.Band{
				From: d.Months.begin(m.At), To: d.Months.end(m.At), Weight: float64(max(m.Captures, 1)), Parts: tallyParts(m.Tally), Href: d.with("at", b.Name), Here: b.Name == d.At,
				Title: l.Text("{0} · {1}: {2} in {3}, {4}", c.Title, b.Name, l.Count(b.Captures, "capture"), l.Count(b.Crawls, "crawl"), tallyLine(l, b.Tally)),
			})
		}
		d.Rows = append(d.Rows, row)
	}
	d.Months.Names = slices.Sorted(maps.Keys(named))
	slices.Reverse(d.Months.Names)
}

// measure finds the first and the last month of all collections, and whether there are so many that bands are years.
func (a *months) measure(list []pulse.Collection) {
	var last time.Time
	for _, c := range list {
		for _, m := range c.Months {
			if a.From.IsZero() || m.At.Before(a.From) {
				a.From = m.At
			}
			last = later(last, m.At)
		}
	}
	if a.From.IsZero() {
		return
	}
	n := (last.Year()-a.From.Year())*12 + int(last.Month()) - int(a.From.Month()) + 1
	a.Years = n > min(mostMonths, max(12, mostBars/max(1, len(list))))
	a.From, a.To = a.begin(a.From), a.end(last)
}

func (a *months) unit() string {
	if a.Years {
		return "year"
	}
	return "month"
}

// begin is where the band of an instant begins.
func (a *months) begin(t time.Time) time.Time {
	if a.Years {
		return time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}

func (a *months) end(t time.Time) time.Time {
	if a.Years {
		return a.begin(t).AddDate(1, 0, 0)
	}
	return a.begin(t).AddDate(0, 1, 0)
}

func (a *months) name(t time.Time) string {
	if a.Years {
		return t.Format("2006")
	}
	return t.Format("2006-01")
}

// fold makes years of months where bands are years.
func (a *months) fold(list []pulse.Month) []pulse.Month {
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
func tallyLine(l *message.Language, t *holdings.Tally) string {
	if t == nil || t.Total() == 0 {
		return l.Text("coherence not measured")
	}
	return l.Text("{0} coherent", l.Percent(t.Coherent, t.Total()))
}

// sentence tells when most was captured, of the collections shown.
func (d *pulseData) sentence(l *message.Language) string {
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
	return l.Text("Most was captured in {0}: {1} of {2}.", best, sums[best], l.Count(all, "capture"))
}
