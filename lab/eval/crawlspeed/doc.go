// Package crawlspeed measures what a crawl costs: pages per second of processor time of Varve, of
// wget with WARC output, and of the *floor*, on the same simulated sites in one run.
//
// Terms. A *way* is one of the three. The *floor* is what no crawler that writes our records can
// do without: it is told every URL and every metadata block beforehand (the *plan*, taken from a
// reference crawl), and only asks, hashes, packs, writes and syncs. A *round* runs each way once.
//
//	serve the preset in a process of its own       its time is not counted
//	reference crawl by varve -> plan, expected URLs
//	per round: floor, wget, varve                   each a process; user + system time by wait4
//	           read its WARC files -> which of the expected URLs have a response
//	figures: pages / CPU-second, median and best; ratios paired round by round, median
//
// What makes it fair. All three ask the same server over kept connections for the same bytes, obey
// robots.txt (the floor has the answer already) and write gzip members with sha1 digests. wget is
// reached as its own proxy setting allows (absolute-form requests), so it needs no name service,
// and keeps one connection for all hosts. It runs quietly, without its log record, without waiting,
// and leaves its mirror files where it put them, which it needs to find links. Its gzip level is
// fixed at 9 by its source, ours and the floor's is 6 as in the field.
//
// Cost: a round takes some ten to sixty seconds by the load of the machine, and 150 MB of disk
// that are freed; the result of a round is kept, not its files.
package crawlspeed
