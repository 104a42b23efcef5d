// Package history is the memory of a collection: what each URL answered before, and where each
// payload was first recorded. The crawl reads it to ask conditionally and to write revisit records,
// change-rate estimators read when a URL was seen to change, and coherence reads the layers.
//
// # Terms
//
// An observation is one visit to a URL whose record is durable. A digest has a name and a sum; the
// payload has sha1 and sha256, and further layers (text, dom, links, or any name) may be added. A
// change tells of one visit which layers could be compared with the visit before, and which of
// them differed. The original is the record that holds the payload the URL had last; the latest
// record may be a revisit of it.
//
// # How it works
//
// Two key spaces in one Pebble store, docs/formats/history.md draws them:
//
//	key of a URL        -> entry: validators, digests, original, latest, changes
//	digest name, sum    -> the first record with that payload
//
// Record reads the entry of each observation, merges (merge.go, pure), and writes entries and
// digests in one batch that is synced before it returns. The list of changes is bounded; the
// oldest are folded into counts per layer.
//
// Observations of one URL should come in the order of time. One that comes late is kept in the list
// of changes but compared with nothing, and does not replace what a later visit found. One that is
// recorded twice counts once. So a history can be rebuilt by scanning WARC files in any order of
// files; only the comparisons are fewer where the order was wrong. The first record of a digest is
// the one with the earliest date, whatever the order.
//
// # Cost
//
// Each observation reads one entry and writes one entry and at most one digest: O(log n) in the
// number of URLs. Memory is bounded by Config, a few megabytes by default; an entry has about 240
// bytes on disk before compression and grows by about 6 for each visit until MaxChanges.
package history
