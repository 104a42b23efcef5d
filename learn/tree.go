package learn

import "math"

// Tree is a decision tree in the manner of C4.5 (Quinlan 1993). A node asks for one attribute: a number is at most the
// cut or above, a nominal value leads to its own branch. The attribute with the best gain ratio is taken among those
// with at least average gain. Rows without the value go down all branches with a share of their weight, in training
// and in classifying. Then branches are pruned whose estimated errors a leaf would not exceed.
//
//	gain(S)  = known/total * (H(S) - sum over branches of |b|/known * H(b))  - log2(cuts tried)/total for numbers
//	ratio(S) = gain / entropy of the branch sizes, missing counting as a branch
//
// Columns are sorted once and the order kept while splitting: O(n*m) for each level, O(n*m) memory.
type Tree struct {
	Least      float64 // weight that at least two branches must have; 0 means 2
	Confidence float64 // of pruning; 0 means 0.25, 1 or more means none
	Laplace    bool    // leaves give (count+1)/(total+classes) instead of count/total
	Depth      int     // at most; 0 means 60
}

// node is a question, or a leaf if it has no branches. Branches of a number are "at most" and "above".
type node struct {
	attribute int32
	cut       float64 // of a numeric attribute
	branches  []int32 // nodes
	shares    []float64
	counts    []float64 // weight of each class that came here
}

// tree is the classifier; the first node is the root.
type tree struct {
	nodes   []node
	numeric []bool // of attributes
	laplace bool
}

// Train implements Learner. The seed is not used: nothing is random.
func (t Tree) Train(s *Set, _ uint64) (Classifier, error) {
	if total(s.Totals()) == 0 {
		return nil, ErrEmpty
	}
	if t.Least == 0 {
		t.Least = 2
	}
	if t.Confidence == 0 {
		t.Confidence = 0.25
	}
	if t.Depth == 0 {
		t.Depth = 60
	}
	g := newGrower(s, t)
	g.grow(g.root(), 0)
	m := &tree{nodes: g.nodes, numeric: make([]bool, len(s.Attributes)), laplace: t.Laplace}
	for a := range s.Attributes {
		m.numeric[a] = !s.Attributes[a].Nominal()
	}
	if t.Confidence < 1 {
		m.prune(0, t.Confidence)
	}
	m.compact()
	return m, nil
}

// Classify implements Classifier.
func (m *tree) Classify(row, p []float64) {
	clear(p)
	m.descend(0, row, p, 1)
	normalise(p)
}

// descend adds the distribution of the leaves that the row reaches, by its weight.
func (m *tree) descend(at int32, row, p []float64, weight float64) {
	n := &m.nodes[at]
	for n.branches != nil {
		b := m.branch(n, row)
		if b < 0 {
			break
		}
		n = &m.nodes[n.branches[b]]
	}
	if n.branches != nil { // the value is missing
		for b, next := range n.branches {
			if n.shares[b] > 0 {
				m.descend(next, row, p, weight*n.shares[b])
			}
		}
		return
	}
	add := 0.0
	if m.laplace {
		add = 1
	}
	sum := total(n.counts) + add*float64(len(p))
	for c, v := range n.counts {
		p[c] += weight * share(v+add, sum)
	}
}

// branch gives the branch that a row takes, or -1 where its value is missing or new.
func (m *tree) branch(n *node, row []float64) int {
	v := row[n.attribute]
	switch {
	case math.IsNaN(v):
		return -1
	case !m.numeric[n.attribute]:
		if int(v) < 0 || int(v) >= len(n.branches) {
			return -1
		}
		return int(v)
	case v <= n.cut:
		return 0
	}
	return 1
}

// compact drops the nodes that pruning cut off.
func (m *tree) compact() {
	var out []node
	var move func(at int32) int32
	move = func(at int32) int32 {
		to := int32(len(out))
		out = append(out, m.nodes[at])
		kept := m.nodes[at].branches
		if kept == nil {
			return to
		}
		branches := make([]int32, len(kept))
		for b, next := range kept {
			branches[b] = move(next)
		}
		out[to].branches = branches
		return to
	}
	move(0)
	m.nodes = out
}
