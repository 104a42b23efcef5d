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
	L2        float64                      // weight of the regulariser, divided by the number of sequences; 1
	Rate      float64                      // of the first step, falling to 0 at the last; 0.15
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
		o.L2 = 1
	}
	o.L2 /= float64(max(1, len(sequences)))
	all := uint64(1)<<len(labels) - 1
	for i, s := range sequences {
		if len(s.Allowed) != s.Features.Len() {
			return nil, fmt.Errorf("chain: sequence %d has %d positions and %d labels", i, s.Features.Len(), len(s.Allowed))
		}
		if len(s.Features.sums) > 0 {
			return nil, fmt.Errorf("chain: sequence %d has features that are summed already", i)
		}
		for t, a := range s.Allowed {
			if a == 0 || a&^all != 0 {
				return nil, fmt.Errorf("chain: sequence %d, position %d: no such label", i, t)
			}
		}
	}
	t := newTrainer(len(labels), sequences, o)
	t.run()
	return t.model(labels), nil
}

// learned is a training sequence whose features are numbered; those that are left out are not there.
type learned struct {
	ids     []uint32
	ends    []int // where the features of each position end
	allowed []uint64
}

// trainer holds the weights in training. Weights are scale*value, so that one multiplication shrinks all of them.
type trainer struct {
	o         Options
	n         int // labels
	sequences []learned
	hashes    []uint32 // of each feature, by its number
	start     []uint32 // feature i has the weights start[i] to start[i+1]
	label     []uint8  // of each weight
	value     []float64
	trans     []float64 // [(from+1)*n + to]
	never     []bool    // of transitions
	scale     float64
	steps     float64 // taken
	total     float64 // to be taken
	room      lattice
	gold      lattice
}

func newTrainer(n int, sequences []Sequence, o Options) *trainer {
	t := &trainer{o: o, n: n, scale: 1, total: float64(max(1, o.Passes*len(sequences))), sequences: make([]learned, len(sequences))}
	ids := map[uint32]uint32{}
	counts := map[uint32]uint32{}
	for i := range sequences {
		for _, h := range sequences[i].Features.hashes {
			counts[h]++
		}
	}
	var met []uint64 // labels of each feature
	for i := range sequences {
		s, known := &sequences[i], &t.sequences[i]
		known.allowed = s.Allowed
		for p, allowed := range s.Allowed {
			if bits.OnesCount64(allowed) > 2 { // left open: the first stands for all
				allowed &= -allowed
			}
			for _, h := range s.Features.At(p) {
				if int(counts[h]) < o.Least {
					continue
				}
				id, ok := ids[h]
				if !ok {
					id = uint32(len(t.hashes))
					ids[h] = id
					t.hashes = append(t.hashes, h)
					met = append(met, 0)
				}
				met[id] |= allowed
				known.ids = append(known.ids, id)
			}
			known.ends = append(known.ends, len(known.ids))
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

func (t *trainer) run() {
	order := make([]int, len(t.sequences))
	for i := range order {
		order[i] = i
	}
	random := rand.New(rand.NewPCG(t.o.Seed, 0x76617276))
	for pass := range t.o.Passes {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		var loss float64
		positions := 0
		for _, i := range order {
			loss += t.step(&t.sequences[i])
			positions += len(t.sequences[i].allowed)
		}
		if t.o.Progress != nil {
			t.o.Progress(pass+1, loss/float64(max(1, positions)))
		}
	}
}

// beam is how far behind, in natural logarithms, a label may be and still be looked at in training: with a factor of e^-15
// it takes next to no part in the gradient, and leaving such labels out makes training three times as fast.
const beam = 15

// step learns from one sequence and returns its loss before.
func (t *trainer) step(s *learned) float64 {
	if len(s.allowed) == 0 {
		return 0
	}
	free, bound := t.expect(s, beam)
	if math.IsInf(free, 0) || math.IsInf(bound, 0) { // what was left out was needed: labels that never follow each other
		if free, bound = t.expect(s, math.Inf(1)); math.IsInf(bound, 0) {
			return 0 // what is allowed can never be
		}
	}
	rate := t.o.Rate * (1 - t.steps/t.total)
	t.steps++
	t.scale *= 1 - float64(rate*t.o.L2)
	gain := rate / t.scale
	from := 0
	for p, end := range s.ends {
		free, bound := t.room.mass[p*t.n:(p+1)*t.n], t.gold.mass[p*t.n:(p+1)*t.n]
		for _, id := range s.ids[from:end] {
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

// expect computes how often features and transitions meet labels under the model (room) and under what is allowed (gold),
// and returns the logarithms of both sums over labelings.
func (t *trainer) expect(s *learned, beam float64) (free, bound float64) {
	n := len(s.allowed)
	t.room.size(n, t.n)
	t.gold.size(n, t.n)
	from := 0
	for p, end := range s.ends {
		e := t.room.emit[p*t.n : (p+1)*t.n]
		clear(e)
		for _, id := range s.ids[from:end] {
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
	return t.room.run(n, t.n, nil, beam), t.gold.run(n, t.n, s.allowed, beam)
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
	emit   []float64 // logarithms in; exponentials, relative to the largest, while it runs
	jump   []float64 // exponentials of the transitions
	ahead  []float64 // forward
	behind []float64 // backward
	mass   []float64 // out: probability of each label at each position
	flow   []float64 // out: expected number of each transition
	row    []float64
	open   []uint8   // labels that are in the race, position after position
	stops  []int     // where those of each position end in open
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
// labelings, negative infinity if there is none. Labels whose emission is less than that of the best of their position by more than beam are left out. Forward
// and backward values are scaled to sum to 1 at each position, which keeps them in range.
func (l *lattice) run(positions, n int, allowed []uint64, beam float64) float64 {
	var total float64
	l.open, l.stops = l.open[:0], l.stops[:0]
	var before []uint8 // open labels of the position before
	for p := range positions {
		e, a := l.emit[p*n:(p+1)*n], l.ahead[p*n:(p+1)*n]
		mask := ^uint64(0)
		if allowed != nil {
			mask = allowed[p]
		}
		top := math.Inf(-1)
		for j, v := range e {
			if mask>>j&1 != 0 {
				top = max(top, v)
			}
		}
		total += top
		first := len(l.open)
		for j, v := range e {
			if mask>>j&1 == 0 || top-v > beam {
				e[j], a[j] = 0, 0
				continue
			}
			e[j] = exp(v - top)
			l.open = append(l.open, uint8(j))
		}
		here := l.open[first:]
		l.stops = append(l.stops, len(l.open))
		var sum float64
		for _, j := range here {
			s := l.jump[j]
			if p > 0 {
				s = 0
				column := l.jump[n+int(j):]
				for _, i := range before {
					s += float64(l.ahead[(p-1)*n+int(i)] * column[int(i)*n])
				}
			}
			a[j] = s * e[j]
			sum += a[j]
		}
		if sum == 0 {
			return math.Inf(-1) // no way leads here
		}
		l.norm[p] = sum
		total += math.Log(sum)
		for _, j := range here {
			a[j] /= sum
		}
		before = here
	}
	clear(l.flow)
	clear(l.mass)
	here := before
	for _, j := range here {
		l.behind[(positions-1)*n+int(j)] = 1
	}
	for p := positions - 1; ; p-- {
		a, b, m := l.ahead[p*n:(p+1)*n], l.behind[p*n:(p+1)*n], l.mass[p*n:(p+1)*n]
		var sum float64
		for _, j := range here {
			m[j] = a[j] * b[j]
			sum += m[j]
		}
		if sum == 0 {
			sum = 1
		}
		for _, j := range here {
			m[j] /= sum
		}
		if p == 0 {
			for _, j := range here {
				l.flow[j] += m[j]
			}
			return total
		}
		// row = what follows label j at p: emission times backward; flow(i, j) is proportional to ahead(i)*jump(i,j)*row(j).
		e, b1, prev := l.emit[p*n:(p+1)*n], l.behind[(p-1)*n:p*n], l.ahead[(p-1)*n:p*n]
		for _, j := range here {
			l.row[j] = e[j] * b[j]
		}
		from := 0
		if p > 1 {
			from = l.stops[p-2]
		}
		before := l.open[from:l.stops[p-1]]
		var whole float64
		for _, i := range before {
			var s float64
			jump := l.jump[(int(i)+1)*n : (int(i)+2)*n]
			for _, j := range here {
				s += float64(jump[j] * l.row[j])
			}
			b1[i] = s
			whole += float64(prev[i] * s)
		}
		if whole > 0 {
			for _, i := range before {
				v := prev[i] / whole
				jump, flow := l.jump[(int(i)+1)*n:(int(i)+2)*n], l.flow[(int(i)+1)*n:(int(i)+2)*n]
				for _, j := range here {
					flow[j] += float64(float64(v*jump[j]) * l.row[j])
				}
				b1[i] /= whole
			}
		}
		here = before
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
