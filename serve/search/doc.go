// Package search answers questions about text, time and facets over HTTP and for the command line
// (index/fulltext).
//
//	GET /api/search?collection=news&q=election&from=2014-05-01&to=2014-06-01&facets=host,lang&trend=month
//
// Parameters: q (words, "phrases", AND OR NOT, prefix*, "near words"~5, title: anchor: url: text:, person:"first last", opinion:<-0.3 about:"rent law"),
// from, to with relation (intersects, within, contains), asof; host, domain, mime, lang, year, crawl, coherence, spam,
// collection (several by comma or repeated; a leading minus means not); facets, top, trend (day, month, year),
// group=true, sort (oldest, newest), limit (10, at most 1,000), cursor. Times are years, months, days or
// RFC 3339; a to of a whole day includes the day.
//
// The answer is one JSON object: total, of, hits, facets, trend, cursor. Errors are problem+json.
package search
