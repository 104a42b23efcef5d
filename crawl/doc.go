// Package crawl is the crawl engine: a core that takes URLs from a frontier, fetches, records and commits them, and stages that
// attach to it.
//
// Terms. An *engine* serves a process: one fetcher, one politeness for all its crawls. A *run* is
// one crawl from its start, or from where it was killed, to its end. A *visit* is one URL taken
// from the frontier and what came of it. The *committer* makes visits durable in groups. A *stage* takes part in visits.
//
//	worker:    host whose turn it is -> lease -> take a URL -> robots -> fetch -> release the lease
//	           -> find links -> append records (not yet durable) -> hand the visit to the committer
//	committer: collect visits -> wait until their records are durable -> one frontier commit: done,
//	           with their links queued, and the tallies of the run -> crawl.log
//
// So a URL is done only after its records are durable, and a kill at any instant costs the visits
// that were under way: they are queued still and made again. Starting, resuming after a pause and
// resuming after a kill are the same code: cut the torn tail of the WARC file, open the frontier,
// go on.
//
// The core knows frontier, politeness, fetch, record and commit. What a crawl does beyond is done by stages, each a package
// that can be read alone; the core calls their three verbs on the way of every URL, and a run without stages skips them:
//
//	                 ┌──────────── links ────────────┐
//	                 v                               │
//	 found ─Admit─> queue ─take─Admit─> fetch ─> read ─Examine─> record ─> committer ─Settle─> commit
//	                 ^                    ^                │ TakeOver               notes stored with it
//	           guide: scores       gate: spam hosts     gather: collectors
//	           plan: groups        gather: guesses      (execute, stream, page through)
//
//	crawl/guide    what comes first: topic, priorities          Score, Admit
//	crawl/gate     hosts that are spam are kept out             Admit, Examine, Settle
//	crawl/plan     order of visits, revisits                    Order, Admit, Examine, Settle
//	crawl/gather   collectors                                   TakeOver, Sharer; makes visits of its own (part.go)
//	crawl/control  who watches and steers                       Settle; asks the run from outside
//	crawl/stages   puts them together
//
// stage.go has the interfaces and begins the reading; docs/decisions/20261115_stages.md says why it is so.
//
// Cost: a worker per fetch under way, no goroutine per URL or host; memory is the frontier's
// bound, the buffers of the fetches under way, and the visits of one group. A stage costs a call per link and per visit, nothing
// where it is absent.
package crawl
