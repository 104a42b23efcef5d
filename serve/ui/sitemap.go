package ui

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/strip"
	"varve/web/canon"
)

// mapCaptures is how many captures a site map looks at.
const mapCaptures = 300_000

// mapData is what the temporal site map shows.
type mapData struct {
	*holdings.Collection
	Tab      string
	URL      string
	With     string // a second site beside the first
	From, To string
	Maps     []mapView
	Out      string // address with less zoom
	Large    bool   // the collection is too large to be drawn whole
}

// mapView is one site over time.
type mapView struct {
	URL      string
	Map      *holdings.SiteMap
	Rows     []mapRow
	Sections []sectionRow
	Depths   []int
}

// mapRow is a stretch of time.
type mapRow struct {
	Label string
	Zoom  string
	Cells []mapCell
	Total int
	Known int     // addresses seen until its end
	Share float64 // of all that were ever seen, percent
}

// mapCell is a depth in a stretch of time.
type mapCell struct {
	Strip strip.Cell
	Href  string
	Total int
}

// sectionRow is a part of the site.
type sectionRow struct {
	holdings.Section
	Zoom  string
	Strip strip.Cell
}

// siteMap shows a site over time: depth across, time down.
func (u *UI) siteMap(r *http.Request) (*view, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	if u.cfg.Index == nil {
		return nil, noIndex()
	}
	q := r.URL.Query()
	d := mapData{Collection: c, Tab: "map", URL: strings.TrimSpace(q.Get("url")), With: strings.TrimSpace(q.Get("with")), From: q.Get("from"), To: q.Get("to")}
	from, to, err := dates(d.From, d.To)
	if err != nil {
		return nil, err
	}
	if d.URL != "" || d.From != "" || d.To != "" {
		d.Out = collectionPath(c.Name) + "/map"
	}
	if sized, ok := u.cfg.Index.(interface {
		Size(collection string) (captures int64, state uint64, err error)
	}); ok && d.URL == "" {
		if n, _, err := sized.Size(c.Name); err == nil && n > mapCaptures { // the first ones by address would be of sites that nobody asked for
			d.URL = firstSite(c)
			d.Large = d.URL != ""
		}
	}
	for _, target := range []string{d.URL, d.With} {
		if target == "" && len(d.Maps) > 0 {
			continue
		}
		m, err := u.drawMap(r, &d, target, from, to)
		if err != nil {
			return nil, err
		}
		d.Maps = append(d.Maps, *m)
	}
	return &view{template: "map", title: message.From(r.Context()).Text("Site map of {0}", c.Title), section: "collections", data: d}, nil
}

// firstSite is the host of the first seed that is planned, or of the newest crawl that names one.
func firstSite(c *holdings.Collection) string {
	var seeds []string
	for _, p := range c.Plans {
		seeds = append(seeds, p.Seeds...)
	}
	for _, k := range slices.Backward(c.Crawls) {
		if k.Definition != nil {
			seeds = append(seeds, k.Definition.Seeds...)
		}
	}
	for _, seed := range seeds {
		if u, err := url.Parse(seed); err == nil && u.Host != "" {
			return u.Host
		}
	}
	return ""
}

// dates reads days or instants; the second is the last day that is in.
func dates(from, to string) (a, b time.Time, err error) {
	for _, p := range []struct {
		text string
		at   *time.Time
		plus int
	}{{from, &a, 0}, {to, &b, 1}} {
		if p.text == "" {
			continue
		}
		t, err := time.Parse(time.DateOnly, p.text)
		if err != nil {
			return a, b, &varve.Error{Kind: varve.Invalid, Op: "read the date " + p.text, Msg: "it is not a day", Hint: "days are written YYYY-MM-DD"}
		}
		*p.at = t.AddDate(0, 0, p.plus)
	}
	return a, b, nil
}

func (u *UI) drawMap(r *http.Request, d *mapData, target string, from, to time.Time) (*mapView, error) {
	match, base := holdings.Typed(target)
	ask := holdings.Query{Collection: d.Name, URL: base, Match: match}
	m, err := holdings.Map(u.cfg.Index.Captures(r.Context(), ask), from, to, sectionBase(match, base), mapCaptures)
	if err != nil {
		return nil, err
	}
	l := message.From(r.Context())
	out := &mapView{URL: target, Map: m}
	for i := range m.Depths {
		out.Depths = append(out.Depths, i)
	}
	known := 0
	for _, row := range m.Rows {
		x := d.row(l, m, row)
		for _, c := range row.Cells {
			known += c[holdings.KindNew]
		}
		x.Known, x.Share = known, 100*float64(known)/float64(max(m.Pages, 1))
		out.Rows = append(out.Rows, x)
	}
	for _, s := range m.Sections[:min(len(m.Sections), 24)] {
		out.Sections = append(out.Sections, sectionRow{Section: s, Zoom: d.zoom(s.Prefix, d.From, d.To), Strip: strip.Cell{
			Band: strip.Band{Title: cellTitle(l, s.Prefix, s.Cell), Parts: kindParts(s.Cell)}, Height: 12, Label: s.Prefix,
		}})
	}
	return out, nil
}

// sectionBase is the path that sections are looked for below.
func sectionBase(match canon.Match, base string) string {
	if match != canon.MatchPrefix {
		return ""
	}
	if !strings.HasSuffix(base, "/") {
		if i := strings.LastIndex(base, "/"); i > strings.Index(base, "://")+2 {
			base = base[:i+1]
		}
	}
	return base
}

// zoom is the address of the map of a part of the site and of time.
func (d *mapData) zoom(target, from, to string) string {
	q := url.Values{}
	for k, v := range map[string]string{"url": target, "from": from, "to": to, "with": d.With} {
		if v != "" {
			q.Set(k, v)
		}
	}
	return collectionPath(d.Name) + "/map?" + q.Encode()
}

func (d *mapData) row(l *message.Language, m *holdings.SiteMap, row holdings.Row) mapRow {
	out := mapRow{Label: m.Unit.Label(row.From)}
	if m.Unit != holdings.Hour && m.Unit != holdings.DayUnit {
		out.Zoom = d.zoom(d.URL, row.From.Format(time.DateOnly), row.To.AddDate(0, 0, -1).Format(time.DateOnly))
	}
	for depth, c := range row.Cells {
		cell := mapCell{Total: c.Total()}
		out.Total += cell.Total
		if cell.Total > 0 {
			cell.Strip = strip.Cell{Height: 22, Label: out.Label, Band: strip.Band{
				Title: cellTitle(l, l.Text("{0}, depth {1}", out.Label, depth), c), Href: out.Zoom, Parts: kindParts(c),
			}}
		}
		out.Cells = append(out.Cells, cell)
	}
	return out
}

// kindParts are the colours of a cell.
func kindParts(c holdings.Cell) []strip.Part {
	n := float64(max(c.Total(), 1))
	return []strip.Part{
		{Class: "coherent", Share: float64(c[holdings.KindSame]) / n},
		{Class: "plain-b", Share: float64(c[holdings.KindNew]) / n},
		{Class: "content", Share: float64(c[holdings.KindChanged]) / n},
		{Class: "missing", Share: float64(c[holdings.KindGone]) / n},
		{Class: "unknown", Share: float64(c[holdings.KindFailed]) / n},
	}
}

func cellTitle(l *message.Language, where string, c holdings.Cell) string {
	return l.Text("{0}: {1} · {2} unchanged, {3} first seen, {4} changed, {5} gone, {6} failed", where, l.Count(c.Total(), "capture"),
		c[holdings.KindSame], c[holdings.KindNew], c[holdings.KindChanged], c[holdings.KindGone], c[holdings.KindFailed])
}
