// Package canon reads URLs and makes the keys by which the rest of Varve knows them.
//
// Terms:
//
//	URL           a parsed URL: what was written (Raw) and its WHATWG serialisation (String)
//	frontier key  what is fetched: the serialisation without fragment and session ids; http and
//	              https, www and apex, /d and /d/, /A and /a remain different
//	index key     what is looked up: the SURT of the Internet Archive flavour, which merges all those
//	rule          one session id or tracking parameter, described as data (rules.toml)
//	pay-level     the name somebody pays for, by the public suffix list: the unit of ownership
//	domain        and of routing
//
// Parsing follows the WHATWG standard as implemented by nlnwa/whatwg-url. That library spends about
// 10 microseconds on a link; a page has a hundred. So there is a fast path for http and https:
//
//	trim; find the form (absolute, //host, /path, path, ?query, #fragment, opaque)
//	plain host: lower-case it; odd one (userinfo, IDN, numbers): give the library that part alone
//	copy runs of ordinary bytes, percent-encode the others, fold dot segments as they are met
//	any other scheme, and all errors: ask the library about the whole
//
// The fast path is right or silent: FuzzParse compares every answer with the library's.
//
// SURT works on bytes in three stages, each its own function (surt*.go):
//
//	parse leniently -> google: unescape fully, resolve the path, IDNA and IPv4 forms, escape once
//	                -> ia: drop www, userinfo, default port, session ids, case; sort the query
//	                -> reverse the host: "com,example)/path?query"
//
// Cost: all functions are linear in the length of the URL (n log n for sorting a query), and input
// longer than MaxLength is refused. No state, no I/O; values are safe for concurrent use.
package canon
