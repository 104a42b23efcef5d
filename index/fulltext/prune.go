package fulltext

import "github.com/blevesearch/bleve/v2/analysis"

// understood parses a query and leaves out what is no word for the analyser: "rent & law" asks for two words, and the sign between them is
// not a third one that no page has. A query of signs alone is refused, since everything or nothing would both be a wrong answer.
func understood(query string, parts []*part) (Node, error) {
	n, err := Parse(query)
	if err != nil || n == nil || len(parts) == 0 {
		return n, err
	}
	if n = prune(n, parts[0].analyser()); n == nil {
		return nil, &SyntaxError{0, "there is no word in it, and signs alone are not searched for"}
	}
	return n, nil
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
