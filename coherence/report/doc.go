// Package report says how well captures hang together: two captures compared page by page, the
// report on one crawl, and what a collection holds as of an instant. All of it comes from the
// evidence in WARC files alone (package evidence).
//
// Terms. A *pair* is two captures of a page: visit and revisit of one crawl, or one capture of each
// of two crawls, which are then an artificial visit-revisit pair. A pair is *identical* on a layer
// (bytes, dom, text, main, near, links) if the digests of that layer are equal. What a pair lacks is
// its *defect*: content, links (the link structure changed, the more serious one) or missing (the
// server no longer gives the page). A layer *rescued* a pair if it is the first on which it is equal
// and bytes are not.
//
// Cost: one pass over the evidence, on all cores; contents are read again only where the visible text
// of a pair differs. Memory is that of a few hundred pages, and for reports about 200 bytes per page.
package report
