// Package tool holds the work behind `varve warc`: checking, printing, counting, extracting,
// repairing, recompressing and looking for duplicates. cli only wires flags to it.
//
// Terms. An *input* is one WARC or ARC file, open for random access, or a stream such as standard
// input. A *capture* is a record that stands for one answer of a server: response, resource,
// revisit or conversion. A *report* is what a tool hands back; every report can be written as JSON.
//
// All tools read the same way (walk):
//
//	packed file  ─> warc.Scan on all cores, results in the order of the file
//	plain file   ─> one reader: hashing is all there is to do, and memory stays flat
//	stream, or one member around all records  ─> one reader
//
// Cost. Every tool reads its input once, except where a look back is needed: check reads a record
// again to prove that an id is used twice, extract and dedup-report scan a second time if there
// are revisits, recompress unpacks what it wrote. Memory does not grow with the size of a file or
// of a record. What grows with the number of records is said where it is kept, and bounded: ids
// (32 bytes each, at most MaxIDs), names that are counted (at most maxNames, the rest is "other"),
// distinct payloads of dedup-report (about 80 bytes each), revisits to be resolved (about 500 bytes).
package tool
