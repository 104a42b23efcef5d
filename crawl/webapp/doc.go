// Package webapp knows web applications: that a page was made by WordPress, MediaWiki or a forum, which of its pages it is, what on it
// somebody wrote, and which of its addresses show nothing new. It is the application-aware helper of ARCOMEM (Risse et al., 2014, section 4.1).
//
// Terms: an *application* is software that makes sites, or a kind of it ("forum") where the software is not known; a *level* is a kind of
// page that it makes (thread, list of threads, user); a *web object* is what one person wrote at one time: a post, a comment, an article.
// An *expression* says where on a page a value stands.
//
// What is known of an application is a file that can be read and written without programming (knowledge/*.toml; docs/formats/webapp.md):
//
//	marks     text that is in the source of each of its pages; a page without any is not looked at further
//	signs     what speaks for it, with weights: elements, fields of the head, the address
//	levels    how they are told, and whether their pages are visited (forms, sort orders, old versions are not)
//	objects   one element for each, and expressions for author, time, title, text
//
// How a page is read:
//
//	marks in the source (text/needle)?  no: nothing more, nobody pays
//	    -> tree of the page (web/markup/tree), in the pass that reads it anyway (Reader is a markup.Subscriber)
//	    -> signs: the application of the highest confidence, if that is at least 0.5 (Sight)
//	    -> the first level that fits -> its objects (Extract)
//
// When a site changes its template, expressions find nothing any more. Relearn looks for what was read before on the new pages, and writes
// expressions for where it stands now.
//
// Cost: a search for some 30 words for pages of no application. Otherwise a tree and, for each expression, one look at each of its
// elements; objects inside of others are looked at without them, and selectors remember what fitted on the way down, so no page costs more
// than its size times the number of expressions. Everything is pure: bytes in, values out.
package webapp
