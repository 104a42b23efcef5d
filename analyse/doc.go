// Package analyse groups what is found out about a collection, from its derivatives and WARC files, and what people
// decide with it. In reading order:
//
//	graph      ranks and neighbourhoods of link graphs
//	spam       which hosts are spam: features, learners, the filter of crawls, labels, the desk where people judge
//	curation   the films and sounds of a collection
//	selection  what of a collection goes into a final archive
//	notes      what people say about collections, crawls, pages and captures
package analyse
