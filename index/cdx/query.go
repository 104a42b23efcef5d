package cdx

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"varve/archive/cdxj"
	"varve/web/canon"
)

// ErrQuery is the cause of the errors for queries that cannot be asked.
var ErrQuery = errors.New("bad query")

// Query says which captures are asked for. One of URL, Key and From is needed for all but a walk
// over the whole index.
type Query struct {
	URL   string      // as people and pages write it; looked up tolerantly
	Match canon.Match // empty: exact, or as a star in URL says

	Key  string // in place of URL: exactly this index key, such as canon.RequestKey gives
	Keys Range  // in place of both: all keys of a range

	From, To string // timestamps of 1 to 17 digits, both inclusive: "2014" is all of the year

	After   string // only lines that are not less than this one: where an earlier query was left
	Before  string // only lines that are less
	Reverse bool   // from the last line to the first
	Limit   int64  // 0: no limit
	Keep    func(*cdxj.Record) bool
}

// Range is a range of index keys, From <= key < To; an empty To means no end.
type Range struct{ From, To string }

// bounds is what a query comes to.
type bounds struct {
	from, to string // lines
	key      string // not empty: all lines have this key
	low, up  string // timestamps of 14 digits
}

// bounds reads the query.
func (q *Query) bounds() (b bounds, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%w: %w", ErrQuery, err)
		}
	}()
	if b, err = q.keys(); err != nil {
		return b, err
	}
	if q.From != "" {
		if b.low, err = cdxj.EarliestTimestamp(q.From); err != nil {
			return b, fmt.Errorf("from: %w", err)
		}
	}
	if q.To != "" {
		if b.up, err = cdxj.LatestTimestamp(q.To); err != nil {
			return b, fmt.Errorf("to: %w", err)
		}
	}
	if b.key != "" {
		b.from = b.key + " " + b.low
		b.to = b.key + "!"
		if b.up != "" {
			b.to = b.key + " " + b.up + "~" // behind 17 digits and behind the space
		}
	}
	b.from = max(b.from, q.After)
	if q.Before != "" && (b.to == "" || q.Before < b.to) {
		b.to = q.Before
	}
	return b, nil
}

// keys gives the range of keys.
func (q *Query) keys() (b bounds, err error) {
	switch {
	case q.Key != "":
		b.key = q.Key
	case q.URL == "":
		b.from, b.to = q.Keys.From, q.Keys.To
	default:
		match, url := q.Match, repair(q.URL)
		if match == "" {
			match, url = canon.Shorthand(url)
		}
		if b.from, b.to, err = canon.Range(match, url); err != nil {
			return b, err
		}
		if match == canon.MatchExact {
			b.key = b.from
		}
	}
	return b, nil
}

// repair mends what proxies and people do to URLs: blanks around them, and one lost slash behind
// the scheme.
func repair(url string) string {
	url = strings.TrimSpace(url)
	for _, scheme := range []string{"http:/", "https:/"} {
		if len(url) > len(scheme) && strings.EqualFold(url[:len(scheme)], scheme) && url[len(scheme)] != '/' {
			return url[:len(scheme)] + "/" + url[len(scheme):]
		}
	}
	return url
}

// Query gives the captures in byte order of key and time, or in the opposite one. It streams: a
// caller that stops costs nothing more. A line that cannot be read gives its error and the sequence
// goes on; any other error ends it.
func (ix *Index) Query(ctx context.Context, q Query) iter.Seq2[cdxj.Record, error] {
	return func(yield func(cdxj.Record, error) bool) {
		var n int64
		for line, err := range ix.Lines(ctx, q) {
			var r cdxj.Record
			bad := false
			if err == nil {
				err = r.Parse(string(line))
				bad = err != nil
			}
			if err == nil && q.Keep != nil && !q.Keep(&r) {
				continue
			}
			if !yield(r, err) || err != nil && !bad {
				return
			}
			if n++; q.Limit > 0 && n >= q.Limit {
				return
			}
		}
	}
}

// Lines is Query without parsing: the lines as they lie in the index, each valid until the next
// one. Keep and Limit do not count here.
func (ix *Index) Lines(ctx context.Context, q Query) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		b, err := q.bounds()
		if err != nil {
			yield(nil, err)
			return
		}
		s, err := ix.acquire()
		if err != nil {
			yield(nil, err)
			return
		}
		defer s.release()
		m, err := s.open(b, q.Reverse)
		if err == nil {
			err = m.each(ctx, b, yield)
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// open makes a merge over the runs that may have lines of the range.
func (s *snapshot) open(b bounds, reverse bool) (*merged, error) {
	runs, err := s.having(b)
	if err != nil {
		return nil, err
	}
	return newMerged(runs, reverse, func(r *run) *cdxj.Cursor {
		if reverse {
			return r.table.Reverse(b.from, b.to)
		}
		return r.table.Forward(b.from, b.to)
	})
}

// having gives the runs that may have lines of the range.
func (s *snapshot) having(b bounds) ([]*run, error) {
	var out []*run
	for _, r := range s.runs {
		ok := b.key == "" && r.overlaps(firstWord(b.from), b.to)
		if b.key != "" {
			var err error
			if ok, err = r.mayHave(b.key); err != nil {
				return nil, err
			}
		}
		if ok {
			out = append(out, r)
		}
	}
	return out, nil
}

func firstWord(s string) string {
	w, _, _ := strings.Cut(s, " ")
	return w
}

// checkEvery is how many lines pass between two looks at the context.
const checkEvery = 256

// each gives the lines whose time is in bounds.
func (m *merged) each(ctx context.Context, b bounds, yield func([]byte, error) bool) error {
	timed := b.key == "" && (b.low != "" || b.up != "")
	for n := 0; ; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		line, err := m.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if timed && !b.holds(timestampOf(line)) {
			continue
		}
		if !yield(line, nil) {
			return nil
		}
	}
}

// holds tells whether a timestamp is in bounds.
func (b *bounds) holds(ts string) bool {
	ts = ts[:min(14, len(ts))]
	return ts >= b.low && (b.up == "" || ts <= b.up)
}

// timestampOf gives the second word of a line.
func timestampOf(line []byte) string {
	_, rest, _ := strings.Cut(string(line), " ")
	return firstWord(rest)
}
