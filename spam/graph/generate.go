package graph

import "math"

// Skew of the made-up web: degree falls with rank as rank^(−1/2) for out-links (exponent 3 of the distribution) and as
// rank^(−3/4) for in-links (exponent 2.33, near the 2.1 that crawls show).
const (
	outSkew = 2
	inSkew  = 4
)

// Web makes up about as many edges as asked for, as the host graph of a web: degrees are skewed by power laws, and four of ten
// links go to near nodes, so there are clusters and links back. It is the input of benchmarks.
func Web(nodes, edges int, seed uint64, add func(from, to uint32)) {
	state := seed
	random := func() float64 {
		state = mix(state)
		return float64(state>>11) / (1 << 53)
	}
	name := shuffle(nodes)
	for range edges {
		from := name(int(float64(nodes) * math.Pow(random(), outSkew)))
		to := from
		if random() < 0.4 {
			reach := int(math.Exp(random() * 6)) // 1 to 403, near ones more often
			if random() < 0.5 {
				reach = -reach
			}
			to = uint32(((int(from)+reach)%nodes + nodes) % nodes)
		} else {
			to = name(int(float64(nodes) * math.Pow(random(), inSkew)))
		}
		add(from, to)
	}
}

// shuffle is a one-to-one map of 0..n-1: ranks must not be neighbours in memory.
func shuffle(n int) func(rank int) uint32 {
	step := 2654435761 % n
	for gcd(step, n) != 1 {
		step++
	}
	return func(rank int) uint32 { return uint32(rank * step % n) }
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Next gives the edges of a later snapshot: each edge stays with probability keep, and as many new ones come.
func Next(g *Graph, keep float64, seed uint64, add func(from, to uint32)) {
	limit := uint64(keep * (1 << 32))
	lost := 0
	for v := range uint32(g.Nodes()) {
		for _, w := range g.Out(v) {
			if mix(seed^uint64(v)<<32^uint64(w))>>32 < limit {
				add(v, w)
			} else {
				lost++
			}
		}
	}
	Web(g.Nodes(), lost, seed, add)
}
