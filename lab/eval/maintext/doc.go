// Package maintext measures how well and how fast the main text of pages is found, on the public benchmark that
// go-trafilatura carries with its source: about 950 real pages in several languages, with a few pieces of text
// for each that must and must not be in the main text. The pages are read where they lie, in the library's module
// folder; none is ours to ship.
//
// Each piece counts once: found where it must be is a true positive, found where it must not be a false positive. The library was
// made and tuned with these pages at hand, and so were the choices of our fast path: they tell how extractors compare, not
// how they do on pages that nobody has seen.
//
// Benchmarks of whole texts (folders with source.html and expected.html or expected.txt) are measured by the words that found and wanted text have in common, page by page.
package maintext
