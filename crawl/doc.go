// Package crawl is the crawl engine: frontier -> fetch -> record -> links -> frontier.
//
// Terms. An *engine* serves a process: one fetcher, one politeness for all its crawls. A *run* is
// one crawl from its start, or from where it was killed, to its end. A *Visit* is one URL taken
// from the frontier and what came of it. The *committer* makes visits durable in groups.
//
//	worker:    host whose turn it is -> lease -> robots -> take a URL -> fetch -> release the lease
//	           -> append records (not yet durable) -> find links -> hand the visit to the committer
//	committer: collect visits -> wait until their records are durable -> one frontier commit: done,
//	           with their links queued, and the tallies of the run -> crawl.log
//
// So a URL is done only after its records are durable, and a kill at any instant costs the visits
// that were under way: they are queued still and made again. Starting, resuming after a pause and
// resuming after a kill are the same code: cut the torn tail of the WARC file, open the frontier,
// go on.
//
// A *planned* crawl (a strategy, or revisits) asks that pages hang together in time. Its pages are in
// groups, each with a reference point, the end of its visits:
//
//	visits:    the planner of a lane (group and host) says which page of those found comes next; the
//	           commit of a visit also queues the revisit of the page, which waits
//	reference: nothing of the group is queued or under way: its revisits get their turns
//	revisits:  conditional request, compared with the visit per layer; counted by the same commit
//
// coherent.go begins the reading; docs/decisions/20261115_revisits.md says why it is so.
//
// A *collector* goes further with an answer than reading its links: it executes the page, follows a stream,
// pages through an interface. The route says who, and why (crawl/route); collecting.go begins the reading:
//
//	worker:    answer looked at -> route -> a collector: visit, answer and host are handed over
//	collector: asks for all that it needs through the Net of the visit (net.go), which is the way of a
//	           worker: scope, robots, politeness, records, commit; what the crawl has is read back
//	then:      the records of the visit, with what the collector made, the response last -> committer
//
// Cost: a worker per fetch under way, no goroutine per URL or host; memory is the frontier's
// bound, the buffers of the fetches under way, and the visits of one group.
package crawl
