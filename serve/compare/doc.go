// Package compare tells what differs between two captures: their text, line by line and word by
// word, and their links.
//
// The text is what web/links gives as visible: blocks on lines of their own. Lines are compared by
// Myers' algorithm (E. Myers, An O(ND) Difference Algorithm, 1986):
//
//	cut off what both begin and end with
//	for d = 0, 1, 2, ...: how far does each diagonal k reach with d changes?
//	the first d whose diagonal reaches the end is the shortest script; walk it back
//
// Between two lines that stayed, lines that went and lines that came are paired by what they say (align.go), not by
// where they stand: alike enough and it is one line, reworded; else it was removed, or added. What was removed here and
// added there is a line that moved. Lines that are paired are compared by words, so that a changed number in a paragraph
// is seen as such.
//
//	a: the council meets on Monday       a: the council meets on [Monday]
//	b: the council meets on Tuesday      b: the council meets on [Tuesday]
//
// Cost: that of text/diff, which gives what lies between the first and the last of too many differences as one gap. Pairing a gap of n and m lines takes n·m steps, in parts of at most 2^16.
package compare
