package feature

import "math"

// Group says which evidence a feature is made from. Groups are trained apart.
type Group string

// The groups.
const (
	Content     Group = "content"
	Language    Group = "language"
	Markup      Group = "markup"
	Address     Group = "address"
	Server      Group = "server"
	Links       Group = "links"
	Terms       Group = "terms"
	History     Group = "history"
	Compression Group = "compression"
)

// Cost says what must be at hand to compute a feature.
type Cost string

// The costs, from cheap to dear.
const (
	Page      Cost = "page"    // one page alone
	Corpus    Cost = "corpus"  // a page and the words of the collection
	Host      Cost = "host"    // the pages of a host
	Graph     Cost = "graph"   // the link graph of the collection
	Snapshots Cost = "history" // several snapshots of the collection
	Labels    Cost = "labels"  // hosts that people judged
)

// Definition tells what a feature is.
type Definition struct {
	Name    string `json:"name"`
	Group   Group  `json:"group"`
	Cost    Cost   `json:"cost"`
	Formula string `json:"formula"` // how it is computed, in one line
}

// Names gives the names of definitions, with a prefix.
func Names(prefix string, defs []Definition) []string {
	out := make([]string, len(defs))
	for i, d := range defs {
		out[i] = prefix + d.Name
	}
	return out
}

// Unknown is the value of a feature that cannot be told.
func Unknown() float64 { return math.NaN() }

// Known tells whether a value is one.
func Known(v float64) bool { return v == v && !math.IsInf(v, 0) }

// Ratio is a/b, or unknown where b is 0.
func Ratio(a, b float64) float64 {
	if b == 0 {
		return Unknown()
	}
	return a / b
}

// Log is ln(1+v): counts over many powers of ten, zero among them.
func Log(v float64) float64 { return math.Log1p(v) }

// Define makes a definition.
func Define(name string, group Group, cost Cost, formula string) Definition {
	return Definition{Name: name, Group: group, Cost: cost, Formula: formula}
}
