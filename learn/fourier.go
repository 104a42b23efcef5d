package learn

import "math"

// Fourier is logistic regression in a space of random waves (Rahimi and Recht 2007): cos(w.x + b) of the scaled row, with w
// normal of variance 2*Gamma/m, m being the width, approximates a machine with the kernel exp(-Gamma*|x-y|^2/m). It sees smooth,
// round shapes where trees see steps, so the two go well together. O(n*Waves*m) and the cost of Logistic.
type Fourier struct {
	Waves    int     // 0 means 400
	Gamma    float64 // 0 means 1
	Ridge    float64 // 0 means 1
	Scale    Scale   // Raw means Rank
	Balanced bool
}

// fourier is the classifier.
type fourier struct {
	*design
	phases []float64
	waves  []float64 // one after another, width numbers each
	beta   []float64 // one for each wave, then the constant
}

// Train implements Learner.
func (l Fourier) Train(s *Set, seed uint64) (Classifier, error) {
	if l.Waves == 0 {
		l.Waves = 400
	}
	if l.Gamma == 0 {
		l.Gamma = 1
	}
	if l.Ridge == 0 {
		l.Ridge = 1
	}
	if l.Scale == Raw {
		l.Scale = Rank
	}
	p, err := newProblem(s, l.Scale, l.Balanced)
	if err != nil {
		return nil, err
	}
	m := &fourier{design: p.design, phases: make([]float64, l.Waves), waves: make([]float64, l.Waves*p.width)}
	rng := source(seed, 0)
	dev := math.Sqrt(2 * l.Gamma / float64(max(p.width, 1)))
	for i := range m.waves {
		m.waves[i] = dev * rng.NormFloat64()
	}
	for i := range m.phases {
		m.phases[i] = 2 * math.Pi * rng.Float64()
	}
	wide := &problem{design: &design{width: l.Waves}, n: p.n, x: make([]float64, p.n*l.Waves), sign: p.sign, weight: p.weight, ridge: l.Ridge}
	_ = each(p.n, func(i int) error {
		m.lift(p.x[i*p.width:(i+1)*p.width], wide.x[i*l.Waves:(i+1)*l.Waves])
		return nil
	})
	m.beta = wide.newton()
	return m, nil
}

// lift computes the waves of a vector, scaled so that their squares sum to 1 on average.
func (m *fourier) lift(x, out []float64) {
	norm := math.Sqrt(2 / float64(len(m.phases)))
	for k := range out {
		out[k] = norm * math.Cos(dot(x, m.waves[k*m.width:(k+1)*m.width])+m.phases[k])
	}
}

// Classify implements Classifier.
func (m *fourier) Classify(row, p []float64) {
	x, z := make([]float64, m.width), make([]float64, len(m.phases))
	m.vector(row, x)
	m.lift(x, z)
	p[0] = sigmoid(dot(z, m.beta[:len(z)]) + m.beta[len(z)])
	p[1] = 1 - p[0]
}
