package temporal

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sort"
	"time"

	"varve"
	"varve/web/canon"
)

// Validity is the measure by which versions are valid.
type Validity string

// The measures.
const (
	Nominal  Validity = "nominal"
	Inferred Validity = "inferred"
	Proven   Validity = "proven"
)

// Query is a question.
type Query struct {
	Validity Validity  // default nominal
	Relation Relation  // default alive
	At       time.Time // of alive
	From, To time.Time // of the other relations: [From, To)

	URL   string      // only versions of these pages; empty: of all
	Match canon.Match // as in a CDX query

	Start uint32 // only versions with this number or a greater one: where an earlier answer ended
	Limit int    // 0: all
	Keep  func(*Result) bool
}

// Hit is an answer before its version is read.
type Hit struct {
	ID       uint32
	Valid    Span
	Evidence Evidence // of proven validity
}

// Result is a version that answers a question.
type Result struct {
	ID       uint32
	Version  Version
	Validity Validity
	Valid    varve.Span // by that validity
	Evidence Evidence   // of proven validity
}

// Times gives a span as times; the zero time is the end of an open one.
func (s Span) Times() varve.Span {
	out := varve.Span{From: instant(s.From)}
	if s.To != Forever {
		out.To = instant(s.To)
	}
	return out
}

// question is a query, read.
type question struct {
	trees    []string
	rel      Relation
	from, to uint32 // instants
	low, end uint32 // ids
}

// read checks a query.
func (ix *Index) read(q *Query) (a question, err error) {
	switch q.Validity {
	case "", Nominal, Inferred:
		a.trees = []string{string(q.Validity)}
		if q.Validity == "" {
			a.trees[0] = string(Nominal)
		}
	case Proven:
		a.trees = []string{string(Witnessed), string(Asserted)}
	default:
		return a, fmt.Errorf("%w: validity %q: want nominal, inferred or proven", ErrQuery, q.Validity)
	}
	if a.rel = q.Relation; a.rel == "" {
		a.rel = Alive
	}
	if a.rel == Alive {
		if q.At.IsZero() {
			return a, fmt.Errorf("%w: which instant?", ErrQuery)
		}
		a.from = seconds(q.At)
	} else {
		if !q.From.Before(q.To) {
			return a, fmt.Errorf("%w: the span must end after it begins", ErrQuery)
		}
		a.from, a.to = seconds(q.From), seconds(q.To)
	}
	a.low, a.end = q.Start, uint32(ix.man.Versions)
	if q.URL != "" {
		err = ix.narrow(&a, q)
	}
	return a, err
}

// narrow bounds the ids to those of the pages asked for: they are numbered in the order of keys.
func (ix *Index) narrow(a *question, q *Query) error {
	from, to, err := canon.Range(q.Match, q.URL)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrQuery, err)
	}
	first, err := ix.position(from)
	if err != nil {
		return err
	}
	end, err := ix.position(to)
	a.low, a.end = max(a.low, first), end
	return err
}

// position gives the number of versions whose line is less than a text.
func (ix *Index) position(text string) (uint32, error) {
	block, _, err := ix.table.Span(text, "")
	if err != nil || ix.table.Blocks() == 0 {
		return 0, err
	}
	lines, err := ix.table.ReadBlock(block)
	if err != nil {
		return 0, err
	}
	i := sort.Search(len(lines), func(i int) bool { return string(lines[i]) >= text })
	return uint32(block*ix.man.Block) + uint32(i), nil
}

// Hits gives the answers in the order in which they became valid, without reading their versions,
// until f answers false. Keep and Limit do not count here.
func (ix *Index) Hits(q Query, f func(Hit) bool) error {
	return ix.guarded(func() error {
		a, err := ix.read(&q)
		if err != nil {
			return err
		}
		return ix.hits(&a, f)
	})
}

func (ix *Index) hits(a *question, f func(Hit) bool) error {
	more := true
	for _, name := range a.trees {
		level := Evidence("")
		if len(a.trees) > 1 {
			level = Evidence(name)
		}
		err := ix.trees[name].ask(a.rel, a.from, a.to, func(v interval) bool {
			if v.id < a.low || v.id >= a.end {
				return true
			}
			more = f(Hit{v.id, Span{v.lo, v.hi}, level})
			return more
		})
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// Count counts the answers.
func (ix *Index) Count(q Query) (n int64, err error) {
	err = ix.Hits(q, func(Hit) bool { n++; return true })
	return n, err
}

// Search gives the answers with their versions, in the order of pages and time. To go on behind a
// page of answers, ask again with Start one more than the last ID.
func (ix *Index) Search(ctx context.Context, q Query) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		var hits []Hit
		err := ix.guarded(func() (err error) {
			var a question
			if a, err = ix.read(&q); err == nil {
				hits, err = ix.least(&a, &q)
			}
			return err
		})
		if err != nil {
			yield(Result{}, err)
			return
		}
		n := 0
		reader := versions{ix: ix, block: -1}
		for _, h := range hits {
			r := Result{ID: h.ID, Validity: q.Validity, Valid: h.Valid.Times(), Evidence: h.Evidence}
			if r.Validity == "" {
				r.Validity = Nominal
			}
			if err = ctx.Err(); err == nil {
				r.Version, err = reader.read(h.ID)
			}
			if err == nil && q.Keep != nil && !q.Keep(&r) {
				continue
			}
			if !yield(r, err) || err != nil {
				return
			}
			if n++; q.Limit > 0 && n >= q.Limit {
				return
			}
		}
	}
}

// least collects the hits by number. Where a limit says that few are wanted, and all are kept, only
// the least are held.
func (ix *Index) least(a *question, q *Query) ([]Hit, error) {
	var out []Hit
	order := func(x, y Hit) int {
		if x.ID != y.ID {
			return int(int64(x.ID) - int64(y.ID))
		}
		return int(int64(x.Valid.From) - int64(y.Valid.From))
	}
	bounded := q.Limit > 0 && q.Keep == nil
	most := uint32(forever) // once enough are held: the greatest number that may still belong to them
	err := ix.hits(a, func(h Hit) bool {
		if h.ID > most {
			return true
		}
		out = append(out, h)
		if bounded && len(out) > 4*q.Limit+1024 {
			slices.SortFunc(out, order)
			out = out[:q.Limit]
			most = out[q.Limit-1].ID
		}
		return true
	})
	slices.SortFunc(out, order)
	if bounded && len(out) > q.Limit {
		out = out[:q.Limit]
	}
	return out, err
}

// Version reads the version with a number.
func (ix *Index) Version(id uint32) (Version, error) {
	return (&versions{ix: ix, block: -1}).read(id)
}

// versions reads versions by number; neighbours cost one block.
type versions struct {
	ix    *Index
	block int64
	lines [][]byte
}

func (r *versions) read(id uint32) (v Version, err error) {
	block := int64(id) / r.ix.man.Block
	if block != r.block {
		err = r.ix.guarded(func() (err error) {
			r.lines, err = r.ix.table.ReadBlock(block)
			return err
		})
		if err != nil {
			return v, err
		}
		r.block = block
	}
	i := int(int64(id) % r.ix.man.Block)
	if i >= len(r.lines) {
		return v, fmt.Errorf("%w: there is no version %d", ErrDamaged, id)
	}
	return parseVersion(string(r.lines[i]))
}

// Versions gives the versions of pages with their numbers, in order, whatever their validity.
func (ix *Index) Versions(ctx context.Context, url string, match canon.Match) iter.Seq2[Result, error] {
	all := Query{URL: url, Match: match, Relation: Intersects, From: instant(0), To: instant(forever - 1)}
	return ix.Search(ctx, all)
}
