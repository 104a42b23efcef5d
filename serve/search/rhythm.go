package search

import (
	"math"
	"time"
)

// Rhythm returns how many months a point of a trend should stand for, so that the line of a collection that is crawled
// every eight weeks is a line: 1, 3 (a quarter), 6 or 12. It is the least for which at most one known point in ten
// stands alone, with nothing known on either side of it; gaps that are longer than that stay gaps.
func Rhythm(points []TrendPoint) int {
	lengths := []int{1, 3, 6, 12}
	for _, months := range lengths {
		known := map[int]bool{}
		for _, p := range points {
			if p.Of > 0 {
				known[stretch(p.At, months)] = true
			}
		}
		alone := 0
		for k := range known {
			if !known[k-1] && !known[k+1] {
				alone++
			}
		}
		if len(known) < 3 || 10*alone <= len(known) {
			return months
		}
	}
	return lengths[len(lengths)-1]
}

// stretch numbers the stretches of so many months since the year 0; they begin with the year.
func stretch(at time.Time, months int) int { return (at.Year()*12 + int(at.Month()) - 1) / months }

// StretchBegin returns the begin of the stretch of so many months that an instant lies in.
func StretchBegin(at time.Time, months int) time.Time {
	n := stretch(at, months) * months
	return time.Date(n/12, time.Month(n%12+1), 1, 0, 0, 0, 0, time.UTC)
}

// Merged returns the trends with the points of so many months put together: a version is first seen in one month, so that
// hits and versions add up.
func (t *Trends) Merged(months int) *Trends {
	out := &Trends{Bucket: t.Bucket}
	for _, s := range t.Series {
		m := Series{Term: s.Term, Total: s.Total, Points: []TrendPoint{}}
		for _, p := range s.Points {
			at := StretchBegin(p.At, months)
			if n := len(m.Points); n == 0 || !m.Points[n-1].At.Equal(at) {
				m.Points = append(m.Points, TrendPoint{At: at})
			}
			last := &m.Points[len(m.Points)-1]
			last.Hits, last.Of = last.Hits+p.Hits, last.Of+p.Of
			if last.Of > 0 {
				last.Share = float64(last.Hits) / float64(last.Of)
			}
		}
		out.Series = append(out.Series, m)
	}
	return out
}

// Likely returns between which bounds the share of a term lies with 95 % confidence, if the versions seen are a sample of
// what was published: the interval of Wilson (1927),
//
//	(p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n)   with p = hits/n, z = 1.96
//
// which holds for few versions and for shares of 0 and 1 as well.
func Likely(hits, of int64) (low, high float64) {
	if of <= 0 {
		return 0, 1
	}
	const z = 1.959964
	n := float64(of)
	p := float64(hits) / n
	mid, off := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, (mid-off)/(1+z*z/n)), min(1, (mid+off)/(1+z*z/n))
}
