package ui

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"varve"
	"varve/index/fulltext"
	"varve/serve/holdings"
	"varve/serve/search"
)

// searchData is what the search screen shows.
type searchData struct {
	*holdings.Collection
	Others []*holdings.Collection // that can be searched instead
	Q      url.Values
	Asked  bool
	Answer *fulltext.Answer
	Trend  *trend
	Facets []facetList
	Clear  []filterTag // conditions in force, with the address without each
	Next   string
	Took   time.Duration
}

// facetList is one facet with its names as links.
type facetList struct {
	Facet, Label string
	Names        []facetName
}

type facetName struct {
	Name  string
	Count int64
	Href  string // with this condition added
}

type filterTag struct{ Label, Href string }

// The facets that are shown, in this order.
var shownFacets = []struct{ name, label string }{
	{"host", "Host"}, {"lang", "Language"}, {"mime", "Type"}, {"year", "First seen"}, {"crawl", "Crawl"},
}

// search finds versions of pages by text, time and facets.
func (u *UI) search(r *http.Request) (*view, error) {
	d := searchData{Q: r.URL.Query()}
	all, err := u.cfg.Holdings.Collections(r.Context())
	if err != nil {
		return nil, err
	}
	name := d.Q.Get("collection")
	if name == "" && len(all) > 0 {
		name = all[0].Name
	}
	v := &view{template: "search", title: "Search", section: "search"}
	if name == "" {
		v.data = d
		return v, nil
	}
	if d.Collection, err = u.cfg.Holdings.Collection(r.Context(), name); err != nil {
		return nil, err
	}
	d.Others = all
	d.Q.Set("collection", name)
	for k, list := range d.Q {
		if len(list) == 0 || list[0] == "" {
			d.Q.Del(k)
		}
	}
	q, err := search.Parse(d.Q)
	if err != nil {
		return nil, err
	}
	for _, f := range shownFacets {
		q.Facets = append(q.Facets, f.name)
	}
	q.Group = q.Sort == fulltext.ByScore
	q.Trend = fulltext.ByMonth
	start := time.Now()
	if d.Answer, err = search.Ask(r.Context(), u.cfg.Texts, name, q); err != nil {
		return nil, err
	}
	d.Took, d.Asked = time.Since(start), true
	d.fill()
	if t := strings.TrimSpace(q.Text); t != "" {
		v.title = "Search: " + t
	}
	v.data = d
	return v, nil
}

// fill makes the addresses that lead on from an answer.
func (d *searchData) fill() {
	for _, f := range shownFacets {
		l := facetList{Facet: f.name, Label: f.label}
		for _, c := range d.Answer.Facets[f.name] {
			n := c.Name
			if n == "" {
				n = "none"
			}
			l.Names = append(l.Names, facetName{Name: c.Name, Count: c.Count, Href: d.with(f.name, n)})
		}
		if len(l.Names) > 0 {
			d.Facets = append(d.Facets, l)
		}
	}
	for _, k := range []string{"from", "to", "asof", "relation", "host", "domain", "lang", "mime", "year", "crawl", "sort"} {
		if v := d.Q.Get(k); v != "" {
			d.Clear = append(d.Clear, filterTag{Label: k + ": " + strings.Join(d.Q[k], ", "), Href: d.with(k, "")})
		}
	}
	if d.Answer.Cursor != "" {
		d.Next = d.with("cursor", d.Answer.Cursor)
	}
	d.Trend = newTrend(d.Answer.Trend, func(p fulltext.Point) string {
		q := d.copy()
		q.Del("asof")
		q.Set("from", p.At.Format("2006-01-02"))
		q.Set("to", fulltext.ByMonth.End(p.At).AddDate(0, 0, -1).Format("2006-01-02"))
		return "/search?" + q.Encode()
	})
}

// copy gives the parameters without the place in the list.
func (d *searchData) copy() url.Values {
	q := url.Values{}
	for k, v := range d.Q {
		if k != "cursor" {
			q[k] = v
		}
	}
	return q
}

// Kept are the conditions that the form does not show and must not lose.
func (d searchData) Kept() (out []filterTag) {
	for _, k := range []string{"host", "domain", "lang", "mime", "year", "crawl", "relation"} {
		if v := d.Q.Get(k); v != "" {
			out = append(out, filterTag{Label: k, Href: v})
		}
	}
	return out
}

// Export is where all results are had as a table.
func (d searchData) Export(format string) string {
	q := url.Values{"format": {format}}
	for _, k := range []string{"collection", "q", "from", "to", "asof", "relation", "host", "domain", "lang", "mime", "year", "crawl", "sort"} {
		if v := d.Q[k]; len(v) > 0 {
			q[k] = v
		}
	}
	return "/api/search/export?" + q.Encode()
}

// hitReplay is where a version is shown again, as it was first captured.
func (u *UI) hitReplay(collection string, h fulltext.Hit) string {
	return u.replayURL(collection, holdings.Capture{Capture: varve.Capture{URL: h.URL, Time: h.From}})
}

// with gives the address of the screen with one condition changed.
func (d *searchData) with(name, value string) string {
	q := d.copy()
	if value == "" {
		q.Del(name)
	} else {
		q.Set(name, value)
	}
	return "/search?" + q.Encode()
}

// trend is the share of versions that fit, month by month, as bars.
type trend struct {
	Width, Height int
	Bars          []bar
	Top           float64 // share of the highest bar
	First, Last   time.Time
}

type bar struct {
	X, Y, W, H float64
	Href       string
	fulltext.Point
}

// Size of the picture of a trend.
const (
	trendWidth  = 640
	trendHeight = 90
	mostBars    = 240
)

func newTrend(points []fulltext.Point, href func(fulltext.Point) string) *trend {
	if len(points) < 2 {
		return nil
	}
	points = points[max(0, len(points)-mostBars):]
	t := &trend{Width: trendWidth, Height: trendHeight, First: points[0].At, Last: points[len(points)-1].At}
	for _, p := range points {
		t.Top = max(t.Top, p.Share())
	}
	if t.Top == 0 {
		return nil
	}
	months := func(at time.Time) int { return at.Year()*12 + int(at.Month()) }
	step := float64(trendWidth) / float64(months(t.Last)-months(t.First)+1)
	for _, p := range points {
		h := p.Share() / t.Top * (trendHeight - 4)
		t.Bars = append(t.Bars, bar{
			X: float64(months(p.At)-months(t.First)) * step, Y: trendHeight - h, W: max(1, step-1), H: h, Href: href(p), Point: p,
		})
	}
	return t
}

// Percent is the share of the highest bar.
func (t *trend) Percent() float64 { return 100 * t.Top }
