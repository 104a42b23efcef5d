// Package strip draws what has a history: layers on a labelled axis of time.
//
// A *strip* is a row of *bands*, one per crawl, month or version. A band stands where its time is: its left edge is when it
// began, its width how long it lasted, its height how much it holds, its colours what it is made of. Where nothing is known
// the strip is empty: gaps are drawn as gaps. What was there when last seen, and may have been there after, is drawn pale.
//
//	bands ─> Fold: those that would be narrower than can be pointed at become one ─> Draw: SVG in percent of its place
//	axis  ─> Ticks: years, months, days, hours, as many as there is room for       ─> Draw: labels below it
//
// Several strips share an axis where they stand below each other, so that what stands below each other happened at the same
// time: the collections of a list, the results of a search. The screens (serve/ui) and the banner of replay (serve/replay)
// draw with this package; neither knows how. Everything is escaped here.
package strip
