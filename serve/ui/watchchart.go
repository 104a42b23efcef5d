package ui

import (
	"fmt"
	"html/template"
	"strings"
	"time"

	"varve/crawl/control"
	"varve/serve/message"
	"varve/serve/strip"
)

// chart is a rate over time, drawn by the server: it is there without scripts, and is swapped with the page.
type chart struct {
	Name   string
	Now    string
	Points []chartPoint
	Path   template.HTML // of an SVG of 300 by 60
	Most   string
	From   time.Time
	Axis   strip.Axis
}

// chartPoint is a stretch between two readings.
type chartPoint struct {
	At    time.Time
	Value float64
	Text  string
}

// chartsOf makes the charts of a run: answers and bytes per second, the queue, and, where pages are judged, how relevant they are.
func chartsOf(l *message.Language, list []control.Reading, now time.Time) []chart {
	perSecond := func(v float64) string { return trimmed(l, v) + " / s" }
	charts := []chart{
		newChart(l, l.Text("Captures per second"), list, func(a, b control.Reading, s float64) float64 { return float64(b.URLs-a.URLs) / s }, perSecond),
		newChart(l, l.Text("Received per second"), list, func(a, b control.Reading, s float64) float64 { return float64(b.Bytes-a.Bytes) / s }, func(v float64) string { return l.Bytes(int64(v)) + " / s" }),
		newChart(l, l.Text("Waiting in the queue"), list, func(_, b control.Reading, _ float64) float64 { return float64(b.Queued) }, func(v float64) string { return l.Number(int64(v)) }),
	}
	return append(charts, relevanceCharts(l, list)...)
}

// relevanceCharts are those of pages that were judged; none where none were.
func relevanceCharts(l *message.Language, list []control.Reading) []chart {
	if len(list) == 0 || list[len(list)-1].Judged == 0 {
		return nil
	}
	judged := list[:1:1] // the stretches in which pages were judged: of others nothing can be said
	for _, r := range list[1:] {
		if r.Judged > judged[len(judged)-1].Judged {
			judged = append(judged, r)
		}
	}
	share := func(of func(control.Reading) float64) func(a, b control.Reading, _ float64) float64 {
		return func(a, b control.Reading, _ float64) float64 { return (of(b) - of(a)) / float64(b.Judged-a.Judged) }
	}
	inPercent := func(v float64) string { return l.Decimal(100*v, 1) + " %" }
	return []chart{
		newChart(l, l.Text("Relevant pages (harvest)"), judged, share(func(r control.Reading) float64 { return float64(r.Relevant) }), inPercent),
		newChart(l, l.Text("Pages with a keyword"), judged, share(func(r control.Reading) float64 { return float64(r.Keyword) }), inPercent),
		newChart(l, l.Text("Mean similarity"), judged, share(func(r control.Reading) float64 { return r.Similarity }), func(v float64) string { return l.Decimal(v, 3) }),
	}
}

func trimmed(l *message.Language, v float64) string {
	if v >= 10 || v == 0 {
		return l.Decimal(v, 0)
	}
	return l.Decimal(v, 1)
}

func newChart(l *message.Language, name string, list []control.Reading, value func(a, b control.Reading, seconds float64) float64, text func(float64) string) chart {
	c := chart{Name: name, Now: l.Text("unknown")}
	most := 0.0
	for i := 1; i < len(list); i++ {
		s := list[i].At.Sub(list[i-1].At).Seconds()
		if s <= 0 {
			continue // the clock was set back
		}
		v := max(0, value(list[i-1], list[i], s))
		c.Points = append(c.Points, chartPoint{list[i].At, v, text(v)})
		most = max(most, v)
	}
	if n := len(c.Points); n > 0 {
		c.Now, c.Most, c.From = c.Points[n-1].Text, text(most), list[0].At
		c.Path = c.draw(list[0].At, most)
		c.Axis = axisIn(l)
		c.Axis.From, c.Axis.To = list[0].At.UTC(), c.Points[n-1].At.UTC()
	}
	return c
}

// draw writes the line of the chart; only numbers go into it.
func (c *chart) draw(from time.Time, most float64) template.HTML {
	span := c.Points[len(c.Points)-1].At.Sub(from).Seconds()
	if span <= 0 {
		return ""
	}
	var line, area strings.Builder
	area.WriteString("M0 60")
	for i, p := range c.Points {
		x, y := 300*p.At.Sub(from).Seconds()/span, 58.0
		if most > 0 {
			y = 58 - 54*p.Value/most
		}
		word := "L"
		if i == 0 {
			fmt.Fprintf(&line, "M0 %.1f", y)
			fmt.Fprintf(&area, "L0 %.1f", y)
		}
		fmt.Fprintf(&line, "%s%.1f %.1f", word, x, y)
		fmt.Fprintf(&area, "%s%.1f %.1f", word, x, y)
	}
	area.WriteString("L300 60Z")
	return template.HTML(`<path class="area" d="` + area.String() + `"/><path class="line" d="` + line.String() + `"/>`)
}

// hundredfold gives a share in percent; templates have it as a number or as a pointer to one.
func hundredfold(v any) float64 {
	switch x := v.(type) {
	case float64:
		return 100 * x
	case *float64:
		return 100 * *x
	}
	return 0
}
