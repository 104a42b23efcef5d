// Package proposal proposes to a curator what a crawl could be about, from pages of a small first crawl, the *reference crawl* (seed paper 002,
// section 3: the intelligent crawl definition), or from pages that a collection has already.
//
// Terms. A *proposal* is one thing that could become part of a definition (crawl/relevance.About), with a score and how often it was met; its *key*,
// such as "term:harbour wall", says which it is. A curator *accepts* it, which makes a new version of the definition, or *strikes* it, after
// which it is not proposed again.
//
//	kind      read from                                           becomes        score, before it is divided by the best of its kind
//	term      words and phrases of the main texts                 keyword        language/term, measure combined: strange in the background, frequent here
//	name      mentions of persons, places, organisations ...      name           pages * ln(1 + mentions)
//	host      hosts beyond those of the pages that these link to  URL pattern    hosts that link there * ln(1 + pages) * ln(1 + addresses)
//	language  of the texts                                        language       pages
//	month     dates in the texts that lie in one month            event          pages
//	page      the seeds' own pages                                reference      1
//	search    what people searched for in the archive, twice      keyword        ln(1 + searches) * ln(1 + pages that have it)
//	national  hosts outside the domains of a nation that the      national host  mean of crawl/relevance.NationJudge over their pages, from 0.5 on
//	          definition names, by what their pages say
//
// Where the definition has keywords or names, and some pages have them and others do not, terms and names are weighed by the company that they
// keep (company.weigh): a site on a language of programming says "string" on every page, and a crawl about one corner of it wants the words of that corner.
//
// A link in the frame of every page leads to one address, links in texts to many: that is why the addresses of a host count. Terms and
// months of one page alone say what that page is about, so from 5 pages on two are asked for.
//
//	Gatherer.Add    each page: main text, language, sentences, names, dates, links
//	Gatherer.List   the best of each kind that the definition does not have yet
//	Keep, Read      labels/proposals.jsonl of the collection: lists and what was struck (docs/formats/proposals.md)
//
// What cannot be done is told in List.Missing: texts in languages for which there are no terms or names. Memory is bounded by MaxPages texts of
// maxText bytes; time is that of the analysis of the texts, about 2 ms a page.
package proposal
