package strip

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"
)

// Band is one layer of a strip.
type Band struct {
	From time.Time // when it began
	Seen time.Time // until then it was surely there; zero: until its end
	To   time.Time // when it ended at the latest; zero: at From or Seen

	Weight float64 // its height, compared with the others of its strip; 0: as high as the strip
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

// Strip is a row of bands on an axis: the layers of something that has a history.
type Strip struct {
	Axis   Axis // the zero Axis is that of its own bands
	Bands  []Band
	Height int    // pixels
	Label  string // for those who do not see it
	Bare   bool   // without labels of time: another strip of the same axis has them

	// Several is the title of so many bands that are drawn as one, with the time they span.
	Several func(n int, from, to time.Time) string
}

// mostBands is how many bands can be told apart and pointed at.
const mostBands = 240

const (
	least     = 100. / mostBands // width of a band, in percent
	leastPart = 1.6              // pixels of a share that is not nothing
	lowest    = 0.22             // of the height: what is there is seen
)

func (b *Band) end() time.Time {
	to := b.From
	for _, t := range []time.Time{b.Seen, b.To} {
		if t.After(to) {
			to = t
		}
	}
	return to
}

// Fold returns the bands in order of time, those that begin too close to each other to be pointed at as one: it leads where
// the first of them leads, and its parts are theirs by weight.
func (s Strip) Fold() []Band {
	axis := s.axis()
	sorted := slices.SortedStableFunc(slices.Values(s.Bands), func(a, b Band) int { return a.From.Compare(b.From) })
	sorted = slices.DeleteFunc(sorted, func(b Band) bool { return b.From.IsZero() }) // nobody knows when
	var out []Band
	for i := 0; i < len(sorted); {
		n := i + 1
		for n < len(sorted) && axis.left(sorted[n])-axis.left(sorted[i]) < least {
			n++
		}
		out = append(out, s.together(sorted[i:n]))
		i = n
	}
	return out
}

// left is the left edge of a band: the last one has room.
func (a Axis) left(b Band) float64 { return min(a.At(b.From), 100-least) }

// together makes one band of some that follow each other.
func (s Strip) together(list []Band) Band {
	if len(list) == 1 {
		return list[0]
	}
	first, last := list[0], list[len(list)-1]
	one := Band{From: first.From, Seen: last.Seen, To: last.To, Href: first.Href}
	shares := map[string]float64{}
	var order []string
	var all float64
	for _, b := range list {
		w := cmp.Or(b.Weight, 1)
		all += w
		one.Weight += b.Weight
		if b.Here {
			one.Here, one.Href = true, b.Href
		}
		for _, p := range b.Parts {
			if _, ok := shares[p.Class]; !ok {
				order = append(order, p.Class)
			}
			shares[p.Class] += p.Share * w
		}
	}
	for _, class := range order {
		one.Parts = append(one.Parts, Part{class, shares[class] / all})
	}
	if s.Several != nil {
		one.Title = s.Several(len(list), first.From, last.end())
	}
	return one
}

func (s Strip) axis() Axis {
	if s.Axis.Empty() {
		a := Over(s.Bands)
		a.Dates = s.Axis.Dates
		return a
	}
	return s.Axis
}

// Draw returns the strip as SVG with its axis below it. A strip without bands is nothing.
func (s Strip) Draw() template.HTML {
	axis, bands := s.axis(), s.Fold()
	if len(bands) == 0 {
		return ""
	}
	var heaviest float64
	for _, b := range bands {
		heaviest = max(heaviest, b.Weight)
	}
	var out strings.Builder
	begin(&out, s.Label, s.Height)
	for i, b := range bands {
		room := 100.0
		if i+1 < len(bands) {
			room = axis.left(bands[i+1])
		}
		p := place{x: axis.left(b), h: float64(s.Height)}
		p.w = min(max(axis.At(b.end())-p.x, least), max(room-p.x, least))
		p.w -= min(0.15, 0.12*p.w) // neighbours can be told apart
		p.seen = p.w
		if !b.Seen.IsZero() {
			p.seen = min(p.w, max(axis.At(b.Seen)-p.x, least*0.88))
		}
		if b.Weight > 0 {
			p.h *= max(lowest, b.Weight/heaviest)
		}
		p.top = float64(s.Height) - p.h
		drawBand(&out, b, p, s.Height)
	}
	out.WriteString("</svg>")
	if !s.Bare {
		out.WriteString(string(axis.Draw()))
	}
	return template.HTML(out.String())
}

// place is where a band stands: left edge, width, and width of what was surely there in percent; top and height in pixels.
type place struct{ x, w, seen, top, h float64 }

func drawBand(out *strings.Builder, b Band, p place, height int) {
	if b.Href != "" {
		class := ""
		if b.Here {
			class = ` class="here" aria-current="true"`
		}
		fmt.Fprintf(out, `<a href="%s"%s>`, template.HTMLEscapeString(b.Href), class)
	} else {
		out.WriteString("<g>")
	}
	fmt.Fprintf(out, "<title>%s</title>", template.HTMLEscapeString(b.Title))
	if p.seen < p.w {
		out.WriteString(`<g class="pale">`)
		drawParts(out, b.Parts, p.x+p.seen, p.w-p.seen, p.top, p.h)
		out.WriteString("</g>")
	}
	drawParts(out, b.Parts, p.x, p.seen, p.top, p.h)
	fmt.Fprintf(out, `<rect class="band" x="%.2f%%" y="0" width="%.2f%%" height="%d" fill="transparent"/>`, p.x, p.w, height)
	if b.Here {
		fmt.Fprintf(out, `<line class="hair" x1="%.2f%%" x2="%.2f%%" y1="0" y2="%d"/>`, p.x, p.x, height)
	}
	if b.Href != "" {
		out.WriteString("</a>")
	} else {
		out.WriteString("</g>")
	}
}

// Bar is shares side by side: not what happened one after the other, but what something is made of.
type Bar struct {
	Parts  []Part
	Height int
	Label  string
}

// Draw returns the bar as SVG.
func (b Bar) Draw() template.HTML {
	var out strings.Builder
	begin(&out, b.Label, b.Height)
	var all, x float64
	for _, p := range b.Parts {
		if p.Share > 0 {
			all += max(p.Share, 0.006)
		}
	}
	for _, p := range b.Parts {
		if p.Share <= 0 {
			continue
		}
		w := 100 * max(p.Share, 0.006) / all
		fmt.Fprintf(&out, "<g><title>%s: %s %.1f %%</title>", template.HTMLEscapeString(b.Label), template.HTMLEscapeString(p.Class), 100*p.Share)
		drawParts(&out, []Part{{p.Class, 1}}, x, max(w-0.15, 0.1), 0, float64(b.Height))
		out.WriteString("</g>")
		x += w
	}
	out.WriteString("</svg>")
	return template.HTML(out.String())
}

// Cell is one band over the whole width.
type Cell struct {
	Band
	Height int
	Label  string
}

// Draw returns the cell as SVG.
func (c Cell) Draw() template.HTML {
	var out strings.Builder
	begin(&out, c.Label, c.Height)
	drawBand(&out, c.Band, place{w: 100, seen: 100, h: float64(c.Height)}, c.Height)
	out.WriteString("</svg>")
	return template.HTML(out.String())
}

func begin(out *strings.Builder, label string, height int) {
	fmt.Fprintf(out, `<svg class="strip" role="group" aria-label="%s" width="100%%" height="%d">`, template.HTMLEscapeString(label), height)
}

// drawParts stacks the parts from the bottom; small ones take what they need to be seen from the largest. Left edge and
// width are percent, top and height pixels.
func drawParts(out *strings.Builder, parts []Part, x, w, top, h float64) {
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
	y := top + h
	for i, p := range parts {
		if heights[i] <= 0 {
			continue
		}
		y -= heights[i]
		fmt.Fprintf(out, `<rect class="%s" x="%.2f%%" y="%.1f" width="%.2f%%" height="%.1f"/>`, template.HTMLEscapeString(p.Class), x, y, w, heights[i])
		if p.Class == "unknown" {
			// What is not proven is hatched, so that colour is never the only sign.
			fmt.Fprintf(out, `<rect x="%.2f%%" y="%.1f" width="%.2f%%" height="%.1f" fill="url(#hatch)"/>`, x, y, w, heights[i])
		}
	}
}
