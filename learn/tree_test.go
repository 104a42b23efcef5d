package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// draw writes a tree as text.
func draw(m *tree, s *Set, at int32, indent string, b *strings.Builder) {
	n := &m.nodes[at]
	if n.branches == nil {
		fmt.Fprintf(b, "%s%s %.2f\n", indent, s.Class.Values[Best(n.counts)], n.counts)
		return
	}
	a := s.Attributes[n.attribute]
	for k, next := range n.branches {
		answer := fmt.Sprintf("<= %v", n.cut)
		if a.Nominal() {
			answer = a.Values[k]
		} else if k == 1 {
			answer = fmt.Sprintf("> %v", n.cut)
		}
		fmt.Fprintf(b, "%s%s %s\n", indent, a.Name, answer)
		draw(m, s, next, indent+"  ", b)
	}
}

// The tree that C4.5 is known to build for the weather: outlook, then humidity at most 75 (77.5 halfway), then windy.
func TestTreeOfWeather(t *testing.T) {
	s := weather()
	c, err := Tree{}.Train(s, 0)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	draw(c.(*tree), s, 0, "", &b)
	want := `outlook sunny
  humidity <= 77.5
    yes [2.00 0.00]
  humidity > 77.5
    no [0.00 3.00]
outlook overcast
  yes [4.00 0.00]
outlook rainy
  windy no
    yes [3.00 0.00]
  windy yes
    no [0.00 2.00]
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

// A row without outlook goes down all branches by their shares 5/14, 4/14, 5/14.
func TestTreeMissingValue(t *testing.T) {
	s := weather()
	c, _ := Tree{}.Train(s, 0)
	p := make([]float64, 2)
	c.Classify([]float64{Missing(), 70, 70, 1}, p)
	if want := 5.0/14 + 4.0/14; math.Abs(p[0]-want) > 1e-12 {
		t.Errorf("P(yes) = %v, want %v", p[0], want)
	}
	c.Classify([]float64{7, 70, 70, 1}, p) // a value never heard of is as good as missing
	if want := 9.0 / 14; math.Abs(p[0]-want) > 1e-12 {
		t.Errorf("P(yes) = %v, want %v", p[0], want)
	}
	s.Columns[0][0] = Missing() // and in training weights are torn, not lost
	c, _ = Tree{Confidence: 1}.Train(s, 0)
	sum := 0.0
	for _, n := range c.(*tree).nodes {
		if n.branches == nil {
			sum += total(n.counts)
		}
	}
	if math.Abs(sum-14) > 1e-9 {
		t.Errorf("the leaves hold weight %v of 14", sum)
	}
}

// Examples of Quinlan's book: U(0,6)=0.206, U(0,9)=0.143, U(0,1)=0.750; and the normal approximation for e=2, n=10.
func TestPessimistic(t *testing.T) {
	for _, c := range []struct{ e, n, want float64 }{{0, 6, 6 * 0.2063}, {0, 9, 9 * 0.1428}, {0, 1, 0.75}, {1, 1, 1}, {2, 10, 3.5186}} {
		if got := pessimistic(c.e, c.n, 0.25); math.Abs(got-c.want) > 0.01 {
			t.Errorf("U(%v of %v) = %.4f, want %.4f", c.e, c.n, got, c.want)
		}
	}
}

// The cut that is found is the best of all cuts, tried one by one.
func TestNumericCutIsBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		s := &Set{Attributes: []Attribute{{"v", nil}}, Class: Attribute{"c", []string{"a", "b", "c"}}, Columns: make([][]float64, 1)}
		n := 8 + rng.IntN(40)
		for range n {
			s.Columns[0] = append(s.Columns[0], float64(rng.IntN(20)))
			s.Y = append(s.Y, rng.IntN(3))
			s.Weights = append(s.Weights, float64(1+rng.IntN(3)))
		}
		g := newGrower(s, Tree{Least: 2})
		b := g.root()
		q, ok := g.numeric(0, b, total(s.Totals()))
		best := math.Inf(1)
		known := total(s.Totals())
		for cut := range 20 {
			left, right := make([]float64, 3), make([]float64, 3)
			for i, v := range s.Columns[0] {
				if v <= float64(cut) {
					left[s.Y[i]] += s.Weights[i]
				} else {
					right[s.Y[i]] += s.Weights[i]
				}
			}
			if least := max(2, min(0.1*known/3, 25)); min(total(left), total(right)) >= least {
				best = min(best, entropy(left)+entropy(right))
			}
		}
		if !ok {
			if !math.IsInf(best, 1) {
				t.Fatalf("no cut found, there is one of %v", best)
			}
			continue
		}
		left, right := make([]float64, 3), make([]float64, 3)
		for i, v := range s.Columns[0] {
			if q.branch(v) == 0 {
				left[s.Y[i]] += s.Weights[i]
			} else {
				right[s.Y[i]] += s.Weights[i]
			}
		}
		if got := entropy(left) + entropy(right); math.Abs(got-best) > 1e-9 {
			t.Fatalf("cut at %v leaves %v bits, the best %v", q.cut, got, best)
		}
	}
}

func TestTreeLearnsRings(t *testing.T) {
	train, test := rings(2000, 1), rings(1000, 2)
	if got := score(Tree{Laplace: true}, train, test); got < 0.9 {
		t.Errorf("AUC %.3f", got)
	}
	full, _ := Tree{Confidence: 1}.Train(train, 0)
	pruned, _ := Tree{}.Train(train, 0)
	if a, b := len(full.(*tree).nodes), len(pruned.(*tree).nodes); b >= a {
		t.Errorf("pruning left %d of %d nodes", b, a)
	}
}

// A set of one class, of one row, of equal rows: a leaf, no panic.
func TestTreeDegenerate(t *testing.T) {
	s := weather()
	for name, rows := range map[string][]int{"one row": {0}, "one class": {0, 1, 5}, "equal rows": {0, 0, 0, 0}} {
		c, err := Tree{}.Train(s.Rows(rows), 0)
		if err != nil || len(c.(*tree).nodes) != 1 {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
	if _, err := (Tree{}).Train(s.Rows(nil), 0); err != ErrEmpty {
		t.Errorf("no rows: %v", err)
	}
}

func BenchmarkTree(b *testing.B) {
	s := rings(2000, 1)
	for b.Loop() {
		if _, err := (Tree{}).Train(s, 0); err != nil {
			b.Fatal(err)
		}
	}
}
