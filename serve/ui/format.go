package ui

import (
	"fmt"
	"html/template"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"varve/archive/cdxj"
	"varve/serve/message"
	"varve/serve/strip"
)

// mostOptions is how many collections a form lists: of more, the name is typed.
const mostOptions = 500

// funcs are what templates may call, in a language.
func (u *UI) funcs(l *message.Language) template.FuncMap {
	now := func() time.Time { return u.cfg.Now() }
	return template.FuncMap{
		"t": l.HTML, "script": l.Script, "word": func(v any) string { return l.Word(fmt.Sprint(v)) }, "lang": l.Tag, "num": l.Number, "dec": func(v any, places int) string { return l.Decimal(toFloat(v), places) }, "bytes": l.Bytes, "count": l.Count, "pct": l.Percent,
		"duration": l.Duration, "day": l.Day, "stamp": l.Stamp, "month": l.Month, "language": l.LanguageName, "weekdays": func() []string { return l.Dates.Weekdays },
		"ago":    func(t time.Time) string { return l.Ago(t, now()) },
		"due":    func(t time.Time) string { return l.Due(t, now()) },
		"isdue":  func(t time.Time) bool { return !t.After(now()) },
		"figure": func(v *float64) string { return figure(l, v) },
		"clock":  func(t time.Time) string { return t.UTC().Format("15:04:05") },
		"iso":    func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"when":   func(t time.Time) template.HTML { return timeTag(t, l.Day(t)) },
		"moment": func(t time.Time) template.HTML { return timeTag(t, l.Stamp(t)) },
		"last":   later,
		"kbd": func(key string) template.HTML {
			return template.HTML("<kbd>" + template.HTMLEscapeString(key) + "</kbd>")
		},
		"asset": func(name string) (string, error) { return u.assets.href(name) },
		"strip": strip.Strip.Draw, "axis": strip.Axis.Draw, "legend": func() template.HTML { return drawLegend(l) }, "swatch": drawSwatch,
		"many": func(list any) bool { return reflect.ValueOf(list).Len() > mostOptions }, "feature": featureWords,
		"query": query, "short": short, "replay": u.replayURL, "thumb": u.thumbPath, "thumbNear": u.thumbNear, "less": func(a, b int64) int64 { return a - b },
		"share": func(a, b int64) float64 { return 100 * float64(a) / float64(max(b, 1)) }, "worstClass": worstClass, "pair": func(a, b any) struct{ A, B any } { return struct{ A, B any }{a, b} },
		"pct100": hundredfold, "add": func(a, b int) int { return a + b }, "prev": func(n int) int { return n - 1 }, "num32": l.Number, "times100": func(x float32) float64 { return 100 * float64(x) }, "ts": cdxj.Timestamp,
	}
}

// timeTag writes an instant so that programs can read it too.
func timeTag(t time.Time, text string) template.HTML {
	return template.HTML(`<time datetime="` + t.UTC().Format(time.RFC3339) + `">` + template.HTMLEscapeString(text) + "</time>")
}

func toFloat(v any) float64 {
	switch x := v.(type) {
	case float64:
		return x
	case float32:
		return float64(x)
	case *float64:
		return *x
	}
	return 0
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
func figure(l *message.Language, v *float64) string {
	if v == nil {
		return l.Text("unknown")
	}
	return strings.Replace(strconv.FormatFloat(*v, 'g', 3, 64), ".", l.Numbers.Decimal, 1)
}
