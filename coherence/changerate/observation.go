package changerate

import (
	"math"
	"time"
)

// Observation is one visit that got the content of a page, or its confirmation (304). Visits that failed are left
// out: they saw nothing.
type Observation struct {
	At       time.Time
	Compared bool      // with the content of the visit before
	Changed  bool      // of Compared: it differed
	Modified time.Time // when the content last changed; zero where no date is trusted
}

// Comparison is what two visits tell about the time between them.
type Comparison struct {
	Interval float64 // tau: seconds between the visits; infinite when only a date is known of the time before
	Changed  bool
	Dated    bool    // a change would have been seen with its date
	Since    float64 // a, of Changed and Dated: seconds from the last change to the later visit
	N        int     // so many comparisons are alike; 0 means 1
}

func (c *Comparison) count() float64 { return float64(max(c.N, 1)) }

// granule is the resolution of HTTP dates: a change is not placed nearer to the visit than half of it.
const granule = 1.0

// Compare turns visits, oldest first, into comparisons. A visit that was not compared still counts when its date is
// trusted. Where a digest and a date contradict each other the digest is believed: equal content did not change,
// and a change whose date lies before the last visit is undated. The first visit counts if it is dated: the
// age of a version is as long as the time to the next change (the process has no memory). Visits that do not
// come after the one before are left out.
func Compare(visits []Observation) []Comparison {
	out := make([]Comparison, 0, len(visits))
	for i, v := range visits {
		if i == 0 {
			if age := v.At.Sub(v.Modified).Seconds(); !v.Modified.IsZero() && age >= 0 {
				out = append(out, Comparison{Interval: math.Inf(1), Changed: true, Dated: true, Since: max(age, granule/2)})
			}
			continue
		}
		if c, ok := compare(visits[i-1], v); ok {
			out = append(out, c)
		}
	}
	return out
}

func compare(before, v Observation) (Comparison, bool) {
	c := Comparison{Interval: v.At.Sub(before.At).Seconds()}
	c.Dated = !v.Modified.IsZero() && !v.Modified.After(v.At)
	moved := c.Dated && v.Modified.After(before.At)
	switch {
	case c.Interval <= 0 || !v.Compared && !c.Dated:
		return Comparison{}, false
	case v.Compared:
		c.Changed = v.Changed
	default:
		c.Changed = moved
	}
	if c.Changed && !moved {
		c.Dated = false
	}
	if c.Changed && c.Dated {
		c.Since = min(max(v.At.Sub(v.Modified).Seconds(), granule/2), c.Interval)
	}
	return c, true
}

// Folded gives the comparisons of visits of which only counts are left: n comparisons within span, of which changed
// found a change. They are taken to be equally long.
func Folded(n, changed int, span time.Duration) []Comparison {
	changed = min(max(changed, 0), n)
	if n <= 0 || span <= 0 {
		return nil
	}
	tau := span.Seconds() / float64(n)
	var out []Comparison
	if changed > 0 {
		out = append(out, Comparison{Interval: tau, Changed: true, N: changed})
	}
	if changed < n {
		out = append(out, Comparison{Interval: tau, N: n - changed})
	}
	return out
}

// tally counts comparisons (n) and those that found a change (X); a date without an earlier visit is none.
func tally(cs []Comparison) (n, changed int, dated bool) {
	for i := range cs {
		c := &cs[i]
		dated = dated || c.Dated
		if math.IsInf(c.Interval, 1) {
			continue
		}
		n += max(c.N, 1)
		if c.Changed {
			changed += max(c.N, 1)
		}
	}
	return n, changed, dated
}
