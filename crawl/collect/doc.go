// Package collect has the words in which the crawl engine and its collectors speak. A *collector*
// goes further with an answer than reading its links: it executes the page (crawl/browser), follows
// a stream (crawl/media) or pages through an interface (crawl/api). Which of them takes an answer
// is decided by crawl/route.
//
//	engine:    answer is fetched and recorded -> route says which collector, and why
//	collector: asks the Net for all that it needs, gives back links, resources and what it cost
//	engine:    queues the links, appends the resources, and only then commits the visit
//
// The Net is the engine's: whatever a collector fetches passes scope, robots, politeness and budget,
// is recorded byte for byte and settled in the frontier, and is answered from the crawl's own
// records where it has been fetched already. So nothing is fetched twice, and a kill in the middle
// costs the one visit: its page is taken again, and what was recorded is found again.
//
// Types only: no network, no disk.
package collect
