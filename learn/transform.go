package learn

import (
	"math"
	"slices"
	"sort"
)

// Scale is how a column of numbers is put on a common footing.
type Scale uint8

// The scales. All are learnt from the training rows, then applied to any row.
const (
	Raw      Scale = iota // as it is
	Standard              // mean 0, deviation 1
	Log                   // logarithm (of |v|, with the sign, above half the least that occurs), then Standard
	Rank                  // quantile among the training rows, as a normal score: outliers lose their pull
)

// scaler is a scale learnt for one column.
type scaler struct {
	kind      Scale
	floor     float64 // of Log: half the least absolute value above 0
	mean, dev float64
	sorted    []float64 // of Rank: distinct values
	scores    []float64 // of Rank: their normal scores
}

func newScaler(kind Scale, column []float64, weight func(int) float64) scaler {
	s := scaler{kind: kind, dev: 1, floor: math.Inf(1)}
	switch kind {
	case Raw:
		return s
	case Rank:
		s.rank(column)
		return s
	case Log:
		for _, v := range column {
			if a := math.Abs(v); a > 0 {
				s.floor = min(s.floor, a/2)
			}
		}
		if math.IsInf(s.floor, 1) {
			s.floor = 1
		}
	}
	var sum, squares float64
	for i, v := range column {
		if w := weight(i); w > 0 && !math.IsNaN(v) {
			v = s.curve(v)
			sum += w
			d := v - s.mean
			s.mean += d * w / sum
			squares += w * d * (v - s.mean)
		}
	}
	if sum > 0 && squares > 0 {
		s.dev = math.Sqrt(squares / sum)
	}
	return s
}

// curve is the scale before standardising.
func (s *scaler) curve(v float64) float64 {
	if s.kind != Log {
		return v
	}
	return math.Copysign(math.Log1p(math.Abs(v)/s.floor), v)
}

// rank learns the normal score of each distinct value: of the middle of its run among all.
func (s *scaler) rank(column []float64) {
	v := slices.DeleteFunc(slices.Clone(column), math.IsNaN)
	slices.Sort(v)
	for i := 0; i < len(v); {
		_, end := run(v, i)
		p := (float64(i) + float64(end)) / 2 / float64(len(v))
		p = min(max(p, 0.5/float64(len(v))), 1-0.5/float64(len(v)))
		s.sorted, s.scores = append(s.sorted, v[i]), append(s.scores, math.Sqrt2*math.Erfinv(2*p-1))
		i = end
	}
	s.sorted, s.scores = thin(s.sorted), thin(s.scores)
}

// knots is how many points of a rank scale are kept; between them it is linear.
const knots = 256

// thin keeps knots of v, evenly spread, with both ends.
func thin(v []float64) []float64 {
	if len(v) <= knots {
		return v
	}
	out := make([]float64, knots)
	for i := range out {
		out[i] = v[i*(len(v)-1)/(knots-1)]
	}
	return out
}

// of gives the scaled value; a missing one is 0, the middle. Between ranks it is linear, beyond them the last.
func (s *scaler) of(v float64) float64 {
	switch {
	case math.IsNaN(v):
		return 0
	case s.kind != Rank:
		return (s.curve(v) - s.mean) / s.dev
	}
	i := sort.SearchFloat64s(s.sorted, v)
	switch {
	case len(s.sorted) == 0:
		return 0
	case i == len(s.sorted):
		return s.scores[i-1]
	case i == 0 || s.sorted[i] == v:
		return s.scores[i]
	}
	f := (v - s.sorted[i-1]) / (s.sorted[i] - s.sorted[i-1])
	return s.scores[i-1] + f*(s.scores[i]-s.scores[i-1])
}
