// Package pdf reads the text of PDF files.
//
// Terms: a file is made of numbered *objects*; a page has *content streams*, little programs that show strings at
// places; a *font* turns the codes of a string into characters, by a table (ToUnicode) or by the names of its glyphs.
//
// How a file is read:
//
//	locate the objects by looking for "12 0 obj" from the beginning to the end, unpacking object streams on the way;
//	    the file's own table of contents is not used, since it is wrong in many files; later versions win
//	walk the tree of pages, or take all page objects where the tree is broken
//	run the content streams: matrices, fonts, text operators, forms; all else is skipped
//	put the strings together by where they stand: blanks at gaps, lines to paragraphs, words that were hyphenated
//
// Written here since no library would do: those in Go that read text panic or loop on broken files, guess blanks
// without looking at widths, or are not free. docs/algorithms/text.md has the comparison.
//
// Files encrypted with the empty password (those that forbid printing, and can be opened by everybody) are read.
//
// The web may send anything: nothing is recursive without a bound, objects that refer to themselves end, and Limits
// bound objects, pages, unpacked bytes, operators and text. Cost is linear in what is unpacked; memory is that of the
// object streams and one page.
package pdf
