// Package kb is the knowledge base: what Varve knows as RDF that any SPARQL client can ask. In reading order:
//
//	rdf          terms, and readers and writers of the formats
//	triplestore  quads on disk
//	sparql       queries, updates, and the endpoint
package kb
