package sparql

import (
	"container/heap"
	"fmt"
	"slices"
	"strings"

	"varve/kb/rdf"
	"varve/kb/rdf/xsd"
)

// orderBy sorts; where only the first are wanted (limit >= 0), no more than those are kept.
func (c *compiler) orderBy(o *OrderBy, bound bindings, limit int) *step {
	in := c.compile(o.In, bound)
	var keys []func(row) (*sortKey, bool)
	for _, k := range o.Keys {
		keys = append(keys, c.keyed(k.Expr))
	}
	compareKey := func(i int, a, b *sortKey) int {
		if o.Keys[i].Desc {
			return b.compare(a)
		}
		return a.compare(b)
	}
	less := func(a, b *sortedRow) int {
		for i := range o.Keys {
			if order := compareKey(i, &a.keys[i], &b.keys[i]); order != 0 {
				return order
			}
		}
		return a.number - b.number
	}
	s := &step{name: "OrderBy", estimate: in.estimate, inputs: []*step{in}}
	if limit >= 0 {
		s.detail = fmt.Sprintf("first %d", limit)
	}
	s.run = func(r row, emit emitter) bool {
		all := &rowSorter{x: c.execution, compare: less}
		defer all.close()
		h := &rowHeap{all}
		n := 0
		next := sortedRow{keys: make([]sortKey, len(keys))} // used again for each solution
		ok := in.run(r, func(r row) bool {
			next.number = n
			n++
			full := limit >= 0 && len(all.rows) >= limit
			beaten := limit == 0 // it comes behind all that are kept
			tied := full && !beaten
			for i, k := range keys {
				next.keys[i] = sortKey{} // of an error, as of what is not bound
				if key, ok := k(r); ok {
					next.keys[i] = *key
				}
				if tied { // most are beaten by their first key, and need no other
					order := compareKey(i, &next.keys[i], &all.rows[0].keys[i])
					tied, beaten = order == 0, order > 0
				}
				if beaten {
					break
				}
			}
			if beaten || tied {
				return c.tick()
			}
			kept := sortedRow{row: slices.Clone(r), keys: slices.Clone(next.keys), number: next.number}
			if full {
				all.rows[0] = kept
				heap.Fix(h, 0)
				return c.tick()
			}
			if !all.add(kept) {
				return false
			}
			if limit >= 0 {
				heap.Fix(h, len(all.rows)-1)
			}
			return true
		})
		return ok && all.each(emit)
	}
	return s
}

// rowHeap has the last row of a sorter in front.
type rowHeap struct{ *rowSorter }

func (h rowHeap) Len() int           { return len(h.rows) }
func (h rowHeap) Less(i, j int) bool { return h.compare(&h.rows[i], &h.rows[j]) > 0 }
func (h rowHeap) Swap(i, j int)      { h.rows[i], h.rows[j] = h.rows[j], h.rows[i] }

// Push and Pop are not used: rows are added to the sorter.
func (h rowHeap) Push(any) {}

// Pop is not used.
func (h rowHeap) Pop() any { return nil }

// group divides solutions by keys, and computes aggregates. Groups come out in the order in which they were met.
func (c *compiler) group(o *Group, bound bindings) *step {
	outer := c.scope
	inner := map[string]int{}
	for k, v := range outer {
		inner[k] = v
	}
	c.scope = inner
	in := c.compile(o.In, bound)
	var keys []evaluator
	for _, k := range o.Keys {
		keys = append(keys, c.expr(k.Expr))
	}
	var starts []aggregateStart
	for _, a := range o.Aggs {
		starts = append(starts, c.aggregate(a.Expr, inScope(o.In)))
	}
	c.scope = outer
	keySlots := make([]int, len(o.Keys))
	for i, k := range o.Keys {
		keySlots[i] = c.slot(k.Var)
	}
	aggSlots := make([]int, len(o.Aggs))
	for i, a := range o.Aggs {
		aggSlots[i] = c.slot(a.Var)
	}
	estimate := in.estimate
	if len(keys) == 0 {
		estimate = 1
	}
	return &step{name: "Group", detail: fmt.Sprintf("%d keys, %d aggregates", len(keys), len(starts)), estimate: estimate, inputs: []*step{in}, run: func(r row, emit emitter) bool {
		clean := slices.Clone(r)
		for i, s := range keySlots { // a key may have the slot of the variable it is made of
			if o.Keys[i].Expr.Op != "var" || o.Keys[i].Expr.Var != o.Keys[i].Var {
				clean[s] = 0
			}
		}
		g := &grouping{c: c, keys: len(keys), starts: starts, emit: func(g *group) bool {
			out := slices.Clone(r)
			for i, s := range keySlots {
				out[s] = g.ids[i]
			}
			for i, s := range aggSlots {
				out[s] = 0
				if t, ok := g.aggs[i].value(); ok {
					out[s] = c.id(t)
				}
			}
			return c.err == nil && emit(out)
		}}
		ids := make([]ID, len(keys))
		return g.run(0, func(f func([]ID, row) bool) bool {
			return in.run(clean, func(r row) bool {
				for i, k := range keys {
					ids[i] = 0
					if t, ok := k(r); ok {
						ids[i] = c.id(t)
					}
				}
				return f(ids, r)
			})
		})
	}}
}

// group is what is computed of the solutions with the same keys.
type group struct {
	ids  []ID
	aggs []aggregate
}

// grouping divides solutions into groups.
type grouping struct {
	c      *compiler
	keys   int
	starts []aggregateStart
	emit   func(*group) bool
}

// run groups solutions that come with their keys: those of the groups that memory has room for, then the others.
func (g *grouping) run(depth int, solutions func(func([]ID, row) bool) bool) bool {
	groups := map[string]*group{}
	var order []*group
	held := 0
	hold := func(bytes int) bool {
		held += bytes
		return g.c.hold(bytes)
	}
	release := func() {
		g.c.memory -= int64(held)
		held, groups, order = 0, nil, nil
	}
	defer release()
	start := func(ids []ID) *group {
		n := &group{ids: slices.Clone(ids)}
		for _, s := range g.starts {
			n.aggs = append(n.aggs, s(hold))
		}
		order = append(order, n)
		return n
	}
	size := 200 + 100*len(g.starts)
	width := 0
	var rest *partitions
	defer func() { rest.close() }()
	var key, record []byte
	ok := solutions(func(ids []ID, r row) bool {
		width = len(r)
		key = appendRow(key[:0], ids)
		of := groups[string(key)]
		if of == nil {
			if rest != nil || depth < divisionsOfSpill && g.c.spills(held, size) {
				if rest == nil {
					rest = g.c.newPartitions(depth)
				}
				record = appendRow(appendRow(record[:0], ids), r)
				return rest.add(key, record)
			}
			of = start(ids)
			groups[string(key)] = of
			if !hold(size) {
				return false
			}
		}
		for _, a := range of.aggs {
			a.add(r)
		}
		return g.c.tick()
	})
	if !ok {
		return false
	}
	if len(order) == 0 && g.keys == 0 {
		start(nil)
	}
	for _, of := range order {
		if !g.emit(of) {
			return false
		}
	}
	if rest == nil {
		return true
	}
	release()
	ids, r := make([]ID, g.keys), make(row, width)
	for i := range rest.files {
		if rest.files[i] == nil {
			continue
		}
		ok := g.run(depth+1, func(f func([]ID, row) bool) bool {
			return rest.each(i, func(record []byte) bool {
				readRow(r, readRow(ids, record))
				return f(ids, r)
			})
		})
		if !ok {
			return false
		}
		rest.files[i].close()
		rest.files[i] = nil
	}
	return true
}

// aggregate computes one value of many solutions.
type aggregate interface {
	add(row)
	value() (rdf.Term, bool)
}

// aggregateStart starts an aggregate for a new group, which says what it holds.
type aggregateStart func(hold func(bytes int) bool) aggregate

// aggregate returns what starts an aggregate.
func (c *compiler) aggregate(e *Expr, scope []string) aggregateStart {
	if len(e.Args) == 0 {
		slots := c.slotsOf(scope)
		return func(hold func(int) bool) aggregate {
			return &countRows{hold: hold, distinct: e.Distinct, slots: slots, seen: map[string]bool{}}
		}
	}
	value := c.expr(e.Args[0])
	return func(hold func(int) bool) aggregate {
		return &folded{hold: hold, op: e.Op, distinct: e.Distinct, separator: e.Separator, expr: value, seen: map[rdf.Term]bool{}}
	}
}

// countRows is COUNT(*).
type countRows struct {
	hold     func(int) bool
	distinct bool
	slots    []int
	seen     map[string]bool
	n        int64
}

func (a *countRows) add(r row) {
	if a.distinct {
		key := string(appendKey(nil, r, a.slots))
		if a.seen[key] {
			return
		}
		a.seen[key] = true
		a.hold(len(key) + 32)
	}
	a.n++
}

func (a *countRows) value() (rdf.Term, bool) {
	return numeric{d: xsd.FromInt(a.n)}.term(), true
}

// folded is every other aggregate: a value that each solution changes. An error of the expression makes an error of the
// aggregate, but for COUNT, MIN, MAX and SAMPLE, which leave it out.
type folded struct {
	hold      func(int) bool
	op        string
	distinct  bool
	separator string
	expr      evaluator
	seen      map[rdf.Term]bool
	n         int64
	failed    bool
	sum       numeric
	best      sortKey
	text      strings.Builder
}

func (a *folded) add(r row) {
	t, ok := a.expr(r)
	if !ok {
		a.failed = a.failed || a.op == "sum" || a.op == "avg" || a.op == "group_concat"
		return
	}
	if a.distinct {
		if a.seen[t] {
			return
		}
		a.seen[t] = true
		a.hold(len(t.Value) + 100)
	}
	a.n++
	switch a.op {
	case "sum", "avg":
		n, ok := number(t)
		if ok {
			a.sum, ok = arithmetic("+", a.sum, n)
		}
		a.failed = a.failed || !ok
	case "min":
		if k := keyOf(t); a.n == 1 || k.compare(&a.best) < 0 {
			a.best = k
		}
	case "max":
		if k := keyOf(t); a.n == 1 || k.compare(&a.best) > 0 {
			a.best = k
		}
	case "sample":
		if a.n == 1 {
			a.best.term = t
		}
	case "group_concat":
		if t.Kind != rdf.Literal && t.Kind != rdf.IRI {
			a.failed = true
			return
		}
		if a.n > 1 {
			a.text.WriteString(a.separator)
		}
		a.text.WriteString(t.Value)
		a.hold(len(t.Value) + len(a.separator))
	}
}

func (a *folded) value() (rdf.Term, bool) {
	if a.failed {
		return rdf.Term{}, false
	}
	count := numeric{d: xsd.FromInt(a.n)}
	switch a.op {
	case "count":
		return count.term(), true
	case "sum":
		return a.sum.term(), true
	case "avg":
		if a.n == 0 {
			return count.term(), true
		}
		mean, ok := arithmetic("/", a.sum, count)
		return mean.term(), ok
	case "group_concat":
		return rdf.NewString(a.text.String()), true
	}
	return a.best.term, a.n > 0
}
