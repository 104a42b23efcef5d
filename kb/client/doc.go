// Package client asks a knowledge base, wherever it is: a store of this machine, or any SPARQL 1.1 endpoint. Both are a Base and pass one suite of tests.
//
//	Local      a store, opened by this process         triplestore + sparql
//	Remote     an endpoint, over HTTP                   SPARQL 1.1 protocol; answers as JSON and N-Triples
//	Services   endpoints that queries may name in SERVICE: those of a list, and no others
//
// What an endpoint sends is not trusted: it is bounded in size and time, redirects are not followed, and the addresses of this machine and of private networks are reached only where the list names
// them as such (http://127.0.0.1:8082/sparql, not a name that leads there).
package client

import (
	"context"
	"iter"

	"varve/kb/rdf"
	"varve/kb/sparql"
)

// Base is a knowledge base that can be asked.
type Base interface {
	// Query asks a query; relative IRIs are resolved against base. The answer must be closed.
	Query(ctx context.Context, text, base string) (*Answer, error)
	// Update does an update, all of it or nothing, as far as the endpoint promises that.
	Update(ctx context.Context, text, base string) error
	// Insert adds quads in one update. Blank nodes of one call that have one label are one.
	Insert(ctx context.Context, quads iter.Seq2[rdf.Quad, error]) (int64, error)
	// Quads returns all quads, or those of a named graph.
	Quads(ctx context.Context, graph string) iter.Seq2[rdf.Quad, error]
	// Close ends it.
	Close() error
}

// Answer is the answer to a query while it is read.
type Answer struct {
	*sparql.Result
	Prefixes map[string]string // of the query
	close    func() error
}

// Close ends the answer.
func (a *Answer) Close() error {
	if a.close == nil {
		return nil
	}
	return a.close()
}

var (
	_ Base            = (*Local)(nil)
	_ Base            = (*Remote)(nil)
	_ sparql.Services = (*Services)(nil)
)
