package frontier

import (
	"fmt"
	"math"
)

// Combine says what becomes of the score of a queued URL when it is found again with another
// score: the update functions of adaptive crawling. A URL found with 0.2, 0.6, 0.4 in this order
// ends with First 0.2, Last 0.4, Max 0.6, Avg 0.4 and Sum 1 (0.2+0.6+0.4 held at 1).
type Combine string

// The update functions.
const (
	First Combine = "FIRST" // keep the first score: a crawler that does not adapt
	Last  Combine = "LAST"  // the latest score replaces the one before
	Max   Combine = "MAX"   // the highest score so far
	Avg   Combine = "AVG"   // the mean of all scores so far
	Sum   Combine = "SUM"   // the sum of all scores so far, at most 1
)

func (c Combine) validate() error {
	switch c {
	case First, Last, Max, Avg, Sum:
		return nil
	}
	return fmt.Errorf("update function %q is not one of FIRST, LAST, MAX, AVG, SUM", string(c))
}

// score is a priority in millionths: decimal scores come back as they were given, and three
// bytes hold it.
type score uint32

const scoreUnit = 1_000_000

func toScore(f float64) score {
	if !(f > 0) { // also NaN
		return 0
	}
	return score(math.Round(min(f, 1) * scoreUnit))
}

func (s score) float() float64 { return float64(s) / scoreUnit }

// apply gives the new score and the number of scores that went into it, from the old score that
// n scores went into and one more score s. The mean is rounded to a millionth at each step.
func (c Combine) apply(old score, n uint32, s score) (score, uint32) {
	switch c {
	case Last:
		return s, 1
	case Max:
		return max(old, s), 1
	case Avg:
		n = max(n, 1)
		if n == math.MaxUint32 {
			return old, n
		}
		total := uint64(old)*uint64(n) + uint64(s)
		return score((total + uint64(n+1)/2) / uint64(n+1)), n + 1
	case Sum:
		return min(old+s, scoreUnit), 1
	}
	return old, max(n, 1)
}
