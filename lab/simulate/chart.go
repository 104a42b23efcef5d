package simulate

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// Chart is a line chart. Where Labels are given, x counts them and lines become points.
type Chart struct {
	Title, XLabel, YLabel string
	LogX                  bool
	Labels                []string
	Lines                 []Line
}

// Line is one line of a chart.
type Line struct {
	Name string
	X, Y []float64
}

// The looks of lines, in order: colours of the interface, and with each a dash and a mark, so that
// no line is told by its colour alone.
var looks = []struct{ colour, dash, mark string }{
	{"#0f5c63", "", "circle"},
	{"#1f2328", "2 3", "square"},
	{"#c8502b", "7 3", "triangle"},
	{"#d9a21b", "", "diamond"},
	{"#2a8c82", "4 2", "square"},
	{"#6b6f76", "8 2 2 2", "circle"},
	{"#c8502b", "2 2", "diamond"},
	{"#6b6f76", "3 3", "triangle"},
	{"#d9a21b", "6 2", "circle"},
	{"#1f2328", "", "triangle"},
	{"#2a8c82", "1 3", "diamond"},
	{"#0f5c63", "5 3", "square"},
	{"#c8502b", "", "circle"},
	{"#0f5c63", "1 2", "triangle"},
	{"#d9a21b", "3 2", "square"},
	{"#1f2328", "9 3", "diamond"},
}

// The measures of a chart in pixels.
const (
	chartWidth, chartHeight = 960, 560
	plotLeft, plotRight     = 70, 720
	plotTop, plotBottom     = 50, 500
)

// frame maps figures to places.
type frame struct {
	x0, x1, y0, y1 float64
	log            bool
}

func (f frame) x(v float64) float64 {
	if f.log {
		v = math.Log10(v)
	}
	return plotLeft + (v-f.x0)/(f.x1-f.x0)*(plotRight-plotLeft)
}

func (f frame) y(v float64) float64 {
	return plotBottom - (v-f.y0)/(f.y1-f.y0)*(plotBottom-plotTop)
}

// SVG writes the chart.
func (c Chart) SVG(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="system-ui, sans-serif" font-size="13">`+"\n", chartWidth, chartHeight)
	fmt.Fprintf(&b, `<title>%s</title><rect width="%d" height="%d" fill="#faf8f4"/>`+"\n", html.EscapeString(c.Title), chartWidth, chartHeight)
	fmt.Fprintf(&b, `<text x="%d" y="28" font-size="17" fill="#1f2328">%s</text>`+"\n", plotLeft, html.EscapeString(c.Title))
	f := c.frame()
	c.axes(&b, f)
	for i, l := range c.Lines {
		c.line(&b, f, i, l)
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// frame finds the range of the figures.
func (c Chart) frame() frame {
	f := frame{x0: math.Inf(1), x1: math.Inf(-1), y0: 0, y1: math.Inf(-1), log: c.LogX}
	for _, l := range c.Lines {
		for i, y := range l.Y {
			x := l.X[i]
			if c.LogX {
				x = math.Log10(x)
			}
			f.x0, f.x1 = min(f.x0, x), max(f.x1, x)
			f.y1 = max(f.y1, y)
		}
	}
	if len(c.Labels) > 0 {
		f.x0, f.x1 = -0.5, float64(len(c.Labels))-0.5
	}
	if !(f.x1 > f.x0) {
		f.x0, f.x1 = 0, 1
	}
	if !(f.y1 > 0) {
		f.y1 = 1
	}
	step := niceStep(f.y1)
	f.y1 = math.Ceil(f.y1/step-1e-9) * step
	return f
}

// niceStep is the distance of grid lines for a range from 0 to top: 1, 2 or 5 times a power of 10.
func niceStep(top float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(top/4)))
	for _, k := range []float64{1, 2, 5} {
		if top/(k*p) <= 6 {
			return k * p
		}
	}
	return 10 * p
}

// axes draws grid and labels.
func (c Chart) axes(b *strings.Builder, f frame) {
	step := niceStep(f.y1)
	for k := 0; float64(k)*step <= f.y1*(1+1e-9); k++ {
		y := float64(k) * step
		fmt.Fprintf(b, `<path d="M%d %.1fH%d" stroke="#e4dfd5"/><text x="%d" y="%.1f" text-anchor="end" fill="#6b6f76">%.4g</text>`+"\n", plotLeft, f.y(y), plotRight, plotLeft-8, f.y(y)+4, y)
	}
	tick := func(x float64, label string) {
		fmt.Fprintf(b, `<path d="M%.1f %dv5" stroke="#6b6f76"/><text x="%.1f" y="%d" text-anchor="middle" fill="#6b6f76">%s</text>`+"\n", f.x(x), plotBottom, f.x(x), plotBottom+20, html.EscapeString(label))
	}
	for i, l := range c.Labels {
		tick(float64(i), l)
	}
	if len(c.Labels) == 0 {
		for _, x := range c.ticks(f) {
			tick(x, fmt.Sprintf("%.4g", x))
		}
	}
	fmt.Fprintf(b, `<path d="M%d %dH%d" stroke="#6b6f76"/>`+"\n", plotLeft, plotBottom, plotRight)
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle" fill="#1f2328">%s</text>`+"\n", (plotLeft+plotRight)/2, plotBottom+44, html.EscapeString(c.XLabel))
	fmt.Fprintf(b, `<text transform="translate(20 %d) rotate(-90)" text-anchor="middle" fill="#1f2328">%s</text>`+"\n", (plotTop+plotBottom)/2, html.EscapeString(c.YLabel))
}

// ticks are the places of labels on the x axis.
func (c Chart) ticks(f frame) []float64 {
	var out []float64
	if c.LogX {
		for e := math.Ceil(f.x0 - 1e-9); e <= f.x1+1e-9; e++ {
			out = append(out, math.Pow(10, e))
		}
		return out
	}
	step := niceStep(f.x1 - f.x0)
	for x := math.Ceil(f.x0/step) * step; x <= f.x1*(1+1e-9); x += step {
		out = append(out, x)
	}
	return out
}

// line draws one line with its marks and its entry in the legend.
func (c Chart) line(b *strings.Builder, f frame, i int, l Line) {
	look := looks[i%len(looks)]
	style := fmt.Sprintf(`fill="none" stroke="%s" stroke-width="2" stroke-dasharray="%s"`, look.colour, look.dash)
	if len(c.Labels) == 0 {
		var d strings.Builder
		for k := range l.Y {
			fmt.Fprintf(&d, "%s%.1f %.1f", []string{"L", "M"}[btoi(k == 0)], f.x(l.X[k]), f.y(l.Y[k]))
		}
		fmt.Fprintf(b, `<path d="%s" %s/>`+"\n", d.String(), style)
	}
	for k := range l.Y {
		x := f.x(l.X[k])
		if len(c.Labels) > 0 { // side by side within a label
			x += (float64(i) - float64(len(c.Lines)-1)/2) * 0.8 * (plotRight - plotLeft) / float64(len(c.Labels)*len(c.Lines))
		}
		fmt.Fprintf(b, `<path d="%s" fill="%s"/>`+"\n", mark(look.mark, x, f.y(l.Y[k])), look.colour)
	}
	y := float64(plotTop + 10 + 24*i)
	if len(c.Labels) == 0 {
		fmt.Fprintf(b, `<path d="M%d %.1fh34" %s/>`, plotRight+20, y, style)
	}
	fmt.Fprintf(b, `<path d="%s" fill="%s"/><text x="%d" y="%.1f" fill="#1f2328">%s</text>`+"\n",
		mark(look.mark, plotRight+37, y), look.colour, plotRight+62, y+4, html.EscapeString(l.Name))
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// mark is the path of a mark.
func mark(kind string, x, y float64) string {
	switch kind {
	case "square":
		return fmt.Sprintf("M%.1f %.1fh7v7h-7z", x-3.5, y-3.5)
	case "triangle":
		return fmt.Sprintf("M%.1f %.1fl4.5 8h-9z", x, y-5)
	case "diamond":
		return fmt.Sprintf("M%.1f %.1fl5 5l-5 5l-5 -5z", x, y-5)
	}
	return fmt.Sprintf("M%.1f %.1fa4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", x-4, y)
}
