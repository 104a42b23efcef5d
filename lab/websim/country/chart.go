package country

import (
	"fmt"
	"html"
	"strings"
	"time"
)

func xmlText(s string) string { return html.EscapeString(s) }

// chart draws the shares of the parties month by month until an instant.
func chart(until time.Time) []byte {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 260" width="640" height="260" font-family="sans-serif" font-size="12"><rect width="640" height="260" fill="#fff"/>` + "\n")
	for y := 0; y <= 50; y += 10 {
		fmt.Fprintf(&b, `<line x1="40" x2="630" y1="%d" y2="%[1]d" stroke="#ddd"/><text x="8" y="%d">%d %%</text>`+"\n", 230-4*y, 234-4*y, y)
	}
	lines := []struct {
		name, colour string
		of           func(Opinion) float64
	}{
		{"Calder", "#0b6e99", func(o Opinion) float64 { return o.Calder }},
		{"Wren", "#c46210", func(o Opinion) float64 { return o.Wren }},
		{"Okafor", "#2e7d32", func(o Opinion) float64 { return o.Okafor }},
	}
	for i, l := range lines {
		fmt.Fprintf(&b, `<text x="%d" y="252" fill="%s">%s</text><polyline fill="none" stroke="%[2]s" stroke-width="2" points="`, 60+90*i, l.colour, l.name)
		for k, t := range months28() {
			if t.After(until) {
				break
			}
			fmt.Fprintf(&b, "%d,%.0f ", 45+14*k, 230-4*l.of(OpinionAt(t)))
		}
		b.WriteString("\"/>\n")
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}
