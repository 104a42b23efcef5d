package ui

import (
	"context"
	"slices"
	"strings"
	"time"

	"varve/index/fulltext"
	"varve/serve/message"
	"varve/serve/search"
	"varve/serve/strip"
)

// timeline is the share of versions that fit, bucket by bucket, over all time: the track of the time slider. The
// condition of time only marks a part of it.
type timeline struct {
	say    *message.Language
	Bucket fulltext.Bucket
	Bars   []bar // buckets in which nothing was seen have none
	Edges  []string
	Axis   strip.Axis
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
	return t.say.Text("most in {0}: {1} of {2}", best.Name, best.Count, t.say.Count(best.Of, "version"))
}

// bar is one bucket of the picture; places are percent of its width, heights percent of its height.
type bar struct {
	X, W, Y, H float64
	Out        bool // not in the part that is chosen
	Href       string
	Name       string // 2014, 2014-05 or 2014-05-01
	fulltext.Point
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
	t := newTimeline(a.say, points, bucket)
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
			t.Other = append(t.Other, viewLink{a.say.Word(string(other)), a.with("trend", string(other)), other == bucket})
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

func newTimeline(l *message.Language, points []fulltext.Point, bucket fulltext.Bucket) *timeline {
	t := &timeline{say: l, Bucket: bucket, Axis: bucketAxis(l, bucket, points[0].At, points[len(points)-1].At)}
	for at := t.Axis.From; at.Before(t.Axis.To); at = bucket.End(at) {
		t.Edges = append(t.Edges, at.Format(time.DateOnly))
	}
	t.Edges = append(t.Edges, t.Axis.To.Format(time.DateOnly))
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
		x := t.Axis.At(p.At)
		t.Bars = append(t.Bars, bar{X: x, W: t.Axis.At(bucket.End(p.At)) - x, Y: 100 - h, H: h, Name: bucketName(bucket, p.At), Point: p})
	}
	return t
}

// bucketAxis is the time from the begin of one bucket to the end of another.
func bucketAxis(l *message.Language, b fulltext.Bucket, first, last time.Time) strip.Axis {
	return strip.Axis{From: first.UTC(), To: b.End(last).UTC(), Dates: axisIn(l).Dates}
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

// mark finds the part that a condition of time chooses.
func (t *timeline) mark(from, to, asof time.Time) {
	t.Hi = len(t.Edges) - 1
	if !asof.IsZero() {
		from, to = asof, asof
	}
	for !from.IsZero() && t.Lo < len(t.Edges)-2 && !t.edge(t.Lo+1).After(from) {
		t.Lo++
	}
	for !to.IsZero() && t.Hi > t.Lo+1 && t.edge(t.Hi-1).After(to) {
		t.Hi--
	}
	t.Narrow = !from.IsZero() || !to.IsZero()
	for i := range t.Bars {
		at := t.Bars[i].At
		t.Bars[i].Out = at.Before(t.edge(t.Lo)) || !at.Before(t.edge(t.Hi))
	}
}

// edge is where a bucket begins.
func (t *timeline) edge(i int) time.Time {
	at, _ := time.Parse(time.DateOnly, t.Edges[i]) // written by newTimeline
	return at
}

// EdgeList is the begins of all buckets and the end of the last, for the slider.
func (t *timeline) EdgeList() string { return strings.Join(t.Edges, ",") }

// Buckets is how many there are, with those in which nothing was seen.
func (t *timeline) Buckets() int { return len(t.Edges) - 1 }

// Percent is the share of the highest bar.
func (t *timeline) Percent() float64 { return 100 * t.Top }

// BrushX is the place of the part that is chosen.
func (t *timeline) BrushX() float64 { return t.Axis.At(t.edge(t.Lo)) }

// BrushW is its width.
func (t *timeline) BrushW() float64 { return t.Axis.At(t.edge(t.Hi)) - t.BrushX() }

// instant writes a time as exactly as it was meant: a whole day as the day.
func instant(l *message.Language, t time.Time) string {
	if t.Equal(t.Truncate(24 * time.Hour)) {
		return l.Day(t)
	}
	return l.Stamp(t) + " UTC"
}

// spanWords writes a span, and how versions must lie in it. Its end is the last instant of a day or longer.
func spanWords(l *message.Language, q *fulltext.Query) string {
	end := q.To
	if !end.IsZero() && end.Add(time.Microsecond).Equal(end.Add(time.Microsecond).Truncate(24*time.Hour)) {
		end = end.Truncate(24 * time.Hour)
	}
	var span string
	switch {
	case q.To.IsZero():
		span = l.Text("since {0}", instant(l, q.From))
	case q.From.IsZero():
		span = l.Text("until {0}", instant(l, end))
	case instant(l, q.From) == instant(l, end):
		span = l.Text("on {0}", instant(l, end))
	default:
		span = l.Text("from {0} to {1}", instant(l, q.From), instant(l, end))
	}
	switch q.Relation {
	case fulltext.Inside:
		return l.Text("appeared and replaced {0}", span)
	case fulltext.Contains:
		return l.Text("unchanged {0}", span)
	case fulltext.Begins:
		return l.Text("first seen {0}", span)
	}
	return span
}

// timeWords tells what the condition of time asks for.
func timeWords(l *message.Language, q *fulltext.Query) string {
	var out []string
	if !q.From.IsZero() || !q.To.IsZero() {
		span := spanWords(l, &fulltext.Query{From: q.From, To: q.To})
		switch q.Relation {
		case fulltext.Inside:
			out = append(out, l.Text("Versions whose whole life lies in the span: first seen and replaced or gone {0}.", span))
		case fulltext.Contains:
			out = append(out, l.Text("Versions that stood unchanged through the whole span {0}: seen before, replaced after.", span))
		case fulltext.Begins:
			out = append(out, l.Text("Versions that were first seen {0}.", span))
		default:
			out = append(out, l.Text("Versions that were online at some time {0}.", span))
		}
	}
	if !q.AsOf.IsZero() {
		out = append(out, l.Text("Versions that a visitor would have met at {0}, as far as captures tell.", instant(l, q.AsOf)))
	}
	if len(out) == 0 {
		return l.Text("Versions of all times.")
	}
	return strings.Join(out, " ")
}
