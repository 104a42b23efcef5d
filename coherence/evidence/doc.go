// Package evidence reads from WARC files, ours or those of others, what they prove about when pages
// were as they were: for each URL its captures, with time, status, digests of every layer of
// equality, validators, dates, how it was found, and which record says so.
//
// Terms. A *source* is a WARC or ARC file on a *side* (compare has two sides, all others one). A
// *capture* is a response or revisit record, or a resource with a web address. A *page* is all
// captures of one URL, oldest first; URLs are told apart as they are written. The *original* of a
// revisit is the capture whose content it stands for; the *step* says how it was found.
//
// The algorithm, external sorting throughout:
//
//	scan all sources on all cores: one line per capture, request and metadata record
//	sort by index key, URL, time
//	for each index key: join requests and metadata to their captures by Concurrent-To
//	                    resolve revisits among the captures of the key (warc.Resolve)
//	                    a 304 that names nothing stands for the nearest earlier capture
//	revisits of content under other keys: sort what they want and what there is by record id,
//	                    URI and date, digest; merge; the best step wins
//	sort again: pages come out in order of index key, as often as wanted
//
// Cost: reading is that of unpacking and of making digests, and scales with the cores; with Lazy only
// bytes are digested, and contents are read again where they differ. Lines take about 1 kB per capture
// and are sorted in 64 MiB of memory, the rest on disk, n log n. Memory does not grow with the number of
// captures (160 MB of process for 50,000, 197 MB for 400,000), except for those of one index key, which
// are held together.
package evidence
