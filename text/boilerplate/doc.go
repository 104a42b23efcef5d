// Package boilerplate finds the main text of a page: the article without navigation, advertisements, banners and
// footers.
//
// Terms: a *block* is a run of text that no element breaks: a paragraph, heading, list item, cell, or *loose* text of an
// element made for layout; *running text* is a block of some length with few links in it. An element *claims* the article
// when its name, class or id says that it holds one (article, entry-content, main ...), and is *aside* when they say that it
// does not (nav, share, related ...).
//
// The page is read once, without a tree, into an outline of elements and blocks; then
//
//	no element makes a layout                   -> all of the page is main text     (Plain)
//	for the five kinds of claims, clearest first:
//	  the element with that claim that has most text, if it has enough of it and
//	  minShare of the page's running text        -> its blocks                      (Claim)
//	else from the page down into the child that has descendShare of the running text
//	  of its parent, as long as there is one     -> its blocks                      (Densest)
//	if that is nearly nothing, the articleBody of the page's structured data        (Structured)
//
// Of the blocks of an element those are left out that stand in something aside below it, in a list or box that is mostly
// links, or that are mostly links themselves. What is aside is asked below the chosen element only: a wrapper called
// "content-sidebar" does not hide the article in it.
//
// The names are those of trafilatura (Barbaresi 2021; Apache-2.0), which has collected them from thousands of sites; the
// way of choosing is ours. On the public benchmark of 983 real pages F1 is 0.897, that of go-trafilatura 0.901 at a
// fifth of our speed (lab/eval/maintext, docs/algorithms/text.md).
//
// Cost is linear in the page: sums over blocks are prefix sums, and claims inside of claims are looked at to a depth of
// maxNested.
package boilerplate
