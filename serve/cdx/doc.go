// Package cdx speaks the query language of CDX servers over the index of a collection: the union of
// the dialect of the Internet Archive (OpenWayback) and that of pywb, with some words of OutbackCDX.
//
// Terms:
//
//	request   the parameters of a query, read and checked
//	dialect   where the two differ: what "json" means, how a filter compares, which fields are given
//	field     a column of an answer; both dialects have names for it, and each knows the other's
//	row       a capture on its way through the query, with what was counted on the way
//
// The stages of a query, each a function over the rows that streams:
//
//	index (key range, time) -> access -> filter -> collapse -> offset, limit -> revisits -> output
//
// The dialect of a request is what its parameter dialect says (ia, pywb), else that of the
// Internet Archive if it uses a word that only that has (original, statuscode, collapse, resumeKey,
// fastLatest, ...), else that of the configuration, which is pywb. docs/formats/cdx-server.md has
// the table of parameters.
//
// Cost: that of the index, and a microsecond or two per row and stage. Nothing is held but one row,
// the last N rows for limit=-N, and one digest per version for dupe counts. A client that leaves
// ends its query.
package cdx
