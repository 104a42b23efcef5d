// Package maintext measures how well and how fast the main text of pages is found, on the public benchmark that
// go-trafilatura carries with its source: about 950 real pages in several languages, with a few pieces of text
// for each that must and must not be in the main text. The pages are read where they lie, in the library's module
// folder; none is ours to ship.
//
// Each piece counts once: found where it must be is a true positive, found where it must not be a false positive.
package maintext
