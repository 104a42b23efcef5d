// Package layer compares two captures of a page on several layers of equality, from exact bytes to nearly the
// same text. Coherence, change rates and search all use its one list of names.
//
// Terms. A *layer* is a way to look at a body, and its *digest* is equal when the look is equal:
//
//	bytes   the body, transfer and content encoding removed
//	dom     the markup: comments dropped, attributes in order of name, white space collapsed, and what
//	        servers write anew for each answer (tokens, nonces, session ids, time stamps) masked; Rules lists it
//	text    title and visible text
//	main    the main text, without navigation, advertisements and footers (text/boilerplate)
//	near    a minhash of the main text's five-word shingles (text/near): equal above a threshold
//	links   beside the others: the set of links and embeds, by frontier key, as web/links finds them
//
// A layer *rescues* a page when its bytes differ and it is the first on which the captures are equal. A *defect* is
// what remains: content, or links (the more serious one).
//
// How a body is read:
//
//	bytes -> SHA-256; anything that is no HTML ends here, every layer equals bytes
//	one pass of web/links   -> text, links and charset
//	one pass of a tokeniser -> dom
//	text/boilerplate        -> main, near; about the cost of all others, so only when asked for
//
// Pair reads two bodies only as far as they differ: captures with equal bytes cost one hash each, and the main
// text is looked for only where the visible text differs.
//
// A page without a main text (lists, galleries) has its visible text as main text, and one with fewer than MinWords
// words is nearly equal only if it is equal: nothing is rescued because nothing was found.
//
// Cost is linear in the body; docs/algorithms/text.md has the figures. Memory is that of one body and its
// text; bodies are bounded by the caller and by the limits of web/links and text/boilerplate.
package layer
