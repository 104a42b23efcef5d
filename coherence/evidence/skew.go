package evidence

import (
	"math"
	"slices"
	"time"
)

// Skew is how far the crawler's clock is from those of the servers, by their Date fields.
type Skew struct {
	Offset  time.Duration `json:"offset"`  // server minus crawler: median over all answers with a Date
	Samples int64         `json:"samples"` // 0: nothing is known
}

// SkewTally counts offsets in steps of a tenth of a second, which is finer than a Date, so that any
// number of answers takes little memory.
type SkewTally struct {
	steps map[int64]int64
	n     int64
}

const (
	skewStep = 100 * time.Millisecond
	maxSteps = 100_000 // further offsets count as infinitely far on their side: right for a median
)

// Add takes an answer. A Date is cut to the second, so on average half a second was lost.
func (s *SkewTally) Add(c *Observation) {
	if c.ServerDate.IsZero() || c.Time.IsZero() {
		return
	}
	step := int64(math.Round(float64(c.ServerDate.Sub(c.Time)+time.Second/2) / float64(skewStep)))
	if s.steps == nil {
		s.steps = map[int64]int64{}
	}
	if _, known := s.steps[step]; !known && len(s.steps) >= maxSteps {
		if step > 0 {
			step = math.MaxInt64 / int64(skewStep)
		} else {
			step = math.MinInt64 / int64(skewStep)
		}
	}
	s.steps[step]++
	s.n++
}

// Skew gives the median so far.
func (s *SkewTally) Skew() Skew {
	steps := make([]int64, 0, len(s.steps))
	for step := range s.steps {
		steps = append(steps, step)
	}
	slices.Sort(steps)
	var seen int64
	for _, step := range steps {
		if seen += s.steps[step]; 2*seen >= s.n {
			return Skew{Offset: time.Duration(step) * skewStep, Samples: s.n}
		}
	}
	return Skew{}
}
