package ui

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"slices"
	"time"

	"varve"
	"varve/index/fulltext"
	"varve/serve/search"
)

// cloudData is what the screen of rising words shows: one interval after the other.
type cloudData struct {
	asked
	Bucket  fulltext.Bucket
	Time    *timeline // all intervals; the one that is shown is chosen
	Name    string    // of the interval
	Words   string    // of the interval, in a sentence
	Cloud   *fulltext.Cloud
	Terms   []cloudTerm // by name
	Table   []cloudTerm // by score
	Before  string      // address of the interval before
	After   string
	Number  int // which interval it is
	Of      int
	JSON    string
	Trouble *askTrouble
}

// cloudTerm is a word with its size: 1 to 9.
type cloudTerm struct {
	fulltext.Rise
	Size int
	New  bool   // other times do not have it
	Href string // search for it in the interval
}

// cloudTop is the number of words of a cloud.
const cloudTop = 60

// cloud shows the words that rise in an interval.
func (u *UI) cloud(r *http.Request) (*view, error) {
	a, err := u.askedBy(r, "cloud")
	if err != nil {
		return nil, err
	}
	d := &cloudData{asked: a}
	v := &view{template: "cloud", title: "Rising words", section: "search", data: d}
	if len(a.All) == 0 {
		return v, nil
	}
	if err := d.ask(r.Context(), u); err != nil {
		if d.Trouble, v.status, err = troubleOf(err, a.Q.Get("q")); err != nil {
			return nil, err
		}
	}
	if d.Name != "" {
		v.title = "Rising words: " + d.Name
	}
	return v, nil
}

func (d *cloudData) ask(ctx context.Context, u *UI) error {
	if u.cfg.Texts == nil {
		return noTexts()
	}
	q, err := search.Parse(d.copy("at", "bucket"))
	if err != nil {
		return err
	}
	collections := d.Q.Get("collection")
	points, bucket, err := u.trendOf(ctx, collections, fulltext.Query{Filters: q.Filters, Without: q.Without}, fulltext.Bucket(d.Q.Get("bucket")))
	if err != nil || len(points) == 0 {
		return err
	}
	d.Bucket = bucket
	at, err := d.choose(points)
	if err != nil {
		return err
	}
	d.intervals(points, at)
	q.From, q.To = points[at].At, bucket.End(points[at].At).Add(-time.Microsecond)
	q.Limit = cloudTop
	if d.Cloud, err = search.AskCloud(ctx, u.cfg.Texts, collections, q); err != nil {
		return err
	}
	d.fill()
	return nil
}

// choose finds the interval that is asked for; the newest one if none is.
func (d *cloudData) choose(points []fulltext.Point) (int, error) {
	name := d.Q.Get("at")
	if name == "" {
		return len(points) - 1, nil
	}
	for _, layout := range []string{"2006", "2006-01", time.DateOnly} {
		if _, err := time.Parse(layout, name); err != nil {
			continue
		}
		for i := len(points) - 1; i > 0; i-- {
			if bucketName(d.Bucket, points[i].At) <= name {
				return i, nil
			}
		}
		return 0, nil
	}
	return 0, &varve.Error{Kind: varve.Invalid, Op: "show the words of an interval", Msg: "at=" + name + " names no interval", Hint: "pick one from the bars"}
}

// intervals draws all intervals, by how many versions were first seen in each.
func (d *cloudData) intervals(points []fulltext.Point, at int) {
	d.Name, d.Number, d.Of = bucketName(d.Bucket, points[at].At), at+1, len(points)
	d.Time = newTimeline(points, d.Bucket)
	d.Time.absolute()
	d.Time.mark(points[at].At, points[at].At, time.Time{})
	to := func(i int) string { return d.with("at", bucketName(d.Bucket, points[i].At)) }
	for i := range d.Time.Bars {
		d.Time.Bars[i].Href = to(i)
	}
	if at > 0 {
		d.Before = to(at - 1)
	}
	if at+1 < len(points) {
		d.After = to(at + 1)
	}
	d.Words = map[fulltext.Bucket]string{fulltext.ByDay: "on ", fulltext.ByMonth: "in ", fulltext.ByYear: "in "}[d.Bucket] + spelled(d.Bucket, points[at].At)
	for _, b := range []fulltext.Bucket{fulltext.ByDay, fulltext.ByMonth, fulltext.ByYear} {
		if spanOf(b, points[0].At, points[len(points)-1].At) < mostBuckets {
			q := d.copy("at", "bucket")
			q.Set("bucket", string(b))
			d.Time.Other = append(d.Time.Other, viewLink{string(b), address(d.Path, q), b == d.Bucket})
		}
	}
}

// spelled writes a bucket for reading.
func spelled(b fulltext.Bucket, at time.Time) string {
	switch b {
	case fulltext.ByYear:
		return at.Format("2006")
	case fulltext.ByMonth:
		return at.Format("January 2006")
	}
	return at.Format("2 January 2006")
}

// byChance is the score above which a rise by chance has a probability below 0.001 (chi-squared, one degree).
const byChance = 10.83

// Chance tells that no word rises more than chance explains.
func (d cloudData) Chance() bool { return len(d.Table) > 0 && d.Table[0].Score < byChance }

// fill sizes the words: the root of their score, against the best, or against chance where that is more.
func (d *cloudData) fill() {
	top := byChance
	for _, t := range d.Cloud.Terms {
		top = max(top, t.Score)
	}
	for _, t := range d.Cloud.Terms {
		q := d.copy("at", "bucket", "q")
		q.Set("q", t.Term)
		q.Set("from", d.Name)
		q.Set("to", d.Name)
		d.Table = append(d.Table, cloudTerm{t, 1 + int(math.Round(8*math.Sqrt(t.Score/top))), t.Other == 0, address("/search", q)})
	}
	d.Terms = slices.SortedFunc(slices.Values(d.Table), func(a, b cloudTerm) int { return cmp.Compare(a.Term, b.Term) })
	q := d.copy("at", "bucket")
	q.Set("from", d.Name)
	q.Set("to", d.Name)
	d.JSON = address("/api/cloud", q)
}

// Kept are the fields of the screen that its form does not show.
func (d cloudData) Kept() []field { return d.kept("collection", "q", "cursor") }
