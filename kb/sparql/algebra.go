package sparql

import (
	"varve/kb/rdf"
)

// The algebra of the standard (section 18), with its names. An Op is a node of it; a multiset of solutions comes out of
// each.
type Op interface{ op() }

// Node is a place of a pattern: a variable, or a term. A blank node of a pattern is a variable that cannot be named.
type Node struct {
	Var  string // without '?'; "" for a term
	Term rdf.Term
}

// TriplePattern is a triple with variables.
type TriplePattern struct{ S, P, O Node }

// The operators.
type (
	// BGP is a basic graph pattern.
	BGP struct{ Triples []TriplePattern }
	// PathPattern is a property path that is more than a sequence of triples.
	PathPattern struct {
		S    Node
		Path Path
		O    Node
	}
	// Join holds what is compatible in both.
	Join struct{ Left, Right Op }
	// LeftJoin is OPTIONAL.
	LeftJoin struct {
		Left, Right Op
		Expr        *Expr // nil is true
	}
	// Filter keeps the solutions for which Expr is true.
	Filter struct {
		Expr *Expr
		In   Op
	}
	// Union has the solutions of both.
	Union struct{ Left, Right Op }
	// Minus drops solutions that share a variable with one of Right and are compatible with it.
	Minus struct{ Left, Right Op }
	// Graph evaluates In in a named graph, or in each of them.
	Graph struct {
		Name Node
		In   Op
	}
	// Extend binds a variable to the value of an expression.
	Extend struct {
		In   Op
		Var  string
		Expr *Expr
	}
	// Values is a table given in the query; no term is UNDEF.
	Values struct {
		Vars []string
		Rows [][]rdf.Term
	}
	// Group divides solutions by keys and computes aggregates of each group (Group and AggregateJoin of the standard).
	Group struct {
		In   Op
		Keys []Binding
		Aggs []Binding
	}
	// OrderBy sorts.
	OrderBy struct {
		In   Op
		Keys []OrderKey
	}
	// Project keeps some variables.
	Project struct {
		In   Op
		Vars []string
	}
	// Distinct drops duplicates.
	Distinct struct{ In Op }
	// Reduced may drop duplicates.
	Reduced struct{ In Op }
	// Slice is OFFSET and LIMIT; a limit of -1 is none.
	Slice struct {
		In            Op
		Offset, Limit int64
	}
	// Service asks another endpoint. Text is the query that is sent there.
	Service struct {
		Name   Node
		In     Op
		Silent bool
		Text   string
	}
)

// Binding is an expression with the variable that gets its value.
type Binding struct {
	Var  string
	Expr *Expr
}

// OrderKey is an expression to sort by.
type OrderKey struct {
	Expr *Expr
	Desc bool
}

func (*BGP) op()         {}
func (*PathPattern) op() {}
func (*Join) op()        {}
func (*LeftJoin) op()    {}
func (*Filter) op()      {}
func (*Union) op()       {}
func (*Minus) op()       {}
func (*Graph) op()       {}
func (*Extend) op()      {}
func (*Values) op()      {}
func (*Group) op()       {}
func (*OrderBy) op()     {}
func (*Project) op()     {}
func (*Distinct) op()    {}
func (*Reduced) op()     {}
func (*Slice) op()       {}
func (*Service) op()     {}

// Path is a property path.
type Path interface{ path() }

// The forms of property paths.
type (
	// PathLink is one predicate.
	PathLink struct{ IRI string }
	// PathInverse goes from object to subject.
	PathInverse struct{ Path Path }
	// PathSeq is one path after the other.
	PathSeq struct{ First, Second Path }
	// PathAlt is either.
	PathAlt struct{ First, Second Path }
	// PathRepeat is a path at least Min times, and once at most unless Many.
	PathRepeat struct {
		Path Path
		Min  int
		Many bool
	}
	// PathNegated is any predicate but these; Backward ones are looked for from object to subject.
	PathNegated struct{ Forward, Backward []string }
)

func (PathLink) path()    {}
func (PathInverse) path() {}
func (PathSeq) path()     {}
func (PathAlt) path()     {}
func (PathRepeat) path()  {}
func (PathNegated) path() {}

// Expr is an expression. Op says what it is:
//
//	"term", "var"            a constant, a variable
//	"exists", "notexists"    of Pattern
//	"count", "sum", ...      aggregates, with Distinct and Separator; count without Args is COUNT(*)
//	"call"                   of the function whose IRI is in Term
//	else                     an operator or a function by its name in lower case
type Expr struct {
	Op        string
	Args      []*Expr
	Term      rdf.Term
	Var       string
	Pattern   Op
	Distinct  bool
	Separator string
	Base      string // of iri: what it resolves against
}

// Form is what a query asks for.
type Form uint8

// The forms of queries.
const (
	Select Form = iota
	Construct
	Describe
	Ask
)

// Query is a parsed query.
type Query struct {
	Form      Form
	Vars      []string // of Select, in order
	Pattern   Op
	Template  []TriplePattern // of Construct
	Describe  []Node
	From      []string // IRIs of the default graph
	FromNamed []string
	Prefixes  map[string]string
}

// Walk calls f for every operator below op and op itself; where f returns false, not for those below.
func Walk(op Op, f func(Op) bool) {
	if op == nil || !f(op) {
		return
	}
	for _, in := range inputs(op) {
		Walk(in, f)
	}
}

// inputs returns the operators that op takes its solutions from.
func inputs(op Op) []Op {
	switch o := op.(type) {
	case *Join:
		return []Op{o.Left, o.Right}
	case *LeftJoin:
		return []Op{o.Left, o.Right}
	case *Union:
		return []Op{o.Left, o.Right}
	case *Minus:
		return []Op{o.Left, o.Right}
	case *Filter:
		return []Op{o.In}
	case *Graph:
		return []Op{o.In}
	case *Extend:
		return []Op{o.In}
	case *Group:
		return []Op{o.In}
	case *OrderBy:
		return []Op{o.In}
	case *Project:
		return []Op{o.In}
	case *Distinct:
		return []Op{o.In}
	case *Reduced:
		return []Op{o.In}
	case *Slice:
		return []Op{o.In}
	case *Service:
		return []Op{o.In}
	}
	return nil
}

// inScope returns the variables that may be bound in the solutions of op, in the order in which they are met, with
// blank nodes.
func inScope(op Op) []string {
	var all []string
	seen := map[string]bool{}
	add := func(names ...string) {
		for _, n := range names {
			if n != "" && !seen[n] {
				seen[n] = true
				all = append(all, n)
			}
		}
	}
	Walk(op, func(op Op) bool {
		switch o := op.(type) {
		case *BGP:
			for _, t := range o.Triples {
				add(t.S.Var, t.P.Var, t.O.Var)
			}
		case *PathPattern:
			add(o.S.Var, o.O.Var)
		case *Graph:
			add(o.Name.Var)
		case *Service:
			add(o.Name.Var)
		case *Extend:
			add(inScope(o.In)...)
			add(o.Var)
			return false
		case *Values:
			add(o.Vars...)
		case *Minus:
			add(inScope(o.Left)...)
			return false
		case *Project:
			add(o.Vars...)
			return false
		case *Group:
			for _, k := range o.Keys {
				add(k.Var)
			}
			for _, a := range o.Aggs {
				add(a.Var)
			}
			return false
		}
		return true
	})
	return all
}
