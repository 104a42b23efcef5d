// Package selection helps to choose what of a collection goes into a final archive: a relevance threshold proposes versions of
// pages, a curator includes and excludes, and what is chosen can be copied (serve/extract).
//
// Terms:
//
//	topic      words, and the texts of example pages; crawl/priority makes a vector of them
//	relevance  the cosine of a version's title and text with the topic, 0 to 1
//	proposed   of a relevance from the threshold on
//	decision   include or exclude a page, or one version of it; a later one counts more, one about a version more than one
//	           about its page
//	chosen     included; and, if the curator says so, proposed and undecided
//
// On disk, in the folder of the collection:
//
//	labels/selection-<name>.jsonl        definitions and decisions, append-only: originals
//	derived/selections/<name>.parquet    versions from half of the threshold on, the most relevant first: made by Propose
//
// Propose reads the table of versions twice:
//
//	first   how common words are, from at most 20,000 versions spread over the table; the texts of the examples
//	second  the relevance of each version; the best 200,000 are kept in a heap
//
// Cost: some ten microseconds for a kilobyte of text; memory is the corpus (1 million words) and the rows that are kept.
package selection
