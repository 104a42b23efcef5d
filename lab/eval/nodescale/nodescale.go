// Package nodescale simulates who owns what, what moves and what travels in a crawl of many nodes, with the functions that the product uses
// (nodes.PartitionOf, nodes.Owner) and a web of domains of very unequal size. docs/scale.md has its figures.
//
// URLs are drawn one after the other: each is found on a page of one domain and lies in the same domain or in another one, both
// drawn with probability proportional to rank^-s. A URL whose domain belongs to another node travels. At half of the URLs a
// node joins, at three quarters one dies.
//
// Cost: two hashes of a domain are computed once; a URL costs two draws and some additions. 100 million take about ten seconds of one core.
package nodescale

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"varve/crawl/nodes"
)

// Config is a simulated crawl.
type Config struct {
	Nodes, Partitions int
	URLs, Domains     int64
	Skew              float64 // s: 0.8 is what host sizes of national crawls are like
	Elsewhere         float64 // share of found URLs that lie in another domain
	Batch             int     // URLs of a message, on average
	Seed              uint64
}

// Result is what came of it.
type Result struct {
	Config
	Load      float64 // of the fullest node, as a multiple of the mean
	Largest   float64 // share of the largest domain of all URLs: no division can put less on a node
	Travelled float64 // share of found URLs that went to another node
	Expected  float64 // Elsewhere x (1 - 1/nodes)
	Messages  int64
	Joined    Moved // a node joins at half
	Died      Moved // a node dies at three quarters
}

// Moved is what a change of nodes moved.
type Moved struct {
	Partitions int
	Share      float64 // of the URLs known by then
	Ideal      float64 // what the new node should have, or the dead one had
	Wrong      int     // partitions that moved between nodes that stayed
}

// Run simulates a crawl, for several numbers of partitions at once: the same URLs.
func Run(c Config, partitions ...int) []Result {
	rng := rand.New(rand.NewPCG(c.Seed, 24))
	views := make([]*view, len(partitions))
	for i, p := range partitions {
		views[i] = newView(c, p)
	}
	var first int64
	draw := zipf(c.Skew, c.Domains)
	for i := range c.URLs {
		switch i {
		case c.URLs / 2:
			for _, v := range views {
				v.join(i)
			}
		case c.URLs * 3 / 4:
			for _, v := range views {
				v.die(i)
			}
		}
		from := draw(rng)
		to := from
		if rng.Float64() < c.Elsewhere {
			to = draw(rng)
		}
		if to == 0 {
			first++
		}
		for _, v := range views {
			p, q := v.part[from], v.part[to]
			v.inPart[q]++
			if p != q && v.owner[p] != v.owner[q] {
				v.travelled++
			}
		}
	}
	out := make([]Result, len(views))
	for i, v := range views {
		out[i] = v.result(first)
	}
	return out
}

// view is the crawl with one number of partitions.
type view struct {
	r         Result
	part      []uint16 // of domains
	names     []string
	owner     []string
	inPart    []int64
	travelled int64
}

func newView(c Config, partitions int) *view {
	c.Partitions = partitions
	v := &view{r: Result{Config: c, Expected: c.Elsewhere * (1 - 1/float64(c.Nodes))}, part: make([]uint16, c.Domains), inPart: make([]int64, partitions)}
	for d := range v.part {
		v.part[d] = uint16(nodes.PartitionOf(fmt.Sprintf("d%d.example", d), partitions))
	}
	for i := range c.Nodes {
		v.names = append(v.names, fmt.Sprintf("node-%02d", i))
	}
	v.owner = owners(partitions, v.names)
	return v
}

// join adds a node.
func (v *view) join(urls int64) {
	who := fmt.Sprintf("node-%02d", v.r.Nodes)
	v.names = append(v.names, who)
	next := owners(v.r.Partitions, v.names)
	v.r.Joined = moved(v.owner, next, v.inPart, urls, who, true)
	v.owner = next
}

// die takes a node out.
func (v *view) die(urls int64) {
	dead := v.names[3%len(v.names)]
	v.names = slices.DeleteFunc(v.names, func(n string) bool { return n == dead })
	next := owners(v.r.Partitions, v.names)
	v.r.Died = moved(v.owner, next, v.inPart, urls, dead, false)
	v.owner = next
}

func (v *view) result(first int64) Result {
	load := map[string]int64{}
	for p, n := range v.inPart {
		load[v.owner[p]] += n
	}
	most := int64(0)
	for _, n := range load {
		most = max(most, n)
	}
	r, urls := v.r, float64(v.r.URLs)
	r.Load = float64(most) * float64(len(v.names)) / urls
	r.Largest = float64(first) / urls
	r.Travelled = float64(v.travelled) / urls
	r.Messages = v.travelled / int64(max(r.Batch, 1))
	return r
}

func owners(partitions int, names []string) []string {
	out := make([]string, partitions)
	for p := range out {
		out[p] = nodes.Owner(p, names)
	}
	return out
}

func moved(before, after []string, inPart []int64, total int64, who string, joins bool) (m Moved) {
	for p := range before {
		concerned := after[p] == who
		if !joins {
			concerned = before[p] == who
		}
		if concerned {
			m.Ideal += float64(inPart[p]) / float64(total)
		}
		if before[p] == after[p] {
			continue
		}
		m.Partitions++
		m.Share += float64(inPart[p]) / float64(total)
		if !concerned {
			m.Wrong++
		}
	}
	return m
}

// zipf draws ranks from 0 with probability proportional to (rank+1)^-s, s below 1, by the inverse of the integral.
func zipf(s float64, n int64) func(*rand.Rand) int64 {
	e := 1 - s
	top, power := math.Pow(float64(n)+1, e)-1, 1/e
	whole := math.Round(power)
	return func(rng *rand.Rand) int64 {
		x := rng.Float64()*top + 1
		y := x
		if math.Abs(power-whole) < 1e-9 { // much cheaper than Pow
			for i := 1; i < int(whole); i++ {
				y *= x
			}
		} else {
			y = math.Pow(x, power)
		}
		return min(int64(y)-1, n-1)
	}
}

// Print writes the results as a table.
func Print(w io.Writer, all []Result) {
	fmt.Fprintln(w, "nodes  partitions       URLs  fullest/mean  largest domain  travelled (expected)   joins: partitions, URLs  dies: partitions, URLs  wrongly moved")
	for _, r := range all {
		fmt.Fprintf(w, "%5d %11d %10d %13.2f %14.2f%% %9.1f%% (%.1f%%) %17d, %5.1f%% %15d, %5.1f%% %14d\n", r.Nodes, r.Partitions, r.URLs, r.Load, 100*r.Largest,
			100*r.Travelled, 100*r.Expected, r.Joined.Partitions, 100*r.Joined.Share, r.Died.Partitions, 100*r.Died.Share, r.Joined.Wrong+r.Died.Wrong)
	}
}
