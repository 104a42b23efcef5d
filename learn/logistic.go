package learn

import "math"

// Logistic is logistic regression with a ridge: it minimises
//
//	sum over rows of w*log(1 + exp(-s*(b + x.beta))) + Ridge/2 * |beta|^2        s = +1 for class 0, -1 for class 1
//
// by Newton's method, whose steps are found by conjugate gradients (no matrix is built: O(n*m) for each of some tens
// of passes), with steps halved until the sum falls. Numbers are scaled first.
type Logistic struct {
	Ridge    float64 // 0 means 1e-8
	Scale    Scale   // Raw means Standard
	Balanced bool    // weigh the classes so that both have the same total
}

// linear is a classifier with one weight for each part of the vector.
type linear struct {
	*design
	beta  []float64 // the last is the constant
	slope float64   // probability = 1/(1+exp(-(slope*margin + shift)))
	shift float64
}

// Train implements Learner.
func (l Logistic) Train(s *Set, _ uint64) (Classifier, error) {
	if l.Ridge == 0 {
		l.Ridge = 1e-8
	}
	if l.Scale == Raw {
		l.Scale = Standard
	}
	p, err := newProblem(s, l.Scale, l.Balanced)
	if err != nil {
		return nil, err
	}
	p.ridge = l.Ridge
	return &linear{design: p.design, beta: p.newton(), slope: 1}, nil
}

// Classify implements Classifier.
func (m *linear) Classify(row, p []float64) {
	p[0] = sigmoid(m.slope*m.margin(row) + m.shift)
	p[1] = 1 - p[0]
}

func (m *linear) margin(row []float64) float64 {
	x := make([]float64, m.width)
	m.vector(row, x)
	return dot(x, m.beta[:m.width]) + m.beta[m.width]
}

func sigmoid(v float64) float64 { return 1 / (1 + math.Exp(-v)) }

// dot is the inner product, four sums at a time: a processor can then add them side by side.
func dot(a, b []float64) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}

// problem is a set of two classes as a matrix.
type problem struct {
	*design
	n      int
	x      []float64 // rows of width
	sign   []float64
	weight []float64
	ridge  float64
}

func newProblem(s *Set, scale Scale, balanced bool) (*problem, error) {
	totals := s.Totals()
	if s.Classes() != 2 {
		return nil, ErrClasses
	}
	if total(totals) == 0 {
		return nil, ErrEmpty
	}
	p := &problem{design: newDesign(s, scale), n: s.Len(), sign: make([]float64, s.Len()), weight: make([]float64, s.Len())}
	p.x = p.matrix(s)
	for i, y := range s.Y {
		p.sign[i], p.weight[i] = 1-2*float64(y), s.Weight(i)
		if balanced && totals[y] > 0 {
			p.weight[i] *= total(totals) / (2 * totals[y])
		}
	}
	return p, nil
}

// margins computes x.beta + constant of all rows.
func (p *problem) margins(beta, out []float64) {
	for i := range p.n {
		out[i] = dot(p.x[i*p.width:(i+1)*p.width], beta[:p.width]) + beta[p.width]
	}
}

func (p *problem) loss(beta, margins []float64) float64 {
	sum := p.ridge / 2 * dot(beta[:p.width], beta[:p.width])
	for i, m := range margins {
		z := p.sign[i] * m
		if z > 0 {
			sum += p.weight[i] * math.Log1p(math.Exp(-z))
		} else {
			sum += p.weight[i] * (math.Log1p(math.Exp(z)) - z)
		}
	}
	return sum
}

// spreadBack adds the rows, each times its factor: the transposed product.
func (p *problem) spreadBack(factor, out []float64) {
	clear(out)
	for i, f := range factor {
		if f == 0 {
			continue
		}
		for j, v := range p.x[i*p.width : (i+1)*p.width] {
			out[j] += f * v
		}
		out[p.width] += f
	}
}

// newton finds the best beta.
func (p *problem) newton() []float64 {
	const steps, enough = 50, 1e-9
	k := p.width + 1
	beta, grad, margins := make([]float64, k), make([]float64, k), make([]float64, p.n)
	factor, curve := make([]float64, p.n), make([]float64, p.n)
	next := make([]float64, k)
	value := p.loss(beta, margins)
	for range steps {
		for i, m := range margins {
			q := sigmoid(-p.sign[i] * m) // probability of the wrong class
			factor[i], curve[i] = -p.weight[i]*p.sign[i]*q, p.weight[i]*q*(1-q)
		}
		p.spreadBack(factor, grad)
		for j := range p.width {
			grad[j] += p.ridge * beta[j]
		}
		step := p.conjugate(curve, grad)
		size, better := 1.0, false
		for range 30 {
			for j := range beta {
				next[j] = beta[j] - size*step[j]
			}
			p.margins(next, margins)
			if v := p.loss(next, margins); v < value {
				better = value-v > enough*(1+math.Abs(value))
				value = v
				copy(beta, next)
				break
			}
			size /= 2
		}
		if !better {
			break
		}
	}
	return beta
}

// conjugate solves (X'DX + ridge) step = grad, D being the curvature of the rows, roughly: Newton needs no more.
func (p *problem) conjugate(curve, grad []float64) []float64 {
	k := len(grad)
	step, r, d, hd := make([]float64, k), append([]float64(nil), grad...), append([]float64(nil), grad...), make([]float64, k)
	room := make([]float64, p.n)
	rr := dot(r, r)
	goal := rr * 1e-4
	for range min(k, 100) {
		if rr <= goal || rr == 0 {
			break
		}
		p.margins(d, room)
		for i := range room {
			room[i] *= curve[i]
		}
		p.spreadBack(room, hd)
		for j := range p.width {
			hd[j] += p.ridge * d[j]
		}
		hd[p.width] += 1e-10 * d[p.width]
		alpha := rr / max(dot(d, hd), 1e-300)
		for j := range step {
			step[j] += alpha * d[j]
			r[j] -= alpha * hd[j]
		}
		last := rr
		rr = dot(r, r)
		for j := range d {
			d[j] = r[j] + rr/last*d[j]
		}
	}
	return step
}
