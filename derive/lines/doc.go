// Package lines writes derivatives as JSON lines with the names that web archives know: WAT (what records say about themselves and
// about their links) and WET (text).
//
//	<file>.wat.jsonl.gz   one line a record: Envelope with WARC-Header-Metadata and Payload-Metadata, Container with file and offset
//	<file>.wet.jsonl.gz   one line a page with text: the fields of a conversion record, and its text
//
// WAT and WET of the field are WARC files with JSON or text inside; here each record is one line of JSON, which jq, pandas and DuckDB
// read without a WARC library. The names inside are the same. docs/formats/lines.md lists them.
//
// How: WAT is a mapper of the scan that derive makes, WET reads the table of pages that derive made; both in the order of the file, so the
// same input gives the same bytes. The gzip header holds a mark of the input. Receipts (derive/job) tell what is not written again.
//
// Cost: WAT costs one pass for links over each page; memory is the records under way, at most 16 MiB each.
package lines
