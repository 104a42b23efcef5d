// Package frontier is the durable queue of the URLs of one crawl: which URLs were ever seen, which
// wait, in what order each host gives them out, and what became of those that are done.
//
// It does not fetch, does not know when a host may be contacted, and does not parse URLs. The
// caller gives each URL its frontier key, its host queue and its domain, and runs this loop:
//
//	hosts := Claim(now, n)            hosts that have work, in turn
//	item  := Take(host, now)          nothing is written
//	...fetch, write the record, sync it...
//	Finish(result with outlinks)      one commit; returns when durable
//	Release(host)                     when it has no more, or had its share
//
// # Terms
//
// The key of a URL decides whether two URLs are one fetch; the seen-set holds every key ever
// queued, exactly. A band is an urgency class: all of band 0 comes before band 1. The score orders
// URLs of one band; it may change after queueing, through Combine or Update. A URL in flight was
// taken and not yet settled: on disk it is still queued, so that after a crash it is taken again.
// A late URL has a time before which it is not given out. A retired host is passed over.
//
// # How it works
//
// The store (Pebble) has a record per key seen and an entry per URL queued:
//
//	seen   key                              -> queued at place | done, outcome | dropped, reason
//	queue  host number, band, rank, seq     -> item
//
// so taking the next URL is a short scan at the start of a host's range, and changing a score
// moves one entry. rank is the score in steps (Config.Buckets), highest first; seq counts upward,
// or downward where the newest comes first. Finish writes without reading: it deletes the entry,
// replaces the record, adds the links.
//
// In memory are the first entries of the hosts in use (window.go), a round of hosts that have
// work (rotation.go), a filter that knows most new keys as new (filter.go), and a table of recent
// keys that answers most links to pages seen before (recent.go). All have bounds in Config.
// Counters of the crawl and of each host are written in the commit that changes them, so opening
// after a kill finds them exact without counting.
//
// # Cost
//
// With n URLs: adding, taking, finishing and re-ranking one are O(log n) with the base of an LSM
// tree (one more level for ten times the URLs); memory is bounded by Config whatever n is, down to
// about 100 MB with the defaults; opening takes the same time for any n, the filter is rebuilt
// beside the work in O(n). The measured figures are in docs/decisions.
package frontier
