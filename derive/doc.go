// Package derive turns WARC files into derivatives: tables that any data tool reads.
//
//	DIR/pages/<file>.parquet   one row per capture: address, time, status, types, language, title, main text,
//	                           dates, digests per layer, sizes, where the record lies
//	DIR/links/<file>.parquet   one row per link of a page: source, target, kind, anchor
//	DIR/versions.parquet       one row per state of a page: text, anchors of links to it, valid from and until
//	DIR/hosts.parquet          one row per host: captures, pages, bytes, links in and out, first and last seen
//	DIR/crawls.parquet         one row per crawl and day: captures by kind, bytes, errors
//	DIR/inlinks.parquet        one row per page that links to another, by target
//	DIR/media.parquet          one row per film or sound: what pages say of it, whether it is archived
//	DIR/failures.jsonl         captures that could not be read, and why
//
// Terms. A *capture* is an answer that the archive holds: a response, a revisit, a resource. A *page*
// is a capture with text. The columns are told in docs/formats/derivatives.md.
//
// How: the jobs of Jobs run on derive/job. `pages` reads each WARC file once, on all cores, in the
// order of the file; `hosts` and `crawls` read the tables that it made and are reduced over all files. So
// the same files give the same tables, to the byte, killed in between or not.
//
// Cost: a page costs what its main text costs (docs/algorithms/text.md). Memory is bounded by the
// records under way (Options.MaxBody each), the rows of one row group, and the buffers of derive/job.
package derive
