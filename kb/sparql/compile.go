package sparql

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"varve/kb/rdf"
)

// compiler makes steps of operators.
type compiler struct {
	*execution
	scope map[string]int // variables to slots
	next  int            // slot
	graph graphRef
}

// bindings are slots that every solution has bound at some place.
type bindings map[int]bool

func (b bindings) with(slots ...int) bindings {
	out := maps.Clone(b)
	if out == nil {
		out = bindings{}
	}
	for _, s := range slots {
		out[s] = true
	}
	return out
}

// slot returns the slot of a variable.
func (c *compiler) slot(name string) int {
	s, ok := c.scope[name]
	if !ok {
		s = c.next
		c.next++
		c.scope[name] = s
	}
	return s
}

func (c *compiler) slotsOf(vars []string) []int {
	var all []int
	for _, v := range vars {
		all = append(all, c.slot(v))
	}
	return all
}

// certain returns the slots that every solution of op has bound.
func (c *compiler) certain(op Op) bindings {
	out := bindings{}
	switch o := op.(type) {
	case *Join:
		maps.Copy(out, c.certain(o.Left))
		maps.Copy(out, c.certain(o.Right))
	case *LeftJoin:
		return c.certain(o.Left)
	case *Minus:
		return c.certain(o.Left)
	case *Union:
		right := c.certain(o.Right)
		for s := range c.certain(o.Left) {
			if right[s] {
				out[s] = true
			}
		}
	case *Values:
		for i, v := range o.Vars {
			if !slices.ContainsFunc(o.Rows, func(r []rdf.Term) bool { return r[i].Kind == rdf.None }) {
				out[c.slot(v)] = true
			}
		}
	case *Graph:
		out = c.certain(o.In)
		if o.Name.Var != "" {
			out[c.slot(o.Name.Var)] = true
		}
	case *BGP:
		for _, v := range inScope(o) {
			out[c.slot(v)] = true
		}
	case *PathPattern:
		for _, v := range inScope(o) {
			out[c.slot(v)] = true
		}
	case *Project:
		inner := c.certain(o.In)
		for _, v := range o.Vars {
			if s := c.slot(v); inner[s] {
				out[s] = true
			}
		}
	case *Group, *Service:
	default:
		for _, in := range inputs(op) {
			maps.Copy(out, c.certain(in))
		}
	}
	return out
}

// takesBindings reports whether joining with op is the same as evaluating it with the bindings of the other side put in:
// there is nothing in it whose outcome depends on not knowing them.
func takesBindings(op Op) bool {
	ok := true
	Walk(op, func(op Op) bool {
		switch o := op.(type) {
		case *BGP, *PathPattern, *Values, *Join, *Union, *Graph:
		case *Service: // its solutions are a table
			return false
		case *Filter: // what it looks at must be bound inside
			ok = ok && boundInside(o)
		default:
			ok = false
		}
		return ok
	})
	return ok
}

func boundInside(f *Filter) bool {
	c := &compiler{scope: map[string]int{}}
	bound := c.certain(f.In)
	inside := true
	f.Expr.walk(func(e *Expr) {
		if e.Pattern != nil || e.Op == "var" && !bound[c.slot(e.Var)] {
			inside = false
		}
	})
	return inside
}

// walk calls f for an expression and all in it.
func (e *Expr) walk(f func(*Expr)) {
	f(e)
	for _, a := range e.Args {
		a.walk(f)
	}
}

// compile makes a step of op; bound are the slots that its input has bound for certain.
func (c *compiler) compile(op Op, bound bindings) *step {
	switch o := op.(type) {
	case *BGP, *PathPattern, *Join:
		return c.conjunction(op, nil, bound)
	case *Filter:
		return c.conjunction(o.In, conjuncts(o.Expr), bound)
	case *LeftJoin:
		return c.leftJoin(o, bound)
	case *Union:
		return c.union(o, bound)
	case *Minus:
		return c.minus(o, bound)
	case *Graph:
		return c.namedGraph(o, bound)
	case *Extend:
		return c.extend(o, bound)
	case *Values:
		return c.values(o)
	case *Group:
		return c.group(o, bound)
	case *OrderBy:
		return c.orderBy(o, bound, -1)
	case *Project:
		return c.project(o, bound)
	case *Distinct:
		return c.distinct(c.compile(o.In, bound), inScope(o.In))
	case *Reduced:
		return c.compile(o.In, bound)
	case *Slice:
		return c.slice(o, bound)
	case *Service:
		return c.service(o)
	}
	panic(fmt.Sprintf("sparql: no such operator: %T", op))
}

// conjuncts takes an expression apart at its &&.
func conjuncts(e *Expr) []*Expr {
	if e.Op == "&&" {
		return append(conjuncts(e.Args[0]), conjuncts(e.Args[1])...)
	}
	return []*Expr{e}
}

// filter keeps what is true for an expression.
func (c *compiler) filter(in *step, exprs []*Expr) *step {
	if len(exprs) == 0 {
		return in
	}
	tests := c.tests(exprs)
	return &step{name: "Filter", detail: describeExprs(exprs), estimate: in.estimate / 2, inputs: []*step{in}, run: func(r row, emit emitter) bool {
		return in.run(r, func(r row) bool {
			for _, ok := range tests {
				if !ok(r) {
					return c.err == nil
				}
			}
			return emit(r)
		})
	}}
}

// tests compiles expressions to their effective boolean values; an error is false.
func (c *compiler) tests(exprs []*Expr) []func(row) bool {
	var all []func(row) bool
	for _, e := range exprs {
		value := c.expr(e)
		all = append(all, func(r row) bool {
			v, ok := value(r)
			if !ok {
				return false
			}
			b, ok := effective(v)
			return ok && b
		})
	}
	return all
}

func (c *compiler) union(o *Union, bound bindings) *step {
	left, right := c.compile(o.Left, bound), c.compile(o.Right, bound)
	return &step{name: "Union", estimate: left.estimate + right.estimate, inputs: []*step{left, right}, run: func(in row, emit emitter) bool {
		return left.run(in, emit) && right.run(in, emit)
	}}
}

func (c *compiler) values(o *Values) *step {
	slots := c.slotsOf(o.Vars)
	var rows [][]ID
	for _, r := range o.Rows {
		ids := make([]ID, len(r))
		for i, t := range r {
			ids[i] = c.id(t)
		}
		rows = append(rows, ids)
	}
	return &step{name: "Values", detail: fmt.Sprint(o.Vars), estimate: float64(len(rows)), run: func(in row, emit emitter) bool {
		return c.each(in, slots, rows, emit)
	}}
}

// each passes a row with each row of a table that is compatible with it.
func (c *compiler) each(in row, slots []int, table [][]ID, emit emitter) bool {
	for _, ids := range table {
		if !c.tick() {
			return false
		}
		if undo, ok := bind(in, slots, ids); ok {
			more := emit(in)
			unbind(in, undo)
			if !more {
				return false
			}
		}
	}
	return true
}

// bind puts values into the slots of a row, where they are compatible, and returns which slots it filled.
func bind(r row, slots []int, ids []ID) (filled []int, ok bool) {
	for i, s := range slots {
		switch {
		case ids[i] == 0 || r[s] == ids[i]:
		case r[s] == 0:
			r[s] = ids[i]
			filled = append(filled, s)
		default:
			for _, s := range filled {
				r[s] = 0
			}
			return nil, false
		}
	}
	return filled, true
}

func unbind(r row, filled []int) {
	for _, s := range filled {
		r[s] = 0
	}
}

// extend binds variables to expressions, one after the other; those that follow each other share a solution.
func (c *compiler) extend(o *Extend, bound bindings) *step {
	var chain []*Extend
	var op Op = o
	for {
		e, ok := op.(*Extend)
		if !ok {
			break
		}
		chain = append(chain, e)
		op = e.In
	}
	slices.Reverse(chain)
	in := c.compile(op, bound)
	type assignment struct {
		slot  int
		value evaluator
	}
	var all []assignment
	var names []string
	for _, e := range chain {
		all = append(all, assignment{c.slot(e.Var), c.expr(e.Expr)})
		names = append(names, "?"+e.Var)
	}
	return &step{name: "Extend", detail: strings.Join(names, " "), estimate: in.estimate, inputs: []*step{in}, run: func(r row, emit emitter) bool {
		return in.run(r, func(r row) bool {
			c.bnodes = nil // BNODE(label) is the same inside of one solution
			var filled []int
			ok := true
			for _, a := range all {
				v, bound := a.value(r)
				if !bound {
					continue
				}
				id := c.id(v)
				switch r[a.slot] {
				case 0:
					r[a.slot] = id
					filled = append(filled, a.slot)
				case id:
				default: // bound from outside, to another value
					ok = false
				}
			}
			more := c.err == nil && (!ok || emit(r))
			unbind(r, filled)
			return more
		})
	}}
}

// project hides the variables that are not selected: inside they have slots of their own.
func (c *compiler) project(o *Project, bound bindings) *step {
	return c.inner(o, bound, func(op Op, bound bindings) *step { return c.compile(op, bound) })
}

// inner compiles the input of a projection in a scope of its own.
func (c *compiler) inner(o *Project, bound bindings, compile func(Op, bindings) *step) *step {
	outer := c.scope
	c.scope = map[string]int{}
	for _, v := range o.Vars {
		if s, ok := outer[v]; ok {
			c.scope[v] = s
		}
	}
	in := compile(o.In, bound)
	for _, v := range o.Vars {
		outer[v] = c.slot(v)
	}
	c.scope = outer
	return in
}

func appendKey(b []byte, r row, slots []int) []byte {
	for _, s := range slots {
		b = binary.BigEndian.AppendUint64(b, uint64(r[s]))
	}
	return b
}

func (c *compiler) slice(o *Slice, bound bindings) *step {
	in := c.sorted(o, bound)
	estimate := in.estimate
	if o.Limit >= 0 {
		estimate = min(estimate, float64(o.Limit))
	}
	return &step{name: "Slice", detail: fmt.Sprintf("offset %d limit %d", o.Offset, o.Limit), estimate: estimate, inputs: []*step{in}, run: func(r row, emit emitter) bool {
		n := int64(0)
		full := o.Limit == 0
		if full {
			return true
		}
		more := in.run(r, func(r row) bool {
			if n++; n <= o.Offset {
				return true
			}
			if !emit(r) {
				return false
			}
			full = o.Limit > 0 && n-o.Offset >= o.Limit
			return !full
		})
		return more || full && c.err == nil
	}}
}

// sorted compiles what a slice is cut from; where that is sorted, no more is kept than is cut.
func (c *compiler) sorted(o *Slice, bound bindings) *step {
	p, ok := o.In.(*Project)
	if !ok || o.Limit < 0 || o.Limit+o.Offset > 1<<20 {
		return c.compile(o.In, bound)
	}
	return c.inner(p, bound, func(op Op, bound bindings) *step {
		if order, ok := op.(*OrderBy); ok {
			return c.orderBy(order, bound, int(o.Limit+o.Offset))
		}
		return c.compile(op, bound)
	})
}

// namedGraph evaluates in a graph, or in each.
func (c *compiler) namedGraph(o *Graph, bound bindings) *step {
	outer := c.graph
	defer func() { c.graph = outer }()
	if o.Name.Var == "" {
		c.graph = graphRef{id: c.id(o.Name.Term)}
		in := c.compile(o.In, bound)
		g := c.graph
		return &step{name: "Graph", detail: o.Name.String(), estimate: in.estimate, inputs: []*step{in}, run: func(r row, emit emitter) bool {
			if !c.isGraph(g.id) {
				return c.err == nil
			}
			return in.run(r, emit)
		}}
	}
	// Inside, the variable is not bound: the graph has a slot of its own, and is joined with the variable behind it.
	slot, hidden := c.slot(o.Name.Var), c.next
	c.next++
	c.graph = graphRef{slot: hidden}
	bgp, triples := o.In.(*BGP)
	triples = triples && len(bgp.Triples) > 0 // they find the graph themselves
	known := bound
	if !triples {
		known = bound.with(hidden)
	}
	in := c.compile(o.In, known)
	return &step{name: "Graph", detail: o.Name.String(), estimate: in.estimate, inputs: []*step{in}, run: func(r row, emit emitter) bool {
		inGraph := func(g ID) bool {
			r[hidden] = g
			defer func() { r[hidden] = 0 }()
			return in.run(r, func(r row) bool {
				switch old, g := r[slot], r[hidden]; old {
				case g:
					return emit(r)
				case 0:
					r[slot] = g
					more := emit(r)
					r[slot] = 0
					return more
				}
				return true
			})
		}
		switch {
		case r[slot] != 0 && !c.isGraph(r[slot]):
			return c.err == nil
		case r[slot] != 0 || triples:
			return inGraph(r[slot])
		}
		return c.eachGraph(inGraph)
	}}
}

// eachGraph calls f for each named graph.
func (x *execution) eachGraph(f func(ID) bool) bool {
	if x.named != nil {
		for _, g := range slices.Sorted(maps.Keys(x.named)) {
			if !f(g) {
				return false
			}
		}
		return true
	}
	for g, err := range x.data.Graphs() {
		if err != nil {
			return x.fail(err)
		}
		if !x.tick() || !f(g) {
			return false
		}
	}
	return true
}

// isGraph reports whether an ID names a graph of the dataset.
func (x *execution) isGraph(id ID) bool {
	if id >= local || id == DefaultGraph {
		return false
	}
	if x.named != nil {
		return x.named[id]
	}
	for _, err := range x.data.Match(Pattern{0, 0, 0, id}) {
		return err == nil || x.fail(err)
	}
	return false
}

// String returns a node as a query writes it.
func (n Node) String() string {
	switch {
	case n.Var != "" && n.Var[0] == '.':
		return "_:" + n.Var[1:]
	case strings.HasPrefix(n.Var, "_:"):
		return n.Var
	case n.Var != "":
		return "?" + n.Var
	}
	return n.Term.String()
}

func describeExprs(exprs []*Expr) string {
	var all []string
	for _, e := range exprs {
		all = append(all, e.String())
	}
	return strings.Join(all, " && ")
}

// String returns an expression in prefix form.
func (e *Expr) String() string {
	switch e.Op {
	case "var":
		return Node{Var: e.Var}.String()
	case "term":
		return e.Term.String()
	}
	var args []string
	for _, a := range e.Args {
		args = append(args, a.String())
	}
	name := e.Op
	if name == "call" {
		name = e.Term.String()
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// Explain returns the plan of a query: what is done, in which order, and how many solutions are expected.
func (r *Result) Explain() string {
	var b strings.Builder
	var write func(s *step, depth int)
	write = func(s *step, depth int) {
		fmt.Fprintf(&b, "%s%s", strings.Repeat("  ", depth), s.name)
		if s.detail != "" {
			fmt.Fprintf(&b, " %s", s.detail)
		}
		fmt.Fprintf(&b, "  (about %.0f)\n", s.estimate)
		for _, in := range s.inputs {
			write(in, depth+1)
		}
	}
	write(r.plan, 0)
	return b.String()
}
