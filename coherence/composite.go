package coherence

import (
	"cmp"
	"slices"
	"time"
)

// Seen is what is known of a page, or of a part of one, from all its captures.
type Seen struct {
	sightings []Sighting // by time
	held      []Held     // what they let know, and each of them at its own instant
}

// NewSeen returns what sightings, in any order, let know.
func NewSeen(sightings []Sighting) Seen {
	s := Seen{slices.Clone(sightings), Holdings(sightings)}
	slices.SortStableFunc(s.sightings, func(a, b Sighting) int { return a.Time.Compare(b.Time) })
	for _, c := range s.sightings {
		s.held = append(s.held, Held{c.Content, Interval{c.Time, c.Time, Witnessed}})
	}
	return s
}

// At judges whether it is known what stood at the instant x. [Captured.At] asks of one captured content whether it did; here any of
// the contents will do, since whoever shows a page as of x takes the capture that fits.
//
//	coherent   x lies in an interval in which a content is known to have stood (Holdings), at the best of their levels
//	violated   captures before and after x differ; or there are only later ones, last changed after x
//	possible   there are only earlier captures; or only later ones, without a date
//	unknown    there is no capture
func (s Seen) At(x time.Time) Finding {
	if len(s.sightings) == 0 {
		return Finding{Unknown, Unproven, NotThere}
	}
	next, found := slices.BinarySearchFunc(s.sightings, x, func(c Sighting, x time.Time) int { return c.Time.Compare(x) })
	if found {
		return Finding{Coherent, Witnessed, ByInstant}
	}
	if level := levelAt(s.held, x); level != Unproven {
		reason := ByDate
		if next > 0 && next < len(s.sightings) && s.sightings[next-1].Content == s.sightings[next].Content {
			reason = ByBracket
		}
		return Finding{Coherent, level, reason}
	}
	switch {
	case next == len(s.sightings):
		return Finding{Possible, Unproven, OnlyBefore}
	case next > 0:
		return Finding{Violated, Witnessed, ByChange}
	case s.sightings[0].Modified.IsZero():
		return Finding{Possible, Unproven, OnlyAfter}
	}
	return Finding{Violated, Asserted, ByNewer}
}

// levelAt is the best level of the intervals that have x in them.
func levelAt(held []Held, x time.Time) (best Level) {
	for _, h := range held {
		if h.Contains(x) && h.Level.AtLeast(best) {
			best = h.Level
		}
	}
	return best
}

// Composite judges a page with what it embeds: the worst of the findings on its parts, all of one instant. Parts that were violated
// count most, then those not captured, then the possible; of coherent ones the weakest level holds.
func Composite(parts []Finding) Finding {
	worst := Finding{Coherent, Witnessed, ByInstant}
	for _, p := range parts {
		if worse(p, worst) {
			worst = p
		}
	}
	return worst
}

// worse reports whether a is worse than b.
func worse(a, b Finding) bool {
	x, y := severity(a.Verdict), severity(b.Verdict)
	return x > y || x == y && a.Level.rank() < b.Level.rank()
}

// Compare orders verdicts from the best to the worst: coherent, possible, unknown, violated.
func (v Verdict) Compare(o Verdict) int { return cmp.Compare(severity(v), severity(o)) }

func severity(v Verdict) int {
	switch v {
	case Coherent:
		return 0
	case Possible:
		return 1
	case Unknown:
		return 2
	}
	return 3
}

// Together finds the instant at which a page, as it was captured at visit, stood with its parts, or came nearest to that: it returns
// the instant, the composite finding there, and the finding on each part.
//
// With H the intervals of the page's content that have the visit in them, and S(p, x) the finding on part p at x (Seen.At):
//
//	at = argmin over x in H of max over p of S(p, x)       (the least bad; of equal ones the visit, then the earliest)
//
// Only x = visit and the instants at which an interval begins need to be looked at. Let x be any other and s the last begin before it, of a part or of
// the page. Going back from x to s no interval ends being there, since none begins between them, both ends belong to intervals, and a part seen only
// before x is held at s or still seen only before it. So nothing is worse at s than at x.
//
// Example: page visited at 0 and the same at 9; picture captured at 1 and the same at 8, style sheet at 2 and another at 7. At the visit both parts are only
// known later; at 2 all three are witnessed: together at 2.
//
// Cost: O(n^2) for n intervals at worst; an instant is left at the first part that is not better than the best so far. Archives that captured a page a
// thousand times have many instants: of more than maxInstants only those nearest to the visit are looked at.
func Together(page Seen, visit time.Time, parts []Seen) (at time.Time, all Finding, each []Finding) {
	var own []Held
	for _, h := range page.held {
		if h.Contains(visit) {
			own = append(own, h)
		}
	}
	if len(own) == 0 {
		return visit, Finding{Unknown, Unproven, NotWhole}, nil
	}
	candidates := []time.Time{visit}
	for _, s := range append([]Seen{page}, parts...) {
		for _, h := range s.held {
			if levelAt(own, h.From) != Unproven {
				candidates = append(candidates, h.From)
			}
		}
	}
	slices.SortFunc(candidates[1:], time.Time.Compare)
	candidates = nearest(slices.CompactFunc(candidates, time.Time.Equal), maxInstants)
	for i, x := range candidates {
		whole := Finding{Coherent, levelAt(page.held, x), ByInstant}
		for _, p := range parts {
			if f := p.At(x); worse(f, whole) {
				whole = f
			}
			if i > 0 && !worse(all, whole) {
				break // it cannot be better any more
			}
		}
		if i == 0 || worse(all, whole) {
			at, all = x, whole
		}
	}
	each = make([]Finding, len(parts))
	for i, p := range parts {
		each[i] = p.At(at)
	}
	return at, all, each
}

// maxInstants is how many instants are looked at for one page.
const maxInstants = 5000

// nearest keeps the instants that are nearest to the first, in their order.
func nearest(list []time.Time, most int) []time.Time {
	if len(list) <= most {
		return list
	}
	far := make([]time.Duration, len(list))
	for i, x := range list {
		far[i] = x.Sub(list[0]).Abs()
	}
	bound := slices.Sorted(slices.Values(far))[most-1]
	out := list[:0]
	for i, x := range list {
		if far[i] <= bound && len(out) < most {
			out = append(out, x)
		}
	}
	return out
}
