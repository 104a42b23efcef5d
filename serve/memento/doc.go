// Package memento speaks RFC 7089: time travel for the web, by which aggregators and browsers ask any archive the
// same way.
//
// Terms. The *original* is the URL as it was on the web. A *memento* is one capture of it and carries
// Memento-Datetime. The *time gate* takes Accept-Datetime and leads to the nearest memento. The *time map* lists all
// mementos, in pages. A *PWID* names a capture without saying where it lies, for citation.
//
//	memento, also of an archived 3xx, 4xx, 5xx   Memento-Datetime, Link original timegate timemap memento; no Vary by time
//	time gate                                    302 with Location, Link, Vary: accept-datetime; no Memento-Datetime
//	  Accept-Datetime unreadable                 400
//	  nothing archived                           404 without any of these headers
//	redirect to the exact time                   302, Link; no Vary, no Memento-Datetime
//	time map                                     application/link-format, or JSON, or CDXJ; empty 404; other type 400
//
// The package is pure: it writes text from captures that it is handed. Cost: linear in the captures of a page.
package memento
