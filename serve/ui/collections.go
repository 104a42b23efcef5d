package ui

import (
	"net/http"
	"time"

	"varve/serve/holdings"
)

// collectionsData is what the first page shows.
type collectionsData struct {
	Rows    []collectionRow
	Pages   int64
	URLs    int64
	Bytes   int64
	Crawls  int
	Running []*holdings.Crawl
	Since   time.Time
	Tally   holdings.Tally
	Trouble []*holdings.Crawl // crawls that need a look, newest first
}

// collectionRow is one collection in the list.
type collectionRow struct {
	*holdings.Collection
	Strip  Strip
	Last   *holdings.Crawl
	Next   time.Time
	Manner string
	Tally  *holdings.Tally // of the last crawl that was measured
}

// collections is the first page: what this archive holds, and what needs a look.
func (u *UI) collections(r *http.Request) (*view, error) {
	list, err := u.cfg.Holdings.Collections(r.Context())
	if err != nil {
		return nil, err
	}
	var d collectionsData
	for _, c := range list {
		d.add(r, c)
	}
	return &view{template: "collections", title: "Collections", section: "collections", data: d}, nil
}

func (d *collectionsData) add(r *http.Request, c *holdings.Collection) {
	row := collectionRow{Collection: c, Strip: crawlStrip(c, 26, "")}
	d.Bytes += c.Bytes
	d.Crawls += len(c.Crawls)
	for i, k := range c.Crawls {
		k.Follow(r.Context())
		if k.State == holdings.Live {
			d.Running = append(d.Running, k)
		}
		if d.Since.IsZero() || k.Started.Before(d.Since) {
			d.Since = k.Started
		}
		if k.Coherence != nil && k.Coherence.Total() > 0 {
			row.Tally = k.Coherence
		}
		newest := i == len(c.Crawls)-1
		if newest && (k.State == holdings.Interrupted || k.State == holdings.Stopped || k.Problem != "") {
			d.Trouble = append(d.Trouble, k)
		}
		d.URLs += k.URLs
		row.Last = k
	}
	if row.Last != nil {
		d.Pages += row.Last.Pages
	}
	if row.Tally != nil {
		d.Tally.Coherent += row.Tally.Coherent
		d.Tally.Unknown += row.Tally.Total() - row.Tally.Coherent
	}
	for _, p := range c.Plans {
		if p.Every > 0 {
			row.Manner = "every " + duration(p.Every)
		}
		if !p.Next.IsZero() && (row.Next.IsZero() || p.Next.Before(row.Next)) {
			row.Next = p.Next
		}
	}
	d.Rows = append(d.Rows, row)
}
