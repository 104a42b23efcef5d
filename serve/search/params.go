package search

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"varve"
	"varve/index/fulltext"
)

// known are the parameters beside the facets.
var known = []string{"q", "from", "to", "asof", "relation", "facets", "top", "prefix", "trend", "group", "sort", "limit", "cursor", "collection", "facet"}

// Parse reads the parameters of a query. One that is not known is refused: a misspelt condition would
// be a wrong answer.
func Parse(v url.Values) (q fulltext.Query, err error) {
	for name := range v {
		if !slices.Contains(known, name) && !slices.Contains(fulltext.Facets(), name) {
			return q, invalid("parameter %q is not known (%s, %s); facets that analyses bring are facet=NAME:VALUE", name, strings.Join(known, ", "), strings.Join(fulltext.Facets(), ", "))
		}
	}
	q.Text, q.Cursor = v.Get("q"), v.Get("cursor")
	q.Relation, q.Trend, q.Sort = fulltext.Relation(v.Get("relation")), fulltext.Bucket(v.Get("trend")), fulltext.Order(v.Get("sort"))
	if q.From, err = parseTime(v.Get("from"), false); err != nil {
		return q, err
	}
	if q.To, err = parseTime(v.Get("to"), true); err != nil {
		return q, err
	}
	if q.AsOf, err = parseTime(v.Get("asof"), false); err != nil {
		return q, err
	}
	for _, f := range fulltext.Facets() {
		for _, name := range list(v[f]) {
			if no, ok := strings.CutPrefix(name, "-"); ok {
				put(&q.Without, f, no)
			} else {
				put(&q.Filters, f, name)
			}
		}
	}
	for _, pair := range v["facet"] { // values have commas, so that each is a parameter of its own
		name, value, ok := strings.Cut(pair, ":")
		without, no := strings.CutPrefix(name, "-")
		switch {
		case !ok || value == "":
			return q, invalid("facet=%q is not NAME:VALUE, such as person:Angela Merkel", pair)
		case no:
			put(&q.Without, without, value)
		default:
			put(&q.Filters, name, value)
		}
	}
	q.Facets, q.Prefix = list(v["facets"]), v.Get("prefix")
	if q.Limit, err = number(v, "limit"); err != nil {
		return q, err
	}
	if q.Top, err = number(v, "top"); err != nil {
		return q, err
	}
	if g := v.Get("group"); g != "" {
		if q.Group, err = strconv.ParseBool(g); err != nil {
			return q, invalid("group=%q is neither true nor false", g)
		}
	}
	return q, nil
}

func invalid(format string, args ...any) error {
	return &varve.Error{Kind: varve.Invalid, Op: "search", Msg: fmt.Sprintf(format, args...), Hint: "check the fields; for programs, /api/ lists the parameters"}
}

func put(m *map[string][]string, k, v string) {
	if *m == nil {
		*m = map[string][]string{}
	}
	(*m)[k] = append((*m)[k], v)
}

// list takes values apart at commas. "none" stands for the empty name: unknown.
func list(values []string) (out []string) {
	for _, v := range values {
		for _, name := range strings.Split(v, ",") {
			switch name = strings.TrimSpace(name); name {
			case "":
			case "none":
				out = append(out, "")
			case "-none":
				out = append(out, "-")
			default:
				out = append(out, name)
			}
		}
	}
	return out
}

func number(v url.Values, name string) (int, error) {
	s := v.Get(name)
	if s == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, invalid("%s=%q is no number", name, s)
	}
	if name == "limit" && n == 0 {
		n = -1 // none, not the default
	}
	return n, nil
}

// layouts of times, with how long what they name is.
var layouts = []struct {
	layout string
	end    func(time.Time) time.Time
}{
	{"2006", func(t time.Time) time.Time { return t.AddDate(1, 0, 0) }},
	{"2006-01", func(t time.Time) time.Time { return t.AddDate(0, 1, 0) }},
	{"2006-01-02", func(t time.Time) time.Time { return t.AddDate(0, 0, 1) }},
	{time.RFC3339, nil},
	{"2006-01-02T15:04:05", nil},
	{"20060102150405", nil},
}

// parseTime reads a time. As an end it is the last instant of what it names.
func parseTime(s string, end bool) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	for _, l := range layouts {
		t, err := time.ParseInLocation(l.layout, s, time.UTC)
		if err != nil || len(s) != len(l.layout) && l.layout != time.RFC3339 {
			continue
		}
		if end && l.end != nil {
			t = l.end(t).Add(-time.Microsecond)
		}
		return t.UTC(), nil
	}
	return time.Time{}, invalid("%q is no time (2014, 2014-05, 2014-05-01, 2014-05-01T12:00:00Z)", s)
}
