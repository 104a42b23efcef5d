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
// Package page reads the bodies, once each; here is what is made of them: names, digests, the form in which markup is
// hashed (Markup), the rules by which parts of it are masked, and the comparison.
package layer
