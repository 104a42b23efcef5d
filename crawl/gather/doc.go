// Package gather is the stage of a crawl that goes further with answers than reading their links: collectors execute the page,
// follow a stream, page through an interface (crawl/browser, crawl/media, crawl/api). The route (crawl/route) says who, and why.
//
//	worker:    answer fetched and looked at -> route -> a collector: the visit, its answer and its host are
//	           handed over (TakeOver); the host has its turn again when the visit has got a slot
//	collector: asks for all that it needs through the Net of the visit (net.go) under a deadline, which is the way of a worker:
//	           scope, robots, politeness, records, commit; what the crawl has is read back (answers.go)
//	then:      the records of the visit, with what the collector made, the response last -> committer
//
// So no worker waits for a collector, at most one visit per host waits for a slot, and a visit that is
// killed while it is collected is made again: nothing of it was written, and what the collector fetched is
// found in the records. gather.go begins the reading.
//
// Cost: a goroutine per visit that is collected or waits for it, 64 of these at most; memory grows with what is under way.
package gather
