// Package content tells what a page and a host look like in numbers, without any link graph: the features that a crawl can
// compute while it runs, and the first part of those that are computed from an archive.
//
//	Read   makes a Page of a body: text, title, anchors, robots, links (one pass of web/links)
//	Of     computes the features of a page: Definitions names them
//	Host   takes pages in, one by one, and gives the vector of the host at any time
//
// Terms. The *visible* text is what web/links takes for text; *hidden* text is the part of it that a reader does not see
// (display none, no size, off the screen, the colour of the ground). A *script redirect* is a page that sends its reader away by
// a script; it is *obfuscated* when its name shows only after strings are put together or decoded. *Cloaking* is another
// text for another user agent.
//
// Algorithm: one pass over the words with a map of their counts (words, entropy, popular words, trigrams, case classes), one over the
// sentences, one deflate of the visible text, one pass of a lexer over the markup (hidden text, scripts, meta). What a
// page alone cannot tell (popular words without a vocabulary, cloaking without a second capture) is NaN: unknown.
//
// Cost is linear in the page: some 4 ms of CPU for 55 KB of HTML with 5,400 words (BenchmarkOf, loaded machine), 0.7 ms for small pages. Limits: MaxText
// bytes of text, MaxHTML bytes of markup, MaxDepth open elements, MaxScript bytes of one script. A Host holds a few kilobytes, whatever
// the number of its pages.
package content
