package fulltext

import (
	"math"
	"time"
)

// box is the time that a query asks for: all relations, and an instant, are bounds of begin and end of a validity, both included.
type box struct{ from, until [2]int64 }

var anyTime = box{[2]int64{math.MinInt64, math.MaxInt64}, [2]int64{math.MinInt64, math.MaxInt64}}

// boxOf gives the bounds of a query. A validity is [from, until), the span of the query [s, e].
func boxOf(q *Query) box {
	b := anyTime
	if !q.AsOf.IsZero() {
		b.begins(math.MinInt64, q.AsOf.UnixMicro())
		b.endsAfter(q.AsOf.UnixMicro())
	}
	if q.From.IsZero() && q.To.IsZero() {
		return b
	}
	s, e := int64(math.MinInt64), int64(math.MaxInt64)
	if !q.From.IsZero() {
		s = q.From.UnixMicro()
	}
	if !q.To.IsZero() {
		e = q.To.UnixMicro()
	}
	switch q.Relation {
	case Inside:
		b.begins(s, math.MaxInt64)
		if e < math.MaxInt64 {
			b.until[1] = min(b.until[1], e+1, open-1)
		}
	case Contains:
		b.begins(math.MinInt64, s)
		b.endsAfter(e)
	case Begins:
		b.begins(s, e)
	default:
		b.begins(math.MinInt64, e)
		b.endsAfter(s)
	}
	return b
}

func (b *box) begins(from, to int64) { b.from = [2]int64{max(b.from[0], from), min(b.from[1], to)} }

// endsAfter needs an end behind an instant. Nothing ends behind the last one.
func (b *box) endsAfter(at int64) {
	if at == math.MaxInt64 {
		b.from = [2]int64{math.MaxInt64, math.MinInt64}
		return
	}
	b.until[0] = max(b.until[0], at+1)
}

// has tells whether a validity is within the bounds.
func (b *box) has(from, until int64) bool {
	return b.from[0] <= from && from <= b.from[1] && b.until[0] <= until && until <= b.until[1]
}

// meets tells whether a validity of those that a shard has may be within the bounds; covers, whether all are.
func (b *box) meets(s *box) bool {
	return b.from[0] <= s.from[1] && s.from[0] <= b.from[1] && b.until[0] <= s.until[1] && s.until[0] <= b.until[1]
}

func (b *box) covers(s *box) bool {
	return b.has(s.from[0], s.until[0]) && b.has(s.from[1], s.until[1])
}

// fitting keeps the documents whose validity is within the bounds; nil bounds let all through.
func (c *columns) fitting(b *box, docs []uint32) []uint32 {
	if b == nil {
		return docs
	}
	out := docs[:0]
	for _, d := range docs {
		if b.has(c.from[d], c.until[d]) {
			out = append(out, d)
		}
	}
	return out
}

// begin gives the start of the bucket of an instant, in microseconds.
func (b Bucket) begin(micro int64) time.Time {
	t := time.UnixMicro(micro).UTC()
	switch b {
	case ByYear:
		return time.Date(t.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	case ByMonth:
		return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
	}
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}
