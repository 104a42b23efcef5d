// Package holdings knows what an archive holds, in the words of its screens and of its programming
// interface: collections with their crawls, pages with their captures and versions.
//
// Terms. A *tally* counts the pages of a crawl by what became of them between visit and revisit.
// A *day* is a day with captures of a URL. A *version* is a run of captures with the same content.
// A *cell* of the temporal site map is what one depth of a site was in one stretch of time.
//
// Nothing is kept but a cache: the directory is the truth and is looked at when somebody asks.
//
//	collections:  list folders; per crawl stat report.json, definition.json, coherence.json
//	              -> read again only those whose date or size changed
//	captures:     asked of the Index, a stream in order of key and time
//	calendar, versions, site map:  pure functions over that stream, one pass
//
// Cost: listing is one stat per file of a crawl; the views over captures are linear in the
// captures they look at, which Query.Limit bounds. Memory is that of the answer.
package holdings
