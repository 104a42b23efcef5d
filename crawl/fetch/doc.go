// Package fetch is the crawler's own HTTP/1.1 client. It speaks over net.Conn and keeps the exact
// bytes of each request and response, so that what stands in the WARC is what crossed the wire.
//
// Terms: an *exchange* is one request and what came back, whole or not; its *spool* holds the
// response bytes, in memory up to a bound and in a temporary file beyond; a *guard* refuses
// addresses that a public page must not make us reach. Head, raw body, payload and content are
// the words of package web/wire.
//
//	Fetch:  bytes of the request, built once
//	        idle connection of the host, looked at before use; or
//	          names -> addresses (cache, one lookup at a time per name)
//	          each address: guard, dial, proxy, TLS
//	        one write
//	        read into the spool until the head is there (1xx heads are put aside)
//	        framing from the head: none, length, chunked, close
//	        each span read: spool, block digest, payload digests, in one pass
//	        whole and clean: the connection goes back to the pool
//
// Redirects are not followed and nothing is decoded on the way: each answer is an exchange of its
// own, and Content undoes codings on demand, under a limit. An exchange always comes back, also
// with an error: the bytes that did arrive are in it, and Truncated says why there are no more.
// A request is tried a second time only when a kept connection turned out dead before any byte
// of an answer, and the method is idempotent.
//
// HTTP/2 is spoken only with servers that refuse HTTP/1.1. Its frames are no text, so such an
// exchange is stored as HTTP/1.1 text and Protocol says "h2".
//
// Deadlines guard every phase, a minimum rate guards against drips, and limits bound head and
// body. No goroutine is started per request; a cancelled context closes the connection.
//
// Cost: per fetch two pooled buffers, a handful of small allocations, one write and as many reads
// as the kernel gives; memory per fetch under way is at most Config.Memory.
package fetch
