// Package history tells how a host changed from one snapshot of the collection to the next: its features, its words, its links.
// Spam comes in bursts: links are made by the thousand and regenerated for another target, texts are rewritten.
//
// Terms. A *snapshot* is the collection as one crawl (or one month) saw it. A feature is *centred* when the mean of all hosts in
// the snapshot is taken from it (after a logarithm, if it is skewed), so that snapshots can be compared. Similarities are those of
// a host with itself, between two snapshots that follow each other.
//
//	Centre     means of a snapshot -> centred features; Variance of them over snapshots
//	Words      Jaccard and cosine of the host's bag of words: mean, highest, variance
//	Weights    Ave, Dev and Decay of term weights (Dai, Qi and Davison 2009)
//	Links      growth and death of in- and out-links, change of the clustering coefficient (Shen et al. 2006), XJaccard and SimRank
//	           of the host for paths of 1 to 4 steps, forward and inverted, and ratios of these (LiWA)
//
// Cost: Links holds four graphs (two snapshots, both directions), 12 bytes for each of 29 sums and host; the similarities cost what
// spam/graph says, for each pair of snapshots. All else is linear in what is given.
package history
