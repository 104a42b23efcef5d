package scope

import (
	"strings"

	"varve/web/canon"
)

// Counters are kept by 64-bit hashes: a clash only makes two counters one, which a suspicion can bear.
const (
	kindPath    uint64 = iota + 1 // one path
	kindDate                      // a target with its digits masked
	kindLook                      // a set of path segments and parameter names
	kindSession                   // a path without its parameters
	kindDeep                      // all deep paths of a host
)

const (
	hashSeed  = 14695981039346656037
	hashPrime = 1099511628211
)

func hashByte(h uint64, c byte) uint64 { return (h ^ uint64(c)) * hashPrime }

// hashText hashes a text; runs of digits count as one mark, except for paths.
func hashText(kind uint64, s string) uint64 {
	h := hashByte(hashSeed, byte(kind))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if kind != kindPath && kind != kindSession && isDigit(c) {
			if i > 0 && isDigit(s[i-1]) {
				continue
			}
			c = '#'
		}
		h = hashByte(h, c)
	}
	return h
}

// hashNames hashes the set of parameter names, in any order.
func hashNames(query string) uint64 {
	var sum uint64
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		name, _, _ := strings.Cut(pair, "=")
		sum += spread(hashText(kindPath, name))
	}
	return sum
}

// hashShape hashes the set of path segments, so that /a/b/a/b/x and /a/b/x are one shape, with digits masked, and
// the parameter names.
func hashShape(u canon.URL) uint64 {
	var seen [32]uint64
	n := 0
	sum := hashNames(u.Query()) * 3
	path := u.Path()
	for path != "" {
		var segment string
		segment, path, _ = strings.Cut(path, "/")
		h := hashText(kindLook, segment)
		if n < len(seen) && !has(seen[:n], h) {
			seen[n] = h
			n++
			sum += spread(h)
		}
	}
	return spread(sum ^ kindLook)
}

func has(list []uint64, h uint64) bool {
	for _, x := range list {
		if x == h {
			return true
		}
	}
	return false
}

// spread mixes the bits (the finaliser of splitmix64), so that sums of hashes do not cancel out.
func spread(h uint64) uint64 {
	h ^= h >> 30
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 27
	h *= 0x94d049bb133111eb
	return h ^ h>>31
}
