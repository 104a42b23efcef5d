package cdx

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"varve"
	"varve/archive/cdxj"
	"varve/index/cdx"
	"varve/web/canon"
)

// Index is what a query is asked of. *cdx.Index of varve/index/cdx is one.
type Index interface {
	Query(ctx context.Context, q cdx.Query) iter.Seq2[cdxj.Record, error]
	Nearest(ctx context.Context, q cdx.Query, at time.Time) iter.Seq2[cdxj.Record, error]
	Pages(q cdx.Query, size int64) (cdx.Pages, error)
	Page(q cdx.Query, n, size int64) (cdx.Query, []string, error)
}

var _ Index = (*cdx.Index)(nil)

// answer is the outcome of a query before it is written.
type answer struct {
	rows   iter.Seq2[row, error]
	resume func() string // valid at the end of rows; empty if nothing is left
}

// run puts the stages together. allow, if not nil, tells which captures the asker may know of.
func (r *Request) run(ctx context.Context, ix Index, allow func(*cdxj.Record) bool) (*answer, error) {
	q := r.query
	if r.resume != nil {
		at := r.resume.key + " " + r.resume.timestamp
		if q.Reverse {
			q.Before = at + "!"
		} else {
			q.After = at
		}
	}
	if r.page >= 0 {
		var err error
		if q, _, err = ix.Page(q, r.page, r.pageSize); err != nil {
			return nil, pageError(err)
		}
	}
	q.Reverse = q.Reverse || r.limit < 0
	rows := r.matching(r.source(ctx, ix, q), allow)
	if r.fuzzy && r.page < 0 {
		rows = r.orFuzzy(ctx, ix, rows, allow)
	}
	if r.dupes {
		rows = countDupes(rows)
	}
	for _, c := range r.collapse {
		rows = c.rows(rows)
	}
	a := &answer{resume: func() string { return "" }}
	if r.limit < 0 {
		rows = lastRows(rows, r.offset, -r.limit)
	} else {
		rows = a.limited(rows, r.offset, r.limit, r.showResume)
	}
	if r.resolve {
		rows = resolver{ctx: ctx, ix: ix}.rows(rows)
	}
	a.rows = rows
	return a, nil
}

// pageError tells a page that is not there from a failure of the index.
func pageError(err error) error {
	if errors.Is(err, cdxj.ErrDamaged) {
		return err
	}
	return invalid("%v", err)
}

// source numbers the lines of the index.
func (r *Request) source(ctx context.Context, ix Index, q cdx.Query) iter.Seq2[row, error] {
	records := ix.Query(ctx, q)
	if !r.closest.IsZero() {
		records = ix.Nearest(ctx, q, r.closest)
	}
	return func(yield func(row, error) bool) {
		var last row
		for rec, err := range records {
			now := row{Record: rec, seq: 1}
			if rec.Key == last.Key && rec.Timestamp == last.Timestamp {
				now.seq = last.seq + 1
			}
			last.Key, last.Timestamp, last.seq = now.Key, now.Timestamp, now.seq
			if !yield(now, err) {
				return
			}
		}
	}
}

// matching applies the resume key, the rights and the filters.
func (r *Request) matching(in iter.Seq2[row, error], allow func(*cdxj.Record) bool) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		for now, err := range in {
			if err == nil && (r.resume.passed(&now) || allow != nil && !allow(&now.Record) || !r.keep(&now)) {
				continue
			}
			if !yield(now, err) || err != nil {
				return
			}
		}
	}
}

func (r *Request) keep(now *row) bool {
	if r.omitSelf && selfRedirect(now) {
		return false
	}
	// pywb takes the status from such a line and shows a blank page. TimeMaps lead to our own replay.
	if r.Dialect == Pywb && r.Output != OutputLink && !r.notModified && now.IsNotModified() {
		return false
	}
	for i := range r.filters {
		if !r.filters[i].keep(now, wholeLine) {
			return false
		}
	}
	return true
}

func wholeLine(r *row) string { return string(cdxj.Format{}.Append(nil, &r.Record)) }

// selfRedirect tells whether a capture only leads to itself, such as from http to https.
func selfRedirect(r *row) bool {
	to, ok := r.Get("redirect")
	return ok && canon.SURT(to) == r.Key
}

// limited gives limit rows behind offset, and looks whether there are more if that is asked for.
func (a *answer) limited(in iter.Seq2[row, error], offset, limit int64, more bool) iter.Seq2[row, error] {
	var key string
	a.resume = func() string { return key }
	return func(yield func(row, error) bool) {
		var n int64
		var last row
		for now, err := range in {
			if err != nil {
				yield(now, err)
				return
			}
			if n++; n <= offset {
				continue
			}
			if n > offset+limit {
				key = resumeAfter(&last, &now)
				return
			}
			if !yield(now, nil) || n == offset+limit && !more {
				return
			}
			last = now
		}
	}
}

// lastRows gives the last rows of a query that was asked in reverse, in order again.
func lastRows(in iter.Seq2[row, error], offset, limit int64) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		var held []row
		var n int64
		for now, err := range in {
			if err != nil {
				yield(now, err)
				return
			}
			if n++; n <= offset {
				continue
			}
			held = append(held, now)
			if n >= offset+limit {
				break
			}
		}
		for _, r := range slices.Backward(held) {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Counted tells how many pages a request has: what showNumPages asks.
func (r *Request) Counted(ix Index) (cdx.Pages, error) {
	p, err := ix.Pages(r.query, r.pageSize)
	if err != nil && !errors.Is(err, cdxj.ErrDamaged) {
		err = &varve.Error{Kind: varve.Invalid, Op: "CDX query", Err: err}
	}
	return p, err
}
