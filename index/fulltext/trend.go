package fulltext

import (
	"math"
	"slices"
	"time"
)

// micros of a day.
const micros = 24 * 3600 * 1e6

// days counts documents by the day on which they were first seen; buckets are made of days at the end.
type days struct {
	first  int64 // day
	counts []int64
}

// newDays makes counters for the days of a shard; nil if no trend is asked for.
func newDays(b Bucket, s *shard) *days {
	if b == NoTrend || len(s.cols.from) == 0 {
		return nil
	}
	first, last := dayOf(s.times.from[0]), dayOf(s.times.from[1])
	return &days{first: first, counts: make([]int64, last-first+1)}
}

func dayOf(micro int64) int64 {
	if micro < 0 {
		return (micro - micros + 1) / micros
	}
	return micro / micros
}

func (d *days) add(micro int64) { d.counts[dayOf(micro)-d.first]++ }

// addDays puts the counts of a shard into buckets, beside all documents of the shard that may be seen.
func (c *collector) addDays(d *days, s *part) {
	if c.points == nil {
		c.points = map[int64]*Point{}
	}
	var p *Point
	end := int64(math.MinInt64) // the day on which the bucket is over
	for i, of := range s.seen.days.counts {
		if of == 0 {
			continue
		}
		if day := d.first + int64(i); day >= end {
			at := c.q.Trend.begin(day * micros)
			end = dayOf(c.q.Trend.End(at).UnixMicro())
			if p = c.points[at.Unix()]; p == nil {
				p = &Point{At: at}
				c.points[at.Unix()] = p
			}
		}
		p.Count += d.counts[i]
		p.Of += of
	}
}

// trend gives the buckets in order. Those in which nothing was seen are left out: they say nothing.
func (c *collector) trend() []Point {
	var out []Point
	for _, p := range c.points {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b Point) int { return a.At.Compare(b.At) })
	return out
}

// Share is the part of the documents of the bucket that fit.
func (p Point) Share() float64 {
	if p.Of == 0 {
		return 0
	}
	return float64(p.Count) / float64(p.Of)
}

// End is where the next bucket begins.
func (b Bucket) End(at time.Time) time.Time {
	switch b {
	case ByYear:
		return at.AddDate(1, 0, 0)
	case ByMonth:
		return at.AddDate(0, 1, 0)
	}
	return at.AddDate(0, 0, 1)
}
