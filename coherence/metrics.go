package coherence

import "math"

// Conflict is the probability that a page of Poisson rate l changes within dt:
//
//	kappa = 1 - exp(-l*dt)
//
// Measurable coherence has dt = t - t_start, inducible coherence dt = r - t.
func Conflict(l, dt float64) float64 { return -math.Expm1(-l * dt) }

// SlotConflict is the same for a probability of change per slot, as the papers have it:
//
//	kappa = 1 - (1-l)^slots
func SlotConflict(l, slots float64) float64 {
	switch {
	case slots <= 0 || l <= 0:
		return 0
	case l >= 1:
		return 1
	}
	return -math.Expm1(slots * math.Log1p(-l))
}

// PerSlot turns a Poisson rate into the papers' probability of change per slot of length d:
//
//	l_slot = 1 - exp(-l*d)
func PerSlot(l, d float64) float64 { return -math.Expm1(-l * d) }

// PerTime is the inverse of PerSlot:
//
//	l = -ln(1 - l_slot) / d
func PerTime(slot, d float64) float64 { return -math.Log1p(-slot) / d }

// Expected is the expected coherence of a visit-revisit capture, the expected share of pages that
// do not change between visit and revisit:
//
//	mean of exp(-l * (r-t))
//
// rates and gaps = r-t go together. No pages are coherent.
func Expected(rates, gaps []float64) float64 {
	if len(rates) == 0 {
		return 1
	}
	sum := 0.0
	for i, l := range rates {
		sum += math.Exp(-l * gaps[i])
	}
	return sum / float64(len(rates))
}
