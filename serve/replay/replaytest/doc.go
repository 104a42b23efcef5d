// Package replaytest makes small archives for tests of replay: records written by hand or by a crawl, and an index
// over them in memory.
package replaytest
