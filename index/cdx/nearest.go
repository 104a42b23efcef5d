package cdx

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"time"

	"varve/archive/cdxj"
)

// Closest gives the capture nearest in time that keep accepts (nil: any); ok is false if there is
// none. Of two that are equally near the earlier one is taken. Query names the URL or key; its
// match must be exact. In an index of one run it reads at most two blocks.
func (ix *Index) Closest(ctx context.Context, q Query, at time.Time) (r cdxj.Record, ok bool, err error) {
	for r, err := range ix.Nearest(ctx, q, at) {
		return r, err == nil, err
	}
	return cdxj.Record{}, false, nil
}

// Nearest gives the captures of one URL in the order of their distance in time from an instant:
// what replay tries one after the other. Distances are whole seconds, as addresses have them; the captures of the
// very second of the instant come in their order or, if the instant is told more exactly than that, the nearest first.
func (ix *Index) Nearest(ctx context.Context, q Query, at time.Time) iter.Seq2[cdxj.Record, error] {
	return func(yield func(cdxj.Record, error) bool) {
		b, err := q.bounds()
		if err == nil && b.key == "" {
			err = fmt.Errorf("%w: the nearest capture can be asked of one URL only", ErrQuery)
		}
		if err != nil {
			yield(cdxj.Record{}, err)
			return
		}
		s, err := ix.acquire()
		if err != nil {
			yield(cdxj.Record{}, err)
			return
		}
		defer s.release()
		second := at.Truncate(time.Second)
		if !at.Equal(second) {
			var end func() bool
			yield, end = nearestWithin(at, q.Limit, yield)
			q.Limit = 0
			defer end()
		}
		if err := s.nearest(ctx, &q, b, second, yield); err != nil {
			yield(cdxj.Record{}, err)
		}
	}
}

// mostWithin is how many captures of one second are put in order of their distance; any others follow as they come.
const mostWithin = 1000

// nearestWithin holds the captures of the second of an instant back, which come first, and hands them on in the order of their distance from
// it. end hands on those that are still held. After limit captures it is over, unless that is 0.
func nearestWithin(at time.Time, limit int64, yield func(cdxj.Record, error) bool) (_ func(cdxj.Record, error) bool, end func() bool) {
	type near struct {
		cdxj.Record
		dist time.Duration
	}
	var held []near
	going := true
	give := func(r cdxj.Record, err error) {
		if going {
			limit--
			going = yield(r, err) && limit != 0
		}
	}
	end = func() bool {
		slices.SortStableFunc(held, func(a, b near) int { return cmp.Compare(a.dist, b.dist) })
		for _, n := range held {
			give(n.Record, nil)
		}
		held = nil
		return going
	}
	return func(r cdxj.Record, err error) bool {
		if t, bad := r.Instant(); err == nil && bad == nil && len(held) < mostWithin && t.Truncate(time.Second).Equal(at.Truncate(time.Second)) {
			held = append(held, near{r, t.Sub(at).Abs()})
			return true
		}
		end()
		give(r, err)
		return going
	}, end
}

// side is one run in one direction from the instant.
type side struct {
	run    *run
	cursor *cdxj.Cursor
	ahead  bool
	line   []byte        // the next line; nil if its block was not read
	dist   time.Duration // of the next line; a lower bound if line is nil
}

// nearest walks away from the instant on both sides of all runs, always on the side whose next line
// is nearest. A side whose next line stands in a block that was not read has a bound for its
// distance, so that block is read only if it may win.
func (s *snapshot) nearest(ctx context.Context, q *Query, b bounds, at time.Time, yield func(cdxj.Record, error) bool) error {
	sides, err := s.sides(b, at)
	if err != nil {
		return err
	}
	var last []byte
	for n := int64(0); len(sides) > 0; {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		best := 0
		for i := range sides {
			if sides[i].less(&sides[best]) {
				best = i
			}
		}
		sd := &sides[best]
		line, err := sd.take(at)
		switch {
		case errors.Is(err, io.EOF):
			sides = append(sides[:best], sides[best+1:]...)
			continue
		case err != nil:
			return sd.run.wrap(err)
		case line == nil || bytes.Equal(line, last): // only the distance was found out, or seen
			continue
		}
		last = append(last[:0], line...)
		r, err := cdxj.Parse(string(line))
		if err == nil && (sd.run.lostRecord(&r) || q.Keep != nil && !q.Keep(&r)) {
			continue
		}
		if n++; !yield(r, err) || q.Limit > 0 && n >= q.Limit {
			return nil
		}
	}
	return nil
}

// sides opens both directions of the runs that may have the key.
func (s *snapshot) sides(b bounds, at time.Time) ([]side, error) {
	runs, err := s.having(b)
	if err != nil {
		return nil, err
	}
	middle := min(max(b.key+" "+cdxj.Timestamp(at), b.from), b.to)
	var out []side
	for _, r := range runs {
		back, ahead := r.table.Around(b.from, middle, b.to)
		for _, sd := range []side{{run: r, cursor: back}, {run: r, cursor: ahead, ahead: true}} {
			err := sd.look(at)
			if errors.Is(err, io.EOF) {
				continue
			}
			if err != nil {
				return nil, r.wrap(err)
			}
			out = append(out, sd)
		}
	}
	return out, nil
}

// less orders sides by distance. Of equal ones those before the instant come first, and then those
// that must be looked into; lines of the same side in the order in which one run would have them.
func (s *side) less(o *side) bool {
	switch {
	case s.dist != o.dist:
		return s.dist < o.dist
	case s.ahead != o.ahead:
		return !s.ahead
	case s.line == nil || o.line == nil:
		return s.line == nil && o.line != nil
	}
	return bytes.Compare(s.line, o.line) < 0 == s.ahead
}

// look finds out the next line, or a bound for its distance if a block must be read for it.
func (s *side) look(at time.Time) (err error) {
	if s.line, err = s.cursor.Peek(); err != nil {
		return err
	}
	start := ""
	switch {
	case s.line != nil:
		start = string(s.line)
	case !s.ahead:
		return nil // at least as far as the line before it
	default:
		if start, err = s.cursor.Bound(); err != nil {
			return err
		}
	}
	t, err := cdxj.ParseTimestamp(timestampOf([]byte(start)))
	if err != nil {
		return nil //nolint:nilerr // told when the line is parsed; until then it is as near as the one before
	}
	if s.line != nil || t.After(at) {
		s.dist = t.Sub(at).Abs()
	}
	return nil
}

// take gives the next line, or nil if only more is known of it now.
func (s *side) take(at time.Time) ([]byte, error) {
	if s.line == nil {
		if err := s.cursor.Fill(); err != nil {
			return nil, err
		}
		return nil, s.look(at)
	}
	line, err := s.cursor.Next()
	if err != nil {
		return nil, err
	}
	line = bytes.Clone(line)
	if err := s.look(at); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return line, nil
}
