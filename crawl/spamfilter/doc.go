// Package spamfilter has the states of hosts in a crawl that filters spam, and the rules by which they change. It is pure:
// the crawl keeps the records, fetches the pages and asks an assessor; here is what follows.
//
//	                   first page            4 pages, or all of a sample
//	not sampled ─────────────────> being sampled ─────────────> sampled
//	     │                              ^   in doubt: 10 pages      │ assessed
//	     │                              └───────────────────────────┤
//	     │ seed, white list, or known to be normal                  ├── under the threshold ──> being archived ──┐
//	     ├──────────────────────────────────────────────────────────┼──────────────────────────>      ^          │ once more,
//	     │                                                          │                                 │          │ behind 100
//	     │ black list, or known to be spam                          └── else ──> rejected <───────────┼──────────┘ documents
//	     └──────────────────────────────────────────────────────────────────>       │                 │
//	                                                                                └── given back ───┘
//	                                                                                    by a curator
//
// Terms. A host's *sample* is its first text pages: 4 for the first assessment, 10 in all where that leaves doubt. They are pages that the
// crawl fetches and archives in any case; nothing is fetched for the filter alone. Its *spamicity* is the probability that it is
// spam, as the assessor says. It is in *doubt* when it is near the threshold: less than 0.5 above it in log-odds, or less than
// 2 below. The *late look* is at four more pages of a host of which 100 documents were fetched, for a host may begin harmless; its sample
// is dropped behind it, or with rejection. A *ruling* is what people decided: it goes before all assessments. A *verdict* is what a crawl
// found and later ones remember; a *prior* is one that they do not rely on. Seeds and hosts of the white list are
// not sampled at all. What an assessor cannot tell is archived: no page is lost to a failure of ours.
//
// A [Record] is all that is kept of a host, some bytes without its sample. Cost: nothing here grows with the crawl.
package spamfilter
