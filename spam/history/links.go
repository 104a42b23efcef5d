package history

import (
	"fmt"
	"math"

	"varve/spam/feature"
	"varve/spam/graph"
)

// The sums over pairs of snapshots, in order.
const (
	outGrowth = iota
	outDeath
	inGrowth
	inDeath
	clustering
	xjaccard                                // 4 steps forward, 4 inverted
	simrank     = xjaccard + 2*graph.Steps  // likewise
	neighbours  = simrank + 2*graph.Steps   // mean of the neighbours' XJaccard, 4 steps forward
	neighbourly = neighbours + graph.Steps  // its variance over the neighbours
	sums        = neighbourly + graph.Steps // how many there are
)

// Links is how the links of all hosts changed.
type Links struct {
	columns [sums]column
}

// column is the mean and the variance of a number over pairs of snapshots, for each host.
type column struct {
	mean, m2 []float32
	n        []uint8
}

func (c *column) add(v uint32, x float64) {
	if !feature.Known(x) || c.n[v] == math.MaxUint8 {
		return
	}
	c.n[v]++
	d := x - float64(c.mean[v])
	c.mean[v] += float32(d / float64(c.n[v]))
	c.m2[v] += float32(d * (x - float64(c.mean[v])))
}

func (c *column) at(v uint32) (mean, variance float64) {
	if c.n[v] == 0 {
		return feature.Unknown(), feature.Unknown()
	}
	return float64(c.mean[v]), math.Max(0, float64(c.m2[v])/float64(c.n[v]))
}

// Config says how Links works.
type Config struct {
	Fingerprints int // of similarities; 64 if 0
	Seed         uint64
}

// LinksOf goes through snapshots, whose graphs have the same nodes, and compares each with the one before. load gives the graph of a
// snapshot; at most two are held.
func LinksOf(snapshots, nodes int, load func(snapshot int) (*graph.Graph, error), cfg Config) (*Links, error) {
	if cfg.Fingerprints <= 0 {
		cfg.Fingerprints = 64
	}
	l := &Links{}
	for i := range l.columns {
		l.columns[i] = column{make([]float32, nodes), make([]float32, nodes), make([]uint8, nodes)}
	}
	var before, beforeR *graph.Graph
	for s := range snapshots {
		g, err := load(s)
		if err != nil {
			return nil, fmt.Errorf("snapshot %d: %w", s+1, err)
		}
		if g.Nodes() != nodes {
			return nil, fmt.Errorf("snapshot %d has %d hosts, not %d", s+1, g.Nodes(), nodes)
		}
		r := g.Reverse()
		if before != nil {
			l.compare(before, beforeR, g, r, cfg)
		}
		before, beforeR = g, r
	}
	return l, nil
}

// compare adds what one pair of snapshots shows.
func (l *Links) compare(a, ar, b, br *graph.Graph, cfg Config) {
	for v := range uint32(a.Nodes()) {
		grown, died := graph.Growth(a, b, v)
		l.columns[outGrowth].add(v, grown)
		l.columns[outDeath].add(v, died)
		grown, died = graph.Growth(ar, br, v)
		l.columns[inGrowth].add(v, grown)
		l.columns[inDeath].add(v, died)
		l.columns[clustering].add(v, graph.Clustering(b, v, cfg.Seed)-graph.Clustering(a, v, cfg.Seed))
	}
	l.similar(xjaccard, graph.XJaccard(a, b, cfg.Fingerprints, cfg.Seed), b)
	l.similar(xjaccard+graph.Steps, graph.XJaccard(ar, br, cfg.Fingerprints, cfg.Seed+1), nil)
	l.similar(simrank, graph.SimRank(a, b, cfg.Fingerprints, cfg.Seed+2), nil)
	l.similar(simrank+graph.Steps, graph.SimRank(ar, br, cfg.Fingerprints, cfg.Seed+3), nil)
}

// similar adds similarities, and those of the neighbours in g if there is one.
func (l *Links) similar(first int, s [graph.Steps][]float32, g *graph.Graph) {
	for k, values := range s {
		for v, x := range values {
			l.columns[first+k].add(uint32(v), float64(x))
			if g == nil {
				continue
			}
			var m feature.Moments
			for _, w := range g.Out(uint32(v)) {
				m.Add(float64(values[w]))
			}
			l.columns[neighbours+k].add(uint32(v), m.Average())
			l.columns[neighbourly+k].add(uint32(v), m.Variance())
		}
	}
}
