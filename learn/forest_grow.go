package learn

import (
	"math/bits"
	"math/rand/v2"
)

// thicket grows one tree of a forest on a quantised set.
type thicket struct {
	*quantised
	rng    *rand.Rand
	tried  int
	least  float64
	extra  bool
	weight []float32
	nodes  []twig
	leaves []float32

	rows  []int32   // in use, parted in place
	order []int     // attributes, to draw from
	hist  []float64 // [code*classes + class]
	used  [4]uint64 // codes with rows
	here  []float64 // class weights of the node
	left  []float64
	spare []int32
}

// plant grows the tree for rows with these weights.
func (g *thicket) plant(weight []float32) {
	k := g.set.Classes()
	g.weight = weight
	for i, w := range weight {
		if w > 0 {
			g.rows = append(g.rows, int32(i))
		}
	}
	g.order = make([]int, len(g.codes))
	for a := range g.order {
		g.order[a] = a
	}
	g.hist = make([]float64, (levels+1)*k)
	g.here, g.left = make([]float64, k), make([]float64, k)
	g.spare = make([]int32, len(g.rows))
	g.grow(0, len(g.rows))
	g.rows, g.order, g.hist, g.spare, g.weight = nil, nil, nil, nil, nil
}

// grow makes the node of rows[from:to] and those below.
func (g *thicket) grow(from, to int) int32 {
	at := int32(len(g.nodes))
	g.nodes = append(g.nodes, twig{attribute: -1})
	clear(g.here)
	for _, r := range g.rows[from:to] {
		g.here[g.set.Y[r]] += float64(g.weight[r])
	}
	best, ok := fork{}, false
	if to-from >= 2 && total(g.here) >= 2*g.least && present(g.here) > 1 {
		best, ok = g.search(from, to)
	}
	if !ok {
		g.leaf(at)
		return at
	}
	mid := g.part(g.rows, g.spare, from, to, best)
	n := twig{attribute: int32(best.attribute), missingLeft: best.missingLeft}
	n.nominal = g.set.Attributes[best.attribute].Nominal()
	n.cut = g.threshold(best)
	n.left = g.grow(from, mid)
	n.right = g.grow(mid, to)
	g.nodes[at] = n
	return at
}

func (g *thicket) leaf(at int32) {
	g.nodes[at].left = int32(len(g.leaves))
	sum := total(g.here)
	for _, v := range g.here {
		g.leaves = append(g.leaves, float32(v/sum))
	}
}

// search tries attributes drawn at random until enough had a split, or all were tried.
func (g *thicket) search(from, to int) (fork, bool) {
	best := fork{value: purity(g.here) + 1e-9}
	found, tried := false, 0
	for i := 0; i < len(g.order) && tried < g.tried; i++ {
		j := i + g.rng.IntN(len(g.order)-i)
		g.order[i], g.order[j] = g.order[j], g.order[i]
		a := g.order[i]
		codes := g.codes[a]
		g.count(codes, from, to)
		if g.levelsUsed() < 2 {
			g.clear()
			continue
		}
		tried++
		if g.try(a, &best) {
			found = true
		}
		g.clear()
	}
	return best, found
}

// count fills the histogram of the rows.
func (g *thicket) count(codes []uint8, from, to int) {
	k := len(g.here)
	for _, r := range g.rows[from:to] {
		c := codes[r]
		g.used[c>>6] |= 1 << (c & 63)
		g.hist[int(c)*k+g.set.Y[r]] += float64(g.weight[r])
	}
}

func (g *thicket) levelsUsed() int {
	n := 0
	for _, w := range g.used {
		n += bits.OnesCount64(w)
	}
	return n
}

func (g *thicket) clear() {
	k := len(g.here)
	for i, w := range g.used {
		for ; w != 0; w &= w - 1 {
			c := i<<6 + bits.TrailingZeros64(w)
			clear(g.hist[c*k : c*k+k])
		}
		g.used[i] = 0
	}
}

// try looks for a better split by attribute a.
func (g *thicket) try(a int, best *fork) bool {
	if g.set.Attributes[a].Nominal() {
		return g.tryNominal(a, best)
	}
	k := len(g.here)
	found := false
	missing := g.hist[:k]
	some := g.used[0]&1 == 1
	only := -1
	if g.extra {
		only = g.randomLevel()
	}
	clear(g.left)
	g.eachLevel(func(c int) {
		for y, v := range g.hist[c*k : c*k+k] {
			g.left[y] += v
		}
		if only >= 0 && c != only {
			return
		}
		if v, ok := g.value(nil); ok && v > best.value {
			*best, found = fork{a, c, false, v}, true
		}
		if some {
			if v, ok := g.value(missing); ok && v > best.value {
				*best, found = fork{a, c, true, v}, true
			}
		}
	})
	return found
}

// eachLevel calls f for each code in use, except that of missing values and the highest: nothing is above it.
func (g *thicket) eachLevel(f func(c int)) {
	last := -1
	for i, w := range g.used {
		if i == 0 {
			w &^= 1
		}
		for ; w != 0; w &= w - 1 {
			if last >= 0 {
				f(last)
			}
			last = i<<6 + bits.TrailingZeros64(w)
		}
	}
	if last >= 0 && g.used[0]&1 == 1 { // all known against missing
		f(last)
	}
}

// randomLevel draws one of the codes that eachLevel would call, each value between the lowest and the highest being
// as likely as its quantile.
func (g *thicket) randomLevel() int {
	lowest, highest := -1, -1
	for i, w := range g.used {
		if i == 0 {
			w &^= 1
		}
		for ; w != 0; w &= w - 1 {
			if highest = i<<6 + bits.TrailingZeros64(w); lowest < 0 {
				lowest = highest
			}
		}
	}
	if highest <= lowest {
		return lowest
	}
	want, got := lowest+g.rng.IntN(highest-lowest), lowest
	g.eachLevel(func(c int) {
		if c <= want {
			got = c
		}
	})
	return got
}

func (g *thicket) tryNominal(a int, best *fork) bool {
	k := len(g.here)
	found := false
	for i, w := range g.used {
		if i == 0 {
			w &^= 1
		}
		for ; w != 0; w &= w - 1 {
			c := i<<6 + bits.TrailingZeros64(w)
			copy(g.left, g.hist[c*k:c*k+k])
			if v, ok := g.value(nil); ok && v > best.value {
				*best, found = fork{a, c, false, v}, true
			}
		}
	}
	return found
}

// value is the sum over both sides of (sum of squared class weights)/weight, which grows as the Gini index falls;
// extra is added to the left.
func (g *thicket) value(extra []float64) (float64, bool) {
	var l, r, ll, rr float64
	for y, v := range g.left {
		if extra != nil {
			v += extra[y]
		}
		o := g.here[y] - v
		l, r = l+v, r+o
		ll, rr = ll+v*v, rr+o*o
	}
	if l < g.least || r < g.least {
		return 0, false
	}
	return ll/l + rr/r, true
}

// purity is the value of a node that is not split.
func purity(d []float64) float64 {
	var sum, squares float64
	for _, v := range d {
		sum += v
		squares += v * v
	}
	return squares / sum
}
