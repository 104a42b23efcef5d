package nodes

// Which node has which site. A pay-level domain lies in one of P partitions, a partition belongs to one node:
//
//	partition(d) = mix(FNV-1a(d)) mod P
//	owner(p)     = the node n with the largest mix(FNV-1a(n) xor mix(p))         rendezvous hashing, Thaler and Ravishankar 1998
//
// Both are pure functions of names: every node finds the same without asking. When a node joins N others, the partitions that it wins are
// 1/(N+1) of all, and no other changes its owner; when it leaves, only its own do. With P partitions, a node's share varies by about
// sqrt(N/P) of it: 256 partitions on 20 nodes give 12.8 each, give or take 3.5.
//
// Cost: O(N) for an owner, N x P for all of them.

// DefaultPartitions is how many partitions a crawl has unless said otherwise. It cannot be changed once the crawl began.
const DefaultPartitions = 256

// MaxPartitions bounds what a crawl may be given.
const MaxPartitions = 4096

// PartitionOf returns the partition of a pay-level domain.
func PartitionOf(domain string, partitions int) int {
	return int(mix(hash(domain)) % uint64(partitions))
}

// Owner returns which node owns a partition; "" without nodes. Their order does not matter.
func Owner(partition int, nodes []string) (owner string) {
	best, at := uint64(0), mix(uint64(partition)+1)
	for _, n := range nodes {
		if w := mix(hash(n) ^ at); owner == "" || w > best || w == best && n < owner {
			owner, best = n, w
		}
	}
	return owner
}

// hash is FNV-1a.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// mix spreads the bits of a number (the finalizer of splitmix64): FNV alone leaves names that differ in their last letter close together.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
