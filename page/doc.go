// Package page reads a body once: what it leads to, its title, visible text and main text, the dates that it states, its
// layers of equality, and whatever else a caller subscribes to.
//
// Terms: a *body* is the content of an answer, content coding removed (wire.Decode); a *subscriber* (web/markup) gets the
// tokens of a page while it is read. The layers of equality are named and compared in text/layer:
//
//	bytes   SHA-256 of the body; anything but HTML, JSON and XML ends here, every layer equals bytes
//	dom     text/layer's Markup, a subscriber
//	text    title and visible text, of web/links
//	main    text/boilerplate's Reader, a subscriber; near is the fingerprint of that text
//	links   the set of links and embeds of web/links, by frontier key
//
// The algorithm:
//
//	web/links decides format and charset, decodes the body if it is not UTF-8, and lexes it once (web/markup)
//	    -> its own links and text, and every subscriber that what is wanted needs
//	digests are made of what they found
//
// Two kinds of pages are lexed twice: XHTML, which web/links reads as XML and all others as HTML, and pages with bytes
// that are no UTF-8, which web/links leaves in place and the others get replaced.
//
// A page without a main text (lists, galleries) has its visible text as main text, and one with fewer than layer.MinWords
// words is nearly equal only if it is equal: nothing is rescued because nothing was found.
//
// Pair reads two bodies only as far as they differ: captures with equal bytes cost one hash each, and the main
// text is looked for only where the visible text differs.
//
// Cost is linear in the body; docs/algorithms/text.md has the figures. Memory is that of one body and its text; bodies
// are bounded by the caller and by the limits of web/links and text/boilerplate.
package page
