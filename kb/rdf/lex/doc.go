// Package lex takes the text of N-Triples, N-Quads, Turtle, TriG and SPARQL apart into tokens. The five share their
// terminals (IRIs, prefixed names, blank node labels, strings, numbers), so they share this lexer; a Syntax says where
// they differ.
//
//	NTriples   (and N-Quads) line ends are tokens; one form of strings
//	Turtle     (and TriG) four forms of strings
//	SPARQL     variables, operators; '<' may be "less than"
//
// A Lexer reads from a window that holds one token and grows up to Limit bytes, whatever the size of the document.
// Each byte is looked at once (twice in strings with escapes): cost is linear. Text must be UTF-8.
package lex
