package link

import (
	"math"
	"slices"

	"varve/entity"
	"varve/entity/base"
)

// Priors returns how likely a name means each of its candidates, before any text is seen; they add up to 1:
//
//	p(e|m) = count(m->e) / count(m)
//
// count is the links that are called m and lead to e, and one more where e is known by this name from elsewhere (label, alias, redirect). Where no link at all is
// called m, the popularity of the candidates decides, each plus one.
func Priors(candidates []base.Candidate, popularity []int64) []float64 {
	count := make([]float64, len(candidates))
	linked := slices.ContainsFunc(candidates, func(c base.Candidate) bool { return c.Count > 0 })
	sum := 0.0
	for i, c := range candidates {
		switch {
		case !linked:
			count[i] = float64(popularity[i]) + 1
		case c.Origin&^entity.Anchor != 0:
			count[i] = float64(c.Count) + 1
		default:
			count[i] = float64(c.Count)
		}
		sum += count[i]
	}
	for i := range count {
		count[i] /= sum
	}
	return count
}

// Settings of Existed. What does not exist yet can hardly be talked of, but sources date things a little wrongly; what ended is talked of for long.
const (
	notYetDecay = 2 * 365.25  // days after which a name is 1/e times as likely
	notYetFloor = 0.01        // however long before
	endedDecay  = 20 * 365.25 // days
	endedFloor  = 0.1
)

// Existed returns how likely a text of a day talks of something that existed from then to then, as a factor between 0 and 1:
//
//	1                              within its existence, or nothing is known
//	max(floor, exp(-gap / decay))  gap days before it began, or after it ended
func Existed(e entity.Existence, day entity.Day) float64 {
	decayed := func(gap entity.Day, decay, floor float64) float64 { return max(floor, math.Exp(-float64(gap)/decay)) }
	switch {
	case day == entity.Unknown || e.Contains(day):
		return 1
	case e.From != entity.Unknown && day < e.From:
		return decayed(e.From-day, notYetDecay, notYetFloor)
	}
	return decayed(day-e.Until, endedDecay, endedFloor)
}
