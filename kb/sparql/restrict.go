package sparql

import (
	"context"
	"iter"

	"varve/kb/rdf"
)

// Restrict returns a dataset with those graphs of another that may be seen; may is asked once or more for each graph that a query comes to, and the zero term is the
// default graph. What a query is answered is as if the other graphs were not there: every way to quads goes through Match and
// Graphs. Estimates, which order joins and no more, are those of the whole.
//
// Quads that may not be seen are passed over without a word to the query, so the context is looked at here.
func Restrict(ctx context.Context, data Dataset, may func(graph rdf.Term) bool) Dataset {
	return &restricted{Dataset: data, ctx: ctx, may: may, known: map[ID]bool{}}
}

type restricted struct {
	Dataset
	ctx     context.Context
	may     func(rdf.Term) bool
	known   map[ID]bool
	skipped int
}

// maxKnown bounds the verdicts that are kept.
const maxKnown = 1 << 20

// sees reports whether a graph may be seen.
func (d *restricted) sees(graph ID) (bool, error) {
	if ok, known := d.known[graph]; known {
		return ok, nil
	}
	var name rdf.Term
	if graph != DefaultGraph {
		var err error
		if name, err = d.Term(graph); err != nil {
			return false, err
		}
	}
	if len(d.known) >= maxKnown {
		clear(d.known)
	}
	ok := d.may(name)
	d.known[graph] = ok
	return ok, nil
}

// skip notes that something was passed over, and returns why the query should end.
func (d *restricted) skip() error {
	if d.skipped++; d.skipped&1023 == 0 {
		return d.ctx.Err()
	}
	return nil
}

// Match returns the quads that match in graphs that may be seen.
func (d *restricted) Match(p Pattern) iter.Seq2[Pattern, error] {
	return func(yield func(Pattern, error) bool) {
		if p[3] != 0 {
			if ok, err := d.sees(p[3]); err != nil {
				yield(Pattern{}, err)
				return
			} else if !ok {
				return
			}
		}
		for q, err := range d.Dataset.Match(p) {
			ok := false
			if err == nil {
				ok, err = d.sees(q[3])
			}
			if err == nil && !ok {
				if err = d.skip(); err == nil {
					continue
				}
			}
			if !yield(q, err) || err != nil {
				return
			}
		}
	}
}

// Graphs returns the named graphs that may be seen.
func (d *restricted) Graphs() iter.Seq2[ID, error] {
	return func(yield func(ID, error) bool) {
		for g, err := range d.Dataset.Graphs() {
			ok := false
			if err == nil {
				ok, err = d.sees(g)
			}
			if err == nil && !ok {
				if err = d.skip(); err == nil {
					continue
				}
			}
			if !yield(g, err) || err != nil {
				return
			}
		}
	}
}
