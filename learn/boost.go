package learn

import (
	"math"
	"math/rand/v2"
)

// LogitBoost is additive logistic regression (Friedman, Hastie and Tibshirani 2000) for two classes. Each round fits a
// small regression tree, by least squares with weights w, to how far the probability p of class 0 is off:
//
//	w = p(1-p)     z = (y-p)/w, at most 4     F += Rate * f/2     p = 1/(1 + exp(-2F))
//
// Cuts are found by counting on quantised cells: O(rounds * n * m * depth). Rows and attributes may be drawn at random
// for each tree, which decorrelates them and takes less time.
type LogitBoost struct {
	Rounds   int     // 0 means 64
	Depth    int     // questions in a row; 0 means 1, stumps
	Rate     float64 // 0 means 1
	Rows     float64 // share of the rows for each tree; 0 means all
	Columns  float64 // share of the attributes for each tree; 0 means all
	Least    float64 // rows of a leaf, at least; 0 means 5
	Balanced bool    // weigh the classes so that both have the same total
}

// boost is the classifier: a forest whose leaves have one number.
type boost struct {
	trees forest
}

func (l LogitBoost) filled() LogitBoost {
	set := func(v *float64, d float64) {
		if *v == 0 {
			*v = d
		}
	}
	if l.Rounds == 0 {
		l.Rounds = 64
	}
	l.Depth = max(l.Depth, 1)
	set(&l.Rate, 1)
	set(&l.Rows, 1)
	set(&l.Columns, 1)
	set(&l.Least, 5)
	return l
}

// Train implements Learner.
func (l LogitBoost) Train(s *Set, seed uint64) (Classifier, error) {
	l = l.filled()
	totals := s.Totals()
	switch {
	case s.Classes() != 2:
		return nil, ErrClasses
	case total(totals) == 0:
		return nil, ErrEmpty
	}
	r := &rounds{LogitBoost: l, quantised: quantise(s), rng: source(seed, 0), f: make([]float64, s.Len()), weight: make([]float64, s.Len())}
	for i, y := range s.Y {
		r.weight[i] = s.Weight(i)
		if l.Balanced && totals[y] > 0 {
			r.weight[i] *= total(totals) / (2 * totals[y])
		}
	}
	m := &boost{trees: forest{classes: 1}}
	for range l.Rounds {
		m.trees.append(r.round())
	}
	return m, nil
}

// Classify implements Classifier.
func (m *boost) Classify(row, p []float64) {
	f := 0.0
	for _, root := range m.trees.roots {
		f += float64(m.trees.leaves[m.trees.leaf(root, row)])
	}
	p[0] = sigmoid(2 * f)
	p[1] = 1 - p[0]
}

// rounds is boosting at work.
type rounds struct {
	LogitBoost
	*quantised
	rng    *rand.Rand
	f      []float64
	weight []float64 // of rows, from outside

	w, wz  []float64 // of this round
	rows   []int32
	spare  []int32
	chosen []int // attributes
	nodes  []twig
	leaves []float32
	hist   [levels + 1]moment
}

// moment sums rows: how many, weight, and weighted response.
type moment struct{ n, w, wz float64 }

func (m *moment) add(o moment) { m.n, m.w, m.wz = m.n+o.n, m.w+o.w, m.wz+o.wz }

func (m moment) minus(o moment) moment { return moment{m.n - o.n, m.w - o.w, m.wz - o.wz} }

// fit is how much of the response the mean explains.
func (m moment) fit() float64 {
	if m.w <= 0 {
		return 0
	}
	return m.wz * m.wz / m.w
}

// round grows one tree and adds it to f.
func (r *rounds) round() ([]twig, []float32) {
	const most = 4
	n := r.set.Len()
	if r.w == nil {
		r.w, r.wz, r.spare = make([]float64, n), make([]float64, n), make([]int32, n)
	}
	r.rows, r.nodes, r.leaves = r.rows[:0], nil, nil
	for i := range n {
		p := sigmoid(2 * r.f[i])
		w := max(p*(1-p), 1e-6)
		z := min(max((1-float64(r.set.Y[i])-p)/w, -most), most)
		r.w[i], r.wz[i] = w*r.weight[i], w*z*r.weight[i]
		if r.weight[i] > 0 && (r.LogitBoost.Rows >= 1 || r.rng.Float64() < r.LogitBoost.Rows) {
			r.rows = append(r.rows, int32(i))
		}
	}
	r.chosen = r.chosen[:0]
	for a := range r.codes {
		if r.Columns >= 1 || r.rng.Float64() < r.Columns {
			r.chosen = append(r.chosen, a)
		}
	}
	r.grow(0, len(r.rows), r.Depth)
	r.advance()
	return r.nodes, r.leaves
}

// advance adds the tree to f of all rows, by their codes.
func (r *rounds) advance() {
	for i := range r.f {
		at := int32(0)
		for r.nodes[at].attribute >= 0 {
			n := &r.nodes[at]
			if r.goesLeft(n, i) {
				at = n.left
			} else {
				at = n.right
			}
		}
		r.f[i] += float64(r.leaves[r.nodes[at].left])
	}
}

func (r *rounds) goesLeft(n *twig, row int) bool {
	v := r.set.Columns[n.attribute][row]
	switch {
	case math.IsNaN(v):
		return n.missingLeft
	case n.nominal:
		return v == n.cut
	}
	return v < n.cut
}

func (r *rounds) sum(from, to int) moment {
	var m moment
	for _, i := range r.rows[from:to] {
		m.add(moment{1, r.w[i], r.wz[i]})
	}
	return m
}

// grow makes the node of rows[from:to] and those below it.
func (r *rounds) grow(from, to, depth int) int32 {
	at := int32(len(r.nodes))
	r.nodes = append(r.nodes, twig{attribute: -1})
	here := r.sum(from, to)
	best, ok := fork{}, false
	if depth > 0 && here.n >= 2*r.Least {
		best, ok = r.search(from, to, here)
	}
	if !ok {
		r.nodes[at].left = int32(len(r.leaves))
		value := 0.0
		if here.w > 0 {
			value = r.Rate / 2 * here.wz / here.w
		}
		r.leaves = append(r.leaves, float32(value))
		return at
	}
	n := twig{attribute: int32(best.attribute), missingLeft: best.missingLeft, cut: r.threshold(best)}
	n.nominal = r.set.Attributes[best.attribute].Nominal()
	mid := r.part(r.rows, r.spare, from, to, best)
	n.left = r.grow(from, mid, depth-1)
	n.right = r.grow(mid, to, depth-1)
	r.nodes[at] = n
	return at
}

// search tries all cuts of the chosen attributes.
func (r *rounds) search(from, to int, here moment) (fork, bool) {
	best := fork{attribute: -1, value: here.fit() + 1e-9}
	for _, a := range r.chosen {
		top := r.highest[a]
		clear(r.hist[:top+1])
		codes := r.codes[a]
		for _, i := range r.rows[from:to] {
			h := &r.hist[codes[i]]
			h.n++
			h.w += r.w[i]
			h.wz += r.wz[i]
		}
		nominal := r.set.Attributes[a].Nominal()
		var left moment
		for c := 1; c <= top; c++ {
			if r.hist[c].n == 0 {
				continue
			}
			if nominal {
				left = moment{}
			}
			left.add(r.hist[c])
			r.weigh(fork{attribute: a, level: c}, left, here, &best)
			if r.hist[0].n > 0 && !nominal {
				with := left
				with.add(r.hist[0])
				r.weigh(fork{attribute: a, level: c, missingLeft: true}, with, here, &best)
			}
		}
	}
	return best, best.attribute >= 0
}

func (r *rounds) weigh(f fork, left, here moment, best *fork) {
	right := here.minus(left)
	if left.n < r.Least || right.n < r.Least {
		return
	}
	if f.value = left.fit() + right.fit(); f.value > best.value {
		*best = f
	}
}
