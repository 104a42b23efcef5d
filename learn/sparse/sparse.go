// Package sparse learns one linear classifier for each of many classes, of which an example can have several, and keeps of each only the weights that count.
//
// Terms: a *feature* is a hash with a value; an *example* says of some classes that it is one of them (Yes), of some that it is not (No), and nothing of the others: only where
// it is said does a classifier learn from it. The *score* of a class is the sum of the weights of its features, times their values; above 0 speaks for the class.
//
// Each classifier is a support vector machine with squared loss, solved in the dual by coordinate descent (Hsieh et al. 2008, the method of LIBLINEAR):
//
//	minimise  |w|²/2 + Σ C_i max(0, 1 - y_i w·x_i)²
//	for each example in turn, α_i ≥ 0 (all 0 at first, w = Σ α_i y_i x_i):
//	    G   = y_i w·x_i - 1 + α_i/(2 C_i)
//	    α_i = max(0, α_i - G/(x_i·x_i + 1/(2 C_i))),  and w moves along
//
// Worked example: one example x = (1), y = 1, C = 1/2: G = -1, α = 1/(1+1) = 1/2, w = 1/2; again G = 1/2 - 1 + 1/2 = 0: that is the end.
//
// Of the weights of a class the Keep largest stay (each times the root of how often its feature is met, so that what was met twice does not push out what decides often), in 127
// steps; a file has non-zero weights only (docs/formats/sparse-model.md). Cost: passes × features of the examples of a class, class after class; scoring costs the weights of the features that are met.
package sparse

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Bits is how many bits of a hash count: 22 make the file small, and two of 200,000 features rarely meet.
const Bits = 22

// Feature is something an example has.
type Feature struct {
	Hash  uint32 // of which Bits count
	Value float32
}

// Example is what is learned from.
type Example struct {
	Features []Feature
	Yes, No  []int // numbers of classes
}

// Options say how to learn.
type Options struct {
	Passes  int     // over the examples of a class
	C       float64 // what an error costs
	Balance float64 // an error on a yes costs at most so many times as much as one on a no, where there are fewer of them
	Least   int     // examples that a feature must be met in
	Keep    int     // weights of a class
}

// Model has the weights. It does not change and is safe for concurrent use.
type Model struct {
	classes []string
	scales  []float32 // what a weight of 1 is
	biases  []float32
	table   []uint32 // of hashes to places in starts, by open addressing; 0 is free, else the place + 1
	hashes  []uint32
	starts  []uint32 // of each hash in weights, and their end
	weights []weight
}

type weight struct {
	class uint16
	value int8
}

const maxClasses = 1 << 14

// Classes returns the names of the classes.
func (m *Model) Classes() []string { return m.classes }

// Size returns how many features and weights the model has.
func (m *Model) Size() (features, weights int) { return len(m.hashes), len(m.weights) }

// Scores returns the score of each class, in out if that has room.
func (m *Model) Scores(features []Feature, out []float32) []float32 {
	out = append(out[:0], m.biases...)
	for _, f := range features {
		i, ok := m.find(f.Hash)
		if !ok {
			continue
		}
		for _, w := range m.weights[m.starts[i]:m.starts[i+1]] {
			out[w.class] += float32(float32(m.scales[w.class]*float32(w.value)) * f.Value)
		}
	}
	return out
}

func (m *Model) find(hash uint32) (int, bool) {
	hash &= 1<<Bits - 1
	mask := uint32(len(m.table) - 1)
	for at := hash * 2654435761 >> 7 & mask; m.table[at] != 0; at = (at + 1) & mask {
		if i := m.table[at] - 1; m.hashes[i] == hash {
			return int(i), true
		}
	}
	return 0, false
}

// settle makes the table of hashes.
func (m *Model) settle() {
	size := 2
	for size < 2*len(m.hashes) {
		size *= 2
	}
	m.table = make([]uint32, size)
	mask := uint32(size - 1)
	for i, h := range m.hashes {
		at := h * 2654435761 >> 7 & mask
		for m.table[at] != 0 {
			at = (at + 1) & mask
		}
		m.table[at] = uint32(i + 1)
	}
}

// row is an example with its features by number.
type row struct {
	at     []int32
	values []float32
	square float64 // of all values, and 1 of the bias
}

// Train learns the classes from examples. The same examples give the same model.
func Train(classes []string, examples []Example, o Options) (*Model, error) {
	if len(classes) == 0 || len(classes) > maxClasses {
		return nil, fmt.Errorf("learn sparse: %d classes, and 1 to %d can be", len(classes), maxClasses)
	}
	counts := map[uint32]int{}
	for _, e := range examples {
		for _, f := range e.Features {
			counts[f.Hash&(1<<Bits-1)]++
		}
	}
	var hashes []uint32
	for h, n := range counts {
		if n >= o.Least {
			hashes = append(hashes, h)
		}
	}
	slices.Sort(hashes)
	number := make(map[uint32]int32, len(hashes))
	for i, h := range hashes {
		number[h] = int32(i)
	}
	rows := make([]row, len(examples))
	yes, no := make([][]int, len(classes)), make([][]int, len(classes))
	for i, e := range examples {
		r := row{square: 1}
		for _, f := range e.Features {
			if n, ok := number[f.Hash&(1<<Bits-1)]; ok {
				r.at, r.values = append(r.at, n), append(r.values, f.Value)
				r.square += float64(f.Value) * float64(f.Value)
			}
		}
		rows[i] = r
		for _, c := range e.Yes {
			if c < 0 || c >= len(classes) {
				return nil, errors.New("learn sparse: an example has a class that is not there")
			}
			yes[c] = append(yes[c], i)
		}
		for _, c := range e.No {
			if c < 0 || c >= len(classes) {
				return nil, errors.New("learn sparse: an example has a class that is not there")
			}
			no[c] = append(no[c], i)
		}
	}
	m := &Model{classes: classes, scales: make([]float32, len(classes)), biases: make([]float32, len(classes))}
	lists := make([][]weight, len(hashes))
	w := make([]float64, len(hashes)+1)
	met := make([]int32, len(hashes))
	for c := range classes {
		solve(w, rows, yes[c], no[c], o)
		clear(met)
		for _, i := range slices.Concat(yes[c], no[c]) {
			for _, f := range rows[i].at {
				met[f]++
			}
		}
		m.keep(c, w, met, lists, o.Keep)
	}
	for i, l := range lists {
		if len(l) > 0 {
			m.hashes, m.starts = append(m.hashes, hashes[i]), append(m.starts, uint32(len(m.weights)))
			m.weights = append(m.weights, l...)
		}
	}
	m.starts = append(m.starts, uint32(len(m.weights)))
	m.settle()
	return m, nil
}

// solve fills w with the weights of one classifier; the last is the bias. Without a yes it says no, without a no it says yes, both with certainty.
func solve(w []float64, rows []row, yes, no []int, o Options) {
	clear(w)
	bias := len(w) - 1
	switch {
	case len(yes) == 0:
		w[bias] = -1
		return
	case len(no) == 0:
		w[bias] = 1
		return
	}
	costly := o.C * min(max(1, float64(len(no))/float64(len(yes))), max(1, o.Balance))
	type dual struct {
		row   int
		y     float64
		alpha float64
		slack float64 // 1/(2C)
	}
	duals := make([]dual, 0, len(yes)+len(no))
	for _, i := range yes {
		duals = append(duals, dual{row: i, y: 1, slack: 1 / (2 * costly)})
	}
	for _, i := range no {
		duals = append(duals, dual{row: i, y: -1, slack: 1 / (2 * o.C)})
	}
	random := uint64(1)
	for range o.Passes {
		for i := len(duals) - 1; i > 0; i-- { // another order in each pass, the same on each run
			random = random*6364136223846793005 + 1442695040888963407
			j := int(random >> 33 % uint64(i+1))
			duals[i], duals[j] = duals[j], duals[i]
		}
		moved := 0.0
		for i := range duals {
			d := &duals[i]
			r := &rows[d.row]
			dot := w[bias]
			for k, f := range r.at {
				dot += float64(w[f] * float64(r.values[k]))
			}
			g := float64(d.y*dot) - 1 + float64(d.alpha*d.slack)
			next := max(0, d.alpha-g/(r.square+d.slack))
			if next == d.alpha {
				continue
			}
			step := float64((next - d.alpha) * d.y)
			d.alpha = next
			moved = max(moved, math.Abs(step))
			w[bias] += step
			for k, f := range r.at {
				w[f] += float64(step * float64(r.values[k]))
			}
		}
		if moved < 1e-3 {
			break
		}
	}
}

// keep takes the weights of a class that count into lists.
func (m *Model) keep(class int, w []float64, met []int32, lists [][]weight, most int) {
	bias := len(w) - 1
	m.biases[class] = float32(w[bias])
	var order []int
	largest := 0.0
	for i, v := range w[:bias] {
		if v != 0 {
			order = append(order, i)
		}
	}
	gain := func(i int) float64 { return math.Abs(w[i]) * math.Sqrt(float64(met[i])) }
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(gain(b), gain(a)), a-b) })
	order = order[:min(len(order), most)]
	for _, i := range order {
		largest = max(largest, math.Abs(w[i]))
	}
	if largest == 0 {
		return
	}
	scale := float32(largest / 127)
	m.scales[class] = scale
	for _, i := range order {
		if v := int8(math.Round(w[i] / float64(scale))); v != 0 {
			lists[i] = append(lists[i], weight{uint16(class), v})
		}
	}
}
