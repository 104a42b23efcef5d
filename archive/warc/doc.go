// Package warc reads, writes, checks and repairs WARC files (ISO 28500, versions 0.17 to 1.1) and
// reads ARC.
//
// Terms. A *record* is a header of named fields and a *block* of bytes. A *member* is one gzip
// member or zstd frame; well-made files have one member per record, so that a record can be read
// by its offset alone. A *finding* is something wrong with a file: it has a class, a rule, and a
// place. A *policy* says for each class whether findings are ignored, reported or fatal.
//
// Reading one file, in order:
//
//	open member ─> header up to the blank line ─> block (streamed) ─> CRLF CRLF ─> end of member
//	    │ broken          │ no record here             │ ends early        │ not there
//	    └─────────────────┴──────────> finding, then resynchronise <───────┘
//
// Resynchronising looks for the next member that decompresses to a record start, or in plain
// files for the next line that starts a record, so damage in one record never hides the next.
//
// Scan does the same on all cores: the file is cut into pieces, each worker finds the first
// member in its piece by trial, and the pieces are joined only where the end of one is the start
// of the next, so the result is the sequential one.
//
// Cost: one allocation per record (its header text); memory is a 64 KiB buffer plus the longest
// header, whatever the size of file or record. Time is that of decompression.
package warc
