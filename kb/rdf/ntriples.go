package rdf

import (
	"errors"

	"varve/kb/rdf/lex"
)

// lines reads N-Triples or N-Quads: a statement on each line.
func (p *parser) lines() {
	p.next()
	for {
		for p.tok.Kind == lex.EOL {
			p.next()
		}
		if p.err == nil && p.tok.Kind == lex.EOF {
			return
		}
		p.statement()
		if p.err == nil && p.tok.Kind != lex.EOL && p.tok.Kind != lex.EOF {
			p.fail("the end of the line expected behind '.', not %s", p.tok)
		}
		if p.err != nil && !p.goOn() {
			return
		}
	}
}

// goOn asks whether a bad line ends the reading, and goes to the next line if not.
func (p *parser) goOn() bool {
	e, ok := errors.AsType[*Error](p.err)
	if !ok || p.stopped || e.Err != nil || p.o.Bad == nil || !p.o.Bad(e) {
		return false
	}
	p.err = nil
	if p.lex.SkipLine() {
		p.next()
	}
	return true
}

func (p *parser) statement() {
	s := p.lineTerm("a subject")
	if s.Kind == Literal {
		p.fail("a literal cannot be a subject")
	}
	pred := p.lineTerm("a predicate")
	if p.err == nil && pred.Kind != IRI {
		p.fail("a predicate must be an IRI, not %s", pred)
	}
	o := p.lineTerm("an object")
	p.graph = Term{}
	if p.format == NQuads && !p.is(".") {
		if p.graph = p.lineTerm("the name of a graph, or '.'"); p.graph.Kind == Literal {
			p.fail("a literal cannot be the name of a graph")
		}
	}
	if p.err == nil && !p.is(".") {
		p.fail("'.' expected at the end of the statement, not %s", p.tok)
	}
	if p.err != nil {
		return
	}
	// The statement counts when its line is known to be sound.
	g := p.graph
	p.next()
	if p.err == nil && (p.tok.Kind == lex.EOL || p.tok.Kind == lex.EOF) {
		p.graph = g
		p.emit(s, pred, o)
	}
}

// lineTerm reads one term of a line; what names the place.
func (p *parser) lineTerm(what string) Term {
	t := p.tok
	switch t.Kind {
	case lex.IRI:
		if p.err == nil && !IsAbsolute(t.Text) {
			p.fail("the relative IRI %s: %s has only absolute ones", t, p.format)
		}
		p.next()
		return NewIRI(t.Text)
	case lex.Blank:
		p.next()
		return p.blanks.labelled(t.Text)
	case lex.String:
		p.next()
		return p.annotated(t.Text, func() Term { return p.lineTerm("a datatype") })
	}
	p.fail("%s expected, not %s", what, t)
	return Term{}
}

// annotated reads what may follow a string: a language tag, or a datatype.
func (p *parser) annotated(value string, iri func() Term) Term {
	switch {
	case p.tok.Kind == lex.At:
		tag := p.tok.Text
		p.next()
		return NewLang(value, tag)
	case p.is("^^"):
		p.next()
		at := p.tok
		dt := iri()
		if p.err == nil && dt.Kind != IRI {
			p.fail("a datatype must be an IRI, not %s", at)
		}
		if p.err == nil && dt.Value == LangString {
			p.fail("a literal of type rdf:langString needs a language tag instead of its datatype")
		}
		return NewLiteral(value, dt.Value)
	}
	return NewString(value)
}
