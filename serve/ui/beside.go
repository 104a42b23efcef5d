package ui

import (
	"bytes"
	"context"
	"encoding/csv"
	"net/http"
	"strconv"
	"strings"
	"time"

	"varve/index/fulltext"
	"varve/serve/search"
	"varve/serve/strip"
)

// besideData is what the screen of two collections shows: what they say beside one thing, and how much that differs.
type besideData struct {
	asked
	Found   *search.Beside
	Said    string // the answer in a sentence
	All2    string // how different they are in all, in a sentence
	Axis    strip.Axis
	Rows    []besideRow
	Kinds   []viewLink
	Buckets []viewLink
	Clouds  []besideCloud
	Day     string // of the split
	CSV     string
	JSON    string
	Trouble *askTrouble
}

// besideRow is a companion: bars of both collections on one axis, and its difference. Places are percent.
type besideRow struct {
	search.BesideCompanion
	BarsA, BarsB    []besideBar
	HrefA, HrefB    string
	LowX, HighX, DX float64 // of the difference, 0 in the middle
	More            string  // the collection that has it more often; "": chance explains it
	Span            string  // of the difference, in words
}

// besideBar is a bucket.
type besideBar struct {
	X, W, Y, H float64
	Name, Href string
	Hits, Of   int64
}

// besideCloud is what one collection says more often on one side of a day.
type besideCloud struct {
	Title  string
	Words  []cloudTerm
	In     int64
	Chance bool
}

func (u *UI) twoCollections(r *http.Request) (*view, error) {
	a, err := u.askedBy(r, "beside")
	if err != nil {
		return nil, err
	}
	d := &besideData{asked: a}
	v := &view{template: "beside", title: a.say.Text("Two collections side by side"), section: "search", data: d}
	if a.Q.Get("a") == "" && a.Q.Get("collection") != "" { // from another tab
		a.Q.Set("a", a.Q.Get("collection"))
	}
	a.Q.Del("collection")
	if a.Q.Get("of") == "" || a.Q.Get("a") == "" || a.Q.Get("b") == "" {
		return v, nil
	}
	v.title = a.say.Text("“{0}” in two collections", a.Q.Get("of"))
	if err := d.ask(r.Context(), u); err != nil {
		if d.Trouble, v.status, err = troubleOf(a.say, err, ""); err != nil {
			return nil, err
		}
	}
	if a.Q.Get("format") == "csv" && d.Trouble == nil {
		body, err := d.table()
		return &view{file: &file{"beside.csv", "text/csv; charset=utf-8", body}}, err
	}
	return v, nil
}

func (d *besideData) ask(ctx context.Context, u *UI) error {
	if u.cfg.Texts == nil {
		return noTexts()
	}
	params := d.copy("format")
	if params.Get("bucket") == "" { // months of many years are too many bars
		params.Set("bucket", string(fulltext.ByMonth))
		for _, c := range []string{params.Get("a"), params.Get("b")} {
			points, _, err := u.trendOf(ctx, c, fulltext.Query{}, fulltext.ByYear)
			if err != nil {
				return err
			}
			if n := len(points); n > 0 && points[n-1].At.Sub(points[0].At) > 5*366*24*time.Hour {
				params.Set("bucket", string(fulltext.ByYear))
			}
		}
	}
	q, err := search.ParseBeside(params)
	if err != nil {
		return err
	}
	if d.Found, err = search.AskBeside(ctx, u.cfg.Texts, q); err != nil {
		return err
	}
	if !q.Split.IsZero() {
		d.Day = instant(d.say, q.Split)
	}
	d.fill()
	return nil
}

// title is how a collection is called.
func (d *besideData) title(name string) string {
	if t := d.Titles[name]; t != "" {
		return t
	}
	return name
}

// found is the address of the search for versions of a collection that have the thing, and a companion beside it.
func (d *besideData) found(collection, companion, bucket string) string {
	q := values("collection", collection, "q", search.Narrow(`"`+d.Found.Of+`"`, search.Typed(d.Found.By, companion)))
	if companion == "" {
		q.Set("q", `"`+d.Found.Of+`"`)
	}
	from, to := d.Q.Get("from"), d.Q.Get("to")
	if bucket != "" {
		from, to = bucket, bucket
	}
	for k, v := range map[string]string{"from": from, "to": to} {
		if v != "" {
			q.Set(k, v)
			q.Set("relation", string(fulltext.Begins))
		}
	}
	return address("/search", q)
}

func (d *besideData) fill() {
	f := d.Found
	var first, last time.Time
	for _, list := range [][]search.TrendPoint{f.A.Points, f.B.Points} {
		if n := len(list); n > 0 {
			if first.IsZero() || list[0].At.Before(first) {
				first = list[0].At
			}
			if list[n-1].At.After(last) {
				last = list[n-1].At
			}
		}
	}
	if !first.IsZero() {
		d.Axis = bucketAxis(d.say, f.Bucket, first, last)
	}
	differ, best := 0, ""
	for _, c := range f.Companions {
		r := besideRow{BesideCompanion: c, HrefA: d.found(f.A.Collection, c.Name, ""), HrefB: d.found(f.B.Collection, c.Name, "")}
		r.BarsA, r.BarsB = d.bars(f.A.Collection, c.Name, c.InA), d.bars(f.B.Collection, c.Name, c.InB)
		r.LowX, r.HighX, r.DX = 50+50*c.Low, 50+50*c.High, 50+50*c.D
		if c.Differs() {
			r.More = d.title(f.A.Collection)
			if c.D < 0 {
				r.More = d.title(f.B.Collection)
			}
			if differ++; best == "" {
				best = c.Name
			}
		}
		r.Span = d.say.Text("{0} to {1} points", d.say.Decimal(100*c.Low, 1), d.say.Decimal(100*c.High, 1))
		d.Rows = append(d.Rows, r)
	}
	d.Said = d.say.Text("“{0}” is in {1} of {2} of {3} and in {4} of {5} of {6}.", f.Of, d.say.Number(f.A.Total), d.say.Count(f.A.Of, "version"), d.title(f.A.Collection), d.say.Number(f.B.Total), d.say.Count(f.B.Of, "version"), d.title(f.B.Collection))
	switch {
	case len(f.Companions) == 0:
	case differ == 0:
		d.All2 = d.say.Text("Of {0} none differs by more than chance explains.", d.say.Count(len(f.Companions), "companion"))
	default:
		d.All2 = d.say.Text("Of {0}, {1} differ by more than chance explains, “{2}” most surely.", d.say.Count(len(f.Companions), "companion"), differ, best)
	}
	if v := f.Divergence; v.Chance > 0 {
		d.All2 += " " + d.say.Text("All together they diverge by {0} bits of 1; hosts drawn by lot stay below {1} in 95 of 100 cases.", d.say.Decimal(v.Bits, 3), d.say.Decimal(v.Chance, 3))
	} else if len(f.Companions) > 0 {
		d.All2 += " " + d.say.Text("All together they diverge by {0} bits of 1; there are too few hosts to tell how much of it is chance, and versions of one host count as independent.", d.say.Decimal(v.Bits, 3))
	}
	for _, k := range f.Kinds {
		d.Kinds = append(d.Kinds, viewLink{d.say.Word(k), d.with("by", k), k == f.By})
	}
	for _, b := range []fulltext.Bucket{fulltext.ByMonth, fulltext.ByYear} {
		d.Buckets = append(d.Buckets, viewLink{d.say.Word(string(b)), d.with("bucket", string(b)), b == f.Bucket})
	}
	for _, side := range []search.BesideSide{f.A, f.B} {
		if side.Clouds == nil {
			continue
		}
		for i, cloud := range []search.Cloud{side.Clouds.Before, side.Clouds.After} {
			c := besideCloud{In: cloud.In}
			c.Title = d.say.Text("{0}, before {1}", d.title(side.Collection), d.Day)
			if i == 1 {
				c.Title = d.say.Text("{0}, since {1}", d.title(side.Collection), d.Day)
			}
			c.Words = sized(cloud.Terms, func(term string) string { return d.found(side.Collection, term, "") })
			c.Chance = len(c.Words) > 0 && c.Words[0].Score < byChance
			d.Clouds = append(d.Clouds, c)
		}
	}
	d.CSV = d.with("format", "csv")
	api := d.copy("format")
	api.Set("bucket", string(f.Bucket))
	d.JSON = address("/api/beside", api)
}

// bars draws the share of the versions with the thing that have a companion too, by bucket.
func (d *besideData) bars(collection, companion string, points []search.TrendPoint) (out []besideBar) {
	for _, p := range points {
		if p.Hits == 0 {
			continue
		}
		x, h := d.Axis.At(p.At), max(6, 100*p.Share)
		b := besideBar{X: x, W: d.Axis.At(d.Found.Bucket.End(p.At)) - x, Y: 100 - h, H: h, Name: bucketName(d.Found.Bucket, p.At), Hits: p.Hits, Of: p.Of}
		b.Href = d.found(collection, companion, b.Name)
		out = append(out, b)
	}
	return out
}

// table writes differences and buckets as CSV.
func (d *besideData) table() ([]byte, error) {
	f := d.Found
	n := func(x int64) string { return strconv.FormatInt(x, 10) }
	dec := func(x float64) string { return strconv.FormatFloat(x, 'f', 6, 64) }
	rows := [][]string{{f.By, string(f.Bucket), "with it, " + f.A.Collection, "of, " + f.A.Collection, "with it, " + f.B.Collection, "of, " + f.B.Collection, "difference", "at least (95 %)", "at most (95 %)"}}
	for _, c := range f.Companions {
		rows = append(rows, []string{cell(c.Name), "", n(int64(c.WithA)), n(int64(c.TextsA)), n(int64(c.WithB)), n(int64(c.TextsB)), dec(c.D), dec(c.Low), dec(c.High)})
		at := map[string][4]string{}
		var order []string
		for i, list := range [][]search.TrendPoint{c.InA, c.InB} {
			for _, p := range list {
				name := bucketName(f.Bucket, p.At)
				x, known := at[name]
				if !known {
					order = append(order, name)
				}
				x[2*i], x[2*i+1] = n(p.Hits), n(p.Of)
				at[name] = x
			}
		}
		for _, name := range order {
			x := at[name]
			rows = append(rows, []string{cell(c.Name), name, x[0], x[1], x[2], x[3], "", "", ""})
		}
	}
	var out bytes.Buffer
	err := csv.NewWriter(&out).WriteAll(rows)
	return out.Bytes(), err
}

// TitleA and TitleB are the names of the collections.
func (d besideData) TitleA() string { return d.title(d.Found.A.Collection) }

func (d besideData) TitleB() string { return d.title(d.Found.B.Collection) }

// Kept are the fields of the screen that its form does not show.
func (d besideData) Kept() []field { return d.kept("a", "b", "of", "from", "to", "split", "format") }

// Chosen are the collections of the form.
func (d besideData) Chosen() []besideChoice {
	var out []besideChoice
	for i, name := range []string{"a", "b"} {
		out = append(out, besideChoice{name, []string{d.say.Text("Collection"), d.say.Text("and")}[i], strings.TrimSpace(d.Q.Get(name))})
	}
	return out
}

// besideChoice is a field of the form.
type besideChoice struct{ Name, Label, Value string }
