// Package rdf has the terms of RDF 1.1, and streaming readers and writers of its formats.
//
//	Term     an IRI, a blank node or a literal; a comparable value
//	Quad     subject, predicate, object, and the named graph they are said in; no graph is the default graph
//	Read     the quads of a document, one after the other; what is kept is one token and the names of prefixes
//	Writer   the way back
//	Resolve  a reference against a base by RFC 3986, without touching what needs no resolving
//
// Formats: N-Triples, N-Quads, Turtle, TriG and RDF/XML in and out, JSON-LD out.
//
// Blank nodes are named by labels that mean something inside of one document alone. Reading keeps the labels of the
// document, makes up those of nodes without one (anon1, anon2, ...) and keeps the two apart; Options.Scope puts a
// prefix before all of them where several documents meet.
//
// A document that is not well-formed ends with an *Error that has line, column and cause; quads before it were
// returned. In N-Triples and N-Quads, Options.Bad can go on with the next line. Depth of nesting and length of tokens
// are limited, so memory is bounded whatever the document says.
package rdf
