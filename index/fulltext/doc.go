// Package fulltext answers questions about text, time and facets at once: which versions of pages say
// this, were valid then, and are of this host, language or type.
//
// Terms:
//
//	document   one version of a page (derive.Version): a text with the time for which it was valid
//	shard      the documents that begin in one year; immutable, rebuilt as a whole when they change
//	column     a property of all documents of a shard, held in memory: times, counts, facet values
//	facet      a column of names: host, domain, mime, lang, year, crawl
//	relation   how the validity of a document must stand to a span of time
//
// On disk, below index/fulltext of the collection:
//
//	manifest.json          the shards that make up the index; replacing it is the commit
//	<year>-<mark>/bleve    words with their places, by Bleve
//	<year>-<mark>/columns  times, counts and facets
//	<year>-<mark>/docs     the documents themselves, packed, for results and snippets
//
// How a query runs, in each shard:
//
//	facets and time -> a bitmap of documents          roaring, from the columns
//	text -> Bleve, document after document             those in the bitmap count
//	counted: total, facets, buckets of the trend; kept: the best, by score
//
// Score: that of Bleve over title (x3), anchors of links to the page (x2), words of its address and
// text, times 1 + log2(1 + links to it) / 10. Equal scores are in the order of shard and number, so a page of results is
// the same each time.
//
// Cost: a query reads the postings of its words once, whatever is asked of it; facets and trend add a
// few additions per hit. Memory: 60 bytes per document and the names of the facets; Bleve's segments
// are mapped. Building holds one batch.
package fulltext
