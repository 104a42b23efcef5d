// Package kb is the knowledge base: what Varve knows as RDF that any SPARQL client can ask. In reading order:
//
//	rdf          terms, and readers and writers of the formats
//	model        the words in which Varve tells what it knows
//	sparql       queries and updates over any dataset
//	triplestore  quads on disk, a dataset
//	endpoint     SPARQL and graphs over HTTP
package kb
