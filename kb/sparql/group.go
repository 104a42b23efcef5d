package sparql

import (
	"container/heap"
	"encoding/binary"
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
	less := func(a, b sortedRow) int {
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
		h := &rowHeap{compare: less}
		held := 0
		defer func() { c.memory -= int64(held) }()
		n := 0
		next := sortedRow{keys: make([]sortKey, len(keys))} // used again for each solution
		ok := in.run(r, func(r row) bool {
			next.number = n
			n++
			full := limit >= 0 && len(h.rows) >= limit
			beaten := limit == 0 // it comes behind all that are kept
			tied := full && !beaten
			for i, k := range keys {
				next.keys[i] = sortKey{} // of an error, as of what is not bound
				if key, ok := k(r); ok {
					next.keys[i] = *key
				}
				if tied { // most are beaten by their first key, and need no other
					order := compareKey(i, &next.keys[i], &h.rows[0].keys[i])
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
				h.rows[0] = kept
				heap.Fix(h, 0)
				return c.tick()
			}
			if limit >= 0 {
				heap.Push(h, kept)
			} else {
				h.rows = append(h.rows, kept)
			}
			size := 8*len(r) + 184*len(keys) + 64
			held += size
			return c.tick() && c.hold(size)
		})
		if !ok {
			return false
		}
		slices.SortFunc(h.rows, less)
		for _, s := range h.rows {
			if !emit(s.row) {
				return false
			}
		}
		return true
	}
	return s
}

type sortedRow struct {
	row    row
	keys   []sortKey
	number int // of equal rows the first comes first
}

// rowHeap has the last row in front.
type rowHeap struct {
	rows    []sortedRow
	compare func(a, b sortedRow) int
}

func (h *rowHeap) Len() int           { return len(h.rows) }
func (h *rowHeap) Less(i, j int) bool { return h.compare(h.rows[i], h.rows[j]) > 0 }
func (h *rowHeap) Swap(i, j int)      { h.rows[i], h.rows[j] = h.rows[j], h.rows[i] }

// Push adds a row.
func (h *rowHeap) Push(x any) { h.rows = append(h.rows, x.(sortedRow)) }

// Pop removes the last row.
func (h *rowHeap) Pop() any {
	last := h.rows[len(h.rows)-1]
	h.rows = h.rows[:len(h.rows)-1]
	return last
}

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
	var starts []func() aggregate
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
	type group struct {
		ids  []ID
		aggs []aggregate
	}
	estimate := in.estimate
	if len(keys) == 0 {
		estimate = 1
	}
	return &step{name: "Group", detail: fmt.Sprintf("%d keys, %d aggregates", len(keys), len(starts)), estimate: estimate, inputs: []*step{in}, run: func(r row, emit emitter) bool {
		groups := map[string]*group{}
		var order []*group
		start := func(ids []ID) *group {
			g := &group{ids: ids}
			for _, s := range starts {
				g.aggs = append(g.aggs, s())
			}
			order = append(order, g)
			return g
		}
		clean := slices.Clone(r)
		for i, s := range keySlots { // a key may have the slot of the variable it is made of
			if o.Keys[i].Expr.Op != "var" || o.Keys[i].Expr.Var != o.Keys[i].Var {
				clean[s] = 0
			}
		}
		ids := make([]ID, len(keys))
		var key []byte
		ok := in.run(clean, func(r row) bool {
			key = key[:0]
			for i, k := range keys {
				ids[i] = 0
				if t, ok := k(r); ok {
					ids[i] = c.id(t)
				}
				key = binary.BigEndian.AppendUint64(key, uint64(ids[i]))
			}
			g := groups[string(key)]
			if g == nil {
				g = start(slices.Clone(ids))
				groups[string(key)] = g
				if !c.hold(200 + 100*len(starts)) {
					return false
				}
			}
			for _, a := range g.aggs {
				a.add(r)
			}
			return c.tick()
		})
		if !ok {
			return false
		}
		if len(order) == 0 && len(keys) == 0 {
			start(nil)
		}
		for _, g := range order {
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
			if c.err != nil || !emit(out) {
				return false
			}
		}
		return true
	}}
}

// aggregate computes one value of many solutions.
type aggregate interface {
	add(row)
	value() (rdf.Term, bool)
}

// aggregate returns what starts an aggregate for a new group.
func (c *compiler) aggregate(e *Expr, scope []string) func() aggregate {
	if len(e.Args) == 0 {
		slots := c.slotsOf(scope)
		return func() aggregate { return &countRows{c: c, distinct: e.Distinct, slots: slots, seen: map[string]bool{}} }
	}
	value := c.expr(e.Args[0])
	return func() aggregate {
		return &folded{c: c, op: e.Op, distinct: e.Distinct, separator: e.Separator, expr: value, seen: map[rdf.Term]bool{}}
	}
}

// countRows is COUNT(*).
type countRows struct {
	c        *compiler
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
		a.c.hold(len(key) + 32)
	}
	a.n++
}

func (a *countRows) value() (rdf.Term, bool) {
	return numeric{d: xsd.FromInt(a.n)}.term(), true
}

// folded is every other aggregate: a value that each solution changes. An error of the expression makes an error of the
// aggregate, but for COUNT, MIN, MAX and SAMPLE, which leave it out.
type folded struct {
	c         *compiler
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
		a.c.hold(len(t.Value) + 100)
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
		a.c.hold(len(t.Value) + len(a.separator))
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
