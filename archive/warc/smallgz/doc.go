// Package smallgz packs short plain texts as gzip members, for a fraction of what a general
// compressor takes.
//
// Two of the three records of a capture, request and metadata, are a few hundred bytes to a few
// kilobytes of ASCII that all look alike. A general compressor spends most of its time on them with
// counting symbols and building Huffman codes. Here the codes are made once, from many such records
// (table.go), so a text is packed in one pass:
//
//	at each place: where did these 4 bytes occur last?    one table of places, by hash
//	  a match of 4 bytes or more -> length and distance
//	  else                       -> the byte
//	write its code at once                                nothing to count, nothing to wait for
//
// The result is one deflate block with dynamic codes like any other: every gzip reader reads it. A
// text with a byte that the codes have no word for is refused, and goes the general way.
//
// Cost: linear in the text; 16 KB of memory. Measured on metadata of simulated sites (2.4 KB each):
// see BenchmarkAppend, which runs the general compressor beside it.
package smallgz
