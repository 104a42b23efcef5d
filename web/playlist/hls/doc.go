// Package hls reads play lists of HTTP Live Streaming (RFC 8216 and its successor) and writes those
// of recordings.
//
// Terms. A *multivariant* list names *variants* (the same programme at several bit rates) and
// *renditions* (audio, subtitles and further cameras that go with them); a *media* list names
// *segments*. A segment may need a *map* (the start of its file format), a *key*, and may be a range of
// a larger file. A list that has not *ended* is live: it is asked for again, and segments leave it at
// the front as others come at the back. The *sequence number* of a segment is its name over time.
//
//	for each line:
//	  tag       -> state that the next address takes (duration, range, variant), or that holds from
//	               here on (key, map), or that is the list's own (target duration, sequence)
//	  address   -> resolved against the list's URL after variables are put in; a variant or a segment
//	  otherwise -> ignored, as the standard demands of what is unknown
//
// Reading is forgiving: what servers get wrong and players accept is told as Problems with line
// numbers. Only what is no play list at all is an error.
//
// Cost: one pass, linear in the bytes; Limits bound lines, segments and variables.
package hls
