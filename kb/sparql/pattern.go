package sparql

import (
	"slices"

	"varve/kb/rdf"
	"varve/kb/rdf/lex"
)

// groupGraphPattern reads what stands in braces, and translates it (18.2.2).
func (p *parser) groupGraphPattern() Op {
	op, filter := p.group()
	if filter != nil {
		return &Filter{Expr: filter, In: op}
	}
	return op
}

// group reads what stands in braces, and returns its own filters apart: those of OPTIONAL belong to the join.
func (p *parser) group() (Op, *Expr) {
	defer p.leave()
	if !p.enter() {
		return &BGP{}, nil
	}
	p.take("{")
	defer func() {
		p.closed = p.tok
		p.take("}")
	}()
	if p.isWord("SELECT") {
		return p.subSelect(), nil
	}
	return p.groupBody()
}

func (p *parser) subSelect() Op {
	aggs := p.aggs
	p.aggs = nil
	op, _ := p.selectRest(p.selectClause(), true)
	p.aggs = aggs
	return op
}

func (p *parser) groupBody() (Op, *Expr) {
	var op Op = &BGP{}
	var filters []*Expr
	p.pattern++
	for p.err == nil && !p.is("}") {
		switch {
		case p.accept("FILTER"):
			filters = append(filters, p.constraint())
			p.accept(".")
			continue
		case p.accept("OPTIONAL"):
			right, filter := p.group()
			op = &LeftJoin{Left: op, Right: right, Expr: filter}
		case p.accept("MINUS"):
			op = &Minus{op, p.groupGraphPattern()}
		case p.accept("BIND"):
			p.take("(")
			e := p.expression()
			p.take("AS")
			at := p.tok
			v := p.variable()
			p.take(")")
			if p.err == nil && slices.Contains(inScope(op), v) {
				p.stop(&Error{Line: at.Line, Column: at.Column, Msg: "the variable ?" + v + " of BIND is bound before it in the same group"})
			}
			op = &Extend{In: op, Var: v, Expr: e}
		case p.accept("VALUES"):
			op = join(op, p.dataBlock())
		case p.accept("GRAPH"):
			name := p.varOrIRI()
			op = join(op, &Graph{Name: name, In: p.groupGraphPattern()})
		case p.accept("SERVICE"):
			silent := p.accept("SILENT")
			name := p.varOrIRI()
			begin := p.tok
			in := p.groupGraphPattern()
			op = join(op, &Service{Name: name, In: in, Silent: silent, Text: p.sent(begin)})
		case p.is("{"):
			union := p.groupGraphPattern()
			for p.accept("UNION") {
				union = &Union{union, p.groupGraphPattern()}
			}
			op = join(op, union)
		default:
			for _, t := range p.triplesBlock() {
				op = p.addTriple(op, t)
			}
			if !p.is("}") && !p.startsOther() && p.err == nil {
				p.fail("'.' or '}' expected, not %s", p.tok)
			}
			continue // the same basic graph pattern, should a filter follow
		}
		p.accept(".")
		p.pattern++
	}
	p.pattern++
	if len(filters) == 0 {
		return op, nil
	}
	all := filters[0]
	for _, f := range filters[1:] {
		all = &Expr{Op: "&&", Args: []*Expr{all, f}}
	}
	return op, all
}

func (p *parser) startsOther() bool {
	return p.is("{") || p.isWord("FILTER", "OPTIONAL", "MINUS", "BIND", "VALUES", "GRAPH", "SERVICE")
}

// join leaves out the empty pattern, which is the one of joining.
func join(a, b Op) Op {
	if bgp, ok := a.(*BGP); ok && len(bgp.Triples) == 0 {
		return b
	}
	if bgp, ok := b.(*BGP); ok && len(bgp.Triples) == 0 {
		return a
	}
	return &Join{a, b}
}

// pathTriple is a triple whose predicate may be a path.
type pathTriple struct {
	s, p, o Node
	path    Path // nil where p is a variable
}

// addTriple adds a triple or path to the group, to its last basic graph pattern where there is one.
func (p *parser) addTriple(op Op, t pathTriple) Op {
	var add func(op Op, s Node, path Path, o Node) Op
	add = func(op Op, s Node, path Path, o Node) Op {
		switch x := path.(type) {
		case PathLink:
			return addBGP(op, TriplePattern{s, Node{Term: rdf.NewIRI(x.IRI)}, o})
		case PathInverse:
			return add(op, o, x.Path, s)
		case PathSeq:
			mid := Node{Var: p.madeUp("path")}
			return add(add(op, s, x.First, mid), mid, x.Second, o)
		}
		return join(op, &PathPattern{s, path, o})
	}
	if t.path == nil {
		return addBGP(op, TriplePattern{t.s, t.p, t.o})
	}
	return add(op, t.s, t.path, t.o)
}

func addBGP(op Op, t TriplePattern) Op {
	switch o := op.(type) {
	case *BGP:
		o.Triples = append(o.Triples, t)
		return o
	case *Join:
		if bgp, ok := o.Right.(*BGP); ok {
			bgp.Triples = append(bgp.Triples, t)
			return o
		}
	}
	return &Join{op, &BGP{Triples: []TriplePattern{t}}}
}

func (p *parser) varOrIRI() Node {
	if p.tok.Kind == lex.Var {
		return Node{Var: p.variable()}
	}
	return Node{Term: rdf.NewIRI(p.iri())}
}

// dataBlock reads the table behind VALUES.
func (p *parser) dataBlock() Op {
	v := &Values{}
	if p.tok.Kind == lex.Var {
		v.Vars = []string{p.variable()}
		p.take("{")
		for p.err == nil && !p.is("}") {
			v.Rows = append(v.Rows, []rdf.Term{p.dataValue()})
		}
		p.take("}")
		return v
	}
	p.take("(")
	for p.tok.Kind == lex.Var {
		v.Vars = append(v.Vars, p.variable())
	}
	p.take(")")
	p.take("{")
	for p.err == nil && !p.is("}") {
		p.take("(")
		row := []rdf.Term{}
		for p.err == nil && !p.is(")") {
			row = append(row, p.dataValue())
		}
		if len(row) != len(v.Vars) {
			p.fail("%d values for %d variables", len(row), len(v.Vars))
		}
		p.take(")")
		v.Rows = append(v.Rows, row)
	}
	p.take("}")
	return v
}

func (p *parser) dataValue() rdf.Term {
	if p.accept("UNDEF") {
		return rdf.Term{}
	}
	if p.isIRI() {
		return rdf.NewIRI(p.iri())
	}
	t, ok := p.literal()
	if !ok {
		p.fail("a value or UNDEF expected, not %s", p.tok)
	}
	return t
}

// triplesBlock reads triples up to what is none.
func (p *parser) triplesBlock() []pathTriple {
	var out []pathTriple
	for p.err == nil && p.startsTriple() {
		bare := p.is("[") || p.is("(")
		n := len(out)
		s := p.nodeWith(&out)
		if p.startsVerb() || !bare || len(out) == n {
			p.properties(s, &out)
		}
		if !p.accept(".") {
			break
		}
	}
	return out
}

func (p *parser) startsTriple() bool {
	switch p.tok.Kind {
	case lex.Var, lex.IRI, lex.Name, lex.Blank, lex.String, lex.Integer, lex.Decimal, lex.Double:
		return true
	case lex.Word:
		return p.isWord("true", "false")
	}
	return p.is("[") || p.is("(")
}

func (p *parser) startsVerb() bool {
	return p.tok.Kind == lex.Var || p.isIRI() || p.tok.Kind == lex.Word && p.tok.Text == "a" || p.is("^") || p.is("!") || p.is("(")
}

// properties reads what is said of s.
func (p *parser) properties(s Node, out *[]pathTriple) {
	for {
		t := pathTriple{s: s}
		if p.tok.Kind == lex.Var {
			t.p = p.node()
		} else if p.startsVerb() {
			t.path = p.path()
		} else {
			p.fail("a predicate expected, not %s", p.tok)
			return
		}
		for {
			t.o = p.nodeWith(out)
			*out = append(*out, t)
			if !p.accept(",") || p.err != nil {
				break
			}
		}
		if !p.is(";") {
			return
		}
		for p.accept(";") {
		}
		if !p.startsVerb() {
			return
		}
	}
}

// nodeWith reads a node; what is said inside of brackets goes to out.
func (p *parser) nodeWith(out *[]pathTriple) Node {
	switch {
	case p.is("["):
		defer p.leave()
		if !p.enter() {
			return Node{}
		}
		p.next()
		n := p.anon()
		if !p.is("]") {
			p.properties(n, out)
		}
		p.take("]")
		return n
	case p.is("("):
		return p.collection(out)
	}
	return p.node()
}

// anon returns a blank node without a label.
func (p *parser) anon() Node {
	if p.noBlanks {
		p.fail("a blank node cannot be deleted: a variable can")
	}
	if p.template {
		return Node{Term: rdf.NewBlank(p.madeUp("b"))}
	}
	return Node{Var: p.madeUp("b")}
}

func (p *parser) collection(out *[]pathTriple) Node {
	defer p.leave()
	if !p.enter() {
		return Node{}
	}
	p.next()
	if p.accept(")") {
		return Node{Term: rdf.NewIRI(rdf.Nil)}
	}
	head := p.anon()
	for node := head; p.err == nil; {
		*out = append(*out, pathTriple{s: node, path: PathLink{rdf.First}, o: p.nodeWith(out)})
		if p.accept(")") {
			*out = append(*out, pathTriple{s: node, path: PathLink{rdf.Rest}, o: Node{Term: rdf.NewIRI(rdf.Nil)}})
			break
		}
		next := p.anon()
		*out = append(*out, pathTriple{s: node, path: PathLink{rdf.Rest}, o: next})
		node = next
	}
	return head
}

// node reads a variable or a term.
func (p *parser) node() Node {
	t := p.tok
	switch {
	case t.Kind == lex.Var:
		if p.noVars {
			p.fail("data cannot hold the variable ?%s", t.Text)
		}
		return Node{Var: p.variable()}
	case p.isIRI():
		return Node{Term: rdf.NewIRI(p.iri())}
	case t.Kind == lex.Blank:
		if p.noBlanks {
			p.fail("a blank node cannot be deleted: a variable can")
		}
		if used, ok := p.labels[t.Text]; ok && used != p.pattern && !p.template {
			p.fail("the blank node _:%s is used in two patterns", t.Text)
		}
		if !p.template {
			p.labels[t.Text] = p.pattern
		}
		p.next()
		if p.template {
			return Node{Term: rdf.NewBlank(t.Text)}
		}
		return Node{Var: "_:" + t.Text}
	}
	term, ok := p.literal()
	if !ok {
		p.fail("a variable or a term expected, not %s", t)
	}
	return Node{Term: term}
}

// literal reads a literal, and reports whether there is one.
func (p *parser) literal() (rdf.Term, bool) {
	t := p.tok
	switch t.Kind {
	case lex.Integer:
		p.next()
		return rdf.NewLiteral(t.Text, rdf.Integer), true
	case lex.Decimal:
		p.next()
		return rdf.NewLiteral(t.Text, rdf.Decimal), true
	case lex.Double:
		p.next()
		return rdf.NewLiteral(t.Text, rdf.Double), true
	case lex.Word:
		if p.accept("true") {
			return rdf.NewLiteral("true", rdf.Boolean), true
		}
		if p.accept("false") {
			return rdf.NewLiteral("false", rdf.Boolean), true
		}
	case lex.String:
		p.next()
		switch {
		case p.tok.Kind == lex.At:
			tag := p.tok.Text
			p.next()
			return rdf.NewLang(t.Text, tag), true
		case p.accept("^^"):
			return rdf.NewLiteral(t.Text, p.iri()), true
		}
		return rdf.NewString(t.Text), true
	}
	return rdf.Term{}, false
}

// path reads a property path: alternatives of sequences.
func (p *parser) path() Path {
	defer p.leave()
	if !p.enter() {
		return PathLink{}
	}
	left := p.pathSequence()
	for p.accept("|") {
		left = PathAlt{left, p.pathSequence()}
	}
	return left
}

func (p *parser) pathSequence() Path {
	left := p.pathElement()
	for p.accept("/") {
		left = PathSeq{left, p.pathElement()}
	}
	return left
}

func (p *parser) pathElement() Path {
	if p.accept("^") {
		return PathInverse{p.pathElement1()}
	}
	return p.pathElement1()
}

func (p *parser) pathElement1() Path {
	var path Path
	switch {
	case p.accept("("):
		path = p.path()
		p.take(")")
	case p.accept("!"):
		path = p.negatedSet()
	default:
		path = PathLink{p.pathIRI()}
	}
	switch {
	case p.accept("?"):
		path = PathRepeat{Path: path}
	case p.accept("*"):
		path = PathRepeat{Path: path, Many: true}
	case p.accept("+"):
		path = PathRepeat{Path: path, Min: 1, Many: true}
	}
	return path
}

func (p *parser) pathIRI() string {
	if p.tok.Kind == lex.Word && p.tok.Text == "a" {
		p.next()
		return rdf.Type
	}
	return p.iri()
}

func (p *parser) negatedSet() Path {
	var n PathNegated
	one := func() {
		if p.accept("^") {
			n.Backward = append(n.Backward, p.pathIRI())
		} else {
			n.Forward = append(n.Forward, p.pathIRI())
		}
	}
	if !p.accept("(") {
		one()
		return n
	}
	if p.accept(")") {
		return PathNegated{Forward: []string{}}
	}
	one()
	for p.accept("|") {
		one()
	}
	p.take(")")
	return n
}
