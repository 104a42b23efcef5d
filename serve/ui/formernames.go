package ui

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"varve/evolution/name"
	"varve/evolution/stored"
	"varve/serve/evolution"
)

// namesData is what the screen of former names shows: pairs that the filters let through, or one name with what it may have been called before and since.
type namesData struct {
	evolvedData
	Asked string
	All   *evolution.Names // no name is asked for
	Pairs []namePair
	Of    *evolution.Name
	Told  string    // the answer in a sentence
	Rows  []nameRow // the name, then the others
}

// namePair is two names of one thing, with the texts of both.
type namePair struct {
	stored.FormerRow
	Page          string // of the new name
	OldHref, Href string // texts before the change with the old one, and since with the new one
	Words         []string
}

// nameRow is a name on the axis.
type nameRow struct {
	Kind  string // what it is to the name that is asked for: "", former, later
	Name  string
	Page  string
	Href  string // texts that have it
	Bars  []yearBar
	Span  string
	Chart string
	Score float64
	Year  string // of the change
	Words []string
	Texts int64
}

func (u *UI) formerNames(r *http.Request) (*view, error) {
	base, status, ok, err := u.evolved(r, "names")
	if err != nil {
		return nil, err
	}
	d := &namesData{evolvedData: base}
	v := &view{template: "names", title: d.say.Text("What was it called before?"), section: "collections", data: d, status: status}
	if !ok {
		return v, nil
	}
	d.Asked, err = evolution.ParseName(d.Q)
	switch {
	case err != nil:
	case d.Asked == "":
		if d.All, err = u.cfg.Evolution.Names(r.Context(), d.Name); err != nil {
			return nil, err
		}
		d.pairs()
	default:
		if d.Of, err = u.cfg.Evolution.Name(r.Context(), d.Name, d.Asked); err == nil {
			v.title = d.say.Text("What was {0} called before?", d.Of.Name)
			d.JSON = "/api" + d.path + "/" + url.PathEscape(d.Asked)
			d.rows()
		}
	}
	if err != nil {
		v.status, err = d.trouble(err)
		return v, err
	}
	if d.Q.Get("format") == "csv" {
		body, err := d.table()
		return &view{file: &file{"names.csv", "text/csv; charset=utf-8", body}}, err
	}
	return v, nil
}

// page is the screen about a name.
func (d *namesData) page(called string) string { return address(d.path, values("name", called)) }

// pairs lists what the filters let through.
func (d *namesData) pairs() {
	d.Told = d.say.Text("{0} were found in {1} of {2} to {3}.", d.say.Count(len(d.All.Renamings), "pair of names"), d.say.Count(d.All.Texts, "text"), year(d.All.First), year(d.All.Last))
	for _, p := range d.All.Renamings {
		d.Pairs = append(d.Pairs, namePair{
			FormerRow: p, Page: d.page(p.Name), Words: features(p.Shared),
			OldHref: d.found(d.All.First, int(p.Year)-1, p.Old), Href: d.found(int(p.Year), d.All.Last, p.Name),
		})
	}
}

// features are the words that speak for a pair, readable: hosts and neighbours in lists have a mark in the tables.
func features(shared []string) (out []string) {
	for _, s := range shared {
		if s = strings.TrimLeft(s, "@+"); s != "" && !slices.Contains(out, s) { // a neighbour in a list is a word beside it, too
			out = append(out, s)
		}
	}
	return out
}

// rows places the name and the others on the axis.
func (d *namesData) rows() {
	d.years(d.Of.First, d.Of.Last)
	d.Rows = append(d.Rows, d.row("", d.Of.Name, d.Of.Years))
	for _, c := range d.Of.Former {
		r := d.row("former", c.Other, c.Years)
		r.Score, r.Year, r.Words = c.Score, year(int(c.Year)), features(c.Shared)
		r.Href = d.found(d.Of.First, int(c.Year)-1, c.Other)
		d.Rows = append(d.Rows, r)
	}
	for _, c := range d.Of.Later {
		r := d.row("later", c.Other, c.Years)
		r.Score, r.Year, r.Words = c.Score, year(int(c.Year)), features(c.Shared)
		r.Href = d.found(int(c.Year), d.Of.Last, c.Other)
		d.Rows = append(d.Rows, r)
	}
	d.Told = d.say.Text("No other name goes out of use when it comes into it, or the other way round.")
	unlikely := func(list []evolution.Candidate) bool { return list[0].Score < name.Default().MinScore }
	switch f, l := d.Of.Former, d.Of.Later; {
	case len(f) > 0 && !unlikely(f):
		d.Told = d.say.Text("Before {0} it may have been called {1}: that name goes out of use when this one comes into it, in the same context.", year(int(f[0].Year)), f[0].Other)
	case len(l) > 0 && !unlikely(l):
		d.Told = d.say.Text("Since {0} it may be called {1}: that name comes into use when this one goes out of it, in the same context.", year(int(l[0].Year)), l[0].Other)
	case len(f)+len(l) > 0:
		d.Told = d.say.Text("No other name is likely; of these candidates most are wrong.")
	}
}

func (d *namesData) row(kind, called string, years []evolution.NameYear) nameRow {
	r := nameRow{Kind: kind, Name: called, Page: d.page(called), Href: d.found(d.Of.First, d.Of.Last, called)}
	most := int64(1)
	for _, y := range years {
		most = max(most, y.Texts)
		r.Texts += y.Texts
	}
	for _, y := range years {
		b := d.bar(y.Year, float64(y.Texts), float64(most))
		b.Title, b.Href = strconv.Itoa(y.Year)+": "+d.say.Count(y.Texts, "text"), d.found(y.Year, y.Year, called)
		r.Bars = append(r.Bars, b)
	}
	if n := len(years); n > 0 {
		r.Span = yearSpan(years[0].Year, years[n-1].Year)
	}
	r.Chart = called + ": " + r.Span
	return r
}

// table writes what is shown as CSV.
func (d *namesData) table() ([]byte, error) {
	rows := [][]string{{"old", "new", "year", "score", "likeness", "texts", "words"}}
	add := func(f stored.FormerRow) {
		rows = append(rows, []string{cell(f.Old), cell(f.Name), strconv.Itoa(int(f.Year)), strconv.FormatFloat(f.Score, 'f', 4, 64), strconv.FormatFloat(f.Likeness, 'f', 4, 64), strconv.Itoa(int(f.Support)), cell(strings.Join(f.Shared, ", "))})
	}
	for _, p := range d.Pairs {
		add(p.FormerRow)
	}
	if d.Of != nil {
		for _, c := range append(d.Of.Former, d.Of.Later...) {
			add(c.FormerRow)
		}
		rows = append(rows, []string{}, []string{"name", "year", "texts"})
		for _, r := range d.Rows {
			for _, b := range r.Bars {
				rows = append(rows, []string{cell(r.Name), strconv.Itoa(b.Year), b.Title})
			}
		}
	}
	var out bytes.Buffer
	err := csv.NewWriter(&out).WriteAll(rows)
	return out.Bytes(), err
}
