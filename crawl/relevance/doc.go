// Package relevance judges how near pages and links are to what a crawl is about. It is pure: what people wrote (About) and a page go
// in, a score between 0 and 1 comes out, with the reasons.
//
// Terms. A *module* looks at one thing: the words of the page, those around a link, those of its anchor, names, dates, the language. It
// has an *opinion* on the page, on each link, on both, or none. The *relevance* of a page, and the *score* of a link, are the
// mean of the opinions, weighted as the definition says (seed paper 002, section 4.2):
//
//	score = sum over modules m with an opinion of weight(m) * opinion(m)  /  sum of their weights
//
// A module without an opinion is left out of the mean. A module that has an opinion on the page and none on a link has that of the
// page on the link; keywords and names count in a link with half of what the page has of them (hits).
//
//	document    cosine of the page with topic, keywords and names               page
//	paragraph   the same for the text around a link                             links
//	anchor      the same for its words                                          links
//	keywords    which keywords are in the text, wanted and unwanted             page, links
//	entities    which names, by any of their forms                              page, links
//	reference   nearer to wanted reference pages, or to unwanted ones           page
//	url         patterns that people gave                                       page, links
//	place       what pages below the same path were worth so far: learned       links
//	way         half the score by which the page that has the link was queued   links
//	language    0 for others than those wanted; 1 only where nothing else is    page
//	            asked for: who reads English is not yet about the flood
//	time        share of the years named in the text that an event has          page
//	spam        how likely the host is no spam                                  links
//	nation      does it belong to a nation? by domain, telephone, address,      page, links
//	            places, language, links to and from national hosts
//
// A module that panics, or takes longer than Patience for a page, loses its voice for the rest of the run, and is told of; the page
// is rated by the others.
//
// Cost: a page is cut into words once, its distinct words are looked up once, and links are stretches of its words (scan.go); of long texts the
// first 256 KiB are looked at. A definition of 200 terms costs what one of 10 costs.
package relevance
