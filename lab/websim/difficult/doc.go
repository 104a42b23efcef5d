// Package difficult is a set of small sites that a crawler which only reads source cannot capture: routes of a
// script, lists that grow on scrolling, answers to POST, shadow roots, redirects that a script puts together. What must
// be captured of each is known.
//
// Terms. A *key element* is a request whose answer a good capture has (the term of LiWA's evaluation). Its kind says what
// stands between it and a reader of source: nothing (explicit), a URL put together from parts that are in the source
// (variable), or code whose result depends on data or on what a visitor does (opaque). A *view* is what a visitor does
// on a page and the words that must be seen then, live as in replay. A *decoy* is a string that looks like a URL, which
// nobody asks for who executes the page; asked for, it gives 404. *Plain siblings* are the ordinary pages that make up
// most of every real site: each site has them beside its difficult part, so that there is something to save by not
// executing everything.
//
// A site is one txtar file in sites/: first its description in TOML, then its answers, each under the request it is
// for. The name of a file is
//
//	[POST ]TARGET[ BODY][ -> LOCATION][ (explicit|variable|opaque)]
//
// A kind makes it a key element. {1-8} in a name or description stands for eight of them, and .N is the number; * at
// the end of a target stands for anything. Targets of other hosts of the site begin with //HOST. Contents are text
// templates; mark gives a word that is found nowhere else and depends on the seed.
//
//	spec, options = hosts with plain siblings (made by websim), a handler for each
//	handler       = answers by method, host, target, body; all else is left to the plain siblings
//
// Cost: all answers are made once, about 2,000 of them in 3 MB.
package difficult
