// Package sparql is SPARQL 1.1.
package sparql
