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
//	DIR/evidence/<file>.parquet  what each record proves, for coherence; if Options.Evidence
//	DIR/failures.jsonl         captures that could not be read, and why
//
// Terms. A *capture* is an answer that the archive holds: a response, a revisit, a resource. A *page*
// is a capture with text. The columns are told in docs/formats/derivatives.md.
//
// How: the jobs of Jobs run on derive/job. All that read WARC files (`pages`, `media`; `evidence`, `spam_pages`, `wat` where somebody
// wants them) are mappers of one scan (archive/scan), which reads each file once, on all cores, in the order of the file; `hosts`, `crawls` and the others read the
// tables that it made and are reduced over all files. So the same files give the same tables, to the byte, killed in between or not.
//
// How to add a mapper (TestAnotherMapper does all of it):
//
//  1. a result type with exported fields, and a row type with parquet tags
//  2. scan.New(scan.Mapper{Name, Needs, Limits, Wants}, open): a function of one item; it may ask for Item.Content (decoded once for all),
//     for results of the mappers in Needs (Item.Result("pages") is a *Row: text, language, links), and for readings shared by scan.Share
//  3. job.Job{Name, Version, Scan: &job.Scan{Mapper, Open: Into("table", rows)}}, given to Run in Options.More: tables, receipts, failures and the
//     figures of CPU time come with it; raise Version when what it makes changes
//  4. a line in cli/scan.go (mapperOf), so that workers can make it, and one in cli/derive.go, so that collections can ask for it
//
// A mapper runs in worker processes, where it is killed when it is over its limits. It may say that it needs none for some items (Mapper.Trusted): a
// worker costs up to 1 ms an item. The scan itself is not touched.
//
// Cost: a page costs what its main text costs (docs/algorithms/text.md). Memory is bounded by the
// records under way (Options.MaxBody each), the rows of one row group, and the buffers of derive/job.
package derive
