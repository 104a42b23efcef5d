package sparql

import (
	"context"
	"fmt"
	"iter"

	"varve"
	"varve/kb/rdf"
)

// Transaction is a dataset that can be changed. What was changed is seen by the next question, but not by those under way.
type Transaction interface {
	Dataset
	// Insert adds a quad; one that is there already stays.
	Insert(rdf.Quad) error
	// Delete removes a quad, if it is there.
	Delete(rdf.Quad) error
}

// UpdateOptions say how an update is done.
type UpdateOptions struct {
	Options
	// Load reads the document at an IRI for the operation LOAD; without it there is none.
	Load func(ctx context.Context, iri string) (iter.Seq2[rdf.Quad, error], error)
}

// Update does operations one after the other in a transaction, which the caller commits if there is no error. What an
// operation deletes and inserts is held in memory until it knows all of it, and counts against MaxMemory. There are no
// empty graphs: CREATE makes nothing, and a graph without quads is not there.
func Update(ctx context.Context, tx Transaction, ops []Operation, o UpdateOptions) error {
	for i, op := range ops {
		u := &updater{ctx: ctx, tx: tx, o: o, x: newExecution(ctx, tx, o.Options)}
		if err := u.do(op); err != nil {
			return fmt.Errorf("operation %d of %d: %w", i+1, len(ops), err)
		}
	}
	return nil
}

type updater struct {
	ctx            context.Context
	tx             Transaction
	o              UpdateOptions
	x              *execution
	delete, insert []rdf.Quad
}

func (u *updater) do(op Operation) error {
	var err error
	switch op.Kind {
	case Modify:
		err = u.modify(op)
	case Load:
		err = u.load(op)
	case Clear, Drop:
		err = u.clear(op.To)
	case Create:
		if u.has(op.To) {
			err = &varve.Error{Kind: varve.Conflict, Op: "update", Msg: "the graph <" + op.To.IRI + "> is there already", Hint: "CREATE SILENT does not mind"}
		}
	case Add, Move, Copy:
		err = u.transfer(op)
	}
	if err != nil && op.Silent && u.x.err == nil && u.ctx.Err() == nil {
		return nil
	}
	if err != nil {
		return err
	}
	return u.apply()
}

// apply deletes, then inserts.
func (u *updater) apply() error {
	for i, quads := range [][]rdf.Quad{u.delete, u.insert} {
		for _, q := range quads {
			err := u.ctx.Err()
			if err == nil && i == 0 {
				err = u.tx.Delete(q)
			} else if err == nil {
				err = u.tx.Insert(q)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// note keeps a quad for later.
func (u *updater) note(to *[]rdf.Quad, q rdf.Quad) bool {
	*to = append(*to, q)
	return u.x.hold(len(q.Subject.Value) + len(q.Object.Value) + 300)
}

func graphTerm(iri string) rdf.Term {
	if iri == "" {
		return rdf.Term{}
	}
	return rdf.NewIRI(iri)
}

// modify is DELETE and INSERT.
func (u *updater) modify(op Operation) error {
	x := u.x
	c := &compiler{execution: x, scope: map[string]int{}, graph: graphRef{id: DefaultGraph}}
	if op.Where == nil {
		u.instantiate(op, c, nil)
		return x.err
	}
	switch {
	case op.Using != nil || op.UsingNamed != nil:
		x.o.From, x.o.FromNamed = op.Using, op.UsingNamed
		if err := x.setDataset(&Query{}); err != nil {
			return err
		}
	case op.With != "":
		x.dataset = true // the default graph is that of WITH; the named graphs are all there
		if id := x.id(rdf.NewIRI(op.With)); id < local {
			x.from = []ID{id}
		}
	}
	top := c.compile(op.Where, bindings{})
	for _, q := range append(append([]QuadPattern(nil), op.Delete...), op.Insert...) {
		for _, n := range []Node{q.S, q.P, q.O, q.Graph} {
			if n.Var != "" {
				c.slot(n.Var)
			}
		}
	}
	x.slots = c.next
	if x.err == nil {
		top.run(make(row, x.slots), func(r row) bool { return x.count() && u.instantiate(op, c, r) })
	}
	return x.err
}

// instantiate puts a solution into the templates of an operation.
func (u *updater) instantiate(op Operation, c *compiler, r row) bool {
	labels := map[string]rdf.Term{}
	term := func(n Node) rdf.Term {
		switch {
		case n.Var != "":
			return c.term(r[c.slot(n.Var)])
		case n.Term.Kind == rdf.Blank:
			if _, ok := labels[n.Term.Value]; !ok {
				labels[n.Term.Value] = u.x.blank()
			}
			return labels[n.Term.Value]
		}
		return n.Term
	}
	for i, templates := range [][]QuadPattern{op.Delete, op.Insert} {
		to := &u.delete
		if i == 1 {
			to = &u.insert
		}
		for _, t := range templates {
			q := rdf.Quad{Triple: rdf.Triple{Subject: term(t.S), Predicate: term(t.P), Object: term(t.O)}, Graph: graphTerm(op.With)}
			if t.Graph != (Node{}) {
				if q.Graph = term(t.Graph); q.Graph.Kind != rdf.IRI && q.Graph.Kind != rdf.Blank {
					continue
				}
			}
			if q.Subject.Kind == rdf.None || q.Subject.Kind == rdf.Literal || q.Predicate.Kind != rdf.IRI || q.Object.Kind == rdf.None {
				continue // no triple
			}
			if !u.note(to, q) {
				return false
			}
		}
	}
	return u.x.err == nil
}

func (u *updater) load(op Operation) error {
	if u.o.Load == nil {
		return &varve.Error{Kind: varve.Forbidden, Op: "update", Msg: "LOAD reads documents from elsewhere, which is not allowed here", Hint: "varve kb load reads files"}
	}
	quads, err := u.o.Load(u.ctx, op.Source)
	if err != nil {
		return err
	}
	for q, err := range quads {
		if err != nil {
			return err
		}
		if !op.To.Default {
			q.Graph = graphTerm(op.To.IRI)
		}
		if !u.note(&u.insert, q) {
			return u.x.err
		}
	}
	return nil
}

// each hands on the quads of a graph, or of those that a reference means.
func (u *updater) each(g GraphRef, f func(rdf.Quad) bool) error {
	p := Pattern{}
	switch {
	case g.Default:
		p[3] = DefaultGraph
	case g.IRI != "":
		if p[3] = u.x.id(rdf.NewIRI(g.IRI)); p[3] >= local {
			return nil
		}
	}
	u.x.scan(p, func(q Pattern) bool {
		if g.Named && q[3] == DefaultGraph {
			return true
		}
		graph := rdf.Term{}
		if q[3] != DefaultGraph {
			graph = u.x.term(q[3])
		}
		return f(rdf.Quad{Triple: rdf.Triple{Subject: u.x.term(q[0]), Predicate: u.x.term(q[1]), Object: u.x.term(q[2])}, Graph: graph})
	})
	return u.x.err
}

// has reports whether a graph has quads; the default graph is always there.
func (u *updater) has(g GraphRef) bool {
	if g.Default {
		return true
	}
	found := false
	_ = u.each(g, func(rdf.Quad) bool {
		found = true
		return false
	})
	return found
}

func (u *updater) clear(g GraphRef) error {
	return u.each(g, func(q rdf.Quad) bool { return u.note(&u.delete, q) })
}

// transfer is ADD, COPY and MOVE.
func (u *updater) transfer(op Operation) error {
	if op.From == op.To {
		return nil
	}
	if !u.has(op.From) {
		return &varve.Error{Kind: varve.NotFound, Op: "update", Msg: "there is no graph <" + op.From.IRI + ">", Hint: "SILENT does not mind"}
	}
	if op.Kind != Add {
		if err := u.clear(op.To); err != nil {
			return err
		}
	}
	return u.each(op.From, func(q rdf.Quad) bool {
		moved := q
		moved.Graph = graphTerm(op.To.IRI)
		return u.note(&u.insert, moved) && (op.Kind != Move || u.note(&u.delete, q))
	})
}
