// Package polite says when a host and an address may be contacted. One Registry serves all crawls of a
// process, so that politeness holds across them. It is pure: time and randomness are handed in, nothing sleeps.
//
// Terms. A *slot* is a host name or an IP address with its open connections and the instant before which it
// must be left alone. A *lease* is the right to make one request. A *waiter* is a crawl that was refused a
// host; it waits in the line of the slot that refused it, and no other crawl goes before it.
//
//	acquire(crawl, host, ip):
//	    host busy, too early, or others in line?   wait in the host's line
//	    ip busy, too early, or others in line?     hold the host, wait in the ip's line
//	    else a lease
//	dns gave the ip only now: bind(lease, ip) does the second step, and takes the lease back on refusal
//	release(lease, outcome):
//	    next = end + clamp(factor x duration)      adaptive: slow hosts get more rest
//	    next = max(next, crawl-delay)              what robots.txt asks for, up to a limit
//	    429, 503, timeout, refused connection:     back-off, doubled each time, with jitter
//	    Retry-After:                               never before
//	ready(crawl): the next host of the crawl whose turn has come; acquire it within Grace or lose the place
//	lost(crawl): a host whose place was lost; acquire it anew
//	pass(crawl, host): a part of a page that is loaded goes ahead of line and rest, but not of back-off
//
// With one connection per host (the default) the delay counts from the end of a request to the start of the
// next; with several, from start to start. Requests to one address are spaced from start to start too. A
// host must wait in one line at a time, and holds its place in the first while it stands in the second: so
// each waiter is served after at most those before it, and nobody starves.
//
// Cost: a heap orders the slots by the instant at which something happens to them: O(log n) per event. A slot
// exists only while it is in use, waited for, or must be left alone; then it is forgotten. Memory grows with
// the hosts contacted during the last delay, not with all hosts of a crawl. Failing hosts are
// remembered a little longer, at most Config.MaxFailing of them.
package polite
