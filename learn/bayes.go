package learn

import "math"

// Density is how naive Bayes models a numeric attribute.
type Density uint8

// The ways of modelling numbers.
const (
	Normal      Density = iota // one bell per class
	Kernel                     // a bell on every training value
	Discretised                // bins chosen by entropy, then as nominal
)

// Bayes is naive Bayes: attributes are taken to be independent given the class,
//
//	P(c | x) ~ P(c) * product over attributes of P(x_a | c)
//
// Nominal values have P = (count + 1)/(total + values) (Laplace); missing values, in training and later, and values
// never heard of say nothing. Training is O(n*m), with n log n for kernels and bins.
type Bayes struct {
	Density Density
}

// least bounds what one attribute may say against a class, so that a single odd value does not decide alone.
var least = math.Log(1e-75)

// bayes is the classifier: logarithms of the priors, and one density for each attribute.
type bayes struct {
	prior   []float64
	columns []density
}

// density gives log P(v | class) for all classes, adding to p.
type density interface {
	add(v float64, p []float64)
}

// Train implements Learner.
func (b Bayes) Train(s *Set, _ uint64) (Classifier, error) {
	totals := s.Totals()
	sum := 0.0
	for _, t := range totals {
		sum += t
	}
	if sum == 0 {
		return nil, ErrEmpty
	}
	m := &bayes{prior: make([]float64, len(totals)), columns: make([]density, len(s.Columns))}
	for c, t := range totals {
		m.prior[c] = math.Log((t + 1) / (sum + float64(len(totals))))
	}
	for a := range s.Columns {
		m.columns[a] = b.density(s, a)
	}
	return m, nil
}

func (b Bayes) density(s *Set, a int) density {
	switch {
	case s.Attributes[a].Nominal():
		return newTable(s, s.Columns[a], len(s.Attributes[a].Values))
	case b.Density == Kernel:
		return newKernel(s, s.Columns[a])
	case b.Density == Discretised:
		bins := Supervised(s.Columns[a], s)
		codes := make([]float64, s.Len())
		for i, v := range s.Columns[a] {
			if codes[i] = float64(bins.Of(v)); math.IsNaN(v) {
				codes[i] = Missing()
			}
		}
		return &binned{bins, newTable(s, codes, bins.Len())}
	}
	return newNormal(s, s.Columns[a])
}

// Classify implements Classifier.
func (m *bayes) Classify(row, p []float64) {
	copy(p, m.prior)
	for a, d := range m.columns {
		if v := row[a]; !math.IsNaN(v) {
			d.add(v, p)
		}
	}
	fromLogs(p)
}

// fromLogs turns logarithms into probabilities without overflow.
func fromLogs(p []float64) {
	most := p[0]
	for _, v := range p {
		most = max(most, v)
	}
	for i := range p {
		p[i] = math.Exp(p[i] - most)
	}
	normalise(p)
}
