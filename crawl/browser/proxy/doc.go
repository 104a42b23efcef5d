// Package proxy stands between a browser and the web: what the browser asks for is asked from the
// crawl's Net, which records it, and what was recorded is what the browser gets.
//
//	browser -- GET http://a.example/x -------> Net.Fetch -> recorded bytes -> browser
//	browser -- CONNECT a.example:443, TLS ---> certificate of our authority; then as above, with https
//	browser -- Upgrade: websocket -----------> 501; that it was tried is noted
//
// Terms: a *turn* is the time in which one page uses the proxy; a proxy belongs to one browser
// context and has one turn at a time, so that every request belongs to a page. Without a turn
// nothing is fetched. An *exchange* is one request with what became of it.
//
// The body reaches the browser as it was recorded, content coding included. Only what belongs to a
// connection differs: chunks are framed anew, Connection and its kin are dropped, as are Alt-Svc and
// conditional request fields, since the browser's cache must not keep a whole answer from the
// archive. A range of a file is cut out of the whole file, which is what is asked for and recorded.
// An answer that was cut short ends in an error for the browser, too. What the crawl will not ask
// is answered 403, what failed 502, both with X-Varve-Failed saying why.
//
// Quiet: no request is under way, or only ones that are so old that the page lives without them,
// such as event streams.
//
// Limits: heads, request bodies, connections and requests of a turn. Cost: one goroutine per
// connection, one TLS handshake per connection, a 32 KiB buffer while an answer is copied.
package proxy
