package learn

import (
	"math"
	"math/rand/v2"
)

// Ratios gives a learner, beside the attributes, the logarithms of ratios of two of them: trees cut parallel to the axes
// and cannot find "many links for so little PageRank" by themselves. Of each numeric attribute log(|v| + half the
// least that occurs) is taken, and differences of pairs, all or Most drawn at random, are new attributes.
// It costs n*Most cells.
type Ratios struct {
	Learner Learner
	Most    int // 0 means 1000
}

// ratio is log a - log b.
type ratio struct{ a, b int32 }

// ratios is the classifier: it widens a row and hands it on.
type ratios struct {
	inner  Classifier
	floors []float64 // of attributes; 0 for those that are not used
	pairs  []ratio
}

// Train implements Learner.
func (r Ratios) Train(s *Set, seed uint64) (Classifier, error) {
	if r.Most == 0 {
		r.Most = 1000
	}
	m := &ratios{floors: make([]float64, len(s.Attributes))}
	logs := make([][]float64, len(s.Attributes))
	var usable []int32
	for a := range s.Attributes {
		if s.Attributes[a].Nominal() {
			continue
		}
		if m.floors[a] = floor(s.Columns[a]); m.floors[a] > 0 {
			usable = append(usable, int32(a))
			logs[a] = make([]float64, s.Len())
			for i, v := range s.Columns[a] {
				logs[a][i] = m.log(a, v)
			}
		}
	}
	m.pairs = choosePairs(usable, r.Most, source(seed, 0))
	wide := *s
	wide.Attributes = append([]Attribute(nil), s.Attributes...)
	wide.Columns = append([][]float64(nil), s.Columns...)
	for _, p := range m.pairs {
		column := make([]float64, s.Len())
		for i := range column {
			column[i] = logs[p.a][i] - logs[p.b][i]
		}
		wide.Attributes = append(wide.Attributes, Attribute{Name: s.Attributes[p.a].Name + "/" + s.Attributes[p.b].Name})
		wide.Columns = append(wide.Columns, column)
	}
	var err error
	m.inner, err = r.Learner.Train(&wide, derive(seed, 1))
	return m, err
}

// floor is half the least absolute value above 0 of a column, or 0 if it has none.
func floor(column []float64) float64 {
	least := math.Inf(1)
	for _, v := range column {
		if a := math.Abs(v); a > 0 {
			least = min(least, a/2)
		}
	}
	if math.IsInf(least, 1) {
		return 0
	}
	return max(least, math.SmallestNonzeroFloat64)
}

// choosePairs gives all pairs, or most of them at random: a partial shuffle of their numbers.
func choosePairs(usable []int32, most int, rng *rand.Rand) []ratio {
	n := len(usable)
	all := make([]ratio, 0, n*(n-1)/2)
	for i := range n {
		for j := range i {
			all = append(all, ratio{usable[i], usable[j]})
		}
	}
	if len(all) <= most {
		return all
	}
	for i := range most {
		j := i + rng.IntN(len(all)-i)
		all[i], all[j] = all[j], all[i]
	}
	return all[:most]
}

func (m *ratios) log(a int, v float64) float64 { return math.Log(math.Abs(v) + m.floors[a]) }

// Classify implements Classifier.
func (m *ratios) Classify(row, p []float64) {
	logs := make([]float64, len(row))
	for a, v := range row {
		if m.floors[a] > 0 {
			logs[a] = m.log(a, v)
		}
	}
	wide := make([]float64, len(row)+len(m.pairs))
	copy(wide, row)
	for i, q := range m.pairs {
		wide[len(row)+i] = logs[q.a] - logs[q.b]
	}
	m.inner.Classify(wide, p)
}
