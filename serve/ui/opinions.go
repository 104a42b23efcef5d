package ui

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"net/http"
	"slices"
	"strconv"
	"time"

	"varve/derive"
	"varve/index/fulltext"
	"varve/serve/message"
	"varve/serve/search"
	"varve/serve/strip"
)

// opinionsData is what the screen of opinions shows: which way versions judge, over time, whom, and where.
type opinionsData struct {
	asked
	*search.Opinions
	Said      string // the answer in a sentence
	Bars      []opinionBar
	Axis      strip.Axis
	Other     []viewLink // buckets
	Views     []viewLink // kinds of names
	People    []opinionRow
	Tongues   []opinionRow
	Lands     []opinionRow
	Clear     string // address about whole texts
	Day       string // the split
	CSV, JSON string
	Trouble   *askTrouble
}

// opinionBar is one bucket: shares of the versions that judge, in favour above the middle and against below it. Places are percent.
type opinionBar struct {
	X, W, Up, Down float64
	Few            bool // so few judge that a share says little
	Name           string
	For, Against   string // addresses of the versions
	search.OpinionPoint
}

// opinionRow is a name, a language or a country.
type opinionRow struct {
	Name, Kind    string
	On            bool
	Href          string
	ForHref, Anti string // addresses of the versions
	search.Sides
	Before, After *search.Sides
}

// fewJudge is below how many versions a share says little.
const fewJudge = 5

// opinions shows how versions judge.
func (u *UI) opinions(r *http.Request) (*view, error) {
	a, err := u.askedBy(r, "opinions")
	if err != nil {
		return nil, err
	}
	d := &opinionsData{asked: a}
	v := &view{template: "opinions", title: a.say.Text("Opinions"), section: "search", data: d}
	if len(a.All) == 0 {
		return v, nil
	}
	if err := d.ask(r.Context(), u); err != nil {
		if d.Trouble, v.status, err = troubleOf(message.From(r.Context()), err, a.Q.Get("q")); err != nil {
			return nil, err
		}
	}
	if about := a.Q.Get("about"); about != "" {
		v.title = a.say.Text("Opinions about {0}", about)
	}
	if a.Q.Get("format") == "csv" && d.Trouble == nil {
		body, err := d.table()
		return &view{file: &file{"opinions.csv", "text/csv; charset=utf-8", body}}, err
	}
	return v, nil
}

func (d *opinionsData) ask(ctx context.Context, u *UI) error {
	if u.cfg.Texts == nil {
		return noTexts()
	}
	collections := d.Q.Get("collection")
	var err error
	if d.Declared, err = search.Declared(ctx, u.cfg.Texts, collections); err != nil {
		return err
	}
	params := d.copy("format")
	points, bucket, err := u.trendOf(ctx, collections, fulltext.Query{}, fulltext.Bucket(params.Get("bucket")))
	if err != nil {
		return err
	}
	params.Set("bucket", string(bucket))
	q, err := search.ParseOpinions(params)
	if err != nil {
		return err
	}
	if d.Opinions, err = search.AskOpinions(ctx, u.cfg.Texts, collections, q); err != nil {
		return err
	}
	if !q.Split.IsZero() {
		d.Day = instant(d.say, q.Split)
	}
	for _, other := range []fulltext.Bucket{fulltext.ByDay, fulltext.ByMonth, fulltext.ByYear} {
		if len(points) > 0 && spanOf(other, points[0].At, points[len(points)-1].At) < mostBuckets {
			d.Other = append(d.Other, viewLink{d.say.Word(string(other)), d.with("bucket", string(other)), other == bucket})
		}
	}
	d.fill()
	return nil
}

// found is the address of a search for versions that judge so.
func (d *opinionsData) found(condition, name string) string {
	q := d.copy("about", "by", "split", "bucket", "format", "from", "to")
	q.Set("q", search.Narrow(d.Q.Get("q"), condition))
	if from, to := d.Q.Get("from"), d.Q.Get("to"); name != "" {
		q.Set("from", name)
		q.Set("to", name)
		q.Set("relation", string(fulltext.Begins))
	} else if from+to != "" {
		for k, v := range map[string]string{"from": from, "to": to, "relation": string(fulltext.Begins)} {
			if v != "" {
				q.Set(k, v)
			}
		}
	}
	return address("/search", q)
}

// sides are the addresses of the versions in favour of something and against it.
func (d *opinionsData) sides(about, name string) (inFavour, against string) {
	return d.found(search.JudgedSo(">=", search.InFavour, about), name), d.found(search.JudgedSo("<=", search.Against, about), name)
}

func (d *opinionsData) fill() {
	whom := d.say.Text("something")
	if d.About != "" {
		whom = d.About
		d.Clear = d.with("about")
	}
	sides := []any{d.say.Count(d.Fit, "version"), whom, d.For, d.Against, d.Neither(), d.Judged}
	if d.Said = d.say.Text("Of {0} that fit, {5} judge {1}: {2} in favour, {3} against, {4} neither.", sides...); d.Judged == 1 {
		d.Said = d.say.Text("Of {0} that fit, 1 judges {1}: {2} in favour, {3} against, {4} neither.", sides...)
	}
	d.bars()
	d.Views = []viewLink{{d.say.Text("all names"), d.with("by"), d.Q.Get("by") == ""}}
	for _, k := range d.Declared {
		if slices.Contains(d.Kinds, k.Name) {
			d.Views = append(d.Views, viewLink{d.say.Word(k.Title), d.with("by", k.Name), d.Q.Get("by") == k.Name})
		}
	}
	for _, n := range d.Names {
		row := opinionRow{Name: n.Name, On: n.Name == d.About, Href: d.with("about", n.Name), Sides: n.Sides, Before: n.Before, After: n.After}
		if i := slices.IndexFunc(d.Declared, func(f derive.Facet) bool { return f.Name == n.Facet }); i >= 0 {
			row.Kind = d.say.Word(d.Declared[i].Title)
		}
		row.ForHref, row.Anti = d.sides(n.Name, "")
		d.People = append(d.People, row)
	}
	for _, l := range d.Languages {
		row := opinionRow{Name: d.say.LanguageName(l.Name), Sides: l.Sides, Href: d.with("lang", l.Name)}
		if l.Name == "" {
			row.Name, row.Href = d.say.Text("unknown"), d.with("lang", "none")
		}
		d.Tongues = append(d.Tongues, row)
	}
	for _, c := range d.Countries {
		d.Lands = append(d.Lands, opinionRow{Name: countryName(d.say, c.Name), Sides: c.Sides})
	}
	d.CSV = d.with("format", "csv")
	q := d.copy("format")
	q.Set("bucket", string(d.Bucket))
	d.JSON = address("/api/opinions", q)
}

// bars draws the buckets from the first to the last; those in which nothing was seen are gaps.
func (d *opinionsData) bars() {
	if len(d.Points) == 0 {
		return
	}
	d.Axis = bucketAxis(d.say, d.Bucket, d.Points[0].At, d.Points[len(d.Points)-1].At)
	for _, p := range d.Points {
		x := d.Axis.At(p.At)
		b := opinionBar{X: x, W: d.Axis.At(d.Bucket.End(p.At)) - x, Name: bucketName(d.Bucket, p.At), OpinionPoint: p, Few: p.Judged < fewJudge}
		if p.Judged > 0 {
			b.Up, b.Down = 50*float64(p.Sides.For)/float64(p.Judged), 50*float64(p.Sides.Against)/float64(p.Judged)
		}
		b.For, b.Against = d.sides(d.About, b.Name)
		d.Bars = append(d.Bars, b)
	}
}

// Top is where the part above the middle begins.
func (b opinionBar) Top() float64 { return 50 - b.Up }

// countryName is the name of a country by the top-level domain of its hosts.
func countryName(l *message.Language, code string) string {
	switch code {
	case "":
		return l.Text("none of a country (.org, .com and others)")
	case "uk":
		code = "gb"
	}
	return cmp.Or(l.CountryName(code), "."+code)
}

// table writes all counts as CSV: of times, names, languages and countries.
func (d *opinionsData) table() ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	rows := [][]string{{"kind", "name", "judged", "for", "against", "neither"}}
	add := func(kind, name string, s search.Sides) {
		rows = append(rows, []string{kind, cell(name), strconv.FormatInt(s.Judged, 10), strconv.FormatInt(s.For, 10), strconv.FormatInt(s.Against, 10), strconv.FormatInt(s.Neither(), 10)})
	}
	add("all", d.About, d.Sides)
	for _, p := range d.Points {
		add(string(d.Bucket), bucketName(d.Bucket, p.At), p.Sides)
	}
	for _, n := range d.Names {
		add("name", n.Name, n.Sides)
		if n.Before != nil {
			add("name before "+d.Split.Format(time.DateOnly), n.Name, *n.Before)
			add("name since "+d.Split.Format(time.DateOnly), n.Name, *n.After)
		}
	}
	for _, l := range d.Languages {
		add("language", l.Name, l.Sides)
	}
	for _, c := range d.Countries {
		add("country", c.Name, c.Sides)
	}
	err := w.WriteAll(rows)
	return out.Bytes(), err
}

// Kept are the fields of the screen that its form does not show.
func (d opinionsData) Kept() []field {
	return d.kept("q", "about", "split", "collection", "from", "to", "bucket", "format", "cursor")
}
