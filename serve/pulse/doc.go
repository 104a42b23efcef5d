// Package pulse tells at a glance what an archive holds and how it lives: the first page of the screens, and
// one answer of the programming interface.
//
// Terms. A *figure* is a number with where it comes from. A *month* is what a collection captured in one month
// of the calendar. A *change* is a version of a page that was met lately, beside the one before it. A
// collection is *withheld in part* for a visitor where some access rule keeps captures of it from them.
//
//	totals, months   from derived/crawls.parquet (a row per crawl and day), and from the reports of crawls that
//	                 ended after it was made; without both, the size of the index
//	... in part      from the index as the visitor sees it, counted once in the background: what is withheld is
//	                 neither counted nor named; until then, and beyond a limit, they are unknown
//	crawls, plans    from holdings; those that run are asked how far they are
//	changes, words   from the text index, as far as the visitor sees it
//	tray, disk       from serve/review, for curators
//
// Everything is kept: a part that took d to find out is good for 20 d, so that a first page that everybody
// looks at takes no more than a twentieth of a core, and in a small archive is never stale by more than a
// blink. What depends on files that did not change is kept for ten minutes.
//
// Cost: linear in collections, crawls and months, never in captures. The only part that looks at captures is
// the counting of a collection withheld in part, which is bounded and does not keep the page waiting.
package pulse
