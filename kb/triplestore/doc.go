// Package triplestore keeps quads on disk, in Pebble, and answers kb/sparql.
//
// Terms are numbers of 63 bits (term.go):
//
//	small values     whole numbers, booleans, days and seconds are in the number itself, if they are written canonically
//	all others       62 bits of a salted hash of the term; the dictionary has the term of each number
//
// So a term is encoded without a look into the dictionary, which is what makes loading fast: nothing is asked, all is
// sorted. Of two terms with one hash (by chance one in 90,000 stores of ten million terms; somebody can make them, too) the
// second gets a number of its own; a load that meets such terms reads its quads twice (collision.go).
//
// Quads are keys without values, in the permutations that pay (docs/formats/triplestore.md has bytes and figures):
//
//	default graph   SPO POS OSP          every pattern is one range of keys
//	named graphs    SPOG POSG OSPG GSPO  the graph comes last, since what is asked for is mostly known by its terms; GSPO lists,
//	                                     exports and drops a graph, and answers for those that are smaller than the pattern
//
// Load is an external sort with bounded memory: quads and terms go to sorted runs on disk, the runs are merged into
// tables, and all tables become part of the store in one step. A process that is killed before it leaves nothing but
// files that the next Open removes; after it, all is there.
//
// Keep writes a store anew without some of its graphs, for what must be gone to the last byte.
//
// Update is a batch that sees itself; it is there whole when Commit returns, or not at all. View is a snapshot: what is
// written later is not seen.
package triplestore
