// Package inquiry lets queries in SPARQL ask a base of entities: which entity a name means, what it is called, and how strongly two are related.
//
//	varve:means("Merkel")                          the id of the likeliest entity of the base with this name: "Q567"
//	varve:means("Merkel", "1970-01-01"^^xsd:date)  the likeliest that existed then
//	varve:label("Q567")                            what the base calls it
//	varve:related("Q1761", "Q6882")                how strongly it relates two, from 0 to 1
//
// Likeliest is by how often links call it so, then by how well known it is: there is no text around a name in a query (varve/entity/link weighs that where there is). Persons whom curators of an archive made entities are private, and none of these knows them.
package inquiry

import (
	"cmp"
	"strconv"
	"strings"
	"sync"

	"varve/entity"
	"varve/entity/base"
	"varve/entity/consolidate"
	"varve/kb/model"
	"varve/kb/rdf"
	"varve/kb/sparql"
)

// private is what the ids of entities begin with that curators made.
const private = "new:"

// Functions returns the functions of a base. They are safe for concurrent use.
func Functions(b *base.Base) sparql.Functions {
	return func(iri string) func([]rdf.Term) (rdf.Term, bool) {
		local, ours := strings.CutPrefix(iri, model.NS)
		if !ours {
			return nil
		}
		switch local {
		case "means":
			return func(args []rdf.Term) (rdf.Term, bool) { return means(b, args) }
		case "label":
			return func(args []rdf.Term) (rdf.Term, bool) {
				e := find(b, args, 0, 1)
				if e == nil {
					return rdf.Term{}, false
				}
				return rdf.NewString(e.Title()), true
			}
		case "related":
			return func(args []rdf.Term) (rdf.Term, bool) { return related(b, args) }
		}
		return nil
	}
}

// Lent returns the functions of a base that is lent for each call; where there is none, a call is an error of its expression.
func Lent(lend func() (*base.Base, func(), error)) sparql.Functions {
	known := Functions(nil)
	return func(iri string) func([]rdf.Term) (rdf.Term, bool) {
		if known(iri) == nil {
			return nil
		}
		return func(args []rdf.Term) (rdf.Term, bool) {
			b, done, err := lend()
			if err != nil {
				return rdf.Term{}, false
			}
			defer done()
			return Functions(b)(iri)(args)
		}
	}
}

// File returns the functions of the base at a path, which is opened when one is first called, and stays open until the process ends.
func File(path string) sparql.Functions {
	opened := sync.OnceValues(func() (*base.Base, error) { return base.Open(path) })
	return Lent(func() (*base.Base, func(), error) {
		b, err := opened()
		return b, func() {}, err
	})
}

// find returns the entity whose id is an argument; nil if there is none, or it is private.
func find(b *base.Base, args []rdf.Term, i, of int) *entity.Entity {
	n, ok := number(b, args, i, of)
	if !ok {
		return nil
	}
	e, err := b.Entity(n)
	if err != nil || strings.HasPrefix(e.ID, private) {
		return nil
	}
	return e
}

func number(b *base.Base, args []rdf.Term, i, of int) (uint32, bool) {
	if len(args) != of || args[i].Kind != rdf.Literal || strings.HasPrefix(args[i].Value, private) {
		return 0, false
	}
	n, ok, err := b.Find(args[i].Value)
	return n, ok && err == nil
}

// means returns the id of the likeliest entity of a name, as of a day.
func means(b *base.Base, args []rdf.Term) (rdf.Term, bool) {
	if len(args) < 1 || len(args) > 2 || args[0].Kind != rdf.Literal {
		return rdf.Term{}, false
	}
	at := entity.Unknown
	if len(args) == 2 {
		day, _, _ := strings.Cut(args[1].Value, "T")
		first, _, err := entity.ParseDays(day)
		if err != nil {
			return rdf.Term{}, false
		}
		at = first
	}
	list, err := b.Candidates(args[0].Value)
	if err != nil {
		return rdf.Term{}, false
	}
	var best *entity.Entity
	var count int64
	for _, c := range list {
		e, err := b.Entity(c.Entity)
		if err != nil || strings.HasPrefix(e.ID, private) || at != entity.Unknown && !e.Existence.Contains(at) {
			continue
		}
		if best == nil || cmp.Or(cmp.Compare(c.Count, count), cmp.Compare(e.Popularity, best.Popularity), cmp.Compare(best.ID, e.ID)) > 0 {
			best, count = e, c.Count
		}
	}
	if best == nil {
		return rdf.Term{}, false
	}
	return rdf.NewString(best.ID), true
}

// related returns how strongly two entities are related.
func related(b *base.Base, args []rdf.Term) (rdf.Term, bool) {
	x, ok := number(b, args, 0, 2)
	y, ok2 := number(b, args, 1, 2)
	if !ok || !ok2 {
		return rdf.Term{}, false
	}
	r, err := consolidate.Related(b, x, y)
	if err != nil {
		return rdf.Term{}, false
	}
	return rdf.NewLiteral(strconv.FormatFloat(r.Strength, 'E', -1, 64), rdf.Double), true
}
