package sparql

import "slices"

// joinPath joins with a property path. From whichever end is bound the path is followed; if neither is, from every
// node where it can begin.
func (c *compiler) joinPath(left *step, a part, known bindings) *step {
	g := c.graph
	ends := [2]ID{}
	slots := [2]int{-1, -1}
	for i, n := range []Node{a.s, a.o} {
		if n.Var != "" {
			slots[i] = c.slot(n.Var)
		} else {
			ends[i] = c.id(n.Term)
		}
	}
	path := c.resolvePath(a.path)
	empty := canBeEmpty(a.path)
	return &step{name: "Path", detail: a.String(), estimate: left.estimate * c.expected(a, known), inputs: []*step{left}, run: func(in row, emit emitter) bool {
		return left.run(in, func(r row) bool {
			from, to := ends[0], ends[1]
			if slots[0] >= 0 {
				from = r[slots[0]]
			}
			if slots[1] >= 0 {
				to = r[slots[1]]
			}
			w := &walker{execution: c.execution, graph: g, row: r}
			if empty { // a variable is a node of the graph, whatever it was bound to before; a term of the query need not be
				for i, id := range []ID{from, to} {
					if slots[i] >= 0 && id != 0 && !w.isNode(id) {
						return c.err == nil
					}
				}
			}
			return w.walk(path, from, to, func(s, o ID) bool {
				return fill(r, [3]int{slots[0], -1, slots[1]}, graphRef{id: DefaultGraph}, Pattern{s, 0, o}, emit)
			})
		})
	}}
}

// canBeEmpty reports whether a path connects nodes with themselves.
func canBeEmpty(p Path) bool {
	switch p := p.(type) {
	case PathInverse:
		return canBeEmpty(p.Path)
	case PathSeq:
		return canBeEmpty(p.First) && canBeEmpty(p.Second)
	case PathAlt:
		return canBeEmpty(p.First) || canBeEmpty(p.Second)
	case PathRepeat:
		return p.Min == 0 || canBeEmpty(p.Path)
	}
	return false
}

// The paths of a query with predicates as IDs.
type (
	linkStep    struct{ id ID }
	inverseStep struct{ path any }
	seqStep     struct{ first, second any }
	altStep     struct{ first, second any }
	repeatStep  struct {
		path any
		min  int
		many bool
	}
	negatedStep struct {
		forward, backward     []ID
		goForward, goBackward bool
	}
)

func (c *compiler) resolvePath(p Path) any {
	ids := func(iris []string) (all []ID) {
		for _, iri := range iris {
			all = append(all, c.id(iriTerm(iri)))
		}
		return all
	}
	switch p := p.(type) {
	case PathLink:
		return linkStep{c.id(iriTerm(p.IRI))}
	case PathInverse:
		return inverseStep{c.resolvePath(p.Path)}
	case PathSeq:
		return seqStep{c.resolvePath(p.First), c.resolvePath(p.Second)}
	case PathAlt:
		return altStep{c.resolvePath(p.First), c.resolvePath(p.Second)}
	case PathRepeat:
		return repeatStep{c.resolvePath(p.Path), p.Min, p.Many}
	case PathNegated:
		return negatedStep{ids(p.Forward), ids(p.Backward), p.Forward != nil || p.Backward == nil, p.Backward != nil}
	}
	panic("sparql: no such path")
}

// walker follows paths in a graph.
type walker struct {
	*execution
	graph graphRef
	row   row
}

// walk hands on the pairs that a path connects; from and to are 0 where they are to be found. Repeated paths connect a
// pair once, others as often as there are ways (18.4).
func (w *walker) walk(path any, from, to ID, emit func(s, o ID) bool) bool {
	switch p := path.(type) {
	case linkStep:
		return w.match(w.graph, w.row, Pattern{from, p.id, to}, func(q Pattern) bool { return emit(q[0], q[2]) })
	case inverseStep:
		return w.walk(p.path, to, from, func(s, o ID) bool { return emit(o, s) })
	case seqStep:
		if from == 0 && to != 0 { // begin where the end is known
			return w.walk(p.second, 0, to, func(mid, o ID) bool {
				return w.walk(p.first, 0, mid, func(s, _ ID) bool { return emit(s, o) })
			})
		}
		return w.walk(p.first, from, 0, func(s, mid ID) bool {
			return w.walk(p.second, mid, to, func(_, o ID) bool { return emit(s, o) })
		})
	case altStep:
		return w.walk(p.first, from, to, emit) && w.walk(p.second, from, to, emit)
	case negatedStep:
		return w.negated(p, from, to, emit)
	case repeatStep:
		return w.repeat(p, from, to, emit)
	}
	panic("sparql: no such path")
}

func (w *walker) negated(p negatedStep, from, to ID, emit func(s, o ID) bool) bool {
	if p.goForward && !w.match(w.graph, w.row, Pattern{from, 0, to}, func(q Pattern) bool {
		return slices.Contains(p.forward, q[1]) || emit(q[0], q[2])
	}) {
		return false
	}
	return !p.goBackward || w.match(w.graph, w.row, Pattern{to, 0, from}, func(q Pattern) bool {
		return slices.Contains(p.backward, q[1]) || emit(q[2], q[0])
	})
}

func (w *walker) repeat(p repeatStep, from, to ID, emit func(s, o ID) bool) bool {
	switch {
	case from != 0:
		return w.reach(p, from, false, func(node ID) bool { return to != 0 && node != to || emit(from, node) })
	case to != 0:
		return w.reach(p, to, true, func(node ID) bool { return emit(node, to) })
	}
	return w.nodes(func(node ID) bool {
		return w.reach(p, node, false, func(end ID) bool { return emit(node, end) })
	})
}

// reach hands on, once each, the nodes that a repeated path leads to from a node, or from which it leads there. It goes
// from node to node with a list of those to do, so long chains need no depth.
func (w *walker) reach(p repeatStep, start ID, back bool, emit func(ID) bool) bool {
	seen := map[ID]bool{}
	own := 0
	defer func() { w.memory -= int64(own) }()
	if p.min == 0 {
		seen[start] = true
		if !emit(start) {
			return false
		}
	}
	todo := []ID{start}
	for len(todo) > 0 {
		node := todo[0]
		todo = todo[1:]
		var found []ID
		visit := func(next ID) bool {
			if seen[next] {
				return true
			}
			seen[next] = true
			own += 40
			if p.many {
				todo = append(todo, next)
			}
			found = append(found, next)
			return w.hold(40)
		}
		ok := false
		if back {
			ok = w.walk(p.path, 0, node, func(s, _ ID) bool { return visit(s) })
		} else {
			ok = w.walk(p.path, node, 0, func(_, o ID) bool { return visit(o) })
		}
		if !ok {
			return false
		}
		for _, next := range found {
			if !emit(next) {
				return false
			}
		}
	}
	return true
}

// isNode reports whether a term is a subject or an object of the graph.
func (w *walker) isNode(id ID) bool {
	found := false
	for _, p := range []Pattern{{id, 0, 0}, {0, 0, id}} {
		w.match(w.graph, w.row, p, func(Pattern) bool {
			found = true
			return false
		})
	}
	return found
}

// nodes hands on every subject and object of the graph once.
func (w *walker) nodes(emit func(ID) bool) bool {
	seen := map[ID]bool{}
	own := 0
	defer func() { w.memory -= int64(own) }()
	return w.match(w.graph, w.row, Pattern{}, func(q Pattern) bool {
		for _, id := range []ID{q[0], q[2]} {
			if !seen[id] {
				seen[id] = true
				own += 40
				if !w.hold(40) || !emit(id) {
					return false
				}
			}
		}
		return true
	})
}
