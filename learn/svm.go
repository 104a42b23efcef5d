package learn

import "math"

// SVM is a linear support vector machine with squared hinge loss, trained in the dual, one row at a time (Hsieh et
// al. 2008): it minimises |w|^2/2 + C * sum over rows of max(0, 1 - s*x.w)^2. A pass is O(n*m); it ends when no
// row is off by more than 1 %, or after Passes. Margins become probabilities by a fit of Platt's on the training rows.
type SVM struct {
	C        float64 // 0 means 1
	Scale    Scale   // Raw means Standard
	Balanced bool    // weigh the classes so that both have the same total
	Passes   int     // 0 means 200
}

// Train implements Learner.
func (v SVM) Train(s *Set, seed uint64) (Classifier, error) {
	if v.C == 0 {
		v.C = 1
	}
	if v.Scale == Raw {
		v.Scale = Standard
	}
	if v.Passes == 0 {
		v.Passes = 200
	}
	p, err := newProblem(s, v.Scale, v.Balanced)
	if err != nil {
		return nil, err
	}
	m := &linear{design: p.design, beta: v.descend(p, seed), slope: 1}
	margins := make([]float64, p.n)
	p.margins(m.beta, margins)
	m.slope, m.shift = Platt(margins, s.Is(0))
	return m, nil
}

// descend is dual coordinate descent; the constant is one more column of ones.
func (v SVM) descend(p *problem, seed uint64) []float64 {
	rng := source(seed, 0)
	w, alpha := make([]float64, p.width+1), make([]float64, p.n)
	square, order := make([]float64, p.n), make([]int, p.n)
	for i := range order {
		x := p.x[i*p.width : (i+1)*p.width]
		square[i], order[i] = dot(x, x)+1, i
	}
	for range v.Passes {
		rng.Shuffle(p.n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		worst := 0.0
		for _, i := range order {
			if p.weight[i] == 0 {
				continue
			}
			x := p.x[i*p.width : (i+1)*p.width]
			soft := 1 / (2 * v.C * p.weight[i])
			g := p.sign[i]*(dot(x, w[:p.width])+w[p.width]) - 1 + soft*alpha[i]
			if alpha[i] == 0 && g >= 0 {
				continue
			}
			worst = max(worst, math.Abs(g))
			old := alpha[i]
			alpha[i] = max(old-g/(square[i]+soft), 0)
			step := (alpha[i] - old) * p.sign[i]
			for j, xj := range x {
				w[j] += step * xj
			}
			w[p.width] += step
		}
		if worst < 0.01 {
			break
		}
	}
	return w
}
