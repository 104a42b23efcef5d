// Package catalog knows the archive directory: which collections there are, where their parts
// lie, which crawls ran, and who may write.
//
//	<archive>/collections/<name>/
//	  collection.toml     title, purpose, crawl definitions
//	  LOCK                held by the one process that writes
//	  warc/               the truth
//	  crawls/<id>/        definition.json, events.jsonl, crawl.log, report.json, frontier/, control.sock
//	  crawls.log          what crawls said that a server started
//	  history/            what each URL answered before
//	  references.jsonl    files of the collection that lie elsewhere
//	  cdx/                index lines of other tools
//	  index/<kind>/       what is built from all of it
//
// Files lists all finished files of a collection, wherever they lie: readers ask it and never look
// into the folders themselves.
//
// Names come from people and from the network, so they are checked before they become paths.
package catalog
