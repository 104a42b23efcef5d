package ui

import (
	"net/http"
	"slices"

	"varve/analyse/notes"
	"varve/serve/access"
	"varve/serve/holdings"
)

// crawlsShown is the number of crawls on one page of a list.
const crawlsShown = 50

// collectionData is what the page of a collection shows.
type collectionData struct {
	*holdings.Collection
	Tab    string
	Strip  Strip
	Newest *holdings.Crawl
	List   []*holdings.Crawl // newest first
	Pager  pager
	URLs   int64
	Failed int64

	Unmeasured int // crawls without a coherence report that the visitor may measure
	CSRF       string
	Job        *jobData
	Notes      *notesData
}

// collection is one collection with its crawls.
func (u *UI) collection(r *http.Request) (*view, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	d := collectionData{Collection: c, Tab: "crawls", Strip: crawlStrip(c, 40, "")}
	who := access.From(r.Context())
	d.CSRF, d.Job = who.CSRF, u.job(r, c.Name)
	d.Notes = u.notesAbout(r, c.Name, notes.Subject{})
	for _, k := range c.Crawls {
		if k.Coherence == nil && k.Report != nil && u.cfg.Coherence != nil && who.Can(access.Curator) {
			d.Unmeasured++
		}
		k.Follow(r.Context())
		d.URLs += k.URLs
		d.Failed += k.Failed
		d.Newest = k
	}
	newest := slices.Clone(c.Crawls)
	slices.Reverse(newest)
	d.Pager = newPager(r, len(newest), crawlsShown)
	d.List = newest[d.Pager.From:d.Pager.To]
	return &view{template: "collection", title: c.Title, section: "collections", data: d}, nil
}
