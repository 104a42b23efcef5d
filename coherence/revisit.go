package coherence

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// RevisitKind is the name of an order of revisits.
type RevisitKind string

// The orders of revisits.
const (
	FIFO RevisitKind = "fifo" // in the order of the visits
	LIFO RevisitKind = "lifo" // the page visited last first
	Plan RevisitKind = "plan" // so that most pages are expected to be coherent
)

// ParseRevisit reads the name of an order of revisits.
func ParseRevisit(s string) (RevisitKind, error) {
	switch k := RevisitKind(s); k {
	case FIFO, LIFO, Plan:
		return k, nil
	}
	return "", fmt.Errorf("order of revisits %q is not known; there are fifo, lifo and plan", s)
}

// Visited is a page that was visited.
type Visited struct {
	ID   uint64
	Rate float64 // negative or not a number counts as 0
	At   float64 // when it was visited
}

// Revisits says how to revisit.
type Revisits struct {
	Kind   RevisitKind
	Pace   float64 // time from one fetch to the next; 0 is 1
	Start  float64 // when the first revisit may begin; before the last visit means at once after it
	Budget int     // number of revisits; 0 or less is all
}

// Revisit is one revisit of a plan.
type Revisit struct {
	ID     uint64
	At     float64 // when it is expected
	Chance float64 // of finding the page unchanged: exp(-l*(r-t))
}

// RevisitOrder gives the order of revisits for pages as they were visited, whatever plan that
// followed. With lifo and plan the page visited last is left out, as in the seed: its visit is the
// reference point, and it is coherent without a revisit. Within a budget, fifo and lifo take the
// first of their order, and plan takes those that buy most proven coherence.
func RevisitOrder(visited []Visited, o Revisits) []Revisit {
	v := slices.Clone(visited)
	for i := range v {
		if !finite(v[i].Rate) {
			v[i].Rate = 0
		}
		v[i].At = instant(v[i].At)
	}
	slices.SortStableFunc(v, func(a, b Visited) int { return cmp.Compare(a.At, b.At) })
	o.Start = instant(o.Start)
	if !(o.Pace > 0) || math.IsInf(o.Pace, 1) {
		o.Pace = 1
	}
	if len(v) == 0 {
		return nil
	}
	o.Start = max(o.Start, v[len(v)-1].At)
	if o.Kind != FIFO {
		v = v[:len(v)-1]
		slices.Reverse(v)
	}
	if o.Budget <= 0 || o.Budget > len(v) {
		o.Budget = len(v)
	}
	if o.Kind == Plan {
		v = newRevisiting(v, o).order()
	}
	return timed(v[:o.Budget], o)
}

// instant gives x, or 0 for what is no instant.
func instant(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

// timed says when each revisit is expected.
func timed(v []Visited, o Revisits) []Revisit {
	out := make([]Revisit, len(v))
	for k, p := range v {
		r := o.Start + float64(k+1)*o.Pace
		out[k] = Revisit{p.ID, r, math.Exp(-p.Rate * (r - p.At))}
	}
	return out
}
