// Package temporal answers questions about time: which versions of which pages were valid at an
// instant, or within, throughout or somewhere in a span of time.
//
// Terms:
//
//	version    one content of a page, from the capture that first saw it to the one that saw another
//	validity   when a version was valid, by one of three measures:
//	  nominal    [first seen, first capture of another version), open for the newest, closed by 404/410
//	  inferred   [first seen, last seen]: the same at both ends and nothing else seen between
//	  proven     what captures witness (seen twice in one crawl) or servers assert (304 to a strong
//	             ETag, a Last-Modified that fits all we know); both are told apart in results
//	relation   of a validity V to a question: alive (t in V), inside (V within [s,e)),
//	           contains (V around [s,e)), intersects (V and [s,e) share an instant)
//	id         the number of a version, in the order of index key and time
//
// Building folds the captures of the CDX index (versions.go: a pure function of the captures of one
// URL), writes the versions as a cdxj.Table, and a tree of intervals for each measure of validity.
//
// The tree (tree.go) is implicit: the intervals sorted by start, and over their ends a pyramid of
// greatest and least values, sixteen below one. All four relations ask for starts in a range, which
// is a range of positions, and ends in a range, by which the pyramid is pruned:
//
//	alive t          start <= t        end > t
//	inside [s,e)     start >= s        end <= e
//	contains [s,e)   start <= s        end >= e
//	intersects       start < e         end > s
//
// A hit costs one or two cache lines. The files are mapped, so opening costs nothing and memory is
// what the system spares; each page is checked against its CRC when it is first touched.
//
// Cost: n versions take O(n) time to build after the sort of the starts (radix), with 24 bytes of
// memory each while the tree is written; 13.6 bytes on disk and tree. A question with k answers
// takes O(k + log n). Instants are seconds: a version that was seen in a second was valid in it.
package temporal
