// Package sentences measures how well text is cut into sentences. The texts are the documents of a treebank, with their paragraphs, or sentences of
// known languages that are put one after the other with a blank between them; a sentence is found again when both its ends are. Lines of
// the second kind are taken as they are, and some hold two sentences, so precision cannot reach 1 there.
package sentences
