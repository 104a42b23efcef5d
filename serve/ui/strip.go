package ui

import (
	"fmt"
	"html/template"
	"strings"

	"varve/serve/holdings"
)

// Band is one layer of a strip.
type Band struct {
	Weight float64 // its width, compared with the others
	Href   string
	Title  string // told by hover and focus
	Here   bool   // it is what the page shows
	Parts  []Part // from the bottom up
}

// Part is a share of a band with one meaning.
type Part struct {
	Class string // coherent, content, links, missing, unknown, plain-a, plain-b
	Share float64
}

// Strip is a row of bands: the layers of something that has a history.
type Strip struct {
	Bands  []Band
	Height int
	Label  string // for those who do not see it
	Exact  bool   // widths are shares: hardly anything is widened to be pointed at
}

const (
	stripWidth = 1000 // in units of its own; it is stretched to the width of its place
	maxBands   = 240
	leastPart  = 1.6 // a share that is not nothing is seen
)

// drawStrip draws a strip as SVG. Everything in it is escaped here.
func drawStrip(s Strip) template.HTML {
	bands := s.Bands
	if len(bands) > maxBands {
		bands = bands[len(bands)-maxBands:]
	}
	var total float64
	for _, b := range bands {
		total += max(b.Weight, 0)
	}
	if total == 0 {
		return ""
	}
	// No band gets so narrow that it cannot be pointed at.
	least := total / float64(len(bands)) * 0.35
	if s.Exact {
		least = total * 0.006
	}
	total = 0
	for _, b := range bands {
		total += max(b.Weight, least)
	}
	var out strings.Builder
	fmt.Fprintf(&out, `<svg class="strip" role="group" aria-label="%s" height="%d" viewBox="0 0 %d %d" preserveAspectRatio="none">`,
		template.HTMLEscapeString(s.Label), s.Height, stripWidth, s.Height)
	x, gap := 0.0, min(1.6, stripWidth/float64(len(bands))*0.12)
	for _, b := range bands {
		w := max(b.Weight, least) / total * stripWidth
		drawBand(&out, b, x, max(w-gap, 0.5), float64(s.Height))
		x += w
	}
	out.WriteString("</svg>")
	return template.HTML(out.String())
}

func drawBand(out *strings.Builder, b Band, x, w, h float64) {
	if b.Href != "" {
		class := ""
		if b.Here {
			class = ` class="here"`
		}
		fmt.Fprintf(out, `<a href="%s"%s>`, template.HTMLEscapeString(b.Href), class)
	} else {
		out.WriteString("<g>")
	}
	fmt.Fprintf(out, "<title>%s</title>", template.HTMLEscapeString(b.Title))
	drawParts(out, b.Parts, x, w, h)
	fmt.Fprintf(out, `<rect class="band" x="%.1f" y="0" width="%.1f" height="%.0f" fill="transparent"/>`, x, w, h)
	if b.Href != "" {
		out.WriteString("</a>")
	} else {
		out.WriteString("</g>")
	}
}

// drawParts stacks the parts from the bottom; small ones take what they need to be seen from the largest.
func drawParts(out *strings.Builder, parts []Part, x, w, h float64) {
	heights, largest, used := make([]float64, len(parts)), 0, 0.0
	for i, p := range parts {
		if p.Share > 0 {
			heights[i] = max(p.Share*h, leastPart)
		}
		used += heights[i]
		if heights[i] > heights[largest] {
			largest = i
		}
	}
	if len(parts) > 0 {
		heights[largest] += h - used
	}
	y := h
	for i, p := range parts {
		if heights[i] <= 0 {
			continue
		}
		y -= heights[i]
		fmt.Fprintf(out, `<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, p.Class, x, y, w, heights[i])
		if p.Class == "unknown" {
			hatch(out, x, y, w, heights[i])
		}
	}
}

// hatch marks what is not proven, so that colour is never the only sign.
func hatch(out *strings.Builder, x, y, w, h float64) {
	fmt.Fprintf(out, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="url(#hatch)"/>`, x, y, w, h)
}

// meanings are the colours in the order of the legend.
var meanings = []struct{ class, label string }{
	{"coherent", "coherent"}, {"content", "content changed"}, {"links", "links changed"}, {"missing", "missing"}, {"unknown", "not proven"},
}

// drawLegend tells what the colours mean.
func drawLegend() template.HTML {
	var out strings.Builder
	out.WriteString(`<ul class="legend">`)
	for _, m := range meanings {
		fmt.Fprintf(&out, "<li>%s%s</li>", drawSwatch(m.class), m.label)
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
func tallyParts(t *holdings.Tally) []Part {
	if t == nil || t.Total() == 0 {
		return []Part{{"unknown", 1}}
	}
	n := float64(t.Total())
	return []Part{
		{"coherent", float64(t.Coherent) / n},
		{"unknown", float64(t.Unknown) / n},
		{"content", float64(t.Content) / n},
		{"links", float64(t.Links) / n},
		{"missing", float64(t.Missing) / n},
	}
}

// crawlStrip is the history of a collection: one band per crawl, width = pages.
func crawlStrip(c *holdings.Collection, height int, here string) Strip {
	s := Strip{Height: height, Label: "Crawls of " + c.Title}
	for _, k := range c.Crawls {
		if k.Pages == 0 && k.State != holdings.Live && k.ID != here {
			continue // it laid down nothing
		}
		s.Bands = append(s.Bands, Band{
			Weight: float64(max(k.Pages, 1)), Href: crawlPath(k), Here: k.ID == here,
			Title: fmt.Sprintf("%s · %s · %s", stamp(k.Started), count(k.Pages, "page"), verdictLine(k)), Parts: tallyParts(k.Coherence),
		})
	}
	return s
}

// verdictLine tells in words how well a crawl hangs together.
func verdictLine(k *holdings.Crawl) string {
	if k.Coherence == nil || k.Coherence.Total() == 0 {
		return "coherence not measured"
	}
	return fmt.Sprintf("%s coherent (%s of %s addresses)", percent(k.Coherence.Coherent, k.Coherence.Total()), number(k.Coherence.Coherent), number(k.Coherence.Total()))
}
