package fulltext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/analysis"

	"varve/derive"
)

// understood parses a query and leaves out what is no word for the analyser: "rent & law" asks for two words, and the sign between them is
// not a third one that no page has. A query of signs alone is refused, since everything or nothing would both be a wrong answer.
//
// Facets that no index has are refused, with a list of those there are.
func understood(query string, declared []derive.Facet, parts []*part) (Node, error) {
	n, err := Parse(query)
	if err != nil || n == nil {
		return n, err
	}
	if err := checkFacetsOf(n, declared); err != nil {
		return nil, err
	}
	if len(parts) == 0 {
		return n, nil
	}
	return worded(n, parts[0].analyser())
}

// worded leaves out what is no word.
func worded(n Node, a analysis.Analyzer) (Node, error) {
	if n = prune(n, a); n == nil {
		return nil, &SyntaxError{0, "there is no word in it, and signs alone are not searched for"}
	}
	return n, nil
}

// checkFacetsOf refuses a facet that no index has, and numbers of what has none.
func checkFacetsOf(n Node, declared []derive.Facet) error {
	switch n := n.(type) {
	case And:
		return firstOf(n, declared)
	case Or:
		return firstOf(n, declared)
	case Not:
		return checkFacetsOf(n.Node, declared)
	case Value:
		if known := known(declared); !slices.Contains(known, n.Facet) {
			return &SyntaxError{n.At, fmt.Sprintf("there is no facet %q (there are %s); put quotes around it to look for the words", n.Facet, strings.Join(known, ", "))}
		}
	case Number:
		var numbers []string
		for _, d := range declared {
			if d.Kind == derive.FacetNumbers {
				numbers = append(numbers, d.Name)
			}
		}
		switch {
		case slices.Contains(numbers, n.Facet):
		case len(numbers) == 0:
			return &SyntaxError{n.At, fmt.Sprintf("%s is no facet of numbers: there is none here", n.Facet)}
		default:
			return &SyntaxError{n.At, fmt.Sprintf("%s is no facet of numbers (there are %s)", n.Facet, strings.Join(numbers, ", "))}
		}
	}
	return nil
}

func firstOf(list []Node, declared []derive.Facet) error {
	for _, x := range list {
		if err := checkFacetsOf(x, declared); err != nil {
			return err
		}
	}
	return nil
}

// prune gives a query without the parts that have no word; nil if none is left.
func prune(n Node, a analysis.Analyzer) Node {
	switch n := n.(type) {
	case And:
		return joined(And(pruned(n, a)))
	case Or:
		return joined(Or(pruned(n, a)))
	case Not:
		if x := prune(n.Node, a); x != nil {
			return Not{x}
		}
		return nil
	case Words:
		if len(a.Analyze([]byte(n.Text))) == 0 {
			return nil
		}
	}
	return n
}

func pruned(list []Node, a analysis.Analyzer) (out []Node) {
	for _, x := range list {
		if x = prune(x, a); x != nil {
			out = append(out, x)
		}
	}
	return out
}

// joined gives what is left of a conjunction or disjunction.
func joined[L interface {
	And | Or
	Node
}](list L) Node {
	switch len(list) {
	case 0:
		return nil
	case 1:
		return list[0]
	}
	return list
}
