// Package graph measures link graphs of hosts or pages: degrees, ranks, supporters, similarity.
//
// Terms. A *node* is a number from 0; who it is, the caller knows. *In-neighbours* link to a node, *out-neighbours* are
// linked by it. A *supporter* of v at distance d is a node from which v is reached in at most d steps. A graph is *reversed*
// when each edge points the other way; measures that look at in-neighbours take the reversed graph beside the graph.
//
//	Builder         edges in any order, more than fit in memory -> Graph (sorted runs on disk, merged; twins and loops dropped)
//	Degrees         in- and out-degree, reciprocity, assortativity, mean degrees of neighbours
//	Ranks           PageRank and truncated PageRank in one series; TrustRank with a restart at trusted nodes
//	Supporters      how many nodes support each, by HyperLogLog registers passed along edges
//	XJaccard        how alike the surroundings of a node are in two graphs, by min-hash fingerprints passed along edges
//	SimRank         the same by random walks that meet
//	Neighbourhood   how alike a node is to those it links to, in one graph
//	Clustering      share of pairs of out-neighbours that are linked
//
// Representation: compressed sparse rows, 4 bytes an edge and 8 a node, twice for both directions; neighbours are sorted.
// All measures are exact but those by fingerprints, whose errors are told where they stand; random choices come from a
// hash of a seed, so the same input gives the same output on any number of cores.
//
// Cost, for n nodes and m edges: building O(m log m) with a buffer of bounded size; degrees and clustering O(m); ranks O(m)
// a term of the series, about 85 terms; supporters O(m) a distance, 128 bytes a node; XJaccard O(m) a step for 8 fingerprints;
// SimRank O(n) a step and fingerprint. `varve-lab bench graph` measures them.
package graph
