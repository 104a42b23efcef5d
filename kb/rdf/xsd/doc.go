// Package xsd reads the values of XML Schema datatypes that RDF and SPARQL compute with, and writes their canonical forms.
//
//	Decimal    exact numbers: xsd:decimal, xsd:integer and all derived from it
//	DateTime   xsd:dateTime, xsd:date and the parts of them that have types of their own
//	Canonical  one lexical form for each value
//
// A lexical form of more than MaxDigits digits has no value here, so that no computation takes long.
package xsd
