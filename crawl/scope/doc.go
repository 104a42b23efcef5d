// Package scope decides which URLs belong to a crawl, says why, and holds what a curator sets per
// domain. It is pure: rules are data, a decision is a function of rules and candidate.
//
// Terms. A *candidate* is a URL with the way that led to it and with what is known of it. The way is
// a string of *hops*, one letter each: L link, S form, M entry of a sitemap or feed, E embed,
// R redirect, X speculative; "" is a seed, "LLE" an image on a page two links from a seed. A *rule*
// has conditions and a word: accept or reject. When all conditions hold the rule speaks; when one does
// not hold, or cannot be known yet (the MIME type before the fetch), it passes. A *suspicion* is a sign
// that a URL leads into a trap.
//
// The rules are asked in order and **the last word wins**, as with the DecideRules of Heritrix:
//
//	verdict = reject                        nobody spoke: out
//	for each rule: if it speaks, verdict = its word
//
// Decide gets the same answer from the end: the last rule that speaks decides, the ones before need not
// be asked. Because conditions on what is not known pass, the same rules serve when a link is found and before the fetch (URL
// and way, robots.txt, spam of the host, score of the link), after the head (MIME, size) and after the body (language, relevance of
// the page). A rejection stands: what would be known later is not waited for. Asks says what need be found out at all.
//
// A Set is compiled and validated once, never changed afterwards, and swapped as a whole while the
// crawl runs (Live). Seeds are shared by the sets of a crawl, because a redirected seed adds one.
//
// Cost: Decide is O(rules) and allocates nothing; lists of hosts, domains and prefixes are looked up in
// O(labels + log n), so a list of 100,000 domains costs what one costs. Regular expressions are RE2:
// linear. Trap state is bounded by TrapLimits: hosts x shapes, least recently used go first.
package scope
