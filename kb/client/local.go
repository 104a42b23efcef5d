package client

import (
	"context"
	"errors"
	"iter"

	"varve"
	"varve/kb/rdf"
	"varve/kb/sparql"
	"varve/kb/triplestore"
)

// Local is a store of this machine.
type Local struct {
	Store   *triplestore.Store
	Options sparql.Options // limits of queries and updates
}

// Ask asks a query of any dataset.
func Ask(ctx context.Context, data sparql.Dataset, text, base string, o sparql.Options) (*Answer, error) {
	q, err := sparql.Parse(text, base)
	if err != nil {
		return nil, err
	}
	r, err := sparql.Evaluate(ctx, data, q, o)
	if err != nil {
		return nil, err
	}
	return &Answer{Result: r, Prefixes: q.Prefixes}, nil
}

// Query asks a query.
func (l *Local) Query(ctx context.Context, text, base string) (*Answer, error) {
	view := l.Store.View()
	a, err := Ask(ctx, view, text, base, l.Options)
	if err != nil {
		return nil, errors.Join(err, view.Close())
	}
	a.close = view.Close
	return a, nil
}

// Update does an update.
func (l *Local) Update(ctx context.Context, text, base string) error {
	ops, err := sparql.ParseUpdate(text, base)
	if err != nil {
		return err
	}
	tx := l.Store.Update()
	defer tx.Cancel()
	if err := sparql.Update(ctx, tx, ops, sparql.UpdateOptions{Options: l.Options}); err != nil {
		return err
	}
	return tx.Commit()
}

// Insert loads quads. They are gone through a second time where two terms of the store have one hash.
func (l *Local) Insert(ctx context.Context, quads iter.Seq2[rdf.Quad, error]) (int64, error) {
	loaded, err := l.Store.Load(ctx, func(scope string) iter.Seq2[rdf.Quad, error] {
		return func(yield func(rdf.Quad, error) bool) {
			for q, err := range quads {
				for _, t := range []*rdf.Term{&q.Subject, &q.Object, &q.Graph} {
					if t.Kind == rdf.Blank {
						t.Value = scope + t.Value
					}
				}
				if !yield(q, err) {
					return
				}
			}
		}
	})
	return loaded.Quads, err
}

// Quads returns all quads as they are at one moment.
func (l *Local) Quads(ctx context.Context, graph string) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		view := l.Store.View()
		defer view.Close()
		var p sparql.Pattern
		if graph != "" {
			var err error
			if p[3], err = view.Lookup(rdf.NewIRI(graph)); err != nil || p[3] == 0 {
				if err == nil {
					err = noGraph(graph)
				}
				yield(rdf.Quad{}, err)
				return
			}
		}
		for q, err := range view.Quads(p) {
			if err == nil {
				err = ctx.Err()
			}
			if !yield(q, err) || err != nil {
				return
			}
		}
	}
}

// Close closes the store.
func (l *Local) Close() error { return l.Store.Close() }

func noGraph(name string) error {
	return &varve.Error{Kind: varve.NotFound, Op: "read a graph", Msg: "there is no graph <" + name + ">"}
}
