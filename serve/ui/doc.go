// Package ui is the screens of Varve: HTML rendered on the server, every view state in the URL,
// lists that work without scripts.
//
// One file per screen (collections.go, page.go, compare.go, ...): a function from a request to a
// view, which names a template and its data. screens.go lists them all with their paths, and
// nav.go is the one place where the top line is put together, so that a new screen is one file,
// one template and a line in each of the two.
//
//	request -> screen -> view{template, title, data} -> layout -> HTML
//	                  -> error -> the page for broken states: what failed, why, what is safe
//
// The *strip* is the motif: a row of bands on a labelled axis of time, one per crawl, month or version, wherever something
// has a history. Package serve/strip draws it; strip.go says what the bands of crawls and versions are.
//
// Everything that comes out of the archive is hostile: html/template escapes it, addresses are
// written by url.Values and only ever lead to our own hosts, and the CSP allows no inline script
// or style, so markup that slipped through would still do nothing.
//
// Assets are bundled by serve/ui/bundle (esbuild as a Go module), embedded, named by their hash
// and cached for ever. Cost: a screen is one template run over what holdings gave; the pages weigh
// 25 KB and less without the graph, packed.
package ui
