// Package wacz writes, reads, checks and signs WACZ files (Web Archive Collection Zipped, version
// 1.1.1): WARC files with their index, page list and manifest in one ZIP, to be replayed from
// anywhere by range requests.
//
// Terms. A *package* is one WACZ file; an *entry* is a file in its ZIP. The *manifest* is
// datapackage.json: title, dates and the *resources*, each with size and hash. The *digest file*
// is datapackage-digest.json: the hash of the manifest, perhaps signed. *Captures* are the records
// that the index lists. A *page* is what a reader would open: an HTML answer that was reached by a
// link or as a seed, not as part of another page. A *finding* is something wrong with a package.
//
// Writing is one forward pass; what is known only at the end stands at the end:
//
//	each WARC:  Scan on all cores ─> pair requests with answers ─> index lines to an external sort,
//	                                                               pages to a spool on disk
//	            CRC of the file ─> local header ─> copy the bytes, hashing them
//	at the end: sorted lines ─> index.cdx.gz, index.idx ─> pages ─> manifest ─> digest file ─> directory
//
// Every entry has its size and CRC in front of it and no extra fields, so that a record lies at
// (data offset of the entry + offset in the index) for every reader there is.
//
// Reading never unpacks more than it needs: a lookup bisects the idx, reads one or two blocks of
// the index and then the record.
//
// Cost. Writing reads each WARC three times (scan, CRC, copy) and keeps in memory the sort buffer,
// a window of 256 records and the seeds, whatever the number of captures. Opening costs the ZIP
// directory; a lookup a few small reads. Check reads everything once for the hashes.
package wacz
