// Package stages puts the stages of a crawl together: those that its definition asks for, in the order in which they must be
// asked. It is all that knows every stage; the core (package crawl) knows none, and stages do not know each other.
//
//	run, err := engine.Start(ctx, col, def, crawl.Options{History: h, Stages: stages.Set{Spam: spam}.Of})
package stages

import (
	"varve/crawl"
	"varve/crawl/gate"
)

// Set is what stages are made with. The zero Set makes those that need nothing but the definition.
type Set struct {
	Spam gate.Options // who tells spam hosts from normal ones; the zero value: nobody
}

// Of returns the stages of a crawl. They are of one run: each asks for its own.
func (s Set) Of(crawl.Definition) (list []crawl.Stage) {
	if s.Spam.Assessor != nil || s.Spam.Rulings != nil {
		list = append(list, gate.New(s.Spam))
	}
	return list
}
