// Package searchspeed measures derivatives and text search: documents per second of processor time
// while tables and index are made, and what questions cost beside a plain Bleve term query that finds
// as many documents, in the same run.
//
// The documents are made up: words of a Zipf vocabulary, lengths that are log-normal as those of main
// texts on the web are, words that like to stand together (so that phrases are found), pages that
// change over ten years. The table of versions is written directly; a part of the documents is dressed up as
// HTML pages in a WARC file, for derive.
//
// Cost is processor time of the process, garbage collection included. Each question is followed by its
// peer, round after round, so that a noisy machine is noisy for both.
package searchspeed
