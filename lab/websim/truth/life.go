package truth

import "varve/lab/websim/dice"

// Life draws whether and when a page appears, vanishes, returns and moves. Times are means in
// milliseconds; 0 means never.
type Life struct {
	Appear float64 // share of pages that are not there from the start
	Vanish float64 // mean time until a living page vanishes
	Return float64 // mean time until a vanished page is back
	Move   float64 // mean time until a living page moves
}

// Draw adds the events of one page in (0, span] to the builder.
func (l *Life) Draw(b *Builder, s *dice.Stream, span int64) {
	t := int64(0)
	if u := s.Float64(); u < l.Appear {
		t = 1 + int64(dice.Below(s.Uint64(), int(span)))
		b.Add(t, Appear)
	}
	for t < span {
		end := after(s, t, l.Vanish, span)
		for m := after(s, t, l.Move, span); m < end; m = after(s, m, l.Move, span) {
			b.Add(m, Move)
		}
		if end > span {
			return
		}
		b.Add(end, Vanish)
		if t = after(s, end, l.Return, span); t <= span {
			b.Add(t, Return)
		}
	}
}

// after is an exponential wait after t; span+1 when it is beyond the span.
func after(s *dice.Stream, t int64, mean float64, span int64) int64 {
	if mean <= 0 {
		return span + 1
	}
	gap := s.Exp() * mean
	if gap >= float64(span-t) {
		return span + 1
	}
	return t + int64(gap) + 1
}

// Present tells whether the page of these life events is there at t.
func (b *Builder) Present(t int64) bool {
	if born := b.times[Appear]; len(born) > 0 && t < born[0] {
		return false
	}
	return count(b.times[Vanish], t) <= count(b.times[Return], t)
}

// count is the number of times at or before t; life events are drawn in order and few.
func count(times []int64, t int64) (n int) {
	for n < len(times) && times[n] <= t {
		n++
	}
	return n
}
