package sparql

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// A conjunction is what a group joins: triples and paths, which are ordered among each other, and other operators, which
// are joined behind them in the order in which they are written.
//
//	start with the triple that the dataset expects the fewest quads for
//	then always the one that makes the fewest solutions of those there are, of those that share a variable if any does
//	a filter is tested as soon as its variables are bound
//
// The dataset knows how many quads match constants, not what joins give. A variable that is bound narrows them: a subject
// to 3 at most (16 where the predicate is not known), an object to the root, a predicate to a tenth.

// part is a triple or a path of a conjunction.
type part struct {
	s, p, o Node
	path    Path // nil for a triple
}

func (a part) vars() []string {
	var all []string
	for _, n := range []Node{a.s, a.p, a.o} {
		if n.Var != "" {
			all = append(all, n.Var)
		}
	}
	return all
}

func (a part) String() string {
	if a.path != nil {
		return fmt.Sprintf("%s path %s", a.s, a.o)
	}
	return fmt.Sprintf("%s %s %s", a.s, a.p, a.o)
}

// flatten takes joins apart.
func flatten(op Op, parts []part, others []Op) ([]part, []Op) {
	switch o := op.(type) {
	case *Join:
		parts, others = flatten(o.Left, parts, others)
		return flatten(o.Right, parts, others)
	case *BGP:
		for _, t := range o.Triples {
			parts = append(parts, part{s: t.S, p: t.P, o: t.O})
		}
		return parts, others
	case *PathPattern:
		return append(parts, part{s: o.S, path: o.Path, o: o.O}), others
	}
	return parts, append(others, op)
}

// conjunction compiles what joins join, with filters over it.
func (c *compiler) conjunction(op Op, filters []*Expr, bound bindings) *step {
	parts, others := flatten(op, nil, nil)
	current := &step{name: "Unit", estimate: 1, run: func(in row, emit emitter) bool { return emit(in) }}
	known := bound.with()
	// Tables of the query first: they are small and bind.
	for i := 0; i < len(others); i++ {
		if v, ok := others[i].(*Values); ok {
			current = c.join(current, v, known)
			known = merged(known, c.certain(v))
			others = slices.Delete(others, i, i+1)
			i--
		}
	}
	current, filters = c.early(current, filters, known)
	for len(parts) > 0 {
		best, cost := 0, math.Inf(1)
		for i, a := range parts {
			e := c.expected(a, known)
			if !c.connected(a, known) && len(known) > 0 {
				e = e*1000 + 1000 // a Cartesian product comes last
			}
			if e < cost {
				best, cost = i, e
			}
		}
		a := parts[best]
		parts = slices.Delete(parts, best, best+1)
		current = c.joinPart(current, a, known)
		known = known.with(c.slotsOf(a.vars())...)
		if c.graph.id == 0 {
			known[c.graph.slot] = true
		}
		current, filters = c.early(current, filters, known)
	}
	for _, o := range others {
		current = c.join(current, o, known)
		known = merged(known, c.certain(o))
		current, filters = c.early(current, filters, known)
	}
	return c.filter(current, filters)
}

// merged returns the slots of both.
func merged(a, b bindings) bindings {
	out := a.with()
	for s := range b {
		out[s] = true
	}
	return out
}

// early tests the filters whose variables are bound.
func (c *compiler) early(in *step, filters []*Expr, known bindings) (*step, []*Expr) {
	var now, later []*Expr
	for _, f := range filters {
		ready := true
		f.walk(func(e *Expr) {
			if e.Pattern != nil || e.Op == "var" && !known[c.slot(e.Var)] || e.Op == "bnode" {
				ready = false
			}
		})
		if ready {
			now = append(now, f)
		} else {
			later = append(later, f)
		}
	}
	return c.filter(in, now), later
}

func (c *compiler) connected(a part, known bindings) bool {
	for _, v := range a.vars() {
		if known[c.slot(v)] {
			return true
		}
	}
	return len(a.vars()) == 0
}

// pattern returns the constants of a triple.
func (c *compiler) pattern(a part) Pattern {
	var p Pattern
	for i, n := range []Node{a.s, a.p, a.o} {
		if n.Var == "" && (i != 1 || a.path == nil) {
			p[i] = c.id(n.Term)
		}
	}
	if c.graph.id != DefaultGraph || !c.dataset && !c.o.UnionDefault {
		p[3] = c.graph.id
	}
	return p
}

// expected returns how many solutions a part makes of one.
func (c *compiler) expected(a part, known bindings) float64 {
	p := c.pattern(a)
	for _, id := range p {
		if id >= local {
			return 0
		}
	}
	e := c.estimate(p)
	if a.path != nil {
		e = max(e, 1) * 10
	}
	bound := func(n Node) bool { return n.Var != "" && known[c.slot(n.Var)] }
	if bound(a.p) {
		e = max(1, e/10)
	}
	if bound(a.o) {
		e = max(1, math.Sqrt(e))
	}
	switch { // a subject says a thing once or a few times, and many things
	case bound(a.s) && a.p.Var != "":
		e = min(e, 16)
	case bound(a.s):
		e = min(e, 3)
	}
	return e
}

// lookupCost is what a lookup costs in quads scanned. Measured on the store: see docs/kb.md.
const lookupCost = 8

// joinPart joins with a triple or path: by lookups, or by a table of all its quads if that costs less.
func (c *compiler) joinPart(left *step, a part, known bindings) *step {
	if a.path != nil {
		return c.joinPath(left, a, known)
	}
	g := c.graph
	p := c.pattern(a)
	p[3] = 0
	slots := [3]int{-1, -1, -1}
	for i, n := range []Node{a.s, a.p, a.o} {
		if n.Var != "" {
			slots[i] = c.slot(n.Var)
		}
	}
	s := &step{name: "Lookup", detail: a.String(), estimate: left.estimate * c.expected(a, known), inputs: []*step{left}}
	whole := c.estimate(c.pattern(a))
	var keys []int // places whose variables are bound before
	for i, slot := range slots {
		if slot >= 0 && known[slot] {
			keys = append(keys, i)
		}
	}
	lookup := func(r row, emit emitter) bool {
		q := p
		for i, slot := range slots {
			if slot >= 0 && r[slot] != 0 {
				q[i] = r[slot]
			}
		}
		return c.match(g, r, q, func(found Pattern) bool { return fill(r, slots, g, found, emit) })
	}
	if len(keys) == 0 || g.id == 0 || left.estimate*lookupCost < whole || whole > 5_000_000 {
		if len(keys) == 0 {
			s.name = "Scan"
		}
		s.run = func(in row, emit emitter) bool {
			return left.run(in, func(r row) bool { return lookup(r, emit) })
		}
		return s
	}
	s.name = "HashJoin"
	var table map[[3]ID][]Pattern
	key := func(q Pattern) (k [3]ID) {
		for _, i := range keys {
			k[i] = q[i]
		}
		return k
	}
	seen := 0
	s.run = func(in row, emit emitter) bool {
		return left.run(in, func(r row) bool {
			if seen++; table == nil && float64(seen)*lookupCost < whole { // lookups, until they have cost as much as a scan
				return lookup(r, emit)
			}
			if table == nil {
				table = map[[3]ID][]Pattern{}
				held, fits := 0, true
				c.match(g, r, p, func(q Pattern) bool {
					if fits = !c.spills(held, 72); !fits {
						return false
					}
					k := key(q)
					table[k] = append(table[k], q)
					held += 72
					return c.hold(72)
				})
				if c.err != nil {
					return false
				}
				if !fits { // what need not be in memory is looked up all the way
					table, whole = nil, math.Inf(1)
					c.memory -= int64(held)
					return lookup(r, emit)
				}
			}
			var k Pattern
			for _, i := range keys {
				k[i] = r[slots[i]]
			}
			for _, q := range table[key(k)] {
				if !c.tick() || !fill(r, slots, g, q, emit) {
					return false
				}
			}
			return true
		})
	}
	return s
}

// fill binds the variables of a quad that was found, hands the row on, and clears them again.
func fill(r row, slots [3]int, g graphRef, found Pattern, emit emitter) bool {
	var filled [4]int
	n := 0
	ok := true
	set := func(slot int, id ID) {
		switch r[slot] {
		case id:
		case 0:
			r[slot] = id
			filled[n] = slot
			n++
		default:
			ok = false // a variable that stands twice in the triple
		}
	}
	for i, slot := range slots {
		if slot >= 0 && ok {
			set(slot, found[i])
		}
	}
	if g.id == 0 && ok {
		set(g.slot, found[3])
	}
	more := !ok || emit(r)
	for _, slot := range filled[:n] {
		r[slot] = 0
	}
	return more
}

// join joins with any operator: with the bindings put into it where that is the same, else by a table of its solutions.
func (c *compiler) join(left *step, op Op, known bindings) *step {
	if takesBindings(op) {
		right := c.compile(op, known)
		return &step{name: "Join", estimate: left.estimate * max(1, right.estimate/10), inputs: []*step{left, right}, run: func(in row, emit emitter) bool {
			return left.run(in, func(r row) bool { return right.run(r, emit) })
		}}
	}
	t := c.table(op, known)
	return &step{name: "HashJoin", estimate: max(left.estimate, t.step.estimate), inputs: []*step{left, t.step}, run: func(in row, emit emitter) bool {
		return t.run(in, in, left, func(r row) bool { return t.probe(r, emit) })
	}}
}

// table holds the solutions of an operator by the variables that both sides have bound for certain.
type table struct {
	c     *compiler
	step  *step
	keys  []int
	slots []int
	rows  map[string][][]ID
	held  int
	parts *partitions // where the solutions are if they do not fit into memory
}

func (c *compiler) table(op Op, known bindings) *table {
	t := &table{c: c, step: c.compile(op, bindings{}), slots: c.slotsOf(inScope(op))}
	certain := c.certain(op)
	for _, s := range t.slots {
		if known[s] && certain[s] {
			t.keys = append(t.keys, s)
		}
	}
	return t
}

// run computes the table for the bindings from outside, which are those of EXISTS, and calls probe for each solution of the
// left side. Solutions that do not fit into memory are divided by the keys, and so are those of the left side.
func (t *table) run(outside, in row, left *step, probe func(row) bool) bool {
	defer func() {
		t.release()
		t.parts.close()
		t.parts = nil
	}()
	if !t.build(outside) {
		return false
	}
	if t.parts == nil {
		return left.run(in, probe)
	}
	sides := t.c.newPartitions(0)
	defer sides.close()
	var key, record []byte
	ok := left.run(in, func(r row) bool {
		key, record = appendKey(key[:0], r, t.keys), appendRow(record[:0], r)
		return sides.add(key, record)
	})
	if !ok {
		return false
	}
	r := make(row, len(in))
	for i := range sides.files {
		t.release()
		ok := t.parts.each(i, func(record []byte) bool {
			ids := make([]ID, len(t.slots))
			key := readRow(ids, record)
			return t.add(key, ids)
		})
		if !ok || !sides.each(i, func(record []byte) bool {
			readRow(r, record)
			return probe(r)
		}) {
			return false
		}
	}
	return true
}

func (t *table) release() {
	t.c.memory -= int64(t.held)
	t.held = 0
	t.rows = map[string][][]ID{}
}

func (t *table) build(outside row) bool {
	t.release()
	var key, record []byte
	spill := func(key []byte, ids []ID) bool {
		record = append(appendRow(record[:0], ids), key...)
		return t.parts.add(key, record)
	}
	return t.step.run(slices.Clone(outside), func(r row) bool {
		ids := make([]ID, len(t.slots))
		for i, s := range t.slots {
			ids[i] = r[s]
		}
		key = appendKey(key[:0], r, t.keys)
		if t.parts == nil && len(t.keys) > 0 && t.c.spills(t.held, t.size()) {
			t.parts = t.c.newPartitions(0)
			for key, rows := range t.rows {
				for _, ids := range rows {
					if !spill([]byte(key), ids) {
						return false
					}
				}
			}
			t.release()
		}
		if t.parts != nil {
			return spill(key, ids)
		}
		return t.add(key, ids)
	})
}

// size is what a solution takes.
func (t *table) size() int { return 8*len(t.slots) + 48 }

func (t *table) add(key []byte, ids []ID) bool {
	t.rows[string(key)] = append(t.rows[string(key)], ids)
	t.held += t.size()
	return t.c.tick() && t.c.hold(t.size())
}

// probe hands on the rows that are compatible.
func (t *table) probe(r row, emit emitter) bool {
	var key []byte
	for _, s := range t.keys {
		key = binary.BigEndian.AppendUint64(key, uint64(r[s]))
	}
	for _, ids := range t.rows[string(key)] {
		if !t.c.tick() {
			return false
		}
		if filled, ok := bind(r, t.slots, ids); ok {
			more := emit(r)
			unbind(r, filled)
			if !more {
				return false
			}
		}
	}
	return true
}

// leftJoin is OPTIONAL.
func (c *compiler) leftJoin(o *LeftJoin, bound bindings) *step {
	left := c.compile(o.Left, bound)
	known := merged(bound, c.certain(o.Left))
	var tests []func(row) bool
	matched := func(emit emitter, any *bool) emitter {
		return func(r row) bool {
			for _, ok := range tests {
				if !ok(r) {
					return c.err == nil
				}
			}
			*any = true
			return emit(r)
		}
	}
	s := &step{name: "LeftJoin", inputs: []*step{left}}
	var each func(r row, emit emitter) bool
	run := left.run
	if takesBindings(o.Right) {
		right := c.compile(o.Right, known)
		s.inputs = append(s.inputs, right)
		each = right.run
	} else {
		t := c.table(o.Right, known)
		s.inputs = append(s.inputs, t.step)
		run = func(in row, probe emitter) bool { return t.run(in, in, left, probe) }
		each = t.probe
	}
	if o.Expr != nil {
		tests = c.tests(conjuncts(o.Expr))
		s.detail = o.Expr.String()
	}
	s.estimate = left.estimate
	s.run = func(in row, emit emitter) bool {
		return run(in, func(r row) bool {
			any := false
			if !each(r, matched(emit, &any)) {
				return false
			}
			return any || emit(r)
		})
	}
	return s
}

// minus drops what is compatible with a solution of the right side and shares a variable with it.
func (c *compiler) minus(o *Minus, bound bindings) *step {
	left := c.compile(o.Left, bound)
	t := c.table(o.Right, c.certain(o.Left))
	return &step{name: "Minus", estimate: left.estimate, inputs: []*step{left, t.step}, run: func(in row, emit emitter) bool {
		return t.run(make(row, len(in)), in, left, func(r row) bool {
			var key []byte
			for _, ids := range t.rows[string(appendKey(key, r, t.keys))] {
				if !c.tick() {
					return false
				}
				if shares(r, t.slots, ids) {
					return true
				}
			}
			return emit(r)
		})
	}}
}

// shares reports whether a row and another solution have a variable in common, and none with different values.
func shares(r row, slots []int, ids []ID) bool {
	common := false
	for i, s := range slots {
		if r[s] != 0 && ids[i] != 0 {
			if r[s] != ids[i] {
				return false
			}
			common = true
		}
	}
	return common
}
