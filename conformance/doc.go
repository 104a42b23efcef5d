// Package conformance holds our readers against files that other projects made. The files are not
// ours and not in the repository: the environment variable VARVE_SAMPLES names their folder, and
// without it the test skips itself (make conformance SAMPLES=../shared/samples).
//
// expected.toml says for each file which edge case it is and what must come of it: the records by
// type, which of them can be read by offset alone, the findings of `varve warc check`, and facts
// about single records (addresses, dates, contents, originals of revisits, keys). Counts, offsets
// and contents were cross-checked with warcio 1.8 and cdxj-indexer 1.5, or by hand where these give up.
//
// The test prints one table: file, edge case, expected, got, ok.
package conformance
