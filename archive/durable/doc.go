// Package durable is the ground of our own stores on Pebble (crawl/frontier, archive/history): how
// values are written and read, how the store is opened and logs, and how a commit is acknowledged.
//
// Values are short byte strings of numbers (uvarint), strings (length and bytes) and times (Unix
// milliseconds). A Reader takes one apart; its first failure sticks, so a decoder reads all fields
// and checks once, and bytes left over are a failure too. Damaged values give errors, never panics.
//
// A commit is applied in order under the lock of its store and acknowledged after its log is on
// disk, outside of the lock, so that callers that arrive together share one sync. The log is
// sequential: what was acknowledged after a commit implies the commit.
//
// A store that lost what was acknowledged, or whose bytes were changed, is not opened: see seal.
//
// A disk that fails (full, faulty, its folder deleted by somebody) ends the store and not the process: see guard.
package durable
