// Package browser executes pages: the collector of the crawl that drives Chromium.
//
//	Collect: a page of a browser context of its own, whose proxy belongs to this visit alone
//	         go to the page's URL; the crawl's own record of it is what the browser gets
//	         loaded and quiet -> behaviours, one step at a time, within the budget
//	         live documents -> web/links; with what the browser asked for, where scripts wanted to go
//	         text and picture, if wanted; what it cost
//
// Terms: a *member* is one running browser of the pool; a *tab* is a page open in it. A page is *quiet*
// when no request is under way and the document did not change for a while. Where a script, a form or
// a click wants to *leave* the page, the address is noted and the page stays: the crawl goes there by
// itself, if its scope says so.
//
// Everything the browser fetches passes the Net of the visit (crawl/browser/proxy), so scope, robots,
// politeness, budget and the guard hold for it, and bytes in the archive are the server's. The
// browser has no other way out (crawl/browser/chromium).
//
// Crash-only: a browser that dies, hangs or grows too large is killed and replaced; the page is tried
// once more on another. A page that hangs is interrupted, and what is in its document is taken. Members
// are replaced after a number of pages, for memory.
//
// Cost: one page costs the processor a quarter of a second and more, a member some 200 MB; the
// processor time of a member is shared out among the pages that were open at the time. Go's share is
// a few milliseconds and the text of the page.
package browser
