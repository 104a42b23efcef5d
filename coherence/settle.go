package coherence

import (
	"cmp"
	"math"
	"slices"
)

// Limits of settle: passes over the positions, exchanges tried in all passes, and the number of
// pages up to which every page is also tried at every other position.
const (
	settlePasses = 32
	settleTries  = 400_000
	moveLimit    = 48
)

// settle improves an arrangement for fetches that take unequal time. It starts from the arrangement
// given, and from the same with its short intervals in the order of Smith's rule (for few changes
// the loss is near the sum of l*L, which is least with the highest l/cost innermost). From both it
// exchanges neighbours while that gains: an exchange of positions k and k+1 changes the intervals
// of these two pages only. Few pages are also moved over any distance.
func settle(pages []Candidate, at []int, pace float64) []int {
	best, most := at, math.Inf(-1)
	for _, try := range [][]int{slices.Clone(at), bySmith(pages, at, pace)} {
		for range min(settlePasses, 1+settleTries/(len(at)+1)) {
			gained := exchange(pages, try, pace)
			if len(try) <= moveLimit {
				gained = move(pages, try, pace) || gained
			}
			if !gained {
				break
			}
		}
		if v := nestedValue(pages, try, pace); v > most {
			best, most = try, v
		}
	}
	return best
}

// move takes each page out and puts it where the value is highest, and tells whether it gained.
func move(pages []Candidate, at []int, pace float64) bool {
	gained := false
	most := nestedValue(pages, at, pace)
	for from := range at {
		for to := range at {
			shift(at, from, to)
			if v := nestedValue(pages, at, pace); v > most+1e-12 {
				most, gained = v, true
				break // from now holds another page
			}
			shift(at, to, from)
		}
	}
	return gained
}

// shift moves the element at from to to.
func shift(at []int, from, to int) {
	x := at[from]
	if from < to {
		copy(at[from:to], at[from+1:to+1])
	} else {
		copy(at[to+1:from+1], at[to:from])
	}
	at[to] = x
}

// nestedValue is the expected number of coherent pages of an arrangement.
func nestedValue(pages []Candidate, at []int, pace float64) float64 {
	gap, sum := 0.0, 0.0
	for k, i := range at {
		if k > 0 {
			gap += costOf(pages[at[k-1]], pace) + costOf(pages[i], pace)
		}
		sum += math.Exp(-pages[i].Rate * gap)
	}
	return sum
}

// bySmith orders the hopeful pages, which expect less than one change, by rate over cost.
func bySmith(pages []Candidate, at []int, pace float64) []int {
	mean, _ := meanCost(pages, pace)
	var hopeful, rest []int
	for k, i := range at {
		if pages[i].Rate*2*float64(k)*mean < 1 {
			hopeful = append(hopeful, i)
		} else {
			rest = append(rest, i)
		}
	}
	slices.SortStableFunc(hopeful, func(a, b int) int {
		return cmp.Compare(pages[b].Rate/costOf(pages[b], pace), pages[a].Rate/costOf(pages[a], pace))
	})
	return append(hopeful, rest...)
}

// exchange makes one pass over neighbours and tells whether it gained. Position 0, whose cost
// counts once only, is left as it is.
func exchange(pages []Candidate, at []int, pace float64) bool {
	gained := false
	if len(at) < 3 {
		return false
	}
	base := costOf(pages[at[0]], pace) // L_k without the cost of the page at k
	for k := 1; k+1 < len(at); k++ {
		a, b := pages[at[k]], pages[at[k+1]]
		ca, cb := costOf(a, pace), costOf(b, pace)
		now := math.Exp(-a.Rate*(base+ca)) + math.Exp(-b.Rate*(base+2*ca+cb))
		then := math.Exp(-b.Rate*(base+cb)) + math.Exp(-a.Rate*(base+2*cb+ca))
		if then > now+1e-12 {
			at[k], at[k+1] = at[k+1], at[k]
			ca, gained = cb, true
		}
		base += 2 * ca
	}
	return gained
}
