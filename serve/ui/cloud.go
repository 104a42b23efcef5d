package ui

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/index/fulltext"
	"varve/serve/message"
	"varve/serve/search"
)

// cloudData is what the screen of rising words shows: one interval after the other.
type cloudData struct {
	asked
	Bucket  fulltext.Bucket
	Time    *timeline // all intervals; the one that is shown is chosen
	Name    string    // of the interval
	Words   string    // of the interval, in a sentence
	Cloud   *search.Cloud
	Sides   []cloudSide // before and after a day, instead of an interval
	Kinds   []viewLink  // what is compared: words, or values of a facet
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

// cloudSide is what one side of a day has more often than the other.
type cloudSide struct {
	Title string
	search.Cloud
	Words []cloudTerm // by name
	Table []cloudTerm // by score
}

// Chance tells that nothing is more often there than chance explains.
func (s cloudSide) Chance() bool { return len(s.Table) > 0 && s.Table[0].Score < byChance }

// cloudTop is the number of words of a cloud.
const cloudTop = 60

// cloud shows the words that rise in an interval.
func (u *UI) cloud(r *http.Request) (*view, error) {
	a, err := u.askedBy(r, "cloud")
	if err != nil {
		return nil, err
	}
	d := &cloudData{asked: a}
	v := &view{template: "cloud", title: a.say.Text("Rising words"), section: "search", data: d}
	if len(a.All) == 0 {
		return v, nil
	}
	if err := d.ask(r.Context(), u); err != nil {
		if d.Trouble, v.status, err = troubleOf(message.From(r.Context()), err, a.Q.Get("q")); err != nil {
			return nil, err
		}
	}
	if d.Name != "" {
		v.title = a.say.Text("Rising words: {0}", d.Name)
	}
	return v, nil
}

func (d *cloudData) ask(ctx context.Context, u *UI) error {
	if u.cfg.Texts == nil {
		return noTexts()
	}
	collections := d.Q.Get("collection")
	var err error
	if d.Declared, err = search.Declared(ctx, u.cfg.Texts, collections); err != nil {
		return err
	}
	if d.Q.Get("split") != "" {
		return d.split(ctx, u)
	}
	q, err := search.Parse(d.copy("at", "bucket", "of"))
	if err != nil {
		return err
	}
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

// split compares the time before a day with the time since.
func (d *cloudData) split(ctx context.Context, u *UI) error {
	params := d.copy("at", "bucket", "cursor")
	q, split, of, err := search.ParseClouds(params)
	if err != nil {
		return err
	}
	found, err := search.AskClouds(ctx, u.cfg.Texts, d.Q.Get("collection"), q, split, of)
	if err != nil {
		return err
	}
	d.Name = d.say.Text("before and after {0}", instant(d.say, split))
	d.Kinds = []viewLink{{d.say.Text("words"), d.with("of"), of == ""}}
	for _, f := range search.Names(d.Declared) {
		d.Kinds = append(d.Kinds, viewLink{d.say.Inside(d.say.Word(f.Title)), d.with("of", f.Name), of == f.Name})
	}
	for _, side := range []struct {
		title, bound string
		cloud        search.Cloud
	}{{d.say.Text("Before {0}", instant(d.say, split)), "to", found.Before}, {d.say.Text("Since {0}", instant(d.say, split)), "from", found.After}} {
		s := cloudSide{Title: side.title, Cloud: side.cloud}
		s.Table = sized(side.cloud.Terms, func(term string) string {
			q := d.copy("at", "bucket", "q", "split", "of")
			q.Set("q", search.Narrow(d.Q.Get("q"), term))
			if of != "" {
				if q.Set("q", search.Narrow(d.Q.Get("q"), search.Typed(of, term))); search.Typed(of, term) == "" {
					q.Add("facet", of+":"+term)
				}
			}
			day := split
			if side.bound == "to" {
				day = split.Add(-time.Second)
			}
			q.Set(side.bound, day.Format(time.RFC3339))
			q.Set("relation", string(fulltext.Begins))
			return address("/search", q)
		})
		s.Words = byName(s.Table)
		d.Sides = append(d.Sides, s)
	}
	d.JSON = address("/api/clouds", params)
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
	d.Time = newTimeline(d.say, points, d.Bucket)
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
	d.Words = inBucket(d.say, d.Bucket, points[at].At)
	for _, b := range []fulltext.Bucket{fulltext.ByDay, fulltext.ByMonth, fulltext.ByYear} {
		if spanOf(b, points[0].At, points[len(points)-1].At) < mostBuckets {
			q := d.copy("at", "bucket")
			q.Set("bucket", string(b))
			d.Time.Other = append(d.Time.Other, viewLink{d.say.Word(string(b)), address(d.Path, q), b == d.Bucket})
		}
	}
}

// inBucket tells when something happened, as exactly as a bucket is.
func inBucket(l *message.Language, b fulltext.Bucket, at time.Time) string {
	switch b {
	case fulltext.ByYear:
		return l.Text("in {0}", at.Format("2006"))
	case fulltext.ByMonth:
		return l.Text("in {0}", l.MonthName(at))
	}
	return l.Text("on {0}", l.Spelled(at))
}

// byChance is the score above which a rise by chance has a probability below 0.001 (chi-squared, one degree).
const byChance = 10.83

// Chance tells that no word rises more than chance explains.
func (d cloudData) Chance() bool { return len(d.Table) > 0 && d.Table[0].Score < byChance }

// sized sizes words: the root of their score, against the best, or against chance where that is more.
func sized(terms []fulltext.Rise, href func(term string) string) (out []cloudTerm) {
	top := byChance
	for _, t := range terms {
		top = max(top, t.Score)
	}
	for _, t := range terms {
		out = append(out, cloudTerm{t, 1 + int(math.Round(8*math.Sqrt(t.Score/top))), t.Other == 0, href(t.Term)})
	}
	return out
}

func byName(list []cloudTerm) []cloudTerm {
	return slices.SortedFunc(slices.Values(list), func(a, b cloudTerm) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Term), strings.ToLower(b.Term)), strings.Compare(a.Term, b.Term))
	})
}

// fill makes the words of the interval.
func (d *cloudData) fill() {
	d.Table = sized(d.Cloud.Terms, func(term string) string {
		q := d.copy("at", "bucket", "q")
		q.Set("q", term)
		q.Set("from", d.Name)
		q.Set("to", d.Name)
		return address("/search", q)
	})
	d.Terms = byName(d.Table)
	q := d.copy("at", "bucket")
	q.Set("from", d.Name)
	q.Set("to", d.Name)
	d.JSON = address("/api/cloud", q)
}

// Kept are the fields of the screen that its form does not show.
func (d cloudData) Kept() []field { return d.kept("collection", "q", "split", "cursor") }
