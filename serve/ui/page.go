package ui

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"varve"
	"varve/curate/notes"
	"varve/serve/holdings"
	"varve/serve/memento"
	"varve/serve/message"
	"varve/serve/strip"
)

// maxCaptures bounds the captures of one URL that a page looks at.
const maxCaptures = 20_000

// pageData is what the page of a URL shows.
type pageData struct {
	*holdings.Collection
	Tab      string
	URL      string
	Captures int
	Partial  bool
	First    holdings.IndexedCapture
	Last     holdings.IndexedCapture
	Strip    strip.Strip
	Versions []versionRow // newest first
	Pager    pager
	Bytes    int // versions by bytes, before trivial changes were merged
	Years    []yearLink
	Year     int
	Months   []month
	Notes    *notesData
	Cite     *memento.Citation // of the newest capture
	Kept     string            // how much of it readers do not see, for curators
}

// versionRow is a version in the table.
type versionRow struct {
	holdings.HeldVersion
	Number  int
	Open    string
	Kept    string // why readers do not see it, for curators
	Compare string // with the version before it
	Thumb   string // its small picture; empty: there is none
}

// looksShown is the number of versions whose pictures are shown.
const looksShown = 12

// Looks are the versions of which there are pictures, newest first.
func (d pageData) Looks() (list []versionRow) {
	for _, v := range d.Versions {
		if v.Thumb != "" && v.Status == http.StatusOK && len(list) < looksShown {
			list = append(list, v)
		}
	}
	return list
}

// yearLink is a year with captures.
type yearLink struct {
	Year     int
	Captures int
	Href     string
	Here     bool
}

// page is one URL: calendar and timeline of its distinct versions.
func (u *UI) page(r *http.Request) (*view, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	target := r.URL.Query().Get("url")
	captures, partial, err := u.capturesOf(r, c.Name, target)
	if err != nil {
		return nil, err
	}
	d := pageData{Collection: c, Tab: "pages", URL: target, Captures: len(captures), Partial: partial, First: captures[0], Last: captures[len(captures)-1]}
	d.Cite = u.citation(c.Name, "", target, d.Last.Time)
	d.Bytes = len(holdings.Versions(captures, nil))
	versions := holdings.Versions(captures, u.sameText(r.Context(), c.Name))
	d.Strip = u.versionStrip(message.From(r.Context()), c.Name, target, versions)
	kept, err := u.fromReaders(r.Context())
	if err != nil {
		return nil, err
	}
	if kept != nil {
		n := 0
		for _, x := range captures {
			if kept(c.Name, target, x.Time) != "" {
				n++
			}
		}
		d.Kept = keptLine(message.From(r.Context()), n, len(captures))
	}
	d.addVersions(u, r, versions, kept)
	d.addCalendar(u, r, captures)
	d.Notes = u.notesAbout(r, c.Name, notes.Subject{URL: target})
	return &view{template: "page", title: target, section: "collections", data: d}, nil
}

// capturesOf gives the captures of a URL, at least one.
func (u *UI) capturesOf(r *http.Request, collection, target string) (list []holdings.IndexedCapture, partial bool, err error) {
	if target == "" {
		return nil, false, &varve.Error{Kind: varve.Invalid, Op: "show a page", Msg: "the address of this view names no url", Hint: "pick one from the list of pages"}
	}
	if u.cfg.Index == nil {
		return nil, false, noIndex()
	}
	for c, err := range u.cfg.Index.Captures(r.Context(), holdings.Query{Collection: collection, URL: target}) {
		if err != nil {
			return nil, false, err
		}
		if len(list) == maxCaptures {
			return list, true, nil
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		return nil, false, &varve.Error{
			Kind: varve.NotFound, Op: "show " + target, Msg: "the collection " + collection + " has no capture of it that you may see",
			Hint: "look for it in other collections with the box at the top, or for the host alone",
		}
	}
	return list, false, nil
}

func (d *pageData) addVersions(u *UI, r *http.Request, versions []holdings.HeldVersion, kept func(collection, target string, at time.Time) string) {
	rows := make([]versionRow, 0, len(versions))
	for i, v := range versions {
		row := versionRow{HeldVersion: v, Number: i + 1, Open: u.replayURL(d.Name, v.First), Thumb: u.thumbPath(d.Name, d.URL, v.First.Time)}
		if kept != nil {
			row.Kept = kept(d.Name, d.URL, v.First.Time)
		}
		if i > 0 {
			row.Compare = comparePath(d.Name, d.URL, versions[i-1].Newest, v.First, "")
		}
		rows = append(rows, row)
	}
	slices.Reverse(rows)
	d.Pager = newPager(r, len(rows), 40)
	d.Versions = rows[d.Pager.From:d.Pager.To]
}

// versionStrip is the history of a page by what was captured.
func (u *UI) versionStrip(l *message.Language, collection, target string, versions []holdings.HeldVersion) strip.Strip {
	bands := make([]strip.Band, 0, len(versions))
	for i, v := range versions {
		class, what := "", l.Text("version {0}", i+1)
		switch {
		case v.Gone():
			class, what = "missing", l.Text("not there")
		case v.Status >= 400:
			class, what = "links", l.Text("error {0}", strconv.Itoa(v.Status))
		case v.Status >= 300:
			class, what = "unknown", l.Text("redirect")
		}
		b := strip.Band{
			From: v.Valid.From, Seen: v.Last, To: v.Valid.To, Href: u.replayURL(collection, v.First),
			Title: what + " · " + l.Text("{0} to {1}", l.Day(v.Valid.From), validUntil(l, v)) + " · " + l.Count(v.Captures, "capture"),
		}
		if class != "" {
			b.Parts = []strip.Part{{Class: class, Share: 1}}
		}
		bands = append(bands, b)
	}
	return versionStrip(l, target, 30, bands)
}

func validUntil(l *message.Language, v holdings.HeldVersion) string {
	if v.Valid.To.IsZero() {
		return l.Text("now")
	}
	return l.Day(v.Valid.To)
}

// addCalendar shows one year: the one asked for, else the newest.
func (d *pageData) addCalendar(u *UI, r *http.Request, captures []holdings.IndexedCapture) {
	days := holdings.Days(captures)
	counts := map[int]int{}
	for _, x := range days {
		counts[x.Date.Year()] += len(x.Captures)
	}
	d.Year = d.Last.Time.UTC().Year()
	if y, err := strconv.Atoi(r.URL.Query().Get("year")); err == nil && counts[y] > 0 {
		d.Year = y
	}
	for y := d.First.Time.UTC().Year(); y <= d.Last.Time.UTC().Year(); y++ {
		link := yearLink{Year: y, Captures: counts[y], Here: y == d.Year}
		if counts[y] > 0 {
			link.Href = collectionPath(d.Name) + "/page?" + url.Values{"url": {d.URL}, "year": {strconv.Itoa(y)}}.Encode()
		}
		d.Years = append(d.Years, link)
	}
	d.Months = monthsOf(message.From(r.Context()), d.Year, days, func(c holdings.IndexedCapture) string { return u.replayURL(d.Name, c) })
}
