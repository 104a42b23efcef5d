package ui

import (
	"net/http"

	"varve/curate/notes"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/strip"
)

// crawlsShown is the number of crawls on one page of a list.
const crawlsShown = 50

// collectionData is what the page of a collection shows.
type collectionData struct {
	*holdings.Collection
	Tab    string
	Strip  strip.Strip
	Newest *holdings.Crawl
	List   []*holdings.Crawl // newest first
	Pager  pager
	URLs   int64
	Failed int64

	Unmeasured int  // crawls without a coherence report that the visitor may measure
	Upload     bool // files can be brought in
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
	d := collectionData{Collection: c, Tab: "crawls", Strip: crawlStrip(message.From(r.Context()), c, 40, "")}
	who := access.From(r.Context())
	d.CSRF, d.Job, d.Upload = who.CSRF, u.job(r, c.Name), who.Can(access.Curator)
	d.Notes = u.notesAbout(r, c.Name, notes.Subject{})
	sum := c.Sum()
	d.URLs, d.Failed = sum.URLs, sum.Failed
	if u.cfg.Coherence != nil && who.Can(access.Curator) {
		d.Unmeasured = sum.Unmeasured
	}
	for _, k := range c.Crawls {
		k.Follow(r.Context())
		d.Newest = k
	}
	d.Pager = newPager(r, sum.Crawls, crawlsShown)
	page, err := u.cfg.Holdings.Crawls(r.Context(), holdings.CrawlQuery{Collection: c.Name, Skip: d.Pager.From, Limit: crawlsShown})
	if err != nil {
		return nil, err
	}
	for _, k := range page.Items {
		k.Follow(r.Context())
	}
	d.List = page.Items
	return &view{template: "collection", title: c.Title, section: "collections", data: d}, nil
}
