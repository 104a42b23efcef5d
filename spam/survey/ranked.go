package survey

import (
	"math"

	"varve/spam/feature"
	"varve/spam/graph"
)

// ranked is a graph with its measures.
type ranked struct {
	g, r       *graph.Graph
	ranks      *graph.Ranks
	trust      []float64 // nil if nobody is trusted
	supporters [graph.Distances][]float32
	sites      [graph.Distances][]float32 // supporting hosts; of pages
	likeOut    [2][]float32               // of hosts
	likeIn     [2][]float32
	companions []float32
}

// rank measures a graph; label names the host of a page, or is nil for hosts.
func rank(g *graph.Graph, trusted [][]uint32, fold func(v uint32) int, label func(v uint32) uint64) *ranked {
	k := &ranked{g: g, r: g.Reverse()}
	k.ranks = graph.Rank(g, k.r, graph.Ranking{}, true)
	k.supporters = graph.Supporters(k.r, func(v uint32) uint64 { return uint64(v) })
	if label != nil {
		k.sites = graph.Supporters(k.r, label)
	}
	k.trust = trustRank(g, k.r, trusted, fold)
	return k
}

// trustRank takes the trust of each node from the run whose seeds are not of its fold.
func trustRank(g, r *graph.Graph, trusted [][]uint32, fold func(v uint32) int) []float64 {
	var out []float64
	for f, seeds := range trusted {
		if len(seeds) == 0 {
			continue
		}
		run := graph.Rank(g, r, graph.Ranking{Restart: seeds}, false).PageRank
		if len(trusted) == 1 {
			return run
		}
		if out == nil {
			out = make([]float64, g.Nodes())
			for v := range out {
				out[v] = feature.Unknown()
			}
		}
		for v := range out {
			if fold(uint32(v)) == f {
				out[v] = run[v]
			}
		}
	}
	return out
}

// similarities measures how alike hosts are to those they link to.
func (k *ranked) similarities(fingerprints int, seed uint64) {
	k.likeOut = graph.Neighbourhood(k.g, k.g, fingerprints, seed)
	k.likeIn = graph.Neighbourhood(k.g, k.r, fingerprints, seed)
	k.companions = graph.Companions(k.g, k.r, fingerprints, seed)
}

// node is what is measured of one node.
type node struct {
	graph.Local
	n                        float64 // nodes of the graph
	rank, spread, trust      float64
	truncated, support, site [4]float64
}

func (k *ranked) node(v uint32) *node {
	n := float64(k.g.Nodes())
	out := &node{Local: graph.Degrees(k.g, k.r, v), n: n, rank: k.ranks.PageRank[v] * n, trust: feature.Unknown()}
	out.spread = graph.Spread(k.r, k.ranks.PageRank, v) * n
	if k.trust != nil {
		out.trust = k.trust[v] * n
	}
	for i := range 4 {
		out.truncated[i] = k.ranks.Truncated[i][v] * n
		out.support[i] = float64(k.supporters[i][v])
		out.site[i] = feature.Unknown()
		if k.sites[i] != nil {
			out.site[i] = float64(k.sites[i][v])
		}
	}
	return out
}

// measure is a link feature of a node.
type measure struct {
	name, formula string
	of            func(n *node) float64
}

// plain are the measures themselves, many of them counts.
var plain = []measure{
	{"in", "in-degree", func(n *node) float64 { return float64(n.In) }},
	{"out", "out-degree", func(n *node) float64 { return float64(n.Out) }},
	{"reciprocity", "share of out-neighbours that link back", func(n *node) float64 { return n.Reciprocity }},
	{"assortativity", "degree / mean degree of neighbours", func(n *node) float64 { return n.Assortativity }},
	{"in_of_out", "mean in-degree of out-neighbours", func(n *node) float64 { return n.InOfOut }},
	{"out_of_in", "mean out-degree of in-neighbours", func(n *node) float64 { return n.OutOfIn }},
	{"pagerank", "PageRank · n (damping 0.85)", func(n *node) float64 { return n.rank }},
	{"pagerank_spread", "standard deviation of the PageRank of in-neighbours · n", func(n *node) float64 { return n.spread }},
	{"trustrank", "TrustRank · n: PageRank that restarts at trusted hosts only", func(n *node) float64 { return n.trust }},
	{"truncated.1", "truncated PageRank · n, T = 1: support from more than 1 step away", func(n *node) float64 { return n.truncated[0] }},
	{"truncated.2", "the same for T = 2", func(n *node) float64 { return n.truncated[1] }},
	{"truncated.3", "the same for T = 3", func(n *node) float64 { return n.truncated[2] }},
	{"truncated.4", "the same for T = 4", func(n *node) float64 { return n.truncated[3] }},
	{"supporters.1", "nodes from which it is reached in 1 step, by HyperLogLog", func(n *node) float64 { return n.support[0] }},
	{"supporters.2", "the same for at most 2 steps", func(n *node) float64 { return n.support[1] }},
	{"supporters.3", "the same for at most 3 steps", func(n *node) float64 { return n.support[2] }},
	{"supporters.4", "the same for at most 4 steps", func(n *node) float64 { return n.support[3] }},
}

// sites are measures of pages alone.
var sites = []measure{
	{"sites.1", "hosts from which it is reached in 1 step, by HyperLogLog", func(n *node) float64 { return n.site[0] }},
	{"sites.2", "the same for at most 2 steps", func(n *node) float64 { return n.site[1] }},
	{"sites.3", "the same for at most 3 steps", func(n *node) float64 { return n.site[2] }},
	{"sites.4", "the same for at most 4 steps", func(n *node) float64 { return n.site[3] }},
}

// ratios are pairs of measures by name, numerator and denominator.
var ratios = [][2]string{
	{"in", "pagerank"},
	{"out", "pagerank"},
	{"in", "out"},
	{"in_of_out", "in"},
	{"out_of_in", "out"},
	{"pagerank_spread", "pagerank"},
	{"trustrank", "pagerank"},
	{"trustrank", "in"},
	{"truncated.1", "pagerank"},
	{"truncated.2", "pagerank"},
	{"truncated.3", "pagerank"},
	{"truncated.4", "pagerank"},
	{"truncated.2", "truncated.1"},
	{"truncated.3", "truncated.2"},
	{"truncated.4", "truncated.3"},
	{"supporters.2", "supporters.1"},
	{"supporters.3", "supporters.2"},
	{"supporters.4", "supporters.3"},
	{"supporters.1", "pagerank"},
	{"supporters.2", "pagerank"},
	{"supporters.3", "pagerank"},
	{"supporters.4", "pagerank"},
}

// siteRatios are those of pages alone.
var siteRatios = [][2]string{
	{"sites.1", "supporters.1"},
	{"sites.2", "supporters.2"},
	{"sites.3", "supporters.3"},
	{"sites.4", "supporters.4"},
	{"sites.2", "sites.1"},
	{"sites.3", "sites.2"},
	{"sites.4", "sites.3"},
	{"sites.4", "pagerank"},
}

// measures are all link features of a node of the host graph, or of the page graph.
func measures(page bool) []measure {
	base, pairs := plain, ratios
	if page {
		base, pairs = append(base[:len(base):len(base)], sites...), append(pairs[:len(pairs):len(pairs)], siteRatios...)
	}
	out := base[:len(base):len(base)]
	byName := map[string]measure{}
	for _, m := range base {
		byName[m.name] = m
		if m.name != "reciprocity" {
			out = append(out, measure{"log." + m.name, "ln(1 + " + m.name + ")", func(n *node) float64 { return feature.Log(m.of(n)) }})
		}
	}
	for _, p := range pairs {
		a, b := byName[p[0]], byName[p[1]]
		out = append(out, measure{"ratio." + p[0] + "." + p[1], p[0] + " / " + p[1], func(n *node) float64 {
			return bounded(feature.Ratio(a.of(n), b.of(n)))
		}})
	}
	return out
}

// bounded keeps ratios of almost nothing from becoming infinite.
func bounded(v float64) float64 {
	const most = 1e12
	return math.Max(-most, math.Min(most, v))
}

// define tells measures as features with a prefix.
func define(prefix, graphName string, ms []measure) (out []feature.Definition) {
	for _, m := range ms {
		out = append(out, feature.Define(prefix+m.name, feature.Links, feature.Graph, m.formula+graphName))
	}
	return out
}

// append adds the values of measures.
func (k *ranked) append(out []float64, v uint32, ms []measure) []float64 {
	n := k.node(v)
	for _, m := range ms {
		out = append(out, m.of(n))
	}
	return out
}
