package strip

import (
	"fmt"
	"html/template"
	"strings"
	"time"
)

// Axis is a stretch of time that is drawn from left to right.
type Axis struct {
	From, To time.Time
	Dates    Dates // how its labels are written; the zero Dates are ISO 8601
}

// Dates are layouts of package time for labels.
type Dates struct{ Month, Day, Clock string }

var iso = Dates{Month: "2006-01", Day: time.DateOnly, Clock: "01-02 15:04"}

// Over returns the axis from the first begin to the last end of bands. One without bands is empty.
func Over(bands ...[]Band) Axis {
	var a Axis
	for _, list := range bands {
		for _, b := range list {
			if b.From.IsZero() {
				continue // nobody knows when
			}
			if a.From.IsZero() || b.From.Before(a.From) {
				a.From = b.From
			}
			for _, t := range []time.Time{b.From, b.Seen, b.To} {
				if t.After(a.To) {
					a.To = t
				}
			}
		}
	}
	if !a.From.IsZero() && !a.To.After(a.From) {
		a.To = a.From.Add(time.Minute) // an instant has no width
	}
	a.From, a.To = a.From.UTC(), a.To.UTC()
	return a
}

// Empty reports whether there is no time on the axis.
func (a Axis) Empty() bool { return !a.To.After(a.From) }

// At returns the place of an instant in percent of the width, between 0 and 100.
func (a Axis) At(t time.Time) float64 {
	if a.Empty() {
		return 0
	}
	return min(100, max(0, 100*t.Sub(a.From).Seconds()/a.To.Sub(a.From).Seconds()))
}

// Tick is a labelled place.
type Tick struct {
	X     float64 // percent of the width
	Label string
}

// step is a distance between ticks. Instants that have the same number of it are in one step.
type step struct {
	length  time.Duration // about
	years   int
	months  int
	days    int
	seconds int
}

// steps are all distances between ticks, the finest first.
func steps() (out []step) {
	for _, s := range []int{1, 5, 15, 60, 300, 900, 3600, 3 * 3600, 6 * 3600, 12 * 3600} {
		out = append(out, step{length: time.Duration(s) * time.Second, seconds: s})
	}
	for _, d := range []int{1, 2, 7} {
		out = append(out, step{length: time.Duration(d) * 24 * time.Hour, days: d})
	}
	for _, m := range []int{1, 3, 6} {
		out = append(out, step{length: time.Duration(m) * 28 * 24 * time.Hour, months: m})
	}
	for _, y := range []int{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000} {
		out = append(out, step{length: time.Duration(y) * 365 * 24 * time.Hour, years: y})
	}
	return out
}

// next returns the first begin of a step after an instant or at it.
func (s step) next(t time.Time) time.Time {
	var at time.Time
	switch {
	case s.years > 0:
		at = time.Date(t.Year()-mod(t.Year(), s.years), 1, 1, 0, 0, 0, 0, time.UTC)
	case s.months > 0:
		at = time.Date(t.Year(), t.Month()-time.Month((int(t.Month())-1)%s.months), 1, 0, 0, 0, 0, time.UTC)
	default:
		length := int64(max(s.seconds, s.days*24*3600))
		from := int64(0)
		if s.days == 7 {
			from = 4 * 24 * 3600 // 1970-01-05 was a Monday
		}
		at = time.Unix(t.Unix()-((t.Unix()-from)%length+length)%length, 0).UTC()
	}
	for at.Before(t) {
		at = s.after(at)
	}
	return at
}

func mod(a, b int) int { return (a%b + b) % b }

func (s step) after(t time.Time) time.Time {
	return t.AddDate(s.years, s.months, s.days).Add(time.Duration(s.seconds) * time.Second)
}

// Ticks returns at most so many labels at begins of years, months, days or hours: the finest of these that fit. Where none
// lies on the axis, its begin is labelled. The last one leaves room for itself.
func (a Axis) Ticks(most int) []Tick {
	if a.Empty() || most < 1 {
		return nil
	}
	span := a.To.Sub(a.From)
	for _, s := range steps() {
		if span/s.length > time.Duration(2*most) {
			continue // surely too many
		}
		var at []time.Time
		for t := s.next(a.From); t.Before(a.To) && len(at) <= most; t = s.after(t) {
			if a.At(t) <= 100-70/float64(most) {
				at = append(at, t)
			}
		}
		if len(at) == 0 {
			break
		}
		if len(at) <= most {
			return a.label(s, at, most)
		}
	}
	return []Tick{{0, a.From.Format(a.dates().Day)}}
}

func (a Axis) dates() Dates {
	if a.Dates == (Dates{}) {
		return iso
	}
	return a.Dates
}

// label writes ticks as exactly as their step is. Hours of one day have the day at the first of them.
func (a Axis) label(s step, at []time.Time, most int) (out []Tick) {
	d := a.dates()
	layout := d.Clock
	switch oneDay := a.To.Sub(a.From) <= 24*time.Hour; {
	case s.years > 0:
		layout = "2006"
	case s.months > 0:
		layout = d.Month
	case s.days > 0:
		layout = d.Day
	case oneDay && s.seconds < 60:
		layout = "15:04:05"
	case oneDay:
		layout = "15:04"
	}
	clock := strings.HasPrefix(layout, "15:")
	for i, t := range at {
		x, label := a.At(t), t.Format(layout)
		switch {
		case clock && i == 0:
			label = t.Format(d.Day + " " + layout)
		case clock && x-out[0].X < 150/float64(most):
			continue // the first label is a long one
		}
		out = append(out, Tick{x, label})
	}
	return out
}

// widths are the labels that are drawn, by how much room there is: the style sheet shows one of them.
var widths = []struct {
	class string
	most  int
}{{"few", 2}, {"some", 4}, {"many", 9}}

// Draw returns the labels of the axis. They stand below what they label and have its width.
func (a Axis) Draw() template.HTML {
	if a.Empty() {
		return ""
	}
	var out strings.Builder
	out.WriteString(`<div class="axis" aria-hidden="true">`)
	for _, w := range widths {
		fmt.Fprintf(&out, `<svg class="%s" width="100%%" height="17">`, w.class)
		for _, t := range a.Ticks(w.most) {
			fmt.Fprintf(&out, `<line x1="%.2f%%" x2="%.2f%%" y1="0" y2="5"/><text x="%.2f%%" dx="3" y="13">%s</text>`, t.X, t.X, t.X, template.HTMLEscapeString(t.Label))
		}
		out.WriteString("</svg>")
	}
	out.WriteString("</div>")
	return template.HTML(out.String())
}
