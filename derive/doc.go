// Package derive turns WARC files into derivatives: tables that any data tool reads.
//
//	DIR/pages/<file>.parquet   one row per capture: address, time, status, types, language, title, main text,
//	                           dates, digests per layer, sizes, where the record lies
//	DIR/links/<file>.parquet   one row per link of a page: source, target, kind, anchor
//	DIR/versions.parquet       one row per state of a page: text, anchors of links to it, valid from and until
//	DIR/facets.parquet         one row per version, facet and value: what versions can be found and counted by
//	DIR/hosts.parquet          one row per host: captures, pages, bytes, links in and out, first and last seen
//	DIR/crawls.parquet         one row per crawl and day: captures by kind, bytes, errors
//	DIR/inlinks.parquet        one row per page that links to another, by target
//	DIR/media.parquet          one row per film or sound: what pages say of it, whether it is archived
//	DIR/evidence/<file>.parquet  what each record proves, for coherence; if Options.Evidence
//	DIR/facets_<job>/<file>.parquet  one row per capture, facet and value, of each analysis that declares facets
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
// How an analysis brings facets (TestFacets does all of it): what it found in a page becomes something that searches are narrowed and
// counted by. It declares them, and its sink writes the values of each capture beside its own tables:
//
//	var facets = derive.FacetTable{Job: "language", Facets: []derive.Facet{
//		{Name: "person", Title: "Persons", Kind: derive.FacetNames, Most: 20},
//		{Name: "opinion", Title: "Opinion", Kind: derive.FacetNumbers, Most: 10},
//	}}
//
//	func (s *sink) Take(t *scan.Taken) error {
//		found := t.Result.(*Found) // of the mapper
//		return s.facets.Put(t, []derive.FacetValue{ // s.facets, err = facets.Create(task), where the sink is opened; its Close calls s.facets.Close
//			{Facet: "person", Value: "Angela Merkel", Count: 3},
//			{Facet: "opinion", Number: 0.1, Count: 9},                      // of the whole document
//			{Facet: "opinion", Value: "rent law", Number: -0.6, Count: 2},  // of what it says about that
//		})
//	}
//
//	derive.Options{More: []job.Job{languageJob}, Facets: []derive.FacetTable{facets}}
//
// The values of a version are those of the capture that begins it; if that is a revisit, those of the capture that it refers to. They lie in
// facets.parquet in the order of versions.parquet, and the declarations in its metadata (Declared): the text index needs to know
// nothing of the analysis. Of each facet the Most values with the highest counts are kept; how many were not, Facet.Left says.
//
// A mapper runs in worker processes, where it is killed when it is over its limits. It may say that it needs none for some items (Mapper.Trusted): a
// worker costs up to 1 ms an item. The scan itself is not touched.
//
// Cost: a page costs what its main text costs (docs/algorithms/text.md). Memory is bounded by the
// records under way (Options.MaxBody each), the rows of one row group, and the buffers of derive/job.
package derive
