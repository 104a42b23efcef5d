package search

import (
	"cmp"
	"context"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/evolution/across"
	"varve/index/fulltext"
)

// Beside is what two collections say beside one thing: the values of a facet that their versions with the thing have, over time on one axis, and how much they differ.
type Beside struct {
	Of         string            `json:"of"`
	By         string            `json:"by"`    // the facet of companions
	Kinds      []string          `json:"kinds"` // facets that can be asked for
	Bucket     fulltext.Bucket   `json:"bucket"`
	A          BesideSide        `json:"a"`
	B          BesideSide        `json:"b"`
	Companions []BesideCompanion `json:"companions"` // those that differ most first
	Divergence across.Divergence `json:"divergence"`
	Split      time.Time         `json:"split,omitzero"`
}

// BesideSide is one of the two collections.
type BesideSide struct {
	Collection string       `json:"collection"`
	Total      int64        `json:"total"` // versions with the thing
	Of         int64        `json:"of"`
	Hosts      int          `json:"hosts"` // of versions with the thing
	Points     []TrendPoint `json:"points"`
	Clouds     *Clouds      `json:"clouds,omitempty"` // before and after the split
}

// BesideCompanion is a value that versions with the thing have.
type BesideCompanion struct {
	Name string `json:"name"`
	across.Difference
	InA []TrendPoint `json:"in_a"` // of the versions of each bucket with the thing, those with the companion
	InB []TrendPoint `json:"in_b"`
}

// BesideQuery asks for it.
type BesideQuery struct {
	A, B  string // collections
	Of    string // words, as a phrase
	By    string // a facet of names; "": the one that most versions have values of
	Split time.Time
	fulltext.Query
}

// Sizes of an answer.
const (
	besideMost  = 20   // companions
	besideHosts = 2000 // that are told apart; the rest counts as one
	besideWords = 40   // of a cloud
)

// ParseBeside reads the parameters a, b, of, by, split, bucket, from and to.
func ParseBeside(v url.Values) (q BesideQuery, err error) {
	word := func(key string) string { return strings.Join(strings.Fields(v.Get(key)), " ") }
	q.A, q.B, q.Of, q.By = word("a"), word("b"), word("of"), word("by")
	switch {
	case q.A == "" || q.B == "" || strings.Contains(q.A+q.B, ","):
		return q, invalid("two collections are compared: a=NAME and b=NAME")
	case q.A == q.B:
		return q, &varve.Error{Kind: varve.Invalid, Op: "search", Msg: "a collection is not compared with itself", Hint: "choose another collection on one side"}
	case q.Of == "":
		return q, invalid("of what? of=WORDS is missing")
	case !fulltext.Quotable(q.Of):
		return q, invalid("of=%q has quotation marks in it: it cannot be asked for", q.Of)
	}
	params := url.Values{}
	for _, k := range []string{"from", "to"} {
		if s := word(k); s != "" {
			params.Set(k, s)
		}
	}
	if q.Query, err = Parse(params); err != nil {
		return q, err
	}
	if q.Split, err = parseTime(v.Get("split"), false); err != nil {
		return q, err
	}
	switch q.Trend = fulltext.Bucket(word("bucket")); q.Trend {
	case fulltext.NoTrend:
		q.Trend = fulltext.ByMonth
	case fulltext.ByMonth, fulltext.ByYear:
	default:
		return q, invalid("bucket=%q is none of month, year", q.Trend)
	}
	return q, nil
}

// AskBeside compares two collections, by the versions that whoever asks may see. Versions count by when they were first seen.
//
// Cost: two questions for each collection and one for each of twenty companions; with a split the clouds of both.
func AskBeside(ctx context.Context, t Texts, q BesideQuery) (*Beside, error) {
	out := &Beside{Of: q.Of, By: q.By, Bucket: q.Trend, Kinds: []string{}, Companions: []BesideCompanion{}, Split: q.Split}
	for _, side := range []string{q.A, q.B} {
		declared, err := Declared(ctx, t, side)
		if err != nil {
			return nil, err
		}
		for _, f := range Names(declared) {
			if !slices.Contains(out.Kinds, f.Name) {
				out.Kinds = append(out.Kinds, f.Name)
			}
		}
	}
	switch {
	case len(out.Kinds) == 0:
		return nil, &varve.Error{
			Kind: varve.Unavailable, Op: "compare collections", Msg: "no names or terms were looked for in these texts",
			Hint: "varve derive --units mentions,terms --collection NAME && varve index --collection NAME, for both",
		}
	case q.By != "" && !slices.Contains(out.Kinds, q.By):
		return nil, invalid("by=%q is no facet of names (%s)", q.By, strings.Join(out.Kinds, ", "))
	}
	ask := q.Query
	ask.Text = `"` + q.Of + `"`
	ask.AsOf, ask.Limit, ask.Cursor, ask.Group = time.Time{}, -1, "", false
	if ask.Relation = ""; !q.From.IsZero() || !q.To.IsZero() {
		ask.Relation = fulltext.Begins
	}
	ask.Facets, ask.Top = append(slices.Clone(out.Kinds), "host"), besideHosts
	var sides [2]*fulltext.Answer
	for i, to := range []*BesideSide{&out.A, &out.B} {
		to.Collection = []string{q.A, q.B}[i]
		a, err := Ask(ctx, t, to.Collection, ask)
		if err != nil {
			return nil, err
		}
		sides[i] = a
		to.Total, to.Of, to.Hosts, to.Points = a.Total, a.Of, len(a.Facets["host"]), points(a, q.Query)
	}
	if out.By == "" {
		out.By = slices.MaxFunc(out.Kinds, func(a, b string) int { return cmp.Compare(valued(sides, a), valued(sides, b)) })
	}
	if err := out.companions(ctx, t, ask, sides); err != nil {
		return nil, err
	}
	if !q.Split.IsZero() {
		for _, to := range []*BesideSide{&out.A, &out.B} {
			c, err := AskClouds(ctx, t, to.Collection, fulltext.Query{Text: ask.Text, Limit: besideWords}, q.Split, out.By)
			if err != nil {
				return nil, err
			}
			to.Clouds = c
		}
	}
	return out, nil
}

// valued counts how often versions of both sides have values of a facet, each counted by the less frequent side, so that one side alone does not decide.
func valued(sides [2]*fulltext.Answer, facet string) int64 {
	var sum [2]int64
	for i, a := range sides {
		for _, c := range a.Facets[facet] {
			if c.Name != "" {
				sum[i] += c.Count
			}
		}
	}
	return min(sum[0], sum[1])
}

// points are the buckets of an answer that a query asks for.
func points(a *fulltext.Answer, q fulltext.Query) []TrendPoint {
	out := []TrendPoint{}
	for _, p := range a.Trend {
		if outside := !q.From.IsZero() && !q.Trend.End(p.At).After(q.From) || !q.To.IsZero() && p.At.After(q.To); !outside {
			out = append(out, TrendPoint{p.At, p.Count, p.Of, p.Share()})
		}
	}
	return out
}

// companions asks for the values that versions of both sides have most often.
func (b *Beside) companions(ctx context.Context, t Texts, ask fulltext.Query, sides [2]*fulltext.Answer) error {
	share := map[string]float64{}
	for _, a := range sides {
		for _, c := range a.Facets[b.By] {
			if c.Name != "" && Typed(b.By, c.Name) != "" && !strings.EqualFold(c.Name, b.Of) {
				share[c.Name] += float64(c.Count) / float64(max(1, a.Total))
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(share), func(x, y string) int { return cmp.Or(cmp.Compare(share[y], share[x]), cmp.Compare(x, y)) })
	names = names[:min(besideMost, len(names))]
	hosts := [2][]fulltext.Count{sides[0].Facets["host"], sides[1].Facets["host"]}
	rows := [2][][]int{make([][]int, len(hosts[0])), make([][]int, len(hosts[1]))}
	text := ask.Text
	ask.Facets = []string{"host"}
	for _, name := range names {
		c := BesideCompanion{Name: name}
		var sources [2][]across.Source
		for i, s := range []*BesideSide{&b.A, &b.B} {
			ask.Text = Narrow(text, Typed(b.By, name))
			a, err := Ask(ctx, t, s.Collection, ask)
			if err != nil {
				return err
			}
			of := points(a, ask)
			for k := range of { // of the versions with the thing, not of all
				of[k].Of = 0
				if at, ok := slices.BinarySearchFunc(s.Points, of[k].At, func(p TrendPoint, at time.Time) int { return p.At.Compare(at) }); ok {
					of[k].Of = s.Points[at].Hits
				}
				of[k].Share = float64(of[k].Hits) / float64(max(1, of[k].Of))
			}
			*[]*[]TrendPoint{&c.InA, &c.InB}[i] = of
			with := map[string]int64{}
			for _, h := range a.Facets["host"] {
				with[h.Name] = h.Count
			}
			rest := across.Source{Texts: int(s.Total), With: int(a.Total)} // of hosts beyond those that are told apart
			for k, h := range hosts[i] {
				sources[i] = append(sources[i], across.Source{Texts: int(h.Count), With: int(with[h.Name])})
				rows[i][k] = append(rows[i][k], int(with[h.Name]))
				rest.Texts, rest.With = rest.Texts-int(h.Count), rest.With-int(with[h.Name])
			}
			if rest.Texts > 0 {
				sources[i] = append(sources[i], rest)
			}
		}
		c.Difference = across.Compare(sources[0], sources[1], len(names))
		b.Companions = append(b.Companions, c)
	}
	// the same draws for everybody who asks the same
	b.Divergence = across.Diverge(rows[0], rows[1], rand.New(rand.NewPCG(1, uint64(len(names)))))
	slices.SortStableFunc(b.Companions, func(x, y BesideCompanion) int { return cmp.Compare(sure(y.Difference), sure(x.Difference)) })
	return nil
}

// sure is how far a difference is from 0 at least; below 0 where chance explains it.
func sure(d across.Difference) float64 { return max(d.Low, -d.High) }
