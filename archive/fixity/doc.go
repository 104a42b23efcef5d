// Package fixity proves that the files of a collection are still what they were when they came in.
//
// Terms: the *ledger* (fixity.jsonl of a collection) is a journal with a line for every look at a file:
// size, SHA-256, when, outcome. The first line of a file (recorded) says what it has to be; accepted
// replaces that word, by a person with a reason. The *manifest* (manifest-sha256.txt) is the same
// knowledge in the form that sha256sum and BagIt tools read. *Objects* are the files that are kept:
// WARC, ARC and CDX files never change; labels and other journals only grow, so of them the beginning
// is compared, up to the size that was recorded.
//
// Where the ledger has lost lines, the lines that are left and the manifest say what a file has to be; if none of them
// does, the file is *disputed* and a person decides. A file is never recorded to fill a hole, and a line of the
// manifest never changes but for a file that was proven, or by a person.
//
//	audit:  objects that are there, and those that ledger and manifest know
//	        choose the share that was looked at longest ago
//	        hash each, compare with the ledger
//	        recorded | ok | grown | changed | missing | unreadable | disputed -> ledger, then manifest
//
// Cost: one sequential read of each file looked at, in as many at once as there are workers; memory is
// the last line of each file of the collection.
package fixity
