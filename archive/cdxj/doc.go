// Package cdxj reads and writes the index files of web archives: CDXJ lines, the older CDX text
// lines, and ZipNum, which is sorted lines in gzip members with a small index over them.
//
// Terms:
//
//	record    one line: index key, timestamp, and what and where the capture is
//	key       the SURT of the URL (web/canon); a line starts with it, so byte order is URL order
//	header    a line that starts with "!", before all records
//	layout    which column of a CDX text file means what, named by its first line
//	block     one gzip member of a ZipNum file
//	idx       one line per block: the start of its first line, its place, its digest
//	run       a sorted part of an external sort, on disk
//	table     a ZipNum file of small blocks with fences: what a large index is made of
//	fence     every 64th line of an idx, held in memory
//
// A CDXJ line is cut at two spaces and its JSON scanned by hand; whatever the scanner does not
// know (escapes, nested values, odd numbers) goes to encoding/json, and FuzzCDXJLine proves that both
// agree. Lookup in sorted files never loads them:
//
//	bisect the idx by byte offset for the last line below from
//	for each idx line from there: stop at to; read its block; unpack; give the lines in [from, to)
//
// Cost: reading and writing a record takes under a microsecond and one allocation. A lookup reads
// log2(size of idx) pages of 4 KiB and the blocks it needs. Sorter uses the memory it is given,
// and n log n time; every byte goes to disk once for up to 64 runs, twice for up to 4096.
package cdxj
