package ui

import (
	"context"
	"slices"
	"strings"

	"varve/serve/message"
	"varve/serve/search"
)

// otherName is another name of what was asked for, with what speaks for it.
type otherName struct {
	hint
	When     string // it was called so
	Shared   []string
	Evidence string // the screen about both names
}

// Bounds of what is looked for beside a search.
const (
	calledMost        = 3
	calledCollections = 8
)

// called returns what tells other names of something by the texts of some collections, of all without names.
func (u *UI) called(all []string) search.Called {
	return func(ctx context.Context, name string) (out []search.OtherName, err error) {
		for _, c := range all[:min(len(all), calledCollections)] {
			list, err := u.cfg.Evolution.Called(ctx, c, name, calledMost)
			if err != nil {
				return nil, err
			}
			for _, x := range list {
				out = append(out, search.OtherName{Name: x.Other, Former: x.Other == x.Old, Year: int(x.Year), Shared: features(x.Shared), Collection: c})
			}
			words, err := u.cfg.Evolution.Reworded(ctx, c, name, calledMost)
			if err != nil {
				return nil, err
			}
			for _, x := range words {
				if !slices.ContainsFunc(out, func(o search.OtherName) bool { return strings.EqualFold(o.Name, x.Old) }) {
					out = append(out, search.OtherName{Name: x.Old, Former: true, Year: int(x.Year), Shared: features(x.Shared), Collection: c, Words: true})
				}
			}
		}
		return out, nil
	}
}

// calledIn are the collections whose names are asked: those of the question, or all.
func (a *asked) calledIn() (out []string) {
	if out = search.Collections(a.Q.Get("collection")); len(out) > 0 {
		return out
	}
	for _, c := range a.All {
		out = append(out, c.Name)
	}
	return out
}

// newOtherName makes one readable.
func newOtherName(say *message.Language, n search.OtherName, asked string) otherName {
	o := otherName{Shared: n.Shared[:min(4, len(n.Shared))], Evidence: address(collectionPath(n.Collection)+"/names", values("name", asked))}
	if n.Words {
		o.Evidence = address(collectionPath(n.Collection)+"/terms", values("term", strings.ToLower(asked))) + "#before"
	}
	o.Label = n.Name
	if n.Former {
		o.When = say.Text("before {0}", year(n.Year))
	} else {
		o.When = say.Text("since {0}", year(n.Year))
	}
	return o
}
