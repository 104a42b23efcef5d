// Package spool moves finished WARC files between the disk of a machine and a store (archive/store), both ways.
//
// Terms:
//
//	spool    the folder warc/ of a collection: crawls and imports write there, as ever
//	pending  a finished file of the spool that no store has: the queue is the folder itself, so no kill can lose an entry
//	stored   the store has it, its digest is right, and a line of objects.jsonl says so: only then is it acknowledged
//	local    a stored file that lies in the spool as well
//
// Push, for each pending file, by name:
//
//	hash it; is that what the ledger (archive/fixity) recorded? else it is not sent: rot is not to be spread
//	put it; the store checks the digest, and is asked afterwards what it has
//	append "stored" to objects.jsonl and sync
//	where local copies are not kept: ask the store once more, then remove it from the spool
//
// Recall, for each file: fetch it beside its place, compare the digest, give it its name and its time; append "recalled"; delete the
// object; append "deleted".
//
// A kill between any two steps leaves a file in at least one place, whole, and the next run goes on: Put of what is there is no error, and what
// was recalled but not deleted is deleted then. One process at a time moves files of a collection (objects.lock); readers need no
// lock, for catalog.File opens a file wherever it lies.
//
// Files of a crawl that can be resumed stay in the spool: it reads them again after a kill.
package spool
