// Package websim is a simulated, changing web whose every change is known.
//
// Terms: a Spec describes sites in TOML (or is one of the presets); a Web is a Spec with a seed. A
// page is anything with a URL and a history: HTML, pictures, PDF, ... It has a number, the PageID. A
// Version is what a page was at an instant. An Answer is what the web says to a Request at an instant.
//
// There are four ways in, and they give the same bytes for the same instant:
//
//   - Web.Look and Web.Links: a page by number, without a body, for experiments over many pages
//   - Web.Fetch: a request by URL, answered without HTTP
//   - Transport: an http.RoundTripper on a clock, virtual or real
//   - lab/websim/server: HTTP/1.1 on loopback, many hosts on one port
//
// How a page is made:
//
//	history(page)   = changes drawn from streams named by seed, host and page (package truth)
//	version(page,t) = number of changes of each kind until t
//	body(page,t)    = every paragraph is named by the last change that touched it, and written by
//	                  package prose from that name; links, noise and dates likewise
//
// Nothing depends on the order of requests, on maps or on the time of construction. The only
// memory is in a Gate (rate limits, "fails the first n times") and belongs to a Transport or server.
//
// Cost: New is linear in the number of pages (paths only). A history is drawn when it is first asked
// for and kept: 8 bytes per change. Bodies are made on request and kept in a cache of bounded size.
package websim
