// Package wire reads HTTP/1.x messages as bytes: heads parsed but kept exactly, body framing and
// content codings undone on demand.
//
// It has no client and no server in it. The fetcher uses it on a live connection, the WARC reader
// on a stored block; both must see the same thing, so both use this code.
//
// Terms: a *head* is the start line and the header fields up to the blank line; the *raw body* is
// what follows, as it crossed the wire; the *payload* is the raw body without transfer coding
// (chunked); the *content* is the payload without content coding (gzip, br, ...).
//
// Reading is forgiving: LF for CRLF, folded lines, spaces before the colon, lines without a
// colon. What was forgiven is told as Problems with line numbers, never as a lost message.
//
// Cost: parsing is linear in the head, one string per head; the decoders stream with fixed buffers.
package wire
