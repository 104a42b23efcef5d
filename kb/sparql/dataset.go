package sparql

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"sort"

	"varve/kb/rdf"
)

// ID is a term as a number. 0 is none: unbound, or any term in a pattern.
type ID uint64

const (
	// DefaultGraph is the ID of the default graph in every dataset.
	DefaultGraph ID = 1
	// local marks terms that a query made, and no dataset has.
	local ID = 1 << 63
)

// Pattern is a quad with 0 for any term: subject, predicate, object, graph.
type Pattern [4]ID

// Dataset is a view of quads that does not change while it is asked. IDs are below 1<<63, and two terms with one ID are
// one term.
type Dataset interface {
	// Lookup returns the ID of a term, or 0 if no quad can hold it.
	Lookup(rdf.Term) (ID, error)
	// Term returns the term of an ID.
	Term(ID) (rdf.Term, error)
	// Match returns the quads that match, in any order. A graph of 0 matches named graphs and the default graph.
	Match(Pattern) iter.Seq2[Pattern, error]
	// Estimate returns about how many quads match.
	Estimate(Pattern) float64
	// Graphs returns the named graphs.
	Graphs() iter.Seq2[ID, error]
}

// Quads returns the quads of a dataset that match, in its order.
func Quads(data Dataset, p Pattern) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		terms := map[ID]rdf.Term{}
		term := func(id ID) (rdf.Term, error) {
			if t, ok := terms[id]; ok {
				return t, nil
			}
			if len(terms) > 1<<16 {
				clear(terms)
			}
			t, err := data.Term(id)
			terms[id] = t
			return t, err
		}
		for q, err := range data.Match(p) {
			var out [4]rdf.Term
			for i, id := range q {
				if err == nil {
					out[i], err = term(id)
				}
			}
			if !yield(rdf.Quad{Triple: rdf.Triple{Subject: out[0], Predicate: out[1], Object: out[2]}, Graph: out[3]}, err) || err != nil {
				return
			}
		}
	}
}

// Memory is a dataset of quads in memory. It is made once.
type Memory struct {
	terms  []rdf.Term // by ID
	ids    map[rdf.Term]ID
	orders [3][]Pattern // sorted by memoryOrders
	graphs []ID
}

var memoryOrders = [3][4]int{{0, 1, 2, 3}, {1, 2, 0, 3}, {2, 0, 1, 3}}

// NewMemory returns a dataset of quads.
func NewMemory(quads []rdf.Quad) *Memory {
	m := &Memory{terms: make([]rdf.Term, DefaultGraph+1), ids: map[rdf.Term]ID{{}: DefaultGraph}}
	id := func(t rdf.Term) ID {
		n, ok := m.ids[t]
		if !ok {
			n = ID(len(m.terms))
			m.ids[t] = n
			m.terms = append(m.terms, t)
		}
		return n
	}
	set := map[Pattern]bool{}
	graphs := map[ID]bool{}
	for _, q := range quads {
		p := Pattern{id(q.Subject), id(q.Predicate), id(q.Object), id(q.Graph)}
		set[p] = true
		if p[3] != DefaultGraph {
			graphs[p[3]] = true
		}
	}
	m.graphs = slices.Sorted(maps.Keys(graphs))
	for i, order := range memoryOrders {
		m.orders[i] = slices.SortedFunc(maps.Keys(set), func(a, b Pattern) int {
			return cmp.Or(cmp.Compare(a[order[0]], b[order[0]]), cmp.Compare(a[order[1]], b[order[1]]), cmp.Compare(a[order[2]], b[order[2]]), cmp.Compare(a[order[3]], b[order[3]]))
		})
	}
	return m
}

// Lookup returns the ID of a term.
func (m *Memory) Lookup(t rdf.Term) (ID, error) { return m.ids[t], nil }

// Term returns the term of an ID.
func (m *Memory) Term(id ID) (rdf.Term, error) { return m.terms[id], nil }

// rangeOf returns the quads that share the longest bound prefix with p in the order where it is longest.
func (m *Memory) rangeOf(p Pattern) []Pattern {
	best, length := 0, -1
	for i, order := range memoryOrders {
		n := 0
		for n < 3 && p[order[n]] != 0 {
			n++
		}
		if n > length {
			best, length = i, n
		}
	}
	order, quads := memoryOrders[best], m.orders[best]
	compare := func(q Pattern) int {
		for _, place := range order[:length] {
			if c := cmp.Compare(q[place], p[place]); c != 0 {
				return c
			}
		}
		return 0
	}
	from := sort.Search(len(quads), func(i int) bool { return compare(quads[i]) >= 0 })
	to := from + sort.Search(len(quads)-from, func(i int) bool { return compare(quads[from+i]) > 0 })
	return quads[from:to]
}

// Match returns the quads that match.
func (m *Memory) Match(p Pattern) iter.Seq2[Pattern, error] {
	return func(yield func(Pattern, error) bool) {
		for _, q := range m.rangeOf(p) {
			if p.matches(q) && !yield(q, nil) {
				return
			}
		}
	}
}

func (p Pattern) matches(q Pattern) bool {
	for i, id := range p {
		if id != 0 && id != q[i] {
			return false
		}
	}
	return true
}

// Estimate returns how many quads match, but for the graph.
func (m *Memory) Estimate(p Pattern) float64 { return float64(len(m.rangeOf(p))) }

// Graphs returns the named graphs.
func (m *Memory) Graphs() iter.Seq2[ID, error] {
	return func(yield func(ID, error) bool) {
		for _, g := range m.graphs {
			if !yield(g, nil) {
				return
			}
		}
	}
}

var _ Dataset = (*Memory)(nil)
