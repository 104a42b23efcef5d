// Package sparql is SPARQL 1.1: queries and updates over any Dataset.
//
//	Parse, ParseUpdate   text to algebra (18.2 of the standard; the operators have its names)
//	Evaluate             algebra to solutions, one after the other
//	Dataset              what is asked of a store: terms as numbers, and quads that match
//	Restrict             a dataset without the graphs that who asks may not see
//	Result.Write         JSON, XML, CSV and TSV
//
// How a query runs:
//
//	compile  each variable gets a slot, each operator a function that is handed solutions and hands solutions on
//	order    the triples of a group are ordered by what the dataset estimates: the cheapest first, then always the cheapest
//	         that shares a variable with what is bound (conjunction.go); filters go behind the step that binds their variables
//	join     by looking up (the bound values go into the pattern) or, where a scan costs less than the lookups, by a hash table
//	values   terms are numbers until an expression needs to know what they are
//
// A solution is a row of slots that is filled on the way down and cleared on the way back, so a join allocates nothing.
// What must be held (hash tables, groups, sorting, DISTINCT) counts against Options.MaxMemory and goes to temporary files
// before it is too much, where Options.Scratch has some (spill.go); these count against MaxDisk, solutions against
// MaxRows; the context ends all the rest. No recursion is deeper than the query is nested, which Parse bounds.
package sparql
