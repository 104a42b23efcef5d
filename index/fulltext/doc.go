// Package fulltext answers questions about text, time and facets at once: which versions of pages say
// this, were valid then, and are of this host, language or type.
//
// Terms:
//
//	document   one version of a page (derive.Version): a text with the time for which it was valid
//	shard      the documents that begin in one year; immutable, rebuilt as a whole when they change
//	column     a property of all documents of a shard, held in memory: times, counts, facet values
//	facet      a column of names: host, domain, mime, lang, year, crawl; or of any number of values a document, names or numbers, that an
//	           analysis declared (derive.Facet), of which nothing is known here but its name and kind
//	relation   how the validity of a document must stand to a span of time
//
// On disk, below index/fulltext of the collection:
//
//	manifest.json          the shards that make up the index; replacing it is the commit
//	<year>-<mark>/bleve    words with their places, by Bleve
//	<year>-<mark>/columns  times, counts and facets
//	<year>-<mark>/docs     the documents themselves, packed, for results and snippets
//	<year>-<mark>/terms    the words of each document, for clouds
//	<year>-<mark>/frequent how often and where frequent words stand
//	<year>-<mark>/pairs    in which documents two common words stand in a row
//	<year>-<mark>/facets-* facets that analyses declared: who has a value
//	ordinals-*             and what values a document has, of all years
//
// How a query runs, in each shard that may fit the time:
//
//	facets -> a set of documents, one bit each; words -> sets, from Bleve's postings; AND OR NOT -> operations on them
//	phrases: places are read of documents that have all words and may count, rarest word first
//	time: asked of what was found, unless all of the shard fits
//	counted: total, facets, buckets of the trend; scored and kept: the best
//
// Counts and places of a word that 32 documents have are read from the file frequent, by the rank of the document among those with the word;
// of rarer words from Bleve.
//
// Score: of each word and field boost x idf squared x root of count by root of length, over title (x3), anchors
// of links to the page (x2), words of its address (x1.5) and text; times 1 + log2(1 + links to it) / 10. Words of
// a tenth of all documents give none beside rarer ones. Equal scores are in the order of shard and number, so
// a page of results is the same each time.
//
// Cost: a nanosecond or two for each posting of the words, some for each hit that is scored, about 100 for each candidate of a phrase; a bit of each document
// for each part of the query; facets and trend add a few additions per hit (docs/algorithms/search.md). Memory: about 64 bytes per document and the names of
// the facets; Bleve's segments, frequent, pairs and the facets of analyses are mapped (values.go: with 20 values a document about 270 bytes of it); while facets are
// written, about 16 bytes for each value of at most eight years. Building holds a batch of 500 documents for each of at most eight years.
package fulltext
