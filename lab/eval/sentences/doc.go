// Package sentences measures how well text is cut into sentences: sentences of known languages are put one after the
// other with a blank between them, and the boundaries are to be found again. Lines are compared as they are, and some of
// them hold two sentences, so precision cannot reach 1.
package sentences
