// Package archive groups what is kept and how. In reading order:
//
//	warc      read, write, check, repair WARC and ARC; the truth
//	capture   which records are captures, and what they mean for an index
//	cdxj      the codec of index lines: CDXJ, CDX, ZipNum
//	wacz bag  packages for exchange, and for preservation
//	catalog   the archive directory: collections, crawls, locks
//	history   what each URL answered before
//	journal   decisions and events: files that only grow
//	whole     files that are there whole or not at all
//	fixity    proof that files are what they were
//	durable   the ground of our stores on Pebble
package archive
