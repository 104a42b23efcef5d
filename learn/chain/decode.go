package chain

import "math"

// Decoder labels sequences with a model. It keeps buffers and is not for concurrent use.
type Decoder struct {
	m        *Model
	emit     []int32 // [position][label]
	best     []int32 // score of the best way that ends in each label, of the position before and of this one
	from     []uint8 // [position][label]: the label before on that way
	open     []uint8 // labels that are in the race, position after position
	ends     []int   // where those of each position end in open
	labels   []uint8
	sums     lattice
	count    int
	summed   bool // whether sums is of the sequence decoded last
	possible bool // whether it has any labels at all
}

// NewDecoder returns a decoder.
func (m *Model) NewDecoder() *Decoder { return &Decoder{m: m} }

// Decode returns the labels with the highest score, one for each position; of equal ones those with the smaller
// numbers, from the end. The slice is valid until the next call.
//
// A label whose own weights are behind those of the best label of its position by more than two transitions can make up
// for is on no best way: putting the best label in its place would be better whatever is around. Such labels
// are left out before the search, which changes nothing of its result.
func (d *Decoder) Decode(f *Features) []uint8 {
	m, n := d.m, len(d.m.labels)
	d.count, d.summed = f.Len(), false
	d.labels = d.labels[:0]
	if d.count == 0 {
		return d.labels
	}
	d.emissions(f)
	d.from = resize(d.from, d.count*n)
	d.best = resize(d.best, 2*n)
	open := d.open[:0]
	ends := d.ends[:0]
	for t := range d.count {
		e := d.emit[t*n : (t+1)*n]
		top := e[0]
		for _, v := range e[1:] {
			top = max(top, v)
		}
		for j, v := range e {
			if m.reach < 0 || top-v <= m.reach {
				open = append(open, uint8(j))
			}
		}
		ends = append(ends, len(open))
	}
	d.open, d.ends = open, ends
	now, before := d.best[:n], d.best[n:]
	prior := open[:ends[0]]
	for _, j := range prior {
		now[j] = d.emit[j] + m.trans[j]
	}
	for t := 1; t < d.count; t++ {
		now, before = before, now
		here := open[ends[t-1]:ends[t]]
		for _, j := range here {
			top, from := int32(-1<<31), uint8(0)
			column := m.trans[n+int(j):]
			for _, i := range prior {
				if v := before[i] + column[int(i)*n]; v > top {
					top, from = v, i
				}
			}
			now[j] = max(top, 2*never) + d.emit[t*n+int(j)] // a way through what never is stays far behind
			d.from[t*n+int(j)] = from
		}
		level := now[here[0]]
		for _, j := range here[1:] {
			level = max(level, now[j])
		}
		for _, j := range here { // only differences matter: however long the sequence, numbers stay in range
			now[j] -= level
		}
		prior = here
	}
	last := prior[0]
	for _, j := range prior[1:] {
		if now[j] > now[last] {
			last = j
		}
	}
	d.labels = resize(d.labels, d.count)
	for t := d.count - 1; ; t-- {
		d.labels[t] = last
		if t == 0 {
			return d.labels
		}
		last = d.from[t*n+int(last)]
	}
}

// emissions sums the weights of the features of each position.
func (d *Decoder) emissions(f *Features) {
	n := len(d.m.labels)
	d.emit = resize(d.emit, d.count*n)
	clear(d.emit)
	for t := range d.count {
		d.m.addTo(d.emit[t*n:(t+1)*n], f, t)
	}
}

// addTo adds the weights of the features of a position to e, by label.
func (m *Model) addTo(e []int32, f *Features, t int) {
	for _, h := range f.At(t) {
		for _, w := range m.find(h) {
			e[w.label] += int32(w.value)
		}
	}
	for _, sum := range f.sumsAt(t) {
		for j, v := range sum[:len(e)] {
			e[j] += v
		}
	}
}

// Sum returns the sum of the weights of the features of a position, by label, for Features.AddSum.
func (m *Model) Sum(f *Features, t int) []int32 {
	e := make([]int32, len(m.labels))
	m.addTo(e, f, t)
	return e
}

// sum runs the forward-backward algorithm over the sequence decoded last, once; it reports whether any labels are possible.
func (d *Decoder) sum() bool {
	l, n := &d.sums, len(d.m.labels)
	if !d.summed {
		jumps := len(l.jump)
		l.size(d.count, n)
		if jumps == 0 {
			for i, v := range d.m.trans {
				if l.jump[i] = 0; v != never {
					l.jump[i] = exp(float64(v) * d.m.unit)
				}
			}
		}
		for i, v := range d.emit {
			l.emit[i] = float64(v) * d.m.unit
		}
		d.possible = !math.IsInf(l.run(d.count, n, nil, math.Inf(1)), 0)
		d.summed = true
	}
	return d.possible
}

// Probability returns the probability that the positions from..to-1 of the sequence decoded last have the labels that
// Decode gave them, whatever stands around.
func (d *Decoder) Probability(from, to int) float64 {
	n := len(d.m.labels)
	if from < 0 || to > d.count || from >= to {
		return 1
	}
	if !d.sum() {
		return 0
	}
	l := &d.sums
	y := int(d.labels[from])
	p := l.ahead[from*n+y]
	for t := from + 1; t < to; t++ {
		next := int(d.labels[t])
		p *= l.jump[(y+1)*n+next] * l.emit[t*n+next] / l.norm[t]
		y = next
	}
	return min(1, p*l.behind[(to-1)*n+y])
}

// Marginals returns the probability of each label at a position of the sequence decoded last; nil if there is no such position. It is valid until the
// next Decode.
func (d *Decoder) Marginals(t int) []float64 {
	n := len(d.m.labels)
	if t < 0 || t >= d.count || !d.sum() {
		return nil
	}
	return d.sums.mass[t*n : (t+1)*n]
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}
