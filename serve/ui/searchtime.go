package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"varve/index/fulltext"
	"varve/serve/search"
)

// timeline is the share of versions that fit, bucket by bucket, over all time: the track of the time slider. The
// condition of time only marks a part of it.
type timeline struct {
	Bucket fulltext.Bucket
	Bars   []bar // buckets in which nothing was seen have none
	Edges  []string
	Ticks  []tick
	Lo, Hi int     // edges of the part that is chosen
	Top    float64 // share of the highest bar
	Narrow bool    // a part is chosen
	Counts bool    // bars are numbers of versions, not shares
	Most   int64   // versions of the highest bar, if so
	All    string  // address without condition of time
	Other  []viewLink
}

// Said tells when most of what fits was first seen; "" where nothing fits.
func (t *timeline) Said() string {
	var best *bar
	for i := range t.Bars {
		if b := &t.Bars[i]; b.Count > 0 && (best == nil || b.Count > best.Count) {
			best = b
		}
	}
	if best == nil {
		return ""
	}
	return fmt.Sprintf("most in %s: %s of %s", best.Name, number(best.Count), count(best.Of, "version"))
}

// bar is one bucket of the picture; places are percent of its width, heights percent of its height.
type bar struct {
	X, W, Y, H float64
	Out        bool // not in the part that is chosen
	Href       string
	Name       string // 2014, 2014-05 or 2014-05-01
	fulltext.Point
}

// tick is a label below the bars.
type tick struct {
	X     float64
	Label string
}

// mostBuckets is how many buckets a timeline may have: more are made of longer ones.
const mostBuckets = 240

// timeline asks for the trend of a query without its condition of time.
func (u *UI) timeline(ctx context.Context, a *asked, q fulltext.Query) (*timeline, error) {
	bucket := fulltext.Bucket(a.Q.Get("trend"))
	points, bucket, err := u.trendOf(ctx, a.Q.Get("collection"), q, bucket)
	if err != nil || len(points) == 0 {
		return nil, err
	}
	t := newTimeline(points, bucket)
	if !slices.ContainsFunc(points, func(p fulltext.Point) bool { return p.Count < p.Of }) {
		t.absolute() // all of everything is no news
	}
	t.mark(q.From, q.To, q.AsOf)
	t.All = address(a.Path, a.copy("cursor", "from", "to", "asof", "relation"))
	for i := range t.Bars {
		b := &t.Bars[i]
		rest := a.copy("cursor", "from", "to", "asof")
		rest.Set("from", b.Name)
		rest.Set("to", b.Name)
		b.Href = address(a.Path, rest)
	}
	for _, other := range []fulltext.Bucket{fulltext.ByDay, fulltext.ByMonth, fulltext.ByYear} {
		if spanOf(other, points[0].At, points[len(points)-1].At) < mostBuckets {
			t.Other = append(t.Other, viewLink{string(other), a.with("trend", string(other)), other == bucket})
		}
	}
	return t, nil
}

// trendOf asks for a trend by the bucket that was chosen, or else by one that makes a picture: months, days if
// there are few months, years if there are too many.
func (u *UI) trendOf(ctx context.Context, collections string, q fulltext.Query, chosen fulltext.Bucket) ([]fulltext.Point, fulltext.Bucket, error) {
	q.From, q.To, q.AsOf, q.Relation = time.Time{}, time.Time{}, time.Time{}, ""
	q.Limit, q.Facets, q.Cursor, q.Group, q.Sort = -1, nil, "", false, ""
	ask := func(b fulltext.Bucket) ([]fulltext.Point, error) {
		q.Trend = b
		a, err := search.Ask(ctx, u.cfg.Texts, collections, q)
		if err != nil {
			return nil, err
		}
		return a.Trend, nil
	}
	first := chosen
	if first == fulltext.NoTrend {
		first = fulltext.ByMonth
	}
	points, err := ask(first)
	if err != nil || len(points) == 0 {
		return nil, first, err
	}
	n := spanOf(first, points[0].At, points[len(points)-1].At) + 1
	better := first
	switch {
	case n > mostBuckets && first == fulltext.ByDay:
		better = fulltext.ByMonth
	case n > mostBuckets:
		better = fulltext.ByYear
	case chosen == fulltext.NoTrend && n <= 3:
		better = fulltext.ByDay
	}
	if better != first {
		points, err = ask(better)
	}
	return points, better, err
}

// spanOf is how many buckets lie between the begins of two.
func spanOf(b fulltext.Bucket, from, to time.Time) int {
	switch b {
	case fulltext.ByYear:
		return to.Year() - from.Year()
	case fulltext.ByMonth:
		return (to.Year()-from.Year())*12 + int(to.Month()) - int(from.Month())
	}
	return int(to.Sub(from).Hours() / 24)
}

// bucketName writes the begin of a bucket as exactly as the bucket is.
func bucketName(b fulltext.Bucket, at time.Time) string {
	switch b {
	case fulltext.ByYear:
		return at.Format("2006")
	case fulltext.ByMonth:
		return at.Format("2006-01")
	}
	return at.Format(time.DateOnly)
}

func newTimeline(points []fulltext.Point, bucket fulltext.Bucket) *timeline {
	t := &timeline{Bucket: bucket}
	first, last := points[0].At, points[len(points)-1].At
	for at := first; !at.After(last); at = bucket.End(at) {
		t.Edges = append(t.Edges, at.Format(time.DateOnly))
	}
	n := float64(len(t.Edges))
	t.Edges = append(t.Edges, bucket.End(last).Format(time.DateOnly))
	for _, p := range points {
		t.Top = max(t.Top, p.Share())
	}
	for _, p := range points {
		h := 0.0
		if t.Top > 0 {
			h = p.Share() / t.Top * 100
		}
		if p.Count > 0 {
			h = max(h, 2) // what is there is seen
		}
		x := float64(spanOf(bucket, first, p.At)) / n * 100
		t.Bars = append(t.Bars, bar{X: x, W: 100 / n, Y: 100 - h, H: h, Name: bucketName(bucket, p.At), Point: p})
	}
	t.Ticks = ticksOf(bucket, first, int(n))
	return t
}

// absolute makes the bars numbers of versions instead of shares.
func (t *timeline) absolute() {
	t.Counts = true
	for _, b := range t.Bars {
		t.Most = max(t.Most, b.Count)
	}
	for i := range t.Bars {
		b := &t.Bars[i]
		if b.H = 0; b.Count > 0 {
			b.H = max(2, 100*float64(b.Count)/float64(t.Most))
		}
		b.Y = 100 - b.H
	}
}

// ticksOf labels at most eight buckets at even distances.
func ticksOf(b fulltext.Bucket, first time.Time, n int) (out []tick) {
	step := max(1, (n+7)/8)
	at := first
	for i := range n {
		if i%step == 0 && float64(i)/float64(n) < 0.94 {
			out = append(out, tick{float64(i) / float64(n) * 100, bucketName(b, at)})
		}
		at = b.End(at)
	}
	return out
}

// mark finds the part that a condition of time chooses.
func (t *timeline) mark(from, to, asof time.Time) {
	t.Hi = len(t.Edges) - 1
	if !asof.IsZero() {
		from, to = asof, asof
	}
	edge := func(i int) time.Time {
		at, _ := time.Parse(time.DateOnly, t.Edges[i]) // written by newTimeline
		return at
	}
	for !from.IsZero() && t.Lo < len(t.Edges)-2 && !edge(t.Lo+1).After(from) {
		t.Lo++
	}
	for !to.IsZero() && t.Hi > t.Lo+1 && edge(t.Hi-1).After(to) {
		t.Hi--
	}
	t.Narrow = !from.IsZero() || !to.IsZero()
	for i := range t.Bars {
		at := t.Bars[i].At
		t.Bars[i].Out = at.Before(edge(t.Lo)) || !at.Before(edge(t.Hi))
	}
}

// EdgeList is the begins of all buckets and the end of the last, for the slider.
func (t *timeline) EdgeList() string { return strings.Join(t.Edges, ",") }

// Buckets is how many there are, with those in which nothing was seen.
func (t *timeline) Buckets() int { return len(t.Edges) - 1 }

// Percent is the share of the highest bar.
func (t *timeline) Percent() float64 { return 100 * t.Top }

// BrushX and BrushW are the place of the part that is chosen.
func (t *timeline) BrushX() float64 { return float64(t.Lo) / float64(t.Buckets()) * 100 }

// BrushW is its width.
func (t *timeline) BrushW() float64 { return float64(t.Hi-t.Lo) / float64(t.Buckets()) * 100 }

// instant writes a time as exactly as it was meant: a whole day as the day.
func instant(t time.Time) string {
	if t.Equal(t.Truncate(24 * time.Hour)) {
		return t.UTC().Format(time.DateOnly)
	}
	return t.UTC().Format("2006-01-02 15:04:05") + " UTC"
}

// spanWords writes a span. Its end is the last instant of a day or longer.
func spanWords(q *fulltext.Query) string {
	end := q.To
	if !end.IsZero() && end.Add(time.Microsecond).Equal(end.Add(time.Microsecond).Truncate(24*time.Hour)) {
		end = end.Truncate(24 * time.Hour)
	}
	verb := map[fulltext.Relation]string{fulltext.Inside: "appeared and replaced ", fulltext.Contains: "unchanged ", fulltext.Begins: "first seen "}[q.Relation]
	switch {
	case q.To.IsZero():
		return verb + "since " + instant(q.From)
	case q.From.IsZero():
		return verb + "until " + instant(end)
	case instant(q.From) == instant(end):
		return verb + "on " + instant(end)
	}
	return fmt.Sprintf("%sfrom %s to %s", verb, instant(q.From), instant(end))
}

// timeWords tells what the condition of time asks for.
func timeWords(q *fulltext.Query) string {
	span := spanWords(&fulltext.Query{From: q.From, To: q.To})
	var out []string
	if !q.From.IsZero() || !q.To.IsZero() {
		switch q.Relation {
		case fulltext.Inside:
			out = append(out, "Versions whose whole life lies in the span: first seen and replaced or gone "+span+".")
		case fulltext.Contains:
			out = append(out, "Versions that stood unchanged through the whole span "+span+": seen before, replaced after.")
		case fulltext.Begins:
			out = append(out, "Versions that were first seen "+span+".")
		default:
			out = append(out, "Versions that were online at some time "+span+".")
		}
	}
	if !q.AsOf.IsZero() {
		out = append(out, "Versions that a visitor would have met at "+instant(q.AsOf)+", as far as captures tell.")
	}
	if len(out) == 0 {
		return "Versions of all times."
	}
	return strings.Join(out, " ")
}
