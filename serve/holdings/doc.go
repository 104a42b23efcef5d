// Package holdings knows what an archive holds, in the words of its screens and of its programming
// interface: collections with their crawls, pages with their captures and versions.
//
// Terms. A *tally* counts the pages of a crawl by what became of them between visit and revisit.
// A *day* is a day with captures of a URL. A *version* is a run of captures with the same content.
// A *cell* of the temporal site map is what one depth of a site was in one stretch of time.
//
// The *catalogue* is what lists show, derived from the directory, which is the truth (docs/formats/catalogue.md).
//
//	look:         list folders that changed; per crawl stat report.json, definition.json, coherence.json, control.sock
//	              -> read again only those whose date or size changed, a bounded part of them a look
//	lists:        rows of the catalogue, a page at a time
//	captures:     asked of the Index, a stream in order of key and time
//	calendar, versions, site map:  pure functions over that stream, one pass
//
// Cost: a look is bounded, a page of a list costs its rows; the views over captures are linear in the
// captures they look at, which Query.Limit bounds. Memory is that of the answer.
package holdings
