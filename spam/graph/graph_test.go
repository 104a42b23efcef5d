package graph

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"
)

// random gives a graph of n nodes where each edge is with probability p.
func random(n int, p float64, seed uint64) *Graph {
	r := rand.New(rand.NewPCG(seed, 1))
	var edges [][2]uint32
	for a := range n {
		for b := range n {
			if r.Float64() < p {
				edges = append(edges, [2]uint32{uint32(a), uint32(b)})
			}
		}
	}
	return Of(n, edges)
}

func close(a, b, eps float64) bool { return a != a && b != b || math.Abs(a-b) <= eps }

func TestBuilderSpills(t *testing.T) {
	for _, limit := range []int{0, 16, 100} {
		dir := t.TempDir()
		b := NewBuilder(dir, limit)
		var edges [][2]uint32
		Web(200, 3000, 5, func(from, to uint32) {
			b.Add(from, to)
			edges = append(edges, [2]uint32{from, to})
		})
		got, err := b.Build(200)
		if err != nil {
			t.Fatal(err)
		}
		if want := Of(200, edges); !slices.Equal(got.offsets, want.offsets) || !slices.Equal(got.targets, want.targets) {
			t.Errorf("limit %d: %d edges, want %d", limit, got.Edges(), want.Edges())
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("limit %d: %d files are left", limit, len(left))
		}
	}
	b := NewBuilder(t.TempDir(), 0)
	b.Add(0, 7)
	if _, err := b.Build(5); err == nil {
		t.Error("a node beyond the end is no error")
	}
	b = NewBuilder("/nowhere/at/all", 2)
	for i := range uint32(9) {
		b.Add(i, i+1)
	}
	if _, err := b.Build(20); err == nil {
		t.Error("a folder that is not there is no error")
	}
	if g, err := NewBuilder(t.TempDir(), 0).Build(3); err != nil || g.Nodes() != 3 || g.Edges() != 0 {
		t.Error("no edges", g, err)
	}
}

func TestReverse(t *testing.T) {
	g := random(40, .1, 3)
	r := g.Reverse()
	for a := range uint32(40) {
		for b := range uint32(40) {
			if g.Has(a, b) != r.Has(b, a) {
				t.Fatalf("%d -> %d", a, b)
			}
		}
	}
	if !slices.Equal(r.Reverse().targets, g.targets) {
		t.Error("twice turned is not the same")
	}
}

// The worked example of docs/algorithms/spam_features.md: 0 <-> 1, 0 -> 2, 3 -> 2.
func TestDegreesWorked(t *testing.T) {
	g := Of(4, [][2]uint32{{0, 1}, {1, 0}, {0, 2}, {3, 2}, {2, 2}})
	r := g.Reverse()
	l := Degrees(g, r, 0)
	// degrees of neighbours: 1 (out) has 2, 2 (out) has 2, 1 (in) has 2: mean 2; own degree 3
	if l.In != 1 || l.Out != 2 || l.Reciprocity != .5 || l.Assortativity != 1.5 || l.InOfOut != 1.5 || l.OutOfIn != 1 {
		t.Errorf("%+v", l)
	}
	if l := Degrees(g, r, 3); l.Reciprocity != 0 || !math.IsNaN(l.OutOfIn) {
		t.Errorf("%+v", l)
	}
}

// Ranks equal those of a dense matrix, multiplied out.
func TestRanksAreThoseOfTheMatrix(t *testing.T) {
	for seed := range uint64(5) {
		const n, alpha = 30, 0.85
		g := random(n, .08, seed)
		restart := []uint32{3, 5}
		if seed == 0 {
			restart = nil
		}
		got := Rank(g, g.Reverse(), Ranking{Restart: restart, Tolerance: 1e-12}, true)
		v := make([]float64, n)
		for i := range v {
			if restart == nil {
				v[i] = 1.0 / n
			} else if slices.Contains(restart, uint32(i)) {
				v[i] = .5
			}
		}
		page, cut := make([]float64, n), [MaxTruncation][]float64{}
		for k := range cut {
			cut[k] = make([]float64, n)
		}
		for t, term := 0, slices.Clone(v); t < 400; t++ {
			for i := range term {
				page[i] += (1 - alpha) * math.Pow(alpha, float64(t)) * term[i]
				for k := range cut {
					if t > k+1 {
						cut[k][i] += (1 - alpha) * math.Pow(alpha, float64(t-k-2)) * term[i]
					}
				}
			}
			next := make([]float64, n)
			for a := range n {
				for b := range n {
					switch d := g.Degree(uint32(a)); {
					case d == 0:
						next[b] += term[a] * v[b]
					case g.Has(uint32(a), uint32(b)):
						next[b] += term[a] / float64(d)
					}
				}
			}
			term = next
		}
		for i := range n {
			if !close(got.PageRank[i], page[i], 1e-9) {
				t.Fatalf("PageRank of %d: %v, want %v", i, got.PageRank[i], page[i])
			}
			for k := range cut {
				if !close(got.Truncated[k][i], cut[k][i], 1e-9) {
					t.Fatalf("truncated %d of %d: %v, want %v", k+1, i, got.Truncated[k][i], cut[k][i])
				}
			}
		}
	}
}

// A fixed point is another way to PageRank: the series must satisfy it.
func TestPageRankIsAFixedPoint(t *testing.T) {
	g := random(200, .02, 9)
	r := g.Reverse()
	rank := Rank(g, r, Ranking{Tolerance: 1e-12}, false).PageRank
	lost, sum := 0.0, 0.0
	for v := range uint32(200) {
		sum += rank[v]
		if g.Degree(v) == 0 {
			lost += rank[v]
		}
	}
	for v := range uint32(200) {
		want := .15/200 + .85*lost/200
		for _, u := range r.Out(v) {
			want += .85 * rank[u] / float64(g.Degree(u))
		}
		if !close(rank[v], want, 1e-10) {
			t.Fatalf("node %d: %v, want %v", v, rank[v], want)
		}
	}
	if !close(sum, 1, 1e-9) {
		t.Errorf("ranks add up to %v", sum)
	}
	two := Of(3, [][2]uint32{{2, 0}, {2, 1}}) // reversed: 0 and 1 link to 2
	if s := Spread(two, []float64{1, 3, 9}, 2); s != 1 || !math.IsNaN(Spread(two, rank, 0)) {
		t.Errorf("spread of 1 and 3 is %v", s)
	}
}

// reached gives the nodes at most d steps before v.
func reached(r *Graph, v uint32, d int) map[uint32]bool {
	seen := map[uint32]bool{v: true}
	edge := []uint32{v}
	for range d {
		var next []uint32
		for _, x := range edge {
			for _, u := range r.Out(x) {
				if !seen[u] {
					seen[u] = true
					next = append(next, u)
				}
			}
		}
		edge = next
	}
	return seen
}

// Counts are within four standard errors of the true ones, and in the mean of their squares within the standard error.
func TestSupporters(t *testing.T) {
	var edges [][2]uint32
	const n = 3000
	Web(n, 9000, 2, func(a, b uint32) { edges = append(edges, [2]uint32{a, b}) })
	g := Of(n, edges)
	r := g.Reverse()
	for _, hosts := range []uint64{n, 300} { // pages of 300 hosts count once each
		label := func(v uint32) uint64 { return uint64(v) % hosts }
		got := Supporters(r, label)
		squares, cases := 0.0, 0.0
		for v := uint32(0); v < n; v += 7 {
			for d := range Distances {
				labels := map[uint64]bool{}
				for u := range reached(r, v, d+1) {
					labels[label(u)] = true
				}
				want := float64(len(labels) - 1)
				err := math.Abs(float64(got[d][v]) - want)
				if err > 4*0.13*(want+1)+1.5 {
					t.Errorf("node %d, distance %d: %v, want %v", v, d+1, got[d][v], want)
				}
				squares += err * err / ((want + 1) * (want + 1))
				cases++
			}
		}
		if rms := math.Sqrt(squares / cases); rms > 0.13 {
			t.Errorf("%d labels: relative error %v", hosts, rms)
		}
	}
}

func TestUnite(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		var a, b, want [words]uint64
		for i := range Registers {
			x, y := r.Uint64N(66), r.Uint64N(66)
			a[i/8] |= x << (i % 8 * 8)
			b[i/8] |= y << (i % 8 * 8)
			want[i/8] |= max(x, y) << (i % 8 * 8)
		}
		if unite(a[:], b[:]); a != want {
			t.Fatal(a, want)
		}
	}
}

// walkEnds is Γ_k by definition.
func walkEnds(g *Graph, v uint32, k int) map[uint32]bool {
	at := map[uint32]bool{v: true}
	for range k {
		next := map[uint32]bool{}
		for x := range at {
			for _, w := range g.Out(x) {
				next[w] = true
			}
		}
		at = next
	}
	return at
}

func jaccard(a, b map[uint32]bool) float64 {
	both := 0
	for x := range a {
		if b[x] {
			both++
		}
	}
	if len(a)+len(b) == 0 {
		return math.NaN()
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// bound is what a mean of f numbers between 0 and 1 is wrong by, at most, in all but one of a million cases.
func bound(f int) float64 { return math.Sqrt(math.Log(2e6) / (2 * float64(f))) }

func TestXJaccard(t *testing.T) {
	const n, f = 60, 512
	a := random(n, .03, 1)
	var edges [][2]uint32
	Next(a, .7, 4, func(from, to uint32) { edges = append(edges, [2]uint32{from, to}) })
	b := Of(n, edges)
	got := XJaccard(a, b, f, 11)
	sum := 0.0
	for v := range uint32(n) {
		for k := range Steps {
			want := jaccard(walkEnds(a, v, k+1), walkEnds(b, v, k+1))
			if !close(float64(got[k][v]), want, bound(f)) {
				t.Errorf("node %d, %d steps: %v, want %v", v, k+1, got[k][v], want)
			}
			if want == want {
				sum += float64(got[k][v]) - want
			}
		}
	}
	if math.Abs(sum)/(n*Steps) > .01 {
		t.Errorf("estimates are off by %v in the mean", sum/(n*Steps))
	}
	for k, js := range XJaccard(a, a, 8, 1) {
		for v, j := range js {
			if j == j && j != 1 {
				t.Errorf("node %d is unlike itself after %d steps: %v", v, k+1, j)
			}
		}
	}
}

func TestNeighbourhood(t *testing.T) {
	const n, f = 40, 512
	g := random(n, .06, 8)
	r := g.Reverse()
	got := Neighbourhood(g, r, f, 3)
	for v := range uint32(n) {
		for k := range got {
			sum, pairs := 0.0, 0.0
			for _, w := range g.Out(v) {
				if j := jaccard(walkEnds(r, v, k+1), walkEnds(r, w, k+1)); j == j {
					sum += j
					pairs++
				}
			}
			if want := sum / pairs; !close(float64(got[k][v]), want, bound(f)) {
				t.Errorf("node %d, %d steps: %v, want %v", v, k+1, got[k][v], want)
			}
		}
	}
}

// exact is S_l by definition: the probabilities that two walks are at x and y and have not met.
func exact(a, b *Graph, u, v uint32) (s [Steps]float64) {
	apart := map[[2]uint32]float64{{u, v}: 1}
	c, sum := 1.0, 0.0
	for l := range s {
		c *= Decay
		next := map[[2]uint32]float64{}
		for at, p := range apart {
			x, y := a.Out(at[0]), b.Out(at[1])
			for _, i := range x {
				for _, j := range y {
					q := p / float64(len(x)*len(y))
					if i == j {
						sum += c * q
					} else {
						next[[2]uint32{i, j}] += q
					}
				}
			}
		}
		apart = next
		s[l] = sum
	}
	return s
}

func TestSimRank(t *testing.T) {
	const n, f = 25, 2000
	a, b := random(n, .08, 1), random(n, .08, 2)
	got := SimRank(a, b, f, 5)
	companions := Companions(a, b, f, 6)
	for v := range uint32(n) {
		want := exact(a, b, v, v)
		for k := range Steps {
			if a.Degree(v)+b.Degree(v) == 0 {
				want[k] = math.NaN()
			}
			if !close(float64(got[k][v]), want[k], Decay*bound(f)) {
				t.Errorf("node %d, %d steps: %v, want %v", v, k+1, got[k][v], want[k])
			}
		}
		sum, pairs := 0.0, 0.0
		for _, w := range a.Out(v) {
			if b.Degree(v)+b.Degree(w) > 0 {
				sum += exact(b, b, v, w)[Steps-1]
				pairs++
			}
		}
		if want := sum / pairs; !close(float64(companions[v]), want, Decay*bound(f)) {
			t.Errorf("companions of %d: %v, want %v", v, companions[v], want)
		}
	}
}

func TestClustering(t *testing.T) {
	g := random(120, .3, 4) // 36 neighbours: 630 pairs, so pairs are drawn
	h := random(30, .3, 5)  // 9 neighbours: all pairs
	for _, c := range []struct {
		g   *Graph
		eps float64
	}{{g, bound(Pairs)}, {h, 0}} {
		for v := range uint32(c.g.Nodes()) {
			out, linked, pairs := c.g.Out(v), 0, 0
			for i, a := range out {
				for _, b := range out[:i] {
					pairs++
					if c.g.Has(a, b) || c.g.Has(b, a) {
						linked++
					}
				}
			}
			if got := Clustering(c.g, v, 1); !close(got, ratio(linked, pairs), c.eps) {
				t.Errorf("node %d: %v, want %v", v, got, ratio(linked, pairs))
			}
		}
	}
}

func TestGrowth(t *testing.T) {
	a, b := Of(5, [][2]uint32{{0, 1}, {0, 2}, {0, 3}, {0, 4}}), Of(5, [][2]uint32{{0, 1}, {0, 2}, {0, 3}, {1, 0}})
	if growth, death := Growth(a, b, 0); growth != 0 || death != .25 {
		t.Error(growth, death)
	}
	if growth, death := Growth(a, b, 1); growth == growth || death == death {
		t.Error("a node without neighbours before", growth, death)
	}
}

// One core and many give the same bits.
func TestCoresDoNotMatter(t *testing.T) {
	b := NewBuilder(t.TempDir(), 0)
	Web(20_000, 60_000, 1, b.Add)
	g, err := b.Build(20_000)
	if err != nil {
		t.Fatal(err)
	}
	r := g.Reverse()
	all := func() string {
		return fmt.Sprint(Rank(g, r, Ranking{Tolerance: 1e-3}, true).Truncated[2][:500], Supporters(r, func(v uint32) uint64 { return uint64(v) })[3][:500],
			XJaccard(g, r, 8, 1)[1][:500], SimRank(g, r, 8, 1)[3][:500])
	}
	many := all()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if one := all(); one != many {
		t.Error("results depend on the cores")
	}
}

// The made-up web is skewed as it should be: few nodes have most links.
func TestWeb(t *testing.T) {
	b := NewBuilder(t.TempDir(), 0)
	Web(10_000, 100_000, 1, b.Add)
	g, err := b.Build(10_000)
	if err != nil {
		t.Fatal(err)
	}
	r := g.Reverse()
	var in []int
	for v := range uint32(10_000) {
		in = append(in, r.Degree(v))
	}
	slices.Sort(in)
	if top := in[len(in)-1]; top < 500 || in[5000] > 12 {
		t.Errorf("highest in-degree %d, median %d", top, in[5000])
	}
}
