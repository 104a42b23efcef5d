package message

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Int returns a whole number of any type as templates have them; 0 for what is none.
func Int(n any) int64 {
	switch v := n.(type) {
	case int:
		return int64(v)
	case int64:
		return v
	case int32:
		return int64(v)
	}
	return 0
}

// Number returns a whole number with its digits grouped.
func (l *Language) Number(n any) string {
	s := strconv.FormatInt(Int(n), 10)
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + l.Numbers.Group + s[i:]
	}
	return sign + s
}

// Decimal returns a number with so many places after its point.
func (l *Language) Decimal(v float64, places int) string {
	return strings.Replace(strconv.FormatFloat(v, 'f', places, 64), ".", l.Numbers.Decimal, 1)
}

// Percent returns a share; of nothing it is unknown. A part that is not all is never 100 %.
func (l *Language) Percent(part, whole int64) string {
	if whole == 0 {
		return l.Text("unknown")
	}
	p := 100 * float64(part) / float64(whole)
	if p > 99.9 && part < whole {
		p = 99.9
	}
	return l.Decimal(math.Round(p*10)/10, 1) + " %"
}

// Bytes returns a size by its largest unit.
func (l *Language) Bytes(n int64) string {
	units := []string{"B", "KB", "MB", "GB", "TB", "PB"}
	v, i := float64(n), 0
	for v >= 1000 && i < len(units)-1 {
		v /= 1000
		i++
	}
	if i == 0 || v >= 100 {
		return l.Decimal(v, 0) + " " + units[i]
	}
	return l.Decimal(v, 1) + " " + units[i]
}

// Day returns a date.
func (l *Language) Day(t time.Time) string { return l.at(t, l.Dates.Day) }

// Stamp returns a date with its time, UTC.
func (l *Language) Stamp(t time.Time) string { return l.at(t, l.Dates.Stamp) }

// Month returns a month of a year in digits.
func (l *Language) Month(t time.Time) string { return l.at(t, l.Dates.Month) }

func (l *Language) at(t time.Time, layout string) string {
	if t.IsZero() {
		return l.Text("unknown")
	}
	return t.UTC().Format(layout)
}

// MonthName returns a month of a year in words.
func (l *Language) MonthName(t time.Time) string {
	return l.Dates.Months[t.UTC().Month()-1] + t.UTC().Format(" 2006")
}

// Near returns a day of a month without its year, short.
func (l *Language) Near(t time.Time) string {
	return strings.Replace(t.UTC().Format(l.Dates.Near), "{0}", string([]rune(l.Dates.Months[t.UTC().Month()-1])[:3]), 1)
}

// Spelled returns a date in words.
func (l *Language) Spelled(t time.Time) string {
	return strings.Replace(t.UTC().Format(l.Dates.Spelled), "{0}", l.Dates.Months[t.UTC().Month()-1], 1)
}

// Duration returns a length of time by its largest unit.
func (l *Language) Duration(d time.Duration) string { return l.duration(d, "") }

// duration writes a length of time with its noun as it stands by itself, or as it stands after or before words (in many
// languages another case).
func (l *Language) duration(d time.Duration, as string) string {
	whole := func(unit time.Duration) int { return int(math.Round(float64(d) / float64(unit))) }
	const day = 24 * time.Hour
	switch {
	case d < 0:
		return "-" + l.duration(-d, as)
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < time.Hour:
		return l.Text("{0} min", whole(time.Minute))
	case d < 2*day:
		return l.Text("{0} h", whole(time.Hour))
	case d < 60*day:
		return l.Count(whole(day), as+"day")
	case d < 730*day:
		return l.Count(int(math.Round(d.Hours()/24/30.44)), as+"month")
	}
	return l.Count(int(math.Round(d.Hours()/24/365.25)), as+"year")
}

// Ago tells how long before or after now an instant is; nothing of one that is not known.
func (l *Language) Ago(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	d := now.Sub(t)
	switch {
	case d > -2*time.Second && d < 2*time.Second:
		return l.Text("now")
	case d < 0:
		return l.Text("in {0}", l.duration(-d, "[ago]|"))
	}
	return l.Text("{0} ago", l.duration(d, "[ago]|"))
}

// Due tells when something planned happens; what should have happened is due.
func (l *Language) Due(t, now time.Time) string {
	if !t.After(now) {
		return l.Text("due")
	}
	return l.Ago(t, now)
}
