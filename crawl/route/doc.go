// Package route says how an answer is collected: whether the parser was enough, or a browser, a media
// or an interface collector goes further with it.
//
// Terms. A *rule* is data: conditions on an answer and a choice. A *sign* is something in a page that
// speaks for executing it, with a weight: the chance that execution brings more than the parser. A
// *section* is a part of a site whose pages are alike: host, shape of the path, and the strong signs.
// The *gain* of an execution is the number of URLs, new to the crawl and not in the source, that it
// brought. A *probe* is an execution where the gain says that it does not pay, to notice when it does.
//
//	rules in order, the first that fits decides      -> parser, binary, media, api, browser, or measure
//	measure: no sign                                 -> parser, at no cost
//	         signs -> prior chance p0                   (1 minus the product of 1 - weight)
//	         host and section -> posterior chance p     (a Beta distribution each; the past is forgotten)
//	         p + z sd, times the mean gain, over the mean cost, at least MinGain?  -> browser
//	         else now and then a probe, more rarely each time; else parser
//
// Each choice has its reason in words. All of it is functions from state to decision (gain.go); a Router
// keeps the state of one crawl and is safe for concurrent use. docs/algorithms/capture.md has formulas,
// a worked example and measured figures.
//
// Cost: one pass over the markup, about 1 GB per CPU second, and a few look-ups; memory is that of the
// sections, bounded, about 200 bytes each.
package route
