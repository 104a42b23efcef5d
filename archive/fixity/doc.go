// Package fixity proves that the files of a collection are still what they were when they came in.
//
// Terms: the *ledger* (fixity.jsonl of a collection) is a journal with a line for every look at a file:
// size, SHA-256, when, outcome. The first line of a file (recorded) says what it has to be; accepted
// replaces that word, by a person with a reason. The *manifest* (manifest-sha256.txt) is the same
// knowledge in the form that sha256sum and BagIt tools read. *Objects* are the files that are kept:
// WARC, ARC and CDX files never change; labels and other journals only grow, so of them the beginning
// is compared, up to the size that was recorded.
//
//	audit:  objects that are there, and those the ledger knows
//	        choose the share that was looked at longest ago
//	        hash each, compare with the ledger
//	        recorded | ok | grown | changed | missing | unreadable -> ledger, then manifest
//
// Cost: one sequential read of each file looked at, in as many at once as there are workers; memory is
// the last line of each file of the collection.
package fixity
