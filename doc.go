// Package varve holds the words that all parts of Varve share, and nothing that does anything.
//
// Varve is a living web archive: it captures web sites so that a capture hangs together in
// time, keeps the exact bytes in WARC, shows them again, and lets people search and understand
// what changed. The folder list is the architecture; read it in this order:
//
//	clock/ web/ text/ learn/    time, URLs and HTTP, words, learners: pure functions
//	version/          from captures to versions of a page: one rule
//	archive/          WARC, WACZ, CDXJ, the disk      what is kept
//	coherence/        plans, evidence, reports        what captures prove about instants
//	crawl/            frontier, fetch, record, loop   how it is captured
//	derive/ index/    tables, captures, words         what is computed from it
//	spam/ curate/     judgements, notes, selection    what people decide with it
//	serve/            replay, API, screens            how people reach it
//	cli/              the commands; cmd/varve is the program
//	lab/              simulated web, experiments, benchmarks, demonstration: what the product never imports
//
// Imports go one way, from the top of this list to the bottom (deps_test.go holds every import against
// the import map of docs/architecture.md). Packages
// are joined by the types of this package and by one- or two-method interfaces that the
// consumer declares.
package varve
