package learn

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// table has log P(value | class) of a nominal attribute, [value*classes + class].
type table struct {
	classes int
	logs    []float64
}

func newTable(s *Set, codes []float64, values int) *table {
	k := s.Classes()
	counts, totals := make([]float64, values*k), make([]float64, k)
	for i, v := range codes {
		if !math.IsNaN(v) {
			counts[int(v)*k+s.Y[i]] += s.Weight(i)
			totals[s.Y[i]] += s.Weight(i)
		}
	}
	for i, n := range counts {
		counts[i] = math.Log((n + 1) / (totals[i%k] + float64(values)))
	}
	return &table{k, counts}
}

func (t *table) add(v float64, p []float64) {
	at := int(v) * t.classes
	if at < 0 || at+t.classes > len(t.logs) {
		return
	}
	for c := range p {
		p[c] += t.logs[at+c]
	}
}

// binned is a numeric attribute taken as nominal.
type binned struct {
	bins Bins
	*table
}

func (b *binned) add(v float64, p []float64) { b.table.add(float64(b.bins.Of(v)), p) }

// normal has mean and standard deviation of each class; a class without values has deviation 0 and says nothing.
type normal struct{ mean, dev []float64 }

func newNormal(s *Set, column []float64) *normal {
	k := s.Classes()
	n := &normal{make([]float64, k), make([]float64, k)}
	sums, squares := make([]float64, k), make([]float64, k)
	for i, v := range column { // the running mean of West: exact enough for any magnitude
		if w, c := s.Weight(i), s.Y[i]; w > 0 && !math.IsNaN(v) {
			sums[c] += w
			d := v - n.mean[c]
			n.mean[c] += d * w / sums[c]
			squares[c] += w * d * (v - n.mean[c])
		}
	}
	floor := precision(column) / 6
	for c := range sums {
		if sums[c] > 0 {
			n.dev[c] = max(math.Sqrt(squares[c]/sums[c]), floor)
		}
	}
	return n
}

// precision is the mean distance of neighbouring distinct values: finer than that nothing can be said.
func precision(column []float64) float64 {
	v := slices.DeleteFunc(slices.Clone(column), math.IsNaN)
	slices.Sort(v)
	v = slices.Compact(v)
	if len(v) < 2 {
		return 0.01
	}
	return (v[len(v)-1] - v[0]) / float64(len(v)-1)
}

func (n *normal) add(v float64, p []float64) {
	for c := range p {
		if n.dev[c] > 0 {
			z := (v - n.mean[c]) / n.dev[c]
			p[c] += max(-z*z/2-math.Log(n.dev[c]*math.Sqrt(2*math.Pi)), least)
		}
	}
}

// kernel has the values of each class in order, with their weights, and the width of the bell on each.
type kernel struct {
	values, weights [][]float64
	width, total    []float64
}

// reach is how many widths a bell is felt.
const reach = 8

// newKernel takes the width of John and Langley (1995): range/sqrt(n) of the class, but not less than the precision.
func newKernel(s *Set, column []float64) *kernel {
	k := s.Classes()
	d := &kernel{make([][]float64, k), make([][]float64, k), make([]float64, k), make([]float64, k)}
	order := make([]int, 0, len(column))
	for i, v := range column {
		if s.Weight(i) > 0 && !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(column[a], column[b]) })
	for _, i := range order {
		c, w := s.Y[i], s.Weight(i)
		d.total[c] += w
		if n := len(d.values[c]); n > 0 && d.values[c][n-1] == column[i] {
			d.weights[c][n-1] += w
			continue
		}
		d.values[c], d.weights[c] = append(d.values[c], column[i]), append(d.weights[c], w)
	}
	floor := precision(column)
	for c, v := range d.values {
		if len(v) > 0 {
			d.width[c] = max((v[len(v)-1]-v[0])/math.Sqrt(d.total[c]), floor)
		}
	}
	return d
}

func (d *kernel) add(v float64, p []float64) {
	for c := range p {
		h := d.width[c]
		if h == 0 {
			continue
		}
		sum := 0.0
		for i := sort.SearchFloat64s(d.values[c], v-reach*h); i < len(d.values[c]) && d.values[c][i] <= v+reach*h; i++ {
			z := (v - d.values[c][i]) / h
			sum += d.weights[c][i] * math.Exp(-z*z/2)
		}
		p[c] += max(math.Log(sum/(d.total[c]*h*math.Sqrt(2*math.Pi))), least)
	}
}
