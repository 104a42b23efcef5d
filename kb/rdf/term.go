package rdf

import (
	"cmp"
	"strings"
)

// Kind says what a term is.
type Kind uint8

// The kinds of terms. The zero value is no term: as a graph, the default graph; as a value, unbound.
const (
	None Kind = iota
	IRI
	Blank
	Literal
)

// Term is a term of RDF. Two terms are the same term if they are equal as Go values.
type Term struct {
	Kind     Kind
	Value    string // the IRI, the label, or the lexical form
	Datatype string // of a literal, always: the IRI of its datatype
	Lang     string // of a literal of type rdf:langString: its language tag, in lower case
}

// The namespaces that the formats themselves use.
const (
	RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	XSD = "http://www.w3.org/2001/XMLSchema#"
)

// IRIs that the formats themselves use.
const (
	Type       = RDF + "type"
	First      = RDF + "first"
	Rest       = RDF + "rest"
	Nil        = RDF + "nil"
	LangString = RDF + "langString"
	XMLLiteral = RDF + "XMLLiteral"
	String     = XSD + "string"
	Boolean    = XSD + "boolean"
	Integer    = XSD + "integer"
	Decimal    = XSD + "decimal"
	Double     = XSD + "double"
	Float      = XSD + "float"
	DateTime   = XSD + "dateTime"
	Date       = XSD + "date"
)

// NewIRI returns an IRI.
func NewIRI(iri string) Term { return Term{Kind: IRI, Value: iri} }

// NewBlank returns the blank node with a label.
func NewBlank(label string) Term { return Term{Kind: Blank, Value: label} }

// NewString returns a plain string.
func NewString(s string) Term { return Term{Kind: Literal, Value: s, Datatype: String} }

// NewLiteral returns a literal of a datatype.
func NewLiteral(lexical, datatype string) Term {
	return Term{Kind: Literal, Value: lexical, Datatype: datatype}
}

// NewLang returns a string in a language. Tags are one whatever their case (RDF 1.1, 3.3), so they are kept in lower case.
func NewLang(s, tag string) Term {
	return Term{Kind: Literal, Value: s, Datatype: LangString, Lang: strings.ToLower(tag)}
}

// String returns the term as N-Triples write it.
func (t Term) String() string { return string(appendTerm(nil, t)) }

// Compare orders terms by kind and then by their parts; it is the order of no standard, but always the same.
func (t Term) Compare(u Term) int {
	return cmp.Or(cmp.Compare(t.Kind, u.Kind), strings.Compare(t.Value, u.Value), strings.Compare(t.Datatype, u.Datatype), strings.Compare(t.Lang, u.Lang))
}

// Triple is a statement.
type Triple struct {
	Subject, Predicate, Object Term
}

// Quad is a statement in a graph.
type Quad struct {
	Triple
	Graph Term // None is the default graph
}

// String returns the quad as N-Quads write it.
func (q Quad) String() string { return string(appendQuad(nil, q)) }
