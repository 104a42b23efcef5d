package chain

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
)

// MaxLabels is the largest number of labels of a model.
const MaxLabels = 64

// Sequence is a training sequence.
type Sequence struct {
	Features Features
	Allowed  []uint64 // of each position: the labels it may have, one bit each
}

// Options say how a model is trained. The zero value of a field means its default.
type Options struct {
	Passes    int                          // over the data; 12
	L2        float64                      // weight of the regulariser, per sequence; 1/len(sequences)
	Rate      float64                      // of the first steps; 0.15
	Least     int                          // features met at fewer positions are left out; 1
	Seed      uint64                       // of the order of the sequences
	Forbidden func(from, to int) bool      // transitions that never are; from is -1 at the beginning
	Progress  func(pass int, loss float64) // told after each pass the mean loss of a position; may be nil
}

// Train makes a model with the given names of labels.
func Train(labels []string, sequences []Sequence, o Options) (*Model, error) {
	if len(labels) < 1 || len(labels) > MaxLabels {
		return nil, fmt.Errorf("chain: %d labels, want 1 to %d", len(labels), MaxLabels)
	}
	if o.Passes == 0 {
		o.Passes = 12
	}
	if o.Rate == 0 {
		o.Rate = 0.15
	}
	if o.L2 == 0 {
		o.L2 = 1 / float64(max(1, len(sequences)))
	}
	all := uint64(1)<<len(labels) - 1
	for i, s := range sequences {
		if len(s.Allowed) != s.Features.Len() {
			return nil, fmt.Errorf("chain: sequence %d has %d positions and %d labels", i, s.Features.Len(), len(s.Allowed))
		}
		for t, a := range s.Allowed {
			if a == 0 || a&^all != 0 {
				return nil, fmt.Errorf("chain: sequence %d, position %d: no such label", i, t)
			}
		}
	}
	t := newTrainer(len(labels), sequences, o)
	t.run(sequences)
	return t.model(labels), nil
}

// trainer holds the weights in training. Weights are scale*value, so that one multiplication shrinks all of them.
type trainer struct {
	o      Options
	n      int               // labels
	ids    map[uint32]uint32 // feature to its number
	hashes []uint32          // of each feature
	start  []uint32          // feature i has the weights start[i] to start[i+1]
	label  []uint8           // of each weight
	value  []float64
	trans  []float64 // [(from+1)*n + to]
	never  []bool    // of transitions
	scale  float64
	steps  float64
	room   lattice
	gold   lattice
}

func newTrainer(n int, sequences []Sequence, o Options) *trainer {
	t := &trainer{o: o, n: n, ids: map[uint32]uint32{}, scale: 1}
	counts := map[uint32]uint32{}
	for i := range sequences {
		for _, h := range sequences[i].Features.hashes {
			counts[h]++
		}
	}
	var met []uint64 // labels of each feature
	for i := range sequences {
		s := &sequences[i]
		for p, allowed := range s.Allowed {
			if bits.OnesCount64(allowed) > 2 { // left open: the first stands for all
				allowed &= -allowed
			}
			for _, h := range s.Features.At(p) {
				if int(counts[h]) < o.Least {
					continue
				}
				id, ok := t.ids[h]
				if !ok {
					id = uint32(len(t.hashes))
					t.ids[h] = id
					t.hashes = append(t.hashes, h)
					met = append(met, 0)
				}
				met[id] |= allowed
			}
		}
	}
	for _, m := range met {
		t.start = append(t.start, uint32(len(t.label)))
		for ; m != 0; m &= m - 1 {
			t.label = append(t.label, uint8(bits.TrailingZeros64(m)))
		}
	}
	t.start = append(t.start, uint32(len(t.label)))
	t.value = make([]float64, len(t.label))
	t.trans, t.never = make([]float64, (n+1)*n), make([]bool, (n+1)*n)
	for from := range n + 1 {
		for to := range n {
			t.never[from*n+to] = o.Forbidden != nil && o.Forbidden(from-1, to)
		}
	}
	return t
}

func (t *trainer) run(sequences []Sequence) {
	order := make([]int, len(sequences))
	for i := range order {
		order[i] = i
	}
	random := rand.New(rand.NewPCG(t.o.Seed, 0x76617276))
	for pass := range t.o.Passes {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		var loss float64
		positions := 0
		for _, i := range order {
			loss += t.step(&sequences[i])
			positions += len(sequences[i].Allowed)
		}
		if t.o.Progress != nil {
			t.o.Progress(pass+1, loss/float64(max(1, positions)))
		}
	}
}

// step learns from one sequence and returns its loss before.
func (t *trainer) step(s *Sequence) float64 {
	n := len(s.Allowed)
	if n == 0 {
		return 0
	}
	// What each feature number is at each position is looked up once.
	ids := t.room.ids[:0]
	ends := t.room.ends[:0]
	for p := range n {
		for _, h := range s.Features.At(p) {
			if id, ok := t.ids[h]; ok {
				ids = append(ids, id)
			}
		}
		ends = append(ends, len(ids))
	}
	t.room.ids, t.room.ends = ids, ends
	t.room.size(n, t.n)
	t.gold.size(n, t.n)
	from := 0
	for p, end := range ends {
		e := t.room.emit[p*t.n : (p+1)*t.n]
		clear(e)
		for _, id := range ids[from:end] {
			for k := t.start[id]; k < t.start[id+1]; k++ {
				e[t.label[k]] += t.value[k]
			}
		}
		for j := range e {
			e[j] *= t.scale
		}
		from = end
	}
	for i, v := range t.trans {
		if t.never[i] {
			t.room.jump[i] = 0
		} else {
			t.room.jump[i] = exp(float64(v * t.scale))
		}
	}
	copy(t.gold.emit, t.room.emit)
	copy(t.gold.jump, t.room.jump)
	free := t.room.run(n, t.n, nil)
	bound := t.gold.run(n, t.n, s.Allowed)

	rate := t.o.Rate / (1 + float64(t.o.Rate*t.o.L2*t.steps))
	t.steps++
	t.scale *= 1 - float64(rate*t.o.L2)
	gain := rate / t.scale
	from = 0
	for p, end := range ends {
		free, bound := t.room.mass[p*t.n:(p+1)*t.n], t.gold.mass[p*t.n:(p+1)*t.n]
		for _, id := range ids[from:end] {
			for k := t.start[id]; k < t.start[id+1]; k++ {
				j := t.label[k]
				t.value[k] += float64(gain * (bound[j] - free[j]))
			}
		}
		from = end
	}
	for i := range t.trans {
		t.trans[i] += float64(gain * (t.gold.flow[i] - t.room.flow[i]))
	}
	if t.scale < 1e-6 {
		t.rescale()
	}
	return free - bound
}

func (t *trainer) rescale() {
	for i := range t.value {
		t.value[i] *= t.scale
	}
	for i := range t.trans {
		t.trans[i] *= t.scale
	}
	t.scale = 1
}

// lattice is what the forward-backward algorithm works on, [position][label] and [(from+1)][to].
type lattice struct {
	ids    []uint32
	ends   []int
	emit   []float64 // logarithms in; exponentials, relative to the largest, while it runs
	jump   []float64 // exponentials of the transitions
	ahead  []float64 // forward
	behind []float64 // backward
	mass   []float64 // out: probability of each label at each position
	flow   []float64 // out: expected number of each transition
	row    []float64
	norm   []float64 // what the forward values of each position were divided by
}

func (l *lattice) size(positions, labels int) {
	grow := func(s *[]float64, n int) {
		if cap(*s) < n {
			*s = make([]float64, n+n/2)
		}
		*s = (*s)[:n]
	}
	grow(&l.emit, positions*labels)
	grow(&l.ahead, positions*labels)
	grow(&l.behind, positions*labels)
	grow(&l.mass, positions*labels)
	grow(&l.jump, (labels+1)*labels)
	grow(&l.flow, (labels+1)*labels)
	grow(&l.row, labels)
	grow(&l.norm, positions)
}

// run computes mass and flow under what is allowed (nil: all labels) and returns the logarithm of the sum over all
// labelings. Forward and backward values are scaled to sum to 1 at each position, which keeps them in range.
func (l *lattice) run(positions, n int, allowed []uint64) float64 {
	var total float64
	for p := range positions {
		e := l.emit[p*n : (p+1)*n]
		top := math.Inf(-1)
		for _, v := range e {
			top = max(top, v)
		}
		total += top
		for j, v := range e {
			if allowed != nil && allowed[p]>>j&1 == 0 {
				e[j] = 0
			} else {
				e[j] = exp(v - top)
			}
		}
		a := l.ahead[p*n : (p+1)*n]
		if p == 0 {
			copy(a, l.jump[:n])
		} else {
			clear(a)
			for i, v := range l.ahead[(p-1)*n : p*n] {
				if v != 0 {
					for j, m := range l.jump[(i+1)*n : (i+2)*n] {
						a[j] += float64(v * m)
					}
				}
			}
		}
		var sum float64
		for j := range a {
			a[j] *= e[j]
			sum += a[j]
		}
		if sum == 0 { // nothing that is allowed is possible: as likely as the rounding of numbers makes it
			sum = 1e-300
		}
		l.norm[p] = sum
		total += math.Log(sum)
		for j := range a {
			a[j] /= sum
		}
	}
	clear(l.flow)
	last := l.behind[(positions-1)*n : positions*n]
	for j := range last {
		last[j] = 1
	}
	for p := positions - 1; ; p-- {
		a, b, m := l.ahead[p*n:(p+1)*n], l.behind[p*n:(p+1)*n], l.mass[p*n:(p+1)*n]
		var sum float64
		for j := range m {
			m[j] = a[j] * b[j]
			sum += m[j]
		}
		if sum == 0 {
			sum = 1
		}
		for j := range m {
			m[j] /= sum
		}
		if p == 0 {
			for j, v := range m {
				l.flow[j] += v
			}
			return total
		}
		// row = what follows label j at p: emission times backward; flow(i, j) is proportional to ahead(i)*jump(i,j)*row(j).
		e, before, prev := l.emit[p*n:(p+1)*n], l.behind[(p-1)*n:p*n], l.ahead[(p-1)*n:p*n]
		for j := range l.row {
			l.row[j] = e[j] * b[j]
		}
		var whole float64
		for i := range before {
			if before[i] = 0; prev[i] == 0 {
				continue
			}
			var s float64
			for j, v := range l.jump[(i+1)*n : (i+2)*n] {
				s += float64(v * l.row[j])
			}
			before[i] = s
			whole += float64(prev[i] * s)
		}
		if whole > 0 {
			for i, v := range prev {
				if v == 0 {
					continue
				}
				v /= whole
				flow := l.flow[(i+1)*n : (i+2)*n]
				for j, q := range l.jump[(i+1)*n : (i+2)*n] {
					flow[j] += float64(float64(v*q) * l.row[j])
				}
			}
			for i := range before {
				before[i] /= whole
			}
		}
	}
}

// exp is e^x by a Taylor series after taking out a power of two. The one of package math is written in the machine
// language of each processor, and models must be the same on all.
func exp(x float64) float64 {
	const ln2hi, ln2lo, log2e = 6.93147180369123816490e-01, 1.90821492927058770002e-10, 1.44269504088896338700
	if x < -700 {
		return 0
	}
	x = min(x, 700)
	k := math.Floor(float64(x*log2e) + 0.5)
	r := float64(x-float64(k*ln2hi)) - float64(k*ln2lo)
	sum := 1.0 / 479001600
	for _, c := range [...]float64{
		1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1,
	} {
		sum = float64(sum*r) + c
	}
	return sum * math.Float64frombits(uint64(int64(k)+1023)<<52)
}
