package ui

import (
	"fmt"
	"html/template"
	"math"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"varve/archive/cdxj"
)

// mostOptions is how many collections a form lists: of more, the name is typed.
const mostOptions = 500

// funcs are what templates may call.
func (u *UI) funcs() template.FuncMap {
	now := func() time.Time { return u.cfg.Now() }
	return template.FuncMap{
		"asset":  func(name string) (string, error) { return u.assets.href(name) },
		"figure": figure, "feature": featureWords,
		"many": func(list any) bool { return reflect.ValueOf(list).Len() > mostOptions },
		"num":  func(n any) string { return number(toInt(n)) }, "bytes": byteSize, "count": count, "pct": percent, "duration": duration,
		"day": day, "stamp": stamp, "clock": func(t time.Time) string { return t.UTC().Format("15:04:05") },
		"iso":   func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"ago":   func(t time.Time) string { return ago(t, now()) },
		"due":   func(t time.Time) string { return due(t, now()) },
		"strip": drawStrip, "legend": drawLegend, "swatch": drawSwatch,
		"query": query, "short": short, "replay": u.replayURL, "language": languageName,
		"month": func(t time.Time) string { return t.UTC().Format("2006-01") }, "less": func(a, b int64) int64 { return a - b },
		"share": func(a, b int64) float64 { return 100 * float64(a) / float64(max(b, 1)) }, "worstClass": worstClass, "pair": func(a, b any) struct{ A, B any } { return struct{ A, B any }{a, b} },
		"pct100": hundredfold, "add": func(a, b int) int { return a + b }, "prev": func(n int) int { return n - 1 }, "num32": func(n int32) string { return number(int64(n)) }, "times100": func(x float32) float64 { return 100 * float64(x) }, "ts": cdxj.Timestamp,
	}
}

// number writes a count with commas.
func number[T int | int64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// count writes a number with its noun.
func count(n any, noun string) string {
	v := toInt(n)
	if v == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "ss") {
		noun += "e"
	}
	if strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "day") {
		noun = strings.TrimSuffix(noun, "y") + "ie"
	}
	return number(v) + " " + noun + "s"
}

func toInt(n any) int64 {
	switch v := n.(type) {
	case int:
		return int64(v)
	case int64:
		return v
	}
	return 0
}

// percent writes a share; of nothing it is unknown.
func percent(part, whole int64) string {
	if whole == 0 {
		return "unknown"
	}
	p := 100 * float64(part) / float64(whole)
	if p > 99.9 && part < whole {
		p = 99.9
	}
	return strconv.FormatFloat(math.Round(p*10)/10, 'f', 1, 64) + " %"
}

func byteSize(n int64) string {
	units := []string{"B", "KB", "MB", "GB", "TB", "PB"}
	v, i := float64(n), 0
	for v >= 1000 && i < len(units)-1 {
		v /= 1000
		i++
	}
	if i == 0 || v >= 100 {
		return fmt.Sprintf("%.0f %s", v, units[i])
	}
	return fmt.Sprintf("%.1f %s", v, units[i])
}

func day(t time.Time) string {
	if t.IsZero() {
		return "unknown"
	}
	return t.UTC().Format(time.DateOnly)
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return "unknown"
	}
	return t.UTC().Format("2006-01-02 15:04:05")
}

// duration writes a length of time by its largest unit or two.
func duration(d time.Duration) string {
	switch {
	case d < 0:
		return "-" + duration(-d)
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(math.Round(d.Minutes())))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(math.Round(d.Hours())))
	case d < 60*24*time.Hour:
		return count(int(math.Round(d.Hours()/24)), "day")
	case d < 730*24*time.Hour:
		return count(int(math.Round(d.Hours()/24/30.44)), "month")
	}
	return count(int(math.Round(d.Hours()/24/365.25)), "year")
}

// ago tells how long before or after now an instant is.
func ago(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	d := now.Sub(t)
	switch {
	case d > -2*time.Second && d < 2*time.Second:
		return "now"
	case d < 0:
		return "in " + duration(-d)
	}
	return duration(d) + " ago"
}

// due tells when something planned happens; what should have happened is due.
func due(t, now time.Time) string {
	if !t.After(now) {
		return "due"
	}
	return ago(t, now)
}

// query builds the query part of an address from names and values; empty values are left out.
// It is safe in an address as it is: url.Values escapes everything.
func query(pairs ...any) (template.URL, error) {
	if len(pairs)%2 != 0 {
		return "", fmt.Errorf("query wants names and values")
	}
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		if v := fmt.Sprint(pairs[i+1]); v != "" {
			q.Set(fmt.Sprint(pairs[i]), v)
		}
	}
	return template.URL(q.Encode()), nil
}

// short cuts a text in its middle; both ends of an address tell something.
func short(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most*2/3]) + "…" + string(r[len(r)-most/3:])
}

func cmpText(a, b string) int { return strings.Compare(a, b) }

// figure writes a number to three places, or that it is not known.
func figure(v *float64) string {
	if v == nil {
		return "unknown"
	}
	return strconv.FormatFloat(*v, 'g', 3, 64)
}
