package sparql

import (
	"varve/kb/model"
	"varve/kb/rdf"
)

// validAt compiles varve:validAt(?thing, ?time): whether a thing holds at an instant, by what is said of it in the graph that the expression stands in.
//
//	exists f: thing varve:validFrom f, f <= time, and no u: thing varve:validUntil u, u <= time
//
// Times are xsd:dateTime, or xsd:date, which is its first instant. A thing without a begin, and a time that cannot be compared, are errors of the
// expression: neither true nor false. A thing has one interval; of several, all must agree.
func (c *compiler) validAt(args []evaluator) evaluator {
	g := c.graph
	from, until := c.id(rdf.NewIRI(model.ValidFrom)), c.id(rdf.NewIRI(model.ValidUntil))
	return func(r row) (rdf.Term, bool) {
		thing, ok := args[0](r)
		at, okAt := args[1](r)
		if !ok || !okAt {
			return rdf.Term{}, false
		}
		when := keyOf(firstInstant(at))
		if when.class != dateTimeClass {
			return rdf.Term{}, false
		}
		id := c.id(thing)
		known, valid, comparable := false, true, true
		bound := func(property ID, holds func(bound *sortKey) (bool, bool)) {
			c.match(g, r, Pattern{id, property}, func(q Pattern) bool {
				k := keyOf(firstInstant(c.term(q[2])))
				yes, ok := holds(&k)
				comparable = comparable && ok
				valid = valid && yes
				return true
			})
		}
		bound(from, func(f *sortKey) (bool, bool) { known = true; return relation("<=", f, &when) })
		bound(until, func(u *sortKey) (bool, bool) { return relation(">", u, &when) })
		return boolTerm(valid), known && comparable && c.err == nil
	}
}

// firstInstant returns a day as the time at which it begins in UTC; other terms as they are.
func firstInstant(t rdf.Term) rdf.Term {
	if t.Kind != rdf.Literal || t.Datatype != rdf.Date {
		return t
	}
	if k := keyOf(t); k.class == dateClass {
		return rdf.NewLiteral(k.when.UTC().Format("2006-01-02T15:04:05Z"), rdf.DateTime)
	}
	return t
}
