package ui

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"varve/index/fulltext"
	"varve/serve/message"
	"varve/serve/search"
)

// trendsData is what the screen of trends shows: how often some terms were there, over time.
type trendsData struct {
	asked
	Terms   string          // as typed
	Bucket  fulltext.Bucket // of the index
	Months  int             // of a row, where the index counts by month
	Period  string          // of a row: day, month, quarter, half-year, year
	Absolut bool            // counts instead of shares
	Series  []trendSeries
	Rows    []trendRow
	Views   []viewLink // shares or counts
	Said    string     // the sentence above the chart
	More    bool       // there are more rows than are shown
	CSV     string
	JSON    string
	Recent  []string // words that rose last, for whoever has none in mind
	Trouble *askTrouble
}

// trendSeries is one term.
type trendSeries struct {
	Term  string
	Total int64
	Href  string // search for it
}

// trendRow is a bucket; without versions nothing can be said of it.
type trendRow struct {
	Name  string
	At    time.Time
	Of    int64
	Cells []trendCell // in the order of the series
}

// trendCell is a term in a bucket.
type trendCell struct {
	Hits int64
	Of   int64
	Href string
}

// Share is the part of the versions that have the term.
func (c trendCell) Share() float64 {
	if c.Of == 0 {
		return 0
	}
	return float64(c.Hits) / float64(c.Of)
}

// Likely says between which bounds the share lies with 95 % confidence.
func (c trendCell) Likely() string {
	low, high := search.Likely(c.Hits, c.Of)
	return fmt.Sprintf("%.1f to %.1f %%", 100*low, 100*high)
}

// Low and High are these bounds, in percent.
func (c trendCell) Low() float64  { low, _ := search.Likely(c.Hits, c.Of); return 100 * low }
func (c trendCell) High() float64 { _, high := search.Likely(c.Hits, c.Of); return 100 * high }

// mostRows bounds the table of trends: ten years of days.
const mostRows = 3660

// quarter is a bucket that the index does not have: months are put together.
const quarter = "quarter"

// periods are the names of rows of several months.
var periods = map[int]string{1: "month", 3: quarter, 6: "half-year", 12: "year"}

// trends shows terms over time.
func (u *UI) trends(r *http.Request) (*view, error) {
	a, err := u.askedBy(r, "trends")
	if err != nil {
		return nil, err
	}
	d := &trendsData{asked: a, Terms: a.Q.Get("terms"), Absolut: a.Q.Get("measure") == "count"}
	v := &view{template: "trends", title: a.say.Text("Trends"), section: "search", data: d, scripts: []string{"trends.js"}}
	if len(a.All) == 0 {
		return v, nil
	}
	if err := d.ask(r.Context(), u); err != nil {
		if d.Trouble, v.status, err = troubleOf(message.From(r.Context()), err, ""); err != nil {
			return nil, err
		}
	}
	if d.Terms != "" {
		v.title = a.say.Text("Trends: {0}", d.Terms)
	}
	if r.URL.Query().Get("format") == "csv" && d.Trouble == nil {
		body, err := d.table()
		return &view{file: &file{"trends.csv", "text/csv; charset=utf-8", body}}, err
	}
	return v, nil
}

func (d *trendsData) ask(ctx context.Context, u *UI) error {
	if u.cfg.Texts == nil {
		return noTexts()
	}
	if d.Terms == "" {
		d.Recent = u.recent(ctx, d.Q.Get("collection"))
		return nil
	}
	q := d.copy("measure", "format")
	chosen := q.Get("bucket")
	switch d.Bucket = fulltext.Bucket(chosen); {
	case chosen == "":
		_, d.Bucket, _ = u.trendOf(ctx, q.Get("collection"), fulltext.Query{}, fulltext.NoTrend) // an error comes again below
	case chosen == quarter:
		d.Bucket = fulltext.ByMonth
	}
	q.Set("bucket", string(d.Bucket))
	terms, ask, err := search.ParseTrends(q)
	if err != nil {
		return err
	}
	found, err := search.AskTrends(ctx, u.cfg.Texts, q.Get("collection"), terms, ask)
	if err != nil {
		return err
	}
	d.Period, d.Months = string(d.Bucket), 1
	if d.Bucket == fulltext.ByMonth {
		switch chosen {
		case quarter:
			d.Months = 3
		case "":
			d.Months = search.Rhythm(found.Series[0].Points)
		}
		d.Period, found = periods[d.Months], found.Merged(d.Months)
	}
	d.fill(found)
	return nil
}

// fill makes rows of series. Buckets in which nothing was seen get a row too: a gap is told, not drawn over.
func (d *trendsData) fill(found *search.Trends) {
	find := func(term, from, to string) string {
		q := d.copy("terms", "bucket", "measure", "from", "to")
		q.Set("q", search.Narrow(d.Q.Get("q"), term))
		if from != "" {
			q.Set("from", from)
			q.Set("to", to)
		}
		return address("/search", q)
	}
	for _, s := range found.Series {
		d.Series = append(d.Series, trendSeries{s.Term, s.Total, find(s.Term, "", "")})
	}
	at := map[string]*trendRow{}
	if points := found.Series[0].Points; len(points) > 0 {
		last := points[len(points)-1].At
		for t := points[0].At; !t.After(last); t = d.end(t) {
			if d.More = len(d.Rows) == mostRows; d.More {
				break
			}
			d.Rows = append(d.Rows, trendRow{Name: d.name(t), At: t})
		}
	}
	for i := range d.Rows {
		at[d.Rows[i].Name] = &d.Rows[i]
	}
	for _, s := range found.Series {
		for _, p := range s.Points {
			if row := at[d.name(p.At)]; row != nil {
				row.Of = p.Of
				last := bucketName(found.Bucket, d.end(p.At).Add(-time.Second))
				row.Cells = append(row.Cells, trendCell{p.Hits, p.Of, find(s.Term, bucketName(found.Bucket, p.At), last)})
			}
		}
	}
	measure := func(m string) string { return d.with("measure", m) }
	d.Views = []viewLink{{d.say.Text("share of all versions"), measure(""), !d.Absolut}, {d.say.Text("number of versions"), measure("count"), d.Absolut}}
	d.CSV = d.with("format", "csv")
	api := d.copy("measure", "format")
	api.Set("bucket", string(d.Bucket))
	d.JSON = address("/api/trends", api)
	d.Said = d.sentence()
}

// end is where the row of an instant ends.
func (d *trendsData) end(t time.Time) time.Time {
	if d.Months > 1 {
		return t.AddDate(0, d.Months, 0)
	}
	return d.Bucket.End(t)
}

// name is what the row of an instant is called.
func (d *trendsData) name(t time.Time) string {
	switch d.Months {
	case 3:
		return fmt.Sprintf("%d Q%d", t.Year(), (int(t.Month())+2)/3)
	case 6:
		return fmt.Sprintf("%d H%d", t.Year(), (int(t.Month())+5)/6)
	case 12:
		return t.Format("2006")
	}
	return bucketName(d.Bucket, t)
}

// sentence says what the chart shows: when each of the first terms was at its highest.
func (d *trendsData) sentence() string {
	var out []string
	for i, s := range d.Series[:min(len(d.Series), 3)] {
		best := -1
		for k, r := range d.Rows {
			if i < len(r.Cells) && r.Cells[i].Hits > 0 && (best < 0 || r.Cells[i].Share() > d.Rows[best].Cells[i].Share()) {
				best = k
			}
		}
		if best < 0 {
			out = append(out, d.say.Text("“{0}” is in no version", s.Term))
			continue
		}
		c := d.Rows[best].Cells[i]
		out = append(out, d.say.Text("“{0}” was at its highest in {1}: {2} of {3}", s.Term, d.Rows[best].Name, c.Hits, d.say.Count(c.Of, "version")))
	}
	return strings.Join(out, "; ") + "."
}

// recent are the words that rose in the newest bucket.
func (u *UI) recent(ctx context.Context, collections string) (out []string) {
	points, bucket, err := u.trendOf(ctx, collections, fulltext.Query{}, fulltext.NoTrend)
	if err != nil || len(points) < 2 {
		return nil
	}
	last := points[len(points)-1].At
	cloud, err := search.AskCloud(ctx, u.cfg.Texts, collections, fulltext.Query{From: last, To: bucket.End(last), Limit: 6})
	if err != nil {
		return nil
	}
	for _, t := range cloud.Terms {
		out = append(out, t.Term)
	}
	return out
}

// table writes the trends as CSV: a row per bucket, per term the versions with it and their share.
func (d *trendsData) table() ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	head := []string{d.Period, "versions"}
	for _, s := range d.Series {
		head = append(head, cell(s.Term), "share of "+s.Term, "at least (95 %)", "at most (95 %)")
	}
	rows := [][]string{head}
	for _, r := range d.Rows {
		row := []string{r.Name, strconv.FormatInt(r.Of, 10)}
		for _, c := range r.Cells {
			row = append(row, strconv.FormatInt(c.Hits, 10), strconv.FormatFloat(c.Share(), 'f', 6, 64), strconv.FormatFloat(c.Low()/100, 'f', 6, 64), strconv.FormatFloat(c.High()/100, 'f', 6, 64))
		}
		for len(row) < len(head) {
			row = append(row, "") // unknown
		}
		rows = append(rows, row)
	}
	err := w.WriteAll(rows)
	return out.Bytes(), err
}

// cell returns a text for a cell of a spreadsheet, which takes it for no formula.
func cell(text string) string {
	if text != "" && strings.ContainsAny(text[:1], "=+-@\t\r") {
		return "'" + text
	}
	return text
}

// Kept are the fields of the screen that its form does not show.
func (d trendsData) Kept() []field {
	return d.kept("terms", "q", "collection", "from", "to", "bucket", "format")
}
