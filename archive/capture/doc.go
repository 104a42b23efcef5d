// Package capture tells what the records of a WARC or ARC file mean for an index: which of them are
// captures, under which key they are found, and which request and metadata belong to which answer.
//
// Terms:
//
//	note     what one record tells: a capture's index line, a request's key, a metadata's hops
//	window   the last 256 notes of a file, in which requests find their answers
//
// Algorithm, one pass over a file:
//
//	on all cores:   record -> note (Noter.Note)                        archive/scan keeps the order
//	in order:       note -> window: pair by WARC-Concurrent-To, or as neighbours with one address
//	                leaving the window: capture with its request -> index line with its key
//
// Cost: a note holds its index line and nothing of the body; a record without a payload digest is
// digested while it passes. Memory is the window, whatever the size of the file.
package capture
