package learn

import (
	"math"
	"math/rand/v2"
)

// Forest is a random forest (Breiman 2001): trees grown without pruning, each on rows drawn with replacement, where
// each node chooses among a few attributes drawn at random. The probability of a class is the mean of the leaves'
// shares. Cells are quantised to 255 levels once, so a node costs O(rows) for each attribute it tries:
// O(trees * n * tried * depth) in all. Trees grow in parallel and depend on the seed alone.
type Forest struct {
	Trees    int     // 0 means 250
	Tried    float64 // attributes tried at a node, as a multiple of the square root of their number; 0 means 1
	Least    int     // rows of a leaf, at least; 0 means 1
	Balanced bool    // draw as many rows of each class: as many as the rarest has
	Extra    bool    // cuts are drawn at random too, from all rows (Geurts 2006): less variance, more bias
}

// forest is the classifier: trees in one array.
type forest struct {
	classes int
	roots   []int32
	nodes   []twig
	leaves  []float32 // shares of the classes, classes for each leaf
}

// twig is a node of a forest: cells at most cut go left (of a nominal attribute: equal to it), missing ones as told. A
// leaf has attribute -1, and left is where its shares begin.
type twig struct {
	cut         float64
	left, right int32
	attribute   int32
	nominal     bool
	missingLeft bool
}

func (f Forest) filled() Forest {
	if f.Trees == 0 {
		f.Trees = 250
	}
	if f.Tried == 0 {
		f.Tried = 1
	}
	f.Least = max(f.Least, 1)
	return f
}

// Train implements Learner.
func (f Forest) Train(s *Set, seed uint64) (Classifier, error) {
	f = f.filled()
	if total(s.Totals()) == 0 {
		return nil, ErrEmpty
	}
	q := quantise(s)
	tried := int(math.Round(f.Tried * math.Sqrt(float64(len(s.Attributes)))))
	tried = min(max(tried, 1), len(s.Attributes))
	pool := bootstrap{set: s, balanced: f.Balanced}
	pool.prepare()
	trees := make([]*thicket, f.Trees)
	_ = each(f.Trees, func(t int) error {
		rng := source(seed, t)
		g := &thicket{quantised: q, rng: rng, tried: tried, least: float64(f.Least), extra: f.Extra}
		if f.Extra && !f.Balanced {
			g.plant(pool.all())
		} else {
			g.plant(pool.draw(rng))
		}
		trees[t] = g
		return nil
	})
	m := &forest{classes: s.Classes()}
	for _, g := range trees {
		m.append(g.nodes, g.leaves)
	}
	return m, nil
}

// append adds a tree.
func (m *forest) append(nodes []twig, leaves []float32) {
	first, shares := int32(len(m.nodes)), int32(len(m.leaves))
	m.roots = append(m.roots, first)
	for _, n := range nodes {
		if n.attribute < 0 {
			n.left += shares
		} else {
			n.left += first
			n.right += first
		}
		m.nodes = append(m.nodes, n)
	}
	m.leaves = append(m.leaves, leaves...)
}

// Classify implements Classifier.
func (m *forest) Classify(row, p []float64) {
	clear(p)
	for _, root := range m.roots {
		at := m.leaf(root, row)
		for c := range p {
			p[c] += float64(m.leaves[int(at)+c])
		}
	}
	normalise(p)
}

// leaf gives where the shares of the leaf begin that a row reaches.
func (m *forest) leaf(at int32, row []float64) int32 {
	for {
		n := &m.nodes[at]
		if n.attribute < 0 {
			return n.left
		}
		v := row[n.attribute]
		left := v < n.cut
		switch {
		case math.IsNaN(v):
			left = n.missingLeft
		case n.nominal:
			left = v == n.cut
		}
		if left {
			at = n.left
		} else {
			at = n.right
		}
	}
}

// bootstrap draws rows with replacement, by weight.
type bootstrap struct {
	set      *Set
	balanced bool
	byClass  [][]int32
	fewest   int
}

func (b *bootstrap) prepare() {
	b.byClass = make([][]int32, b.set.Classes())
	for i, y := range b.set.Y {
		if b.set.Weight(i) > 0 {
			b.byClass[y] = append(b.byClass[y], int32(i))
		}
	}
	for _, rows := range b.byClass {
		if len(rows) > 0 && (b.fewest == 0 || len(rows) < b.fewest) {
			b.fewest = len(rows)
		}
	}
}

// all gives every row its weight.
func (b *bootstrap) all() []float32 {
	w := make([]float32, b.set.Len())
	for i := range w {
		w[i] = float32(b.set.Weight(i))
	}
	return w
}

// draw gives the weight of each row times how often it was drawn.
func (b *bootstrap) draw(rng *rand.Rand) []float32 {
	w := make([]float32, b.set.Len())
	take := func(rows []int32, n int) {
		for range n {
			i := rows[rng.IntN(len(rows))]
			w[i] += float32(b.set.Weight(int(i)))
		}
	}
	if b.balanced {
		for _, rows := range b.byClass {
			if len(rows) > 0 {
				take(rows, b.fewest)
			}
		}
		return w
	}
	for range w {
		i := rng.IntN(len(w))
		w[i] += float32(b.set.Weight(i))
	}
	return w
}
