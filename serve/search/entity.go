package search

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/derive"
	"varve/derive/annotate"
	"varve/entity"
	"varve/entity/link"
	"varve/index/fulltext"
)

// Linkers have the bases of entities.
type Linkers interface {
	// Linker lends the base that counts for a collection, or that of the archive if none is named, until the function is called. Its error is a
	// varve.NotFound where there is none.
	Linker(collection string) (l *annotate.Linker, giveBack func(), err error)
}

// Entity is what the versions that may be seen say of an entity, and what a base knows of it.
type Entity struct {
	ID     string          `json:"id"`
	Label  string          `json:"label"`
	Known  *entity.Entity  `json:"known,omitempty"` // nil: no base has it
	Kinds  []EntityKind    `json:"kinds"`           // its classes
	AsOf   time.Time       `json:"asof,omitzero"`   // of total, companions and passages
	Total  int64           `json:"total"`           // versions that name it
	Of     int64           `json:"of"`              // versions in all
	Bucket fulltext.Bucket `json:"bucket"`
	Points []TrendPoint    `json:"points"` // versions that name it, by when they were first seen, at all times
	Names  []EntityName    `json:"names"`  // most frequent first
	// Companions are entities that versions name beside it, most frequent first; Pairs are which of them versions name together, beside it.
	Companions []Companion    `json:"companions"`
	Pairs      []EntityPair   `json:"pairs"`
	Passages   []fulltext.Hit `json:"passages"`
	Cursor     string         `json:"cursor,omitempty"` // of more passages
}

// EntityKind is a class of an entity.
type EntityKind struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// EntityName is a name that texts have for an entity, over time.
type EntityName struct {
	Name   string       `json:"name"`
	Count  int64        `json:"count"` // versions that call it so
	First  time.Time    `json:"first"` // begin of the first bucket with such a version
	Last   time.Time    `json:"last"`
	Points []TrendPoint `json:"points"`
}

// Companion is an entity that versions name beside another.
type Companion struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Count int64  `json:"count"` // versions that name both
}

// EntityPair is how many versions name two companions, by their places in the list, and the entity.
type EntityPair struct {
	A     int   `json:"a"`
	B     int   `json:"b"`
	Count int64 `json:"count"`
}

// EntityQuery asks for an entity.
type EntityQuery struct {
	ID             string
	fulltext.Query // Trend is the bucket; Limit and Cursor are of passages
}

// Sizes of an answer.
const (
	entityNames      = 8
	entityCompanions = 12
)

// ParseEntity reads the parameters bucket, asof, q, limit, cursor and those of facets.
func ParseEntity(id string, v url.Values) (q EntityQuery, err error) {
	q.ID = id
	if q.Query, err = Parse(without(v, "bucket")); err != nil {
		return q, err
	}
	switch q.Trend = fulltext.Bucket(v.Get("bucket")); q.Trend {
	case fulltext.NoTrend:
		q.Trend = fulltext.ByMonth
	case fulltext.ByDay, fulltext.ByMonth, fulltext.ByYear:
	default:
		return q, invalid("bucket=%q is none of day, month, year", q.Trend)
	}
	return q, nil
}

// named is the condition that a version names an entity.
func named(id string) string {
	return annotate.CalledFacet + `:"` + annotate.CalledValue(id, "") + `"*`
}

// Linked reports whether names of some collections were linked to entities.
func Linked(declared []derive.Facet) bool {
	return slices.ContainsFunc(declared, func(d derive.Facet) bool { return d.Name == annotate.EntityFacet })
}

func notLinked(op string) error {
	return &varve.Error{
		Kind: varve.Unavailable, Op: op, Msg: "the names in these texts were not linked to entities",
		Hint: "varve entity import DUMP, then varve derive --units entities --collection NAME && varve index --collection NAME",
	}
}

// AskEntity finds what versions say of an entity. What may not be seen is neither found nor counted: every number is the answer to a search.
//
// Cost: four questions, one for each of eight names and of twelve companions.
func AskEntity(ctx context.Context, t Texts, bases Linkers, collections string, q EntityQuery) (*Entity, error) {
	if !fulltext.Quotable(q.ID) {
		return nil, invalid("id %q cannot be asked for: it is empty or has quotation marks", q.ID)
	}
	declared, err := Declared(ctx, t, collections)
	if err != nil {
		return nil, err
	}
	out := &Entity{ID: q.ID, AsOf: q.AsOf, Bucket: q.Trend, Kinds: []EntityKind{}, Points: []TrendPoint{}, Names: []EntityName{}, Companions: []Companion{}, Pairs: []EntityPair{}, Passages: []fulltext.Hit{}}
	if err := out.know(bases, ""); err != nil { // the id may be another one of it
		return nil, err
	}
	if Linked(declared) {
		q.Text = Narrow(q.Text, named(out.ID))
		in, err := out.find(ctx, t, collections, q)
		if err != nil {
			return nil, err
		}
		for _, c := range in { // a collection's own base is asked only if one of its versions that may be seen names the entity
			if err := out.know(bases, c.Name); err != nil {
				return nil, err
			}
		}
	}
	switch {
	case out.Known == nil && !Linked(declared):
		return nil, notLinked("find entity " + q.ID)
	case out.Known == nil && len(out.Points) == 0:
		return nil, &varve.Error{
			Kind: varve.NotFound, Op: "find entity " + q.ID, Msg: "no base has it, and no version that may be seen names it",
			Hint: "varve entity import DUMP brings in more; a search for its name finds texts that have it",
		}
	}
	if out.Label == "" {
		out.Label = out.ID
	}
	return out, nil
}

// find asks for all that versions say, and returns which collections they are of.
func (e *Entity) find(ctx context.Context, t Texts, collections string, q EntityQuery) (in []fulltext.Count, err error) {
	always := q.Query
	always.AsOf, always.Limit, always.Cursor = time.Time{}, -1, ""
	ask := always
	ask.Facets, ask.Top, ask.Prefix = []string{annotate.CalledFacet}, entityNames, annotate.CalledValue(e.ID, "")
	all, err := Ask(ctx, t, collections, ask)
	if err != nil || all.Total == 0 {
		return nil, err
	}
	e.Points = trendPoints(all.Trend)
	for _, c := range all.Facets[annotate.CalledFacet] {
		n := EntityName{Name: strings.TrimPrefix(c.Name, annotate.CalledValue(e.ID, "")+" "), Count: c.Count}
		called := AnyValue(always, annotate.CalledFacet)
		put(&called.Filters, annotate.CalledFacet, c.Name)
		a, err := Ask(ctx, t, collections, called)
		if err != nil {
			return nil, err
		}
		for _, p := range trendPoints(a.Trend) {
			n.Points = append(n.Points, p)
			if p.Hits > 0 {
				if n.First.IsZero() {
					n.First = p.At
				}
				n.Last = p.At
			}
		}
		e.Names = append(e.Names, n)
	}
	then := q.Query
	then.Trend, then.Limit, then.Cursor = fulltext.NoTrend, -1, ""
	then.Facets, then.Top = []string{annotate.EntityFacet, "collection"}, entityCompanions+1
	beside, err := Ask(ctx, t, collections, then)
	if err != nil {
		return nil, err
	}
	e.Total, e.Of = beside.Total, beside.Of
	if err := e.companions(ctx, t, collections, then, beside.Facets[annotate.EntityFacet]); err != nil {
		return nil, err
	}
	passages := q.Query
	passages.Trend, passages.Text = fulltext.NoTrend, e.passages(q.Text)
	found, err := Ask(ctx, t, collections, passages)
	if err != nil {
		return nil, err
	}
	e.Passages, e.Cursor = found.Hits, found.Cursor
	return beside.Facets["collection"], nil
}

func trendPoints(list []fulltext.Point) []TrendPoint {
	out := make([]TrendPoint, len(list))
	for i, p := range list {
		out[i] = TrendPoint{p.At, p.Count, p.Of, p.Share()}
	}
	return out
}

// passages adds the names to a question, so that the part of a text is shown that has one.
func (e *Entity) passages(text string) string {
	var words []string
	for _, n := range e.Names {
		if fulltext.Quotable(n.Name) && !strings.HasSuffix(n.Name, "…") {
			words = append(words, `"`+n.Name+`"`)
		}
	}
	if len(words) == 0 {
		return text
	}
	return Narrow(text, "("+strings.Join(words, " OR ")+")")
}

// companions counts what is named beside the entity, and which of these together. Values of the entity itself say what it is called.
func (e *Entity) companions(ctx context.Context, t Texts, collections string, q fulltext.Query, counts []fulltext.Count) error {
	var values []string
	for _, c := range counts {
		id, label, ok := annotate.ParseEntityValue(c.Name)
		switch {
		case !ok:
		case id == e.ID:
			if e.Label == "" {
				e.Label = label
			}
		case len(e.Companions) < entityCompanions:
			e.Companions = append(e.Companions, Companion{id, label, c.Count})
			values = append(values, c.Name)
		}
	}
	for i := range values {
		both := AnyValue(q, annotate.EntityFacet)
		put(&both.Filters, annotate.EntityFacet, values[i])
		both.Facets, both.Top = []string{annotate.EntityFacet}, 10*entityCompanions
		a, err := Ask(ctx, t, collections, both)
		if err != nil {
			return err
		}
		for _, c := range a.Facets[annotate.EntityFacet] {
			if j := slices.Index(values, c.Name); j > i {
				e.Pairs = append(e.Pairs, EntityPair{i, j, c.Count})
			}
		}
	}
	return nil
}

// know adds what the base of a collection has, or that of the archive if none is named, unless one was found to know the entity.
func (e *Entity) know(bases Linkers, collection string) error {
	if bases == nil || e.Known != nil {
		return nil
	}
	l, giveBack, err := bases.Linker(collection)
	if varve.KindOf(err) == varve.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	defer giveBack()
	return e.read(l)
}

// read takes the entity from a base, with the names of its classes.
func (e *Entity) read(l *annotate.Linker) error {
	b := l.Base()
	n, ok, err := b.Find(e.ID)
	if err != nil || !ok {
		return err
	}
	if e.Known, err = b.Entity(n); err != nil {
		return err
	}
	e.ID = e.Known.ID
	if e.Known.Label != "" {
		e.Label = e.Known.Label
	}
	for _, kind := range e.Known.Kinds {
		k := EntityKind{kind, kind}
		if n, ok, err := b.Find(kind); err == nil && ok {
			if class, err := b.Entity(n); err == nil {
				k.Label = class.Title()
			}
		}
		e.Kinds = append(e.Kinds, k)
	}
	return nil
}

// Sizes of suggestions.
const (
	suggestedEntities = 8
	leastTyped        = 3 // bytes from which on a whole name is looked up
)

// SuggestEntities returns entities that versions which may be seen name: those whose label begins as the parameter prefix does, most frequent first, and those that
// the base of the archive knows by just this name.
func SuggestEntities(ctx context.Context, t Texts, bases Linkers, v url.Values) ([]Companion, error) {
	declared, err := Declared(ctx, t, v.Get("collection"))
	if err != nil {
		return nil, err
	}
	if !Linked(declared) {
		return nil, notLinked("suggest entities")
	}
	found, err := Complete(ctx, t, annotate.EntityFacet, v)
	if err != nil {
		return nil, err
	}
	out := []Companion{}
	for _, c := range found.Names {
		if id, label, ok := annotate.ParseEntityValue(c.Name); ok {
			out = append(out, Companion{id, label, c.Count})
		}
	}
	if bases == nil || len(v.Get("prefix")) < leastTyped {
		return out, nil
	}
	l, giveBack, err := bases.Linker("")
	if varve.KindOf(err) == varve.NotFound {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	defer giveBack()
	meanings, err := link.Meanings(l.Base(), v.Get("prefix"), entity.Unknown)
	if err != nil {
		return nil, err
	}
	for _, m := range meanings[:min(len(meanings), suggestedEntities)] {
		if slices.ContainsFunc(out, func(c Companion) bool { return c.ID == m.Entity.ID }) || !fulltext.Quotable(m.Entity.ID) {
			continue
		}
		a, err := Ask(ctx, t, v.Get("collection"), fulltext.Query{Text: named(m.Entity.ID), Limit: -1})
		if err != nil {
			return nil, err
		}
		if a.Total > 0 {
			out = append(out, Companion{m.Entity.ID, m.Entity.Title(), a.Total})
		}
	}
	return out, nil
}
