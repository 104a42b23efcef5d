package rdf

import (
	"strings"

	"varve/kb/rdf/lex"
)

// document reads Turtle or TriG. The functions follow the rules of the grammar, whose names are in their comments.
func (p *parser) document() {
	for p.next(); p.err == nil && p.tok.Kind != lex.EOF; {
		switch {
		case p.directive():
		case p.format == TriG:
			p.block()
		default:
			p.triples()
			p.take(".", "at the end of the statement")
		}
	}
}

// isWord reports whether the token is a keyword, in any case.
func (p *parser) isWord(w string) bool {
	return p.tok.Kind == lex.Word && strings.EqualFold(p.tok.Text, w)
}

// directive reads a declaration of a prefix or of the base, and reports whether there is one.
func (p *parser) directive() bool {
	at := p.tok.Kind == lex.At
	switch {
	case at && p.tok.Text == "prefix", p.isWord("prefix"):
		p.next()
		prefix := p.tok
		if prefix.Kind != lex.Name || prefix.Local != "" {
			p.fail("a prefix with ':' expected, not %s", prefix)
		}
		p.next()
		iri := p.iriRef("the IRI of the prefix")
		if p.err == nil {
			p.prefixes[prefix.Text] = iri
			if p.o.Prefixes != nil {
				p.o.Prefixes[prefix.Text] = iri
			}
		}
	case at && p.tok.Text == "base", p.isWord("base"):
		p.next()
		p.o.Base = p.iriRef("the base IRI")
	case at:
		p.fail("@prefix or @base expected, not %s", p.tok)
	default:
		return false
	}
	if at {
		p.take(".", "at the end of the directive")
	}
	return true
}

// iriRef reads an IRI in angle brackets.
func (p *parser) iriRef(what string) string {
	if p.tok.Kind != lex.IRI {
		p.fail("%s expected in angle brackets, not %s", what, p.tok)
		return ""
	}
	iri := p.resolve(p.tok.Text)
	p.next()
	return iri
}

func (p *parser) resolve(ref string) string {
	iri := Resolve(p.o.Base, ref)
	if !IsAbsolute(iri) && p.err == nil {
		p.fail("the relative IRI <%s>, and the document has no base", ref)
	}
	return iri
}

// block reads a graph, or triples of the default graph (block of TriG).
func (p *parser) block() {
	p.graph = Term{}
	switch {
	case p.is("{"):
		p.wrapped()
	case p.isWord("graph"):
		p.next()
		p.graph = p.graphName()
		p.wrapped()
	case p.is("["): // the name of a graph only if nothing is in it
		anon, empty := p.propertyList()
		if empty && p.is("{") {
			p.graph = anon
			p.wrapped()
			return
		}
		if empty || !p.is(".") {
			p.predicateObjectList(anon)
		}
		p.take(".", "at the end of the statement")
	case p.is("("):
		p.triples()
		p.take(".", "at the end of the statement")
	default:
		s := p.term("a subject, or the name of a graph")
		if p.is("{") {
			p.graph = s
			if s.Kind == Literal {
				p.fail("a literal cannot be the name of a graph")
			}
			p.wrapped()
			return
		}
		p.subject(s)
		p.predicateObjectList(s)
		p.take(".", "at the end of the statement")
	}
	p.graph = Term{}
}

// graphName reads labelOrSubject.
func (p *parser) graphName() Term {
	if p.is("[") {
		anon, empty := p.propertyList()
		if !empty {
			p.fail("the name of a graph cannot have properties")
		}
		return anon
	}
	g := p.term("the name of a graph")
	if g.Kind == Literal || p.err == nil && g == (Term{}) {
		p.fail("a graph is named by an IRI or a blank node")
	}
	return g
}

// wrapped reads triples in braces (wrappedGraph).
func (p *parser) wrapped() {
	p.take("{", "before the triples of a graph")
	for p.err == nil && !p.is("}") {
		p.triples()
		if !p.is(".") {
			break
		}
		p.next()
	}
	p.take("}", "at the end of the graph")
	p.graph = Term{}
}

// triples reads a subject with all that is said of it.
func (p *parser) triples() {
	if p.is("[") {
		anon, empty := p.propertyList()
		if empty || !p.is(".") && !p.is("}") {
			p.predicateObjectList(anon)
		}
		return
	}
	s := p.object("a subject")
	p.subject(s)
	p.predicateObjectList(s)
}

func (p *parser) subject(s Term) {
	if s.Kind == Literal {
		p.fail("a literal cannot be a subject")
	}
}

// predicateObjectList reads what is said of s.
func (p *parser) predicateObjectList(s Term) {
	for {
		pred := p.verb()
		for {
			o := p.object("an object")
			p.emit(s, pred, o)
			if !p.is(",") {
				break
			}
			p.next()
		}
		if !p.is(";") {
			return
		}
		for p.is(";") {
			p.next()
		}
		if p.is(".") || p.is("]") || p.is("}") || p.tok.Kind == lex.EOF {
			return
		}
	}
}

// verb reads a predicate.
func (p *parser) verb() Term {
	if p.tok.Kind == lex.Word && p.tok.Text == "a" {
		p.next()
		return NewIRI(Type)
	}
	if p.tok.Kind != lex.IRI && p.tok.Kind != lex.Name {
		p.fail("a predicate expected, not %s", p.tok)
	}
	return p.term("a predicate")
}

// object reads a term, a collection or a node with its properties.
func (p *parser) object(what string) Term {
	switch {
	case p.is("["):
		anon, _ := p.propertyList()
		return anon
	case p.is("("):
		return p.collection()
	}
	return p.term(what)
}

// propertyList reads a node in square brackets, and reports whether nothing is said of it there.
func (p *parser) propertyList() (Term, bool) {
	defer p.leave()
	if !p.enter() {
		return Term{}, false
	}
	p.next()
	anon := p.blanks.fresh()
	if p.is("]") {
		p.next()
		return anon, true
	}
	p.predicateObjectList(anon)
	p.take("]", "behind the properties of a node")
	return anon, false
}

// collection reads a list in parentheses.
func (p *parser) collection() Term {
	defer p.leave()
	if !p.enter() {
		return Term{}
	}
	p.next()
	if p.is(")") {
		p.next()
		return NewIRI(Nil)
	}
	head := p.blanks.fresh()
	for node := head; p.err == nil; {
		p.emit(node, NewIRI(First), p.object("a member of the list, or ')',"))
		if p.is(")") {
			p.emit(node, NewIRI(Rest), NewIRI(Nil))
			break
		}
		next := p.blanks.fresh()
		p.emit(node, NewIRI(Rest), next)
		node = next
	}
	p.next()
	return head
}

// term reads an IRI, a labelled blank node or a literal.
func (p *parser) term(what string) Term {
	t := p.tok
	switch t.Kind {
	case lex.IRI:
		iri := p.resolve(t.Text)
		p.next()
		return NewIRI(iri)
	case lex.Name:
		ns, ok := p.prefixes[t.Text]
		if !ok && p.err == nil {
			p.fail("the prefix %s: is not declared", t.Text)
		}
		p.next()
		return NewIRI(ns + t.Local)
	case lex.Blank:
		p.next()
		return p.blanks.labelled(t.Text)
	case lex.String:
		p.next()
		return p.annotated(t.Text, func() Term { return p.term("a datatype") })
	case lex.Integer, lex.Decimal, lex.Double:
		p.next()
		return NewLiteral(t.Text, numberType[t.Kind])
	case lex.Word:
		if t.Text == "true" || t.Text == "false" {
			p.next()
			return NewLiteral(t.Text, Boolean)
		}
	}
	p.fail("%s expected, not %s", what, t)
	return Term{}
}

var numberType = map[lex.Kind]string{lex.Integer: Integer, lex.Decimal: Decimal, lex.Double: Double}
