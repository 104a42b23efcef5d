// Package spamfilter has the states of hosts in a crawl that filters spam, and the rules by which they change. It is pure:
// the crawl keeps the records, fetches the pages and asks an assessor; here is what follows.
//
//	                   first page            sample whole
//	not sampled ─────────────────> being sampled ─────────────> sampled
//	     │                              ^                          │ assessed
//	     │ seed, or on a white list     │ nothing left to ask      ├── under the threshold ──> being archived ──┐
//	     └──────────────────────────────┼──────────────────────────┼──────────────────────────>      ^          │ assessed
//	                                                               │                                 │          │ again at
//	                                                               └── else ──> rejected <───────────┼──────────┘ 50, 100, 200
//	                                     on a black list ───────────────────>      │                 │
//	                                                                               └── given back ───┘
//	                                                                                   by a curator
//
// Terms. A host's *sample* is its first text pages, 20 unless configured, at most 200. Its *spamicity* is the probability that it is
// spam, as the assessor says. A *checkpoint* is a number of pages at which it is assessed: when the sample is whole, and
// again at 50, 100 and 200 pages, for a host may begin harmless. The sample is dropped with the last checkpoint, or with
// rejection. A *ruling* is what people decided: it goes before all assessments. Seeds and hosts of the white list are
// not sampled at all. What an assessor cannot tell is archived: no page is lost to a failure of ours.
//
// A [Record] is all that is kept of a host, some bytes without its sample. Cost: nothing here grows with the crawl.
package spamfilter
