// Package stages puts the stages of a crawl together: those that its definition asks for, in the order in which they must be
// asked. It is all that knows every stage; the core (package crawl) knows none, and stages do not know each other.
//
//	run, err := engine.Start(ctx, col, def, crawl.Options{History: h, Stages: stages.Set{Spam: spam}.Of})
package stages

import (
	"varve/crawl"
	"varve/crawl/control"
	"varve/crawl/gate"
	"varve/crawl/gather"
	"varve/crawl/guide"
	"varve/crawl/navigate"
	"varve/crawl/plan"
	"varve/crawl/relevance"
	"varve/crawl/sheets"
	"varve/crawl/webapp"
)

// Set is what stages are made with. The zero Set makes those that need nothing but the definition.
type Set struct {
	Judge   *relevance.Judge  // of pages and links; nil: all are worth the same
	Plan    plan.Options      // of crawls whose definition is planned
	Collect gather.Options    // who goes further with answers; the zero value: nobody
	Webapps *webapp.Knowledge // of web applications; nil: all of their pages are visited, and all pictures of style sheets taken
	Spam    gate.Options      // who tells spam hosts from normal ones; the zero value: nobody
}

// Of returns the stages of a crawl. They are of one run: each asks for its own.
func (s Set) Of(def crawl.Definition) (list []crawl.Stage) {
	if s.Judge != nil {
		list = append(list, guide.NewJudged(def, s.Judge))
	} else {
		list = append(list, guide.New(def))
	}
	if s.Webapps != nil {
		list = append(list, navigate.New(s.Webapps), sheets.New())
	}
	if s.Spam.Assessor != nil || s.Spam.Rulings != nil {
		list = append(list, gate.New(s.Spam))
	}
	if def.Planned() {
		list = append(list, plan.New(def, s.Plan))
	}
	if s.Collect.Collects() {
		list = append(list, gather.New(s.Collect))
	}
	return append(list, control.New())
}
