package ui

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/strip"
)

// meanings are the colours in the order of the legend.
var meanings = []struct{ class, label string }{
	{"coherent", "coherent"}, {"content", "content changed"}, {"links", "links changed"}, {"missing", "missing"}, {"unknown", "not proven"},
}

// drawLegend tells what the colours mean.
func drawLegend(l *message.Language) template.HTML {
	var out strings.Builder
	out.WriteString(`<ul class="legend">`)
	for _, m := range meanings {
		fmt.Fprintf(&out, "<li>%s%s</li>", drawSwatch(m.class), template.HTMLEscapeString(l.Word(m.label)))
	}
	out.WriteString("</ul>")
	return template.HTML(out.String())
}

func drawSwatch(class string) template.HTML {
	over := ""
	if class == "unknown" {
		over = `<rect width="11" height="11" fill="url(#hatch)"/>`
	}
	return template.HTML(fmt.Sprintf(`<svg viewBox="0 0 11 11" aria-hidden="true"><rect class="%s" width="11" height="11"/>%s</svg>`, template.HTMLEscapeString(class), over))
}

// tallyParts are the parts of a crawl's band: all of it is not proven as long as nothing was measured.
func tallyParts(t *holdings.Tally) []strip.Part {
	if t == nil || t.Total() == 0 {
		return []strip.Part{{Class: "unknown", Share: 1}}
	}
	n := float64(t.Total())
	return []strip.Part{
		{Class: "coherent", Share: float64(t.Coherent) / n},
		{Class: "unknown", Share: float64(t.Unknown) / n},
		{Class: "content", Share: float64(t.Content) / n},
		{Class: "links", Share: float64(t.Links) / n},
		{Class: "missing", Share: float64(t.Missing) / n},
	}
}

// axisIn is an axis without a time yet, whose dates are written as a language does.
func axisIn(l *message.Language) strip.Axis {
	return strip.Axis{Dates: strip.Dates{Month: l.Dates.Month, Day: l.Dates.Day, Clock: l.Dates.Clock}}
}

// crawlStrip is the history of a collection: one band per crawl, from its begin until the next, height = pages. A crawl that
// was left out is a gap.
func crawlStrip(l *message.Language, c *holdings.Collection, height int, here string) strip.Strip {
	s := strip.Strip{Axis: axisIn(l), Height: height, Label: l.Text("Crawls of {0}", c.Title)}
	s.Several = func(n int, from, to time.Time) string {
		return l.Count(n, "crawl") + " · " + l.Text("{0} to {1}", l.Day(from), l.Day(to))
	}
	for _, k := range c.Crawls {
		if k.Started.IsZero() || k.Pages == 0 && k.State != holdings.Live && k.ID != here {
			continue // it laid down nothing
		}
		s.Bands = append(s.Bands, strip.Band{
			From: k.Started, To: k.Ended, Weight: float64(max(k.Pages, 1)), Href: crawlPath(k), Here: k.ID == here,
			Title: l.Stamp(k.Started) + " · " + l.Count(k.Pages, "page") + " · " + verdictLine(l, k), Parts: tallyParts(k.Coherence),
		})
	}
	s.Bands = inRhythm(s.Bands)
	return s
}

// inRhythm lets each band last until the next begins, but no longer than half more than they usually do.
func inRhythm(bands []strip.Band) []strip.Band {
	slices.SortStableFunc(bands, func(a, b strip.Band) int { return a.From.Compare(b.From) })
	var gaps []time.Duration
	for i := 1; i < len(bands); i++ {
		gaps = append(gaps, bands[i].From.Sub(bands[i-1].From))
	}
	if len(gaps) == 0 {
		return bands
	}
	slices.Sort(gaps)
	usual := gaps[len(gaps)/2]
	for i := range bands {
		b := &bands[i]
		until := usual
		if i+1 < len(bands) {
			if until = bands[i+1].From.Sub(b.From); until > usual*3/2 {
				until = usual
			}
		}
		b.To = later(b.To, b.From.Add(until))
	}
	return bands
}

// versionStrip is the history of a page: one band per version, from its first capture until the first of the next one, pale
// where it was not seen any more.
func versionStrip(l *message.Language, target string, height int, bands []strip.Band) strip.Strip {
	for i := range bands {
		b := &bands[i]
		if i+1 < len(bands) {
			b.To = bands[i+1].From
		}
		if b.Parts == nil {
			b.Parts = []strip.Part{{Class: []string{"plain-a", "plain-b"}[i%2], Share: 1}}
		}
	}
	return strip.Strip{Axis: axisIn(l), Height: height, Label: l.Text("Versions of {0}", target), Bands: bands, Several: func(n int, from, to time.Time) string {
		return l.Count(n, "version") + " · " + l.Text("{0} to {1}", l.Day(from), l.Day(to))
	}}
}

// verdictLine tells in words how well a crawl hangs together.
func verdictLine(l *message.Language, k *holdings.Crawl) string {
	if k.Coherence == nil || k.Coherence.Total() == 0 {
		return l.Text("coherence not measured")
	}
	return l.Text("{0} coherent ({1} of {2} addresses)", l.Percent(k.Coherence.Coherent, k.Coherence.Total()), k.Coherence.Coherent, k.Coherence.Total())
}
