package clique_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"varve/evolution/clique"
	"varve/lab/chance"
	"varve/lab/eval/cpu"
)

// plain returns the maximal cliques of a small graph by trying all sets of nodes.
func plain(g *clique.Graph) []string {
	n := g.Len()
	near := make([]int, n)
	for v := range n {
		for _, w := range g.Neighbours(int32(v)) {
			near[v] |= 1 << w
		}
	}
	var out []string
	for set := 1; set < 1<<n; set++ {
		common, is := 1<<n-1, true
		for v := range n {
			if set>>v&1 == 1 {
				is = is && set&^(1<<v)&^near[v] == 0
				common &= near[v]
			}
		}
		if is && common == 0 {
			var nodes []int32
			for v := range n {
				if set>>v&1 == 1 {
					nodes = append(nodes, int32(v))
				}
			}
			out = append(out, fmt.Sprint(nodes))
		}
	}
	slices.Sort(out)
	return out
}

func found(g *clique.Graph, parts int) []string {
	var out []string
	for part := range parts {
		for c := range clique.Part(g, part, parts) {
			c = slices.Clone(c)
			slices.Sort(c)
			out = append(out, fmt.Sprint(c))
		}
	}
	slices.Sort(out)
	return out
}

func random(r *rand.Rand, n int, share float64) *clique.Graph {
	next := make([][]int32, n)
	for a := range n {
		for b := range a {
			if r.Float64() < share {
				next[a] = append(next[a], int32(b))
			}
		}
	}
	return clique.NewGraph(next)
}

// TestBruteForce holds the cliques of random small graphs against all sets of nodes, whole and in parts.
func TestBruteForce(t *testing.T) {
	r := chance.Rand(t, 1)
	for range 300 {
		g := random(r, r.IntN(12), r.Float64())
		want := plain(g)
		for _, parts := range []int{1, 2, 7} {
			if got := found(g, parts); !slices.Equal(got, want) {
				t.Fatalf("%d parts: %v, want %v", parts, got, want)
			}
		}
	}
}

// TestWorkedExample is the graph of Moon and Moser with nine nodes, three groups of three that are joined to all others: 3^(9/3) cliques.
func TestWorkedExample(t *testing.T) {
	next := make([][]int32, 9)
	for a := range 9 {
		for b := range 9 {
			if a/3 != b/3 {
				next[a] = append(next[a], int32(b))
			}
		}
	}
	if got := found(clique.NewGraph(next), 1); len(got) != 27 || got[0] != "[0 3 6]" {
		t.Errorf("%d cliques: %v", len(got), got)
	}
}

// TestStop ends early without a panic.
func TestStop(t *testing.T) {
	g := random(rand.New(rand.NewPCG(1, 1)), 40, 0.5)
	n := 0
	for range clique.Maximal(g) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Error(n)
	}
}

// TestNeighbourhoods finds the same cliques where each node sees no more than its neighbours and the edges between them, as machines that share a graph out would.
func TestNeighbourhoods(t *testing.T) {
	r := chance.Rand(t, 1)
	for range 20 {
		g := random(r, 30, 0.3)
		all := map[string]bool{}
		for v := range int32(g.Len()) {
			near := append([]int32{v}, g.Neighbours(v)...)
			next := make([][]int32, len(near))
			for i, a := range near {
				for j, b := range near {
					if _, ok := slices.BinarySearch(g.Neighbours(a), b); ok {
						next[i] = append(next[i], int32(j))
					}
				}
			}
			for c := range clique.Maximal(clique.NewGraph(next)) {
				var nodes []int32
				for _, n := range c {
					nodes = append(nodes, near[n])
				}
				slices.Sort(nodes)
				all[fmt.Sprint(nodes)] = true
			}
		}
		want := found(g, 1)
		for _, c := range want {
			delete(all, c)
		}
		if len(all) > 0 || len(want) == 0 {
			t.Fatalf("false cliques: %v", all)
		}
	}
}

// TestLarge finds the cliques of a graph as large as that of the paper (17,965 terms, 322,777 edges, 58,438 cliques in a week of news): words in overlapping groups.
func TestLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 4))
	next := make([][]int32, 20_000)
	edges := 0
	for edges < 330_000 {
		at, size := r.IntN(len(next)-60), 3+r.IntN(14)
		group := make([]int32, size)
		for i := range group {
			group[i] = int32(at + r.IntN(60))
		}
		for i, a := range group {
			next[a] = append(next[a], group[:i]...)
			edges += i
		}
	}
	g := clique.NewGraph(next)
	n := 0
	used, err := cpu.Measure(func() error {
		for range clique.Maximal(g) {
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d nodes, %d edges, %d maximal cliques, %.2f s of CPU", g.Len(), edges, n, used.CPU.Seconds())
	if n < 20_000 {
		t.Errorf("%d cliques", n)
	}
}

func FuzzMaximal(f *testing.F) {
	f.Add("ab bc ca cd")
	f.Fuzz(func(t *testing.T, edges string) {
		next := make([][]int32, 10)
		for _, e := range strings.Fields(edges) {
			if len(e) == 2 {
				next[e[0]%10] = append(next[e[0]%10], int32(e[1]%10))
			}
		}
		g := clique.NewGraph(next)
		if got, want := found(g, 3), plain(g); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
}
