// Package extract copies captures of some versions of pages into a new WARC file, and packs it as WACZ. The originals stay
// as they are: records are copied header and block byte for byte, and packed anew.
//
// What a file holds, in this order:
//
//	warcinfo   what was asked, when, of which collections, by which software
//	of each version, in the order given: its captures from first to last; before a revisit the record that it refers to
//	metadata   which files the records come from, and how many of each; it refers to the warcinfo
//
// With Provenance.Parts a page is followed by what it is made of (pictures, style sheets, scripts, fonts, frames): of
// each part the capture that replay would show with the page. Without, only the pages are there.
//
// A record is there once, however many versions need it. What the index does not show (access rules) is left out.
//
// Cost: one look into the index for a version and one read for a record; memory is the places of the records, and 1 MiB.
package extract
