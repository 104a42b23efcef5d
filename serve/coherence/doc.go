// Package coherence gives screens and programming interface what is known of how well a crawl
// hangs together: the report, and the graph of its pages.
//
// A report is read from coherence.json in the folder of the crawl. Where there is none the crawl is
// *not measured*; Measure reads the WARC files of the collection and writes it. The graph is built
// from the same evidence when it is first looked at and kept in memory, a few of them:
//
//	WARC files -> evidence (sorted, on disk) -> report.Make -> coherence.json
//	                                         -> graph.Build -> kept; views of it are cut per request
//
// Cost: measuring reads the collection once, whatever the number of crawls that are measured; one
// such job runs at a time, and a second request for the same waits for it.
package coherence
