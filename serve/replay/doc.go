// Package replay shows archived pages again, on a host of its own, so that nothing on them reaches the live web or
// the rest of Varve.
//
// Terms. The *frame page* is ours: the banner and, below it, the replayed page in an iframe. *Content* is what was
// archived, rewritten (package rewrite) or as it was (id_). The *shim* is a script of ours that runs before those of
// the page and answers for what a rewriter cannot see (package shim). A *leak* is an attempt to fetch from anywhere
// but the archive.
//
//	address -> guard -> key (SURT, or method and body) -> captures nearest to the instant
//	        -> none: the same with noise parameters stripped, then site rules, then other queries of the path
//	        -> in bounded time (embedded parts), in the order of choose
//	        -> first that loads and does not lead back to itself; a revisit takes its body from its original
//	        -> headers renamed or rewritten, our policy added -> body streamed through the rewriter of its kind
//
// Three walls, each enough for most: the rewriter and the shim lead all requests into the archive; the
// Content-Security-Policy of every answer lets only this host be asked, and that of the frame page lets the iframe
// show only content; the sandbox takes away popups and the top window. Only documents with the shim run scripts or share
// an origin (policy.go), and scripts only in browsers that keep them in, or where the reader says so (scripts.go). The frame page and the content of each collection have origins of their own, and content has
// no rights of the visitor (origin.go). The host is checked, since a cookie of 127.0.0.1 would be sent to
// every port of it: content under any other name is refused.
//
// Which capture of an embedded part is shown (choose): one proven valid at the instant of the page, then one whose
// bytes were seen unchanged before and after, then the nearest; never one further away than Config.Span. Each answer
// says its time and how well it fits (Server-Timing), from which the banner makes its verdict.
//
// Cost: one index lookup and one record read per request, memory for one window of the document; a range of a
// packed record costs unpacking up to its end.
package replay
