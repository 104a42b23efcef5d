package cdx

import (
	"context"
	"iter"
	"time"

	"varve/archive/cdxj"
)

// What an engine beyond one machine needs to answer as Index does.

// Span is what a query comes to: the lines from From on and before To (empty: no end), of these the ones whose time is in bounds.
type Span struct {
	From, To string
	Key      string // not empty: all lines have this key, and From and To have the time in them
	Low, Up  string // timestamps of 14 digits; empty: no bound
}

// Span reads the query.
func (q *Query) Span() (Span, error) {
	b, err := q.bounds()
	return Span{b.from, b.to, b.key, b.low, b.up}, err
}

// Has reports whether a line belongs to the span.
func (s *Span) Has(line string) bool {
	b := bounds{low: s.Low, up: s.Up}
	return line >= s.From && (s.To == "" || line < s.To) && (s.Key != "" || s.Low == "" && s.Up == "" || b.holds(timestampOf([]byte(line))))
}

// NearestOf is Nearest over two walks away from an instant: back from the last line before it, ahead from the first line of its second.
// Each may end early.
func NearestOf(ctx context.Context, q Query, at time.Time, back, ahead iter.Seq2[string, error]) iter.Seq2[cdxj.Record, error] {
	return func(yield func(cdxj.Record, error) bool) {
		second := at.Truncate(time.Second)
		if !at.Equal(second) {
			var end func() bool
			yield, end = nearestWithin(at, q.Limit, yield)
			q.Limit = 0
			defer end()
		}
		var sides []*walk
		for i, lines := range []iter.Seq2[string, error]{back, ahead} {
			w := &walk{}
			next, stop := iter.Pull2(lines)
			defer stop()
			w.next, w.side.ahead = next, i == 1
			sides = append(sides, w)
		}
		for n := int64(0); ; {
			var best *walk
			for _, w := range sides {
				if w.line == nil && !w.over {
					if err := w.step(second); err != nil {
						yield(cdxj.Record{}, err)
						return
					}
				}
				if !w.over && (best == nil || w.less(&best.side)) {
					best = w
				}
			}
			if best == nil || ctx.Err() != nil {
				if ctx.Err() != nil {
					yield(cdxj.Record{}, ctx.Err())
				}
				return
			}
			r, err := cdxj.Parse(string(best.line))
			best.line = nil
			if err == nil && q.Keep != nil && !q.Keep(&r) {
				continue
			}
			if n++; !yield(r, err) || q.Limit > 0 && n >= q.Limit {
				return
			}
		}
	}
}

// walk is a side that comes from elsewhere.
type walk struct {
	side
	next func() (string, error, bool)
	over bool
}

// step takes the next line. One whose time cannot be read is as near as the one before it.
func (w *walk) step(at time.Time) error {
	line, err, ok := w.next()
	if !ok {
		w.over = true
		return nil
	}
	if err != nil {
		return err
	}
	w.line = []byte(line)
	if t, err := cdxj.ParseTimestamp(timestampOf(w.line)); err == nil {
		w.dist = t.Sub(at).Abs()
	}
	return nil
}
