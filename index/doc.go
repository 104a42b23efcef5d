// Package index holds what is computed from a collection so that it can be found again: cdx (which
// URL was captured when, and where the record lies), temporal (which version of a page was valid
// when), fulltext (which version said what). All of it can be deleted and is rebuilt by `varve index`.
package index
