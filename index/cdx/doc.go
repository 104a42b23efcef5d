// Package cdx is the index of captures of a collection: from a URL and a time to the records, from
// one capture to a billion of them.
//
// Terms:
//
//	line       one capture as CDXJ (archive/cdxj), sorted by index key and time
//	run        an immutable sorted file of lines (a cdxj.Table), its filter and its sources
//	source     a WARC, ARC or CDX file whose captures are in a run; known by name, size, time of
//	           change and a digest of its head and tail
//	manifest   the list of the runs that make up the index; replacing it is the commit
//	generation number of commits
//	filter     tells by 64 bytes of a run that a key is surely not in it
//
// Building, by the one process that holds the lock of the collection (Builder):
//
//	for each source that is new or changed: scan in parallel -> lines -> external sort
//	every two million lines: write a run, sync, replace the manifest
//	in the background: while some runs are of similar size, merge them into one
//
// A kill leaves files that no manifest names; the next Builder removes them. A run that fails its
// checks is dropped, and so its sources are new again. Lines depend on the WARC bytes alone, so the
// same files give the same index, byte for byte once it is one run (Compact).
//
// Reading (Index) takes no lock. A query holds a snapshot: the runs of one manifest, open files
// that stay readable when a merge removes their names. A lookup asks the filter of each run, then
// reads a page of its idx and one block, or two where it stands at the edge of one.
//
// Cost: a line has about 70 bytes on disk. Memory of a reader: one fence per 4,096 lines, 3 MB for
// 100 million lines, and the block in hand. Adding n lines costs O(n log n) once and O(log(N/n))
// merges, each of one pass. Everything else streams.
package cdx
