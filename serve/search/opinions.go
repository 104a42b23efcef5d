package search

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/derive"
	"varve/index/fulltext"
)

// A number about something is in favour from InFavour on and against up to Against; what lies between takes no side. They are less than half of a step of the
// model that gives them (0.25).
const (
	InFavour = 0.1
	Against  = -0.1
)

// OpinionFacet is the facet that has the numbers: about each name that is judged, and about the whole text.
const OpinionFacet = "opinion"

// Opinions is how the versions that fit a query judge. Versions count by when they were first seen.
type Opinions struct {
	About string `json:"about,omitempty"` // what is judged; "" is the whole text
	Fit   int64  `json:"fit"`             // versions that fit the query
	Sides
	Bucket    fulltext.Bucket `json:"bucket"` // day, month or year
	Points    []OpinionPoint  `json:"points"`
	Split     time.Time       `json:"split,omitzero"` // what lies before and after is told apart
	Names     []OpinionName   `json:"names"`          // whom versions judge, most first
	Kinds     []string        `json:"kinds"`          // facets that some of all names are values of
	Unasked   int             `json:"unasked"`        // names among them that have quotation marks in them and cannot be asked for
	Languages []OpinionOf     `json:"languages"`
	Countries []OpinionOf     `json:"countries"` // of hosts, by the last label of their names; "" is none of a country
}

// Sides are how many versions judge something, and which way.
type Sides struct {
	Judged  int64 `json:"judged"`
	For     int64 `json:"for"`
	Against int64 `json:"against"`
}

// Neither is how many take no side.
func (s Sides) Neither() int64 { return s.Judged - s.For - s.Against }

// OpinionPoint is one bucket.
type OpinionPoint struct {
	At time.Time `json:"at"` // its begin
	Of int64     `json:"of"` // all versions of the bucket
	Sides
}

// OpinionName is a name that is judged.
type OpinionName struct {
	Name  string `json:"name"`
	Facet string `json:"facet,omitempty"` // of the names that it is one of: person, place; "" if it is none of the frequent ones
	Sides
	Before *Sides `json:"before,omitempty"` // the split
	After  *Sides `json:"after,omitempty"`
}

// OpinionOf is the versions of one language or country.
type OpinionOf struct {
	Name string `json:"name"`
	Sides
}

// OpinionQuery asks for opinions.
type OpinionQuery struct {
	fulltext.Query           // Trend is the bucket, From and To when versions were first seen
	About          string    // what is judged; "" for whole texts
	By             string    // only names that are values of this facet
	Split          time.Time // zero: nothing is told apart
}

// Sizes of an answer.
const (
	judgedNames  = 12
	judgedLooked = 1000 // values of facets among which names are found
	mostDomains  = 5000
)

// ParseOpinions reads the parameters about, by, split, bucket, from, to, q, and those of facets.
func ParseOpinions(v url.Values) (q OpinionQuery, err error) {
	if q.Query, err = Parse(without(v, "about", "by", "split", "bucket")); err != nil {
		return q, err
	}
	q.About, q.By = strings.Join(strings.Fields(v.Get("about")), " "), v.Get("by")
	if q.About != "" && !fulltext.Quotable(q.About) {
		return q, invalid("about=%q has quotation marks in it: such a name cannot be asked for", q.About)
	}
	if q.Split, err = parseTime(v.Get("split"), false); err != nil {
		return q, err
	}
	switch q.Trend = fulltext.Bucket(v.Get("bucket")); q.Trend {
	case fulltext.NoTrend:
		q.Trend = fulltext.ByMonth
	case fulltext.ByDay, fulltext.ByMonth, fulltext.ByYear:
	default:
		return q, invalid("bucket=%q is none of day, month, year", q.Trend)
	}
	return q, nil
}

// JudgedSo writes the condition that a version judges something so, as a query has it: op is <=, >= or another comparison.
func JudgedSo(op string, than float64, about string) string {
	out := fmt.Sprintf("%s:%s%g", OpinionFacet, op, than)
	if about != "" {
		out += ` about:"` + about + `"`
	}
	return out
}

// The three questions of which sides are made.
func judged(about string) string   { return JudgedSo(">=", -1, about) }
func inFavour(about string) string { return JudgedSo(">=", InFavour, about) }
func against(about string) string  { return JudgedSo("<=", Against, about) }

// AskOpinions counts how versions judge.
//
// Cost: three questions with a trend and two facets, one with the facets of names, and three for each of twelve names; nine where there is a split.
func AskOpinions(ctx context.Context, t Texts, collections string, q OpinionQuery) (*Opinions, error) {
	declared, err := Declared(ctx, t, collections)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(declared, func(d derive.Facet) bool { return d.Name == OpinionFacet && d.Kind == derive.FacetNumbers }) {
		return nil, &varve.Error{
			Kind: varve.Unavailable, Op: "search opinions", Msg: "opinions were not looked for in these texts",
			Hint: `write [analyse] and below it units = ["mentions", "times", "terms", "opinions"] into collection.toml, then varve derive --collection NAME && varve index --collection NAME`,
		}
	}
	q.AsOf, q.Limit, q.Cursor, q.Group, q.Facets, q.Top = time.Time{}, -1, "", false, nil, 0
	if q.Relation = ""; !q.From.IsZero() || !q.To.IsZero() {
		q.Relation = fulltext.Begins
	}
	out := &Opinions{About: q.About, Bucket: q.Trend, Split: q.Split, Points: []OpinionPoint{}, Names: []OpinionName{}}
	if err := out.sides(ctx, t, collections, q); err != nil {
		return nil, err
	}
	if err := out.names(ctx, t, collections, q, Names(declared)); err != nil {
		return nil, err
	}
	return out, nil
}

// sides counts over time, by language and by country.
func (o *Opinions) sides(ctx context.Context, t Texts, collections string, q OpinionQuery) error {
	ask := q.Query
	ask.Facets, ask.Top = []string{"lang", "domain"}, mostDomains
	var answers [3]*fulltext.Answer
	for i, condition := range []string{judged(q.About), inFavour(q.About), against(q.About)} {
		ask.Text = Narrow(q.Text, condition)
		var err error
		if answers[i], err = Ask(ctx, t, collections, ask); err != nil {
			return err
		}
	}
	o.Sides = Sides{answers[0].Total, answers[1].Total, answers[2].Total}
	for i, p := range answers[0].Trend {
		s := Sides{Judged: p.Count} // all trends have the same buckets: those in which something was seen
		if i < len(answers[1].Trend) && i < len(answers[2].Trend) {
			s.For, s.Against = answers[1].Trend[i].Count, answers[2].Trend[i].Count
		}
		if outside := !q.From.IsZero() && !q.Trend.End(p.At).After(q.From) || !q.To.IsZero() && p.At.After(q.To); !outside {
			o.Points = append(o.Points, OpinionPoint{p.At, p.Of, s})
		}
	}
	o.Languages = sidesBy(answers, "lang", func(name string) string { return name })
	o.Countries = sidesBy(answers, "domain", country)
	return nil
}

// sidesBy adds up the counts of a facet by a key of its names, most first.
func sidesBy(answers [3]*fulltext.Answer, facet string, key func(string) string) []OpinionOf {
	sums := map[string]*OpinionOf{}
	for i, a := range answers {
		for _, c := range a.Facets[facet] {
			k := key(c.Name)
			if sums[k] == nil {
				sums[k] = &OpinionOf{Name: k}
			}
			switch i {
			case 0:
				sums[k].Judged += c.Count
			case 1:
				sums[k].For += c.Count
			default:
				sums[k].Against += c.Count
			}
		}
	}
	out := []OpinionOf{}
	for _, k := range slices.Sorted(maps.Keys(sums)) {
		out = append(out, *sums[k])
	}
	slices.SortStableFunc(out, func(a, b OpinionOf) int { return int(b.Judged - a.Judged) })
	return out
}

// country returns the code of the country that the name of a host ends with; "" if it ends with none. All top-level domains of two letters are of countries.
func country(domain string) string {
	last := strings.ToLower(domain[strings.LastIndexByte(domain, '.')+1:])
	if len(last) != 2 || last == domain || last[0] < 'a' || last[0] > 'z' || last[1] < 'a' || last[1] > 'z' {
		return ""
	}
	return last
}

// names counts whom versions judge.
func (o *Opinions) names(ctx context.Context, t Texts, collections string, q OpinionQuery, kinds []derive.Facet) error {
	ask := q.Query
	ask.Trend, ask.Facets, ask.Top = fulltext.NoTrend, []string{OpinionFacet}, judgedLooked
	for _, k := range kinds {
		ask.Facets = append(ask.Facets, k.Name)
	}
	if q.By != "" && !slices.Contains(ask.Facets[1:], q.By) {
		return invalid("by=%q is no facet of names (%s)", q.By, strings.Join(ask.Facets[1:], ", "))
	}
	all, err := Ask(ctx, t, collections, ask)
	if err != nil {
		return err
	}
	o.Fit = all.Total
	kind := map[string]string{}
	for _, k := range slices.Backward(kinds) { // the first one counts
		for _, c := range all.Facets[k.Name] {
			kind[strings.ToLower(c.Name)] = k.Name
		}
	}
	kindOf := func(c fulltext.Count) string { return kind[strings.ToLower(c.Name)] }
	o.Kinds = []string{}
	for _, k := range kinds {
		if slices.ContainsFunc(all.Facets[OpinionFacet], func(c fulltext.Count) bool { return kindOf(c) == k.Name }) {
			o.Kinds = append(o.Kinds, k.Name)
		}
	}
	seen := map[string]bool{"": true}
	for _, c := range all.Facets[OpinionFacet] {
		key := strings.ToLower(c.Name) // queries make no difference
		if seen[key] || q.By != "" && kindOf(c) != q.By || len(o.Names) == judgedNames {
			continue
		}
		seen[key] = true
		if !fulltext.Quotable(c.Name) {
			o.Unasked++
			continue
		}
		n := OpinionName{Name: c.Name, Facet: kindOf(c)}
		if n.Sides, err = sidesOf(ctx, t, collections, q.Query, c.Name); err != nil {
			return err
		}
		if !q.Split.IsZero() {
			before, after := q.Query, q.Query
			before.To, after.From = earlier(q.To, q.Split.Add(-time.Microsecond)), later(q.From, q.Split)
			before.Relation, after.Relation = fulltext.Begins, fulltext.Begins
			n.Before, n.After = &Sides{}, &Sides{}
			if q.From.IsZero() || q.From.Before(q.Split) {
				if *n.Before, err = sidesOf(ctx, t, collections, before, c.Name); err != nil {
					return err
				}
			}
			if q.To.IsZero() || !q.To.Before(q.Split) {
				if *n.After, err = sidesOf(ctx, t, collections, after, c.Name); err != nil {
					return err
				}
			}
		}
		o.Names = append(o.Names, n)
	}
	return nil
}

// earlier returns the earlier one of two instants, later the later; a zero one does not count.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if a.IsZero() || b.After(a) {
		return b
	}
	return a
}

// sidesOf counts how versions judge one name.
func sidesOf(ctx context.Context, t Texts, collections string, q fulltext.Query, about string) (out Sides, err error) {
	text := q.Text
	q.Trend, q.Facets = fulltext.NoTrend, nil
	for _, x := range []struct {
		condition string
		to        *int64
	}{{judged(about), &out.Judged}, {inFavour(about), &out.For}, {against(about), &out.Against}} {
		q.Text = Narrow(text, x.condition)
		a, err := Ask(ctx, t, collections, q)
		if err != nil {
			return out, err
		}
		*x.to = a.Total
	}
	return out, nil
}
