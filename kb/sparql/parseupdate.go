package sparql

import (
	"varve/kb/rdf"
	"varve/kb/rdf/lex"
)

// UpdateKind says what an operation of an update does.
type UpdateKind uint8

// The kinds of operations.
const (
	Modify UpdateKind = iota // DELETE and INSERT, with or without WHERE
	Load
	Clear
	Drop
	Create
	Add
	Move
	Copy
)

// QuadPattern is a triple with variables in a graph; without a graph, in that of the operation.
type QuadPattern struct {
	TriplePattern
	Graph Node
}

// GraphRef names graphs: one, or the default graph, all named ones, or all.
type GraphRef struct {
	IRI                 string
	Default, Named, All bool
}

// Operation is one step of an update.
type Operation struct {
	Kind           UpdateKind
	Delete, Insert []QuadPattern
	With           string
	Using          []string
	UsingNamed     []string
	Where          Op // nil for data
	Silent         bool
	Source         string   // of Load
	From, To       GraphRef // To alone for Clear, Drop, Create and Load
}

// ParseUpdate reads an update: operations one after the other.
func ParseUpdate(text, base string) ([]Operation, error) {
	p := newParser(text, base)
	var all []Operation
	inserted := map[string]bool{} // labels of data and patterns: each operation has its own
	for p.err == nil {
		p.prologue()
		if p.tok.Kind == lex.EOF {
			break
		}
		p.labels = map[string]int{}
		op := p.operation()
		if op.Where == nil {
			for _, q := range op.Insert {
				for _, n := range []Node{q.S, q.O} {
					if n.Term.Kind == rdf.Blank && n.Term.Value[0] != '.' {
						p.labels[n.Term.Value] = -1
					}
				}
			}
		}
		for label := range p.labels {
			if inserted[label] {
				p.fail("the blank node _:%s is used in two operations", label)
			}
			inserted[label] = true
		}
		all = append(all, op)
		if !p.accept(";") {
			break
		}
	}
	if p.err == nil && p.tok.Kind != lex.EOF {
		p.fail("';' or the end of the update expected, not %s", p.tok)
	}
	if p.err != nil {
		return nil, p.err
	}
	return all, nil
}

func (p *parser) operation() Operation {
	op := Operation{}
	graphOps := map[string]UpdateKind{"CLEAR": Clear, "DROP": Drop, "CREATE": Create, "ADD": Add, "MOVE": Move, "COPY": Copy}
	for word, kind := range graphOps {
		if !p.accept(word) {
			continue
		}
		op.Kind = kind
		op.Silent = p.accept("SILENT")
		switch kind {
		case Clear, Drop:
			op.To = p.graphRef(true)
		case Create:
			p.take("GRAPH")
			op.To = GraphRef{IRI: p.iri()}
		default:
			op.From = p.graphOrDefault()
			p.take("TO")
			op.To = p.graphOrDefault()
		}
		return op
	}
	if p.accept("LOAD") {
		op.Kind = Load
		op.Silent = p.accept("SILENT")
		op.Source = p.iri()
		op.To = GraphRef{Default: true}
		if p.accept("INTO") {
			p.take("GRAPH")
			op.To = GraphRef{IRI: p.iri()}
		}
		return op
	}
	p.modify(&op)
	return op
}

// graphRef reads GRAPH iri, DEFAULT, NAMED or ALL.
func (p *parser) graphRef(many bool) GraphRef {
	switch {
	case p.accept("DEFAULT"):
		return GraphRef{Default: true}
	case many && p.accept("NAMED"):
		return GraphRef{Named: true}
	case many && p.accept("ALL"):
		return GraphRef{All: true}
	}
	p.take("GRAPH")
	return GraphRef{IRI: p.iri()}
}

func (p *parser) graphOrDefault() GraphRef {
	if p.isIRI() {
		return GraphRef{IRI: p.iri()}
	}
	return p.graphRef(false)
}

func (p *parser) modify(op *Operation) {
	if p.accept("WITH") {
		op.With = p.iri()
	}
	seen := false
	if p.accept("DELETE") {
		seen = true
		p.noBlanks = true
		switch {
		case op.With == "" && p.accept("DATA"):
			p.noVars = true
			op.Delete = p.quads()
			p.noVars, p.noBlanks = false, false
			return
		case op.With == "" && p.isWord("WHERE"):
			p.next()
			op.Delete = p.quads()
			p.noBlanks = false
			op.Where = whereOf(op.Delete)
			return
		}
		op.Delete = p.quads()
		p.noBlanks = false
	}
	if p.accept("INSERT") {
		if !seen && op.With == "" && p.accept("DATA") {
			p.noVars = true
			op.Insert = p.quads()
			p.noVars = false
			return
		}
		seen = true
		op.Insert = p.quads()
	}
	if !seen {
		p.fail("an operation (INSERT, DELETE, LOAD, CLEAR, DROP, CREATE, ADD, MOVE, COPY) expected, not %s", p.tok)
		return
	}
	for p.accept("USING") {
		if p.accept("NAMED") {
			op.UsingNamed = append(op.UsingNamed, p.iri())
		} else {
			op.Using = append(op.Using, p.iri())
		}
	}
	p.take("WHERE")
	op.Where = p.groupGraphPattern()
}

// whereOf makes the pattern of quads (DELETE WHERE).
func whereOf(quads []QuadPattern) Op {
	var op Op = &BGP{}
	for i := 0; i < len(quads); {
		g := quads[i].Graph
		bgp := &BGP{}
		for ; i < len(quads) && quads[i].Graph == g; i++ {
			bgp.Triples = append(bgp.Triples, quads[i].TriplePattern)
		}
		if g == (Node{}) {
			op = join(op, bgp)
		} else {
			op = join(op, &Graph{Name: g, In: bgp})
		}
	}
	return op
}

// quads reads triples and graphs of them in braces.
func (p *parser) quads() []QuadPattern {
	var all []QuadPattern
	p.template = true
	defer func() { p.template = false }()
	add := func(g Node) {
		for _, t := range p.plainTriples() {
			all = append(all, QuadPattern{TriplePattern: t, Graph: g})
		}
	}
	p.take("{")
	for p.err == nil && !p.is("}") {
		if p.accept("GRAPH") {
			if p.noVars && p.tok.Kind == lex.Var {
				p.fail("data cannot hold the variable ?%s", p.tok.Text)
			}
			g := p.varOrIRI()
			p.take("{")
			add(g)
			p.take("}")
			p.accept(".")
			continue
		}
		n := len(all)
		add(Node{})
		if len(all) == n {
			p.fail("a triple or GRAPH expected, not %s", p.tok)
		}
		if !p.is("}") && !p.isWord("GRAPH") {
			p.fail("'.', GRAPH or '}' expected, not %s", p.tok)
		}
	}
	p.take("}")
	return all
}
