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
// Lines that were replaced one by one are compared again by words, so that a changed number in a
// paragraph is seen as such.
//
//	a: the council meets on Monday       a: the council meets on [Monday]
//	b: the council meets on Tuesday      b: the council meets on [Tuesday]
//
// Cost: O((N+M)·D) time for D differences and O(D²) memory; beyond maxEdits differences the middle
// is given as replaced as a whole, which is true as well, and bounded.
package compare
