package ui

import (
	"net/http"
	"time"

	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/pulse"
	"varve/serve/strip"
)

// Sizes of the list of collections: rows of a page, and bands of all strips on it.
const (
	collectionsShown = 25
	bandsShown       = 300
	runningShown     = 10
)

// collectionsData is what the list of collections shows.
type collectionsData struct {
	Totals   pulse.Totals // as the first page has them: counted once, of what the visitor may see
	Rows     []collectionRow
	Axis     strip.Axis // of all rows
	Pager    pager
	Pages    int64 // of the newest crawls
	Pending  int   // crawls that are not listed yet
	Runs     int
	Running  []*holdings.Crawl // some of those that run
	Troubles int
	Trouble  []*holdings.Crawl // some of the newest crawls that need a look
}

// collectionRow is one collection in the list.
type collectionRow struct {
	*holdings.Collection
	Strip  strip.Strip
	Last   *holdings.Crawl
	Next   time.Time
	Manner string
	Tally  *holdings.Tally // of the last crawl that was measured
}

// collections lists what this archive holds, and what needs a look.
func (u *UI) collections(r *http.Request) (*view, error) {
	from := newPager(r, 1<<30, collectionsShown).From
	page, err := u.cfg.Holdings.CollectionPage(r.Context(), from, "", collectionsShown, bandsShown)
	if err == nil && from > 0 && from >= len(page.All) {
		page, err = u.cfg.Holdings.CollectionPage(r.Context(), 0, "", collectionsShown, bandsShown)
	}
	if err != nil {
		return nil, err
	}
	sums, err := u.cfg.Pulse.Of(r.Context(), pulse.Ask{Limit: 1})
	if err != nil {
		return nil, err
	}
	d := collectionsData{Pager: newPager(r, len(page.All), collectionsShown), Totals: sums.Totals}
	for _, c := range page.All {
		d.count(c)
	}
	running, err := u.cfg.Holdings.Crawls(r.Context(), holdings.CrawlQuery{State: holdings.Live, Limit: runningShown})
	if err != nil {
		return nil, err
	}
	for _, k := range running.Items {
		if k.Follow(r.Context()); k.State == holdings.Live {
			d.Running = append(d.Running, k)
		}
	}
	d.Runs = max(0, running.Total-len(running.Items)+len(d.Running))
	for _, c := range page.Items {
		d.add(r, c, max(6, bandsShown/len(page.Items)))
	}
	var bands [][]strip.Band
	for _, row := range d.Rows {
		bands = append(bands, row.Strip.Bands)
	}
	d.Axis = strip.Over(bands...)
	d.Axis.Dates = axisIn(message.From(r.Context())).Dates
	for i := range d.Rows {
		d.Rows[i].Strip.Axis, d.Rows[i].Strip.Bare = d.Axis, true
	}
	return &view{template: "collections", title: message.From(r.Context()).Text("Collections"), section: "collections", data: d}, nil
}

// count adds the newest crawl of a collection to what all of them come to.
func (d *collectionsData) count(c *holdings.Collection) {
	head := c.Head()
	d.Pages += head.Pages
	d.Pending += c.Pending
	if head.State == holdings.Interrupted || head.State == holdings.Stopped || head.Problem != "" {
		if d.Troubles++; d.Troubles <= 3 {
			d.Trouble = append(d.Trouble, &holdings.Crawl{ID: head.Newest, Collection: c.Name, State: head.State, Problem: head.Problem})
		}
	}
}

// add adds the row of a collection.
func (d *collectionsData) add(r *http.Request, c *holdings.Collection, bands int) {
	l := message.From(r.Context())
	row := collectionRow{Collection: c, Tally: c.Head().Tally}
	for _, k := range c.Crawls {
		k.Follow(r.Context())
		row.Last = k
	}
	c.Crawls = c.Crawls[max(0, len(c.Crawls)-bands):]
	row.Strip = crawlStrip(l, c, 26, "")
	for _, p := range c.Plans {
		if p.Every > 0 {
			row.Manner = l.Text("every {0}", l.Duration(p.Every))
		}
		if !p.Next.IsZero() && (row.Next.IsZero() || p.Next.Before(row.Next)) {
			row.Next = p.Next
		}
	}
	d.Rows = append(d.Rows, row)
}
