// Package api collects what sites offer programs beside their pages: lists in JSON or XML that go on page
// after page, and whose items name pages, files and further answers. What is known of an interface is data.
//
// Terms. An *interface* is what one rule describes: how it is found (in a page or by an answer of its own),
// its *base*, and its *lists*. A list is a request with places to fill in, the way to its *items*, the links
// in an item, the URLs to be made of an item's fields, and how the *next* request is made. A *path* names
// values in an answer (path.go), a *template* is text with places (template.go).
//
//	answer -> rules that find an interface in it -> base, once per crawl
//	for each list: ask (GET or POST) -> items -> links and made URLs -> next, until
//	               there is none, an answer brings nothing new, an error, or a limit
//	               a list may be one of the items of another (accounts -> their posts)
//	rate limits:   Retry-After and X-RateLimit-* are waited for, up to a limit
//
// It is a collect.Collector: every request goes through the Net, so it is recorded, polite and in scope; what
// is found goes back as links and is subject to the scope like any other.
//
// Cost: one answer at a time in memory, at most Limits.Answer bytes; the lists of one base are asked for one
// after the other.
package api
