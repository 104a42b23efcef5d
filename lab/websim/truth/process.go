package truth

import (
	"math"

	"varve/lab/websim/dice"
)

// Window is a stretch of time, [From, To), in milliseconds since the epoch.
type Window struct{ From, To int64 }

// Process draws the changes of one rule for one page. Either Mean or Slot and P are set.
type Process struct {
	Mean   float64  // Poisson: mean time between changes in milliseconds
	Slot   int64    // Bernoulli: length of a slot in milliseconds
	P      float64  // Bernoulli: probability of a change in a slot, below or equal to 1
	Kinds  Weights  // how often each kind of change
	Bursts []Window // stretches of time with more changes, apart and in order
	Factor float64  // how many times more changes within a burst
}

// Weights says how often each kind of change to a living page comes up.
type Weights [Ad + 1]float64

// pick draws a kind.
func (w *Weights) pick(u float64) Kind {
	total := 0.0
	for _, x := range w {
		total += x
	}
	u *= total
	for k, x := range w {
		if u < x {
			return Kind(k)
		}
		u -= x
	}
	return Content
}

// Share is the part of the changes that layer l sees.
func (w *Weights) Share(l Layer) float64 {
	var part, total float64
	for k, x := range w {
		total += x
		if l.Sees(Kind(k)) {
			part += x
		}
	}
	if total == 0 {
		return 0
	}
	return part / total
}

// Rate is the mean number of changes per millisecond outside of bursts.
func (p *Process) Rate() float64 {
	switch {
	case p.Slot > 0:
		return p.P / float64(p.Slot)
	case p.Mean > 0:
		return 1 / p.Mean
	}
	return 0
}

// Draw adds the changes in (0, span] to the builder.
func (p *Process) Draw(b *Builder, s *dice.Stream, span int64) {
	if p.Slot > 0 {
		p.drawSlots(b, s, span)
		return
	}
	p.exponential(b, s, 0, span, p.Mean)
	if p.Factor > 1 {
		for _, w := range p.Bursts {
			p.exponential(b, s, w.From, min(w.To, span), p.Mean/(p.Factor-1))
		}
	}
}

// exponential adds changes of a Poisson process in (from, to]. Gaps are cut to whole milliseconds
// one by one, so that a difference between machines in the last bit of a logarithm does not add up.
func (p *Process) exponential(b *Builder, s *dice.Stream, from, to int64, mean float64) {
	if mean <= 0 {
		return
	}
	for t := from; ; {
		gap := s.Exp() * mean
		if gap >= float64(to-t) {
			return
		}
		t += int64(gap) + 1
		if t > to {
			return
		}
		b.Add(t, p.Kinds.pick(s.Float64()))
	}
}

// drawSlots adds at most one change at the start of each slot after the first.
func (p *Process) drawSlots(b *Builder, s *dice.Stream, span int64) {
	last := span / p.Slot
	p.geometric(b, s, 0, last, p.P, nil)
	if p.Factor <= 1 || p.P <= 0 || p.P >= 1 {
		return
	}
	taken := map[int64]bool{}
	for k := range b.times {
		for _, t := range b.times[k] {
			taken[t] = true
		}
	}
	// 1-(1-P)(1-extra) = min(1, P*Factor): the second draw fills up to the wanted probability.
	extra := 1 - (1-min(1, p.P*p.Factor))/(1-p.P)
	for _, w := range p.Bursts {
		p.geometric(b, s, (w.From-1)/p.Slot, min(last, (w.To-1)/p.Slot), extra, taken)
	}
}

// geometric adds changes at slots (from, to], skipping those taken.
func (p *Process) geometric(b *Builder, s *dice.Stream, from, to int64, prob float64, taken map[int64]bool) {
	if prob <= 0 {
		return
	}
	for k := from; ; {
		k++
		if prob < 1 {
			gap := math.Log(1-s.Float64()) / math.Log1p(-prob)
			if gap >= float64(to-k+1) {
				return
			}
			k += int64(gap)
		}
		if k > to {
			return
		}
		if t := k * p.Slot; !taken[t] {
			b.Add(t, p.Kinds.pick(s.Float64()))
		}
	}
}

// Bursts draws windows of the given length whose starts are a Poisson process of the given mean
// gap; windows do not overlap.
func Bursts(s *dice.Stream, mean float64, length, span int64) []Window {
	var out []Window
	if mean <= 0 || length <= 0 {
		return nil
	}
	for t := int64(0); ; {
		gap := s.Exp() * mean
		if gap >= float64(span-t) {
			return out
		}
		t += int64(gap) + 1
		out = append(out, Window{t, min(t+length, span)})
		if t += length; t >= span {
			return out
		}
	}
}
