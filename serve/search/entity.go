package search

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/derive"
	"varve/derive/annotate"
	"varve/entity"
	"varve/entity/base"
	"varve/entity/consolidate"
	"varve/entity/kind"
	"varve/entity/link"
	"varve/index/fulltext"
	"varve/language"
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
	Types      []EntityType   `json:"types"`    // what kinds of things the passages say it is, most first
	Typed      int            `json:"typed"`    // passages that were asked for it
	Opinions   []OpinionName  `json:"opinions"` // how versions judge it, by what they call it; none where opinions were not looked for
	Passages   []fulltext.Hit `json:"passages"`
	Cursor     string         `json:"cursor,omitempty"` // of more passages

	from string // the collection whose base knows it; "" for that of the archive
}

// EntityType is a kind of things that passages say an entity is.
type EntityType struct {
	Type  string `json:"type"`
	Label string `json:"label"`
	Count int    `json:"count"` // passages
}

// EntityKind is a class of an entity.
type EntityKind struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	// Above are the classes that the base puts it in, and those above these, the nearest first.
	Above []EntityClass `json:"above,omitempty"`
}

// EntityClass is a class above another.
type EntityClass struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Steps int    `json:"steps"` // how far above, from 1
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
	// Strength is how strongly the base relates both (varve/entity/consolidate), and Via who refers to both, on the strongest way.
	Strength float64  `json:"strength,omitempty"`
	Via      []string `json:"via,omitempty"`
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
	EntityReader
}

// EntityReader is what whoever asks may not know of things that curators made entities.
type EntityReader struct {
	Outside bool // an outside reader: persons whom no knowledge base has are not shown
	Reader  bool // something is withheld: what the base has of these was taken from texts, which may be among it, so only what versions tell that may be seen counts
}

// NewID is how ids of things begin that curators of an archive made entities, and no knowledge base.
const NewID = "new:"

// made reports whether curators of an archive made it an entity.
func made(id string) bool { return strings.HasPrefix(id, NewID) }

// onlyTold takes out of what a base knows of an entity that curators made what no version tells that may be seen: words that stand near it, names of which none was met.
func (e *Entity) onlyTold() {
	if e.Known == nil {
		return
	}
	known := *e.Known
	known.Phrases, known.Popularity = nil, 0
	known.Names = nil
	for _, n := range e.Known.Names {
		if slices.ContainsFunc(e.Names, func(m EntityName) bool { return entity.Key(m.Name) == entity.Key(n.Text) }) {
			known.Names = append(known.Names, n)
		}
	}
	e.Known = &known
}

// private reports whether an entity is not for outside readers: a person whom curators made an entity, and of what no base knows any more it is not known that it is none.
func private(id string, known *entity.Entity) bool {
	return made(id) && (known == nil || slices.Contains(known.Kinds, "person"))
}

// privateIn reports whether an id is of a private one, by a base; nil: none has it.
func privateIn(b *base.Base, id string) (bool, error) {
	if !made(id) || b == nil {
		return private(id, nil), nil
	}
	n, ok, err := b.Find(id)
	if err != nil || !ok {
		return private(id, nil), err
	}
	known, err := b.Entity(n)
	if err != nil {
		return true, err
	}
	return private(known.ID, known), nil
}

// HidesPrivate returns whether a value of a facet tells of a person whom curators made an entity and no knowledge base has, by the base of the archive.
func HidesPrivate(bases Linkers) func(facet, value string) bool {
	return func(facet, value string) bool {
		var id string
		switch facet {
		case annotate.EntityFacet:
			id, _, _ = annotate.ParseEntityValue(value)
		case annotate.CalledFacet:
			id, _, _ = strings.Cut(strings.TrimPrefix(value, "["), "]")
		}
		if !made(id) {
			return false
		}
		l, giveBack, err := bases.Linker("")
		if err != nil {
			return true
		}
		defer giveBack()
		hidden, err := privateIn(l.Base(), id)
		return hidden || err != nil
	}
}

// Sizes of an answer.
const (
	entityNames      = 8
	entityCompanions = 12
	entityJudged     = 4 // names of which it is asked how they are judged
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

// calledSo is the condition that a version calls an entity by a name.
func calledSo(id, name string) string {
	return annotate.CalledFacet + `:"` + annotate.CalledValue(id, strings.ReplaceAll(name, `"`, " ")) + `"`
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
// Cost: four questions, one for each of eight names and of twelve companions, three for each of four names where opinions were looked for; the passages of one page are read for types.
func AskEntity(ctx context.Context, t Texts, bases Linkers, collections string, q EntityQuery) (*Entity, error) {
	if !fulltext.Quotable(q.ID) {
		return nil, invalid("id %q cannot be asked for: it is empty or has quotation marks", q.ID)
	}
	declared, err := Declared(ctx, t, collections)
	if err != nil {
		return nil, err
	}
	out := &Entity{ID: q.ID, AsOf: q.AsOf, Bucket: q.Trend, Kinds: []EntityKind{}, Points: []TrendPoint{}, Names: []EntityName{}, Companions: []Companion{}, Pairs: []EntityPair{}, Types: []EntityType{}, Opinions: []OpinionName{}, Passages: []fulltext.Hit{}}
	if err := out.know(bases, ""); err != nil { // the id may be another one of it
		return nil, err
	}
	if Linked(declared) {
		q.Text = Narrow(q.Text, named(out.ID))
		in, err := out.find(ctx, t, collections, q)
		if err != nil {
			return nil, err
		}
		if err := out.judge(ctx, t, collections, q.Query, declared); err != nil {
			return nil, err
		}
		if err := out.typed(ctx); err != nil {
			return nil, err
		}
		for _, c := range in { // a collection's own base is asked only if one of its versions that may be seen names the entity
			if err := out.know(bases, c.Name); err != nil {
				return nil, err
			}
		}
		if err := out.relate(bases); err != nil {
			return nil, err
		}
	}
	switch {
	case out.Known == nil && !Linked(declared):
		return nil, notLinked("find entity " + q.ID)
	case out.Known == nil && len(out.Points) == 0, q.Reader && made(out.ID) && len(out.Names) == 0, q.Outside && private(out.ID, out.Known):
		return nil, &varve.Error{
			Kind: varve.NotFound, Op: "find entity " + q.ID, Msg: "no base has it, and no version that may be seen names it",
			Hint: "varve entity import DUMP brings in more; a search for its name finds texts that have it",
		}
	}
	if q.Reader && made(out.ID) {
		out.onlyTold()
	}
	if q.Outside {
		if err := out.withoutPrivate(bases); err != nil {
			return nil, err
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
			e.Companions = append(e.Companions, Companion{ID: id, Label: label, Count: c.Count})
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
	e.from = collection
	return e.read(l)
}

// withoutPrivate takes out companions that are not for outside readers.
func (e *Entity) withoutPrivate(bases Linkers) error {
	var b *base.Base
	if bases != nil {
		l, giveBack, err := bases.Linker(e.from)
		if err != nil && varve.KindOf(err) != varve.NotFound {
			return err
		}
		if err == nil {
			defer giveBack()
			b = l.Base()
		}
	}
	place := make([]int, len(e.Companions)) // where each goes; -1: nowhere
	kept := []Companion{}
	for i, c := range e.Companions {
		hidden, err := privateIn(b, c.ID)
		if err != nil {
			return err
		}
		if place[i] = -1; !hidden {
			place[i] = len(kept)
			kept = append(kept, c)
		}
	}
	pairs := []EntityPair{}
	for _, p := range e.Pairs {
		if place[p.A] >= 0 && place[p.B] >= 0 {
			pairs = append(pairs, EntityPair{place[p.A], place[p.B], p.Count})
		}
	}
	e.Companions, e.Pairs = kept, pairs
	return nil
}

// relate says how strongly the base that knows the entity relates its companions to it.
func (e *Entity) relate(bases Linkers) error {
	if bases == nil || e.Known == nil {
		return nil
	}
	l, giveBack, err := bases.Linker(e.from)
	if err != nil {
		return err
	}
	defer giveBack()
	b := l.Base()
	own, ok, err := b.Find(e.ID)
	if err != nil || !ok {
		return err
	}
	for i := range e.Companions {
		c := &e.Companions[i]
		n, ok, err := b.Find(c.ID)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		r, err := consolidate.Related(b, own, n)
		if err != nil {
			return err
		}
		c.Strength = r.Strength
		if len(r.Paths) == 0 {
			continue
		}
		for _, between := range r.Paths[0][1 : len(r.Paths[0])-1] {
			via, err := b.Entity(between)
			if err != nil {
				return err
			}
			c.Via = append(c.Via, via.Title())
		}
	}
	return nil
}

// judge asks how versions that name the entity judge it, by what they call it.
func (e *Entity) judge(ctx context.Context, t Texts, collections string, q fulltext.Query, declared []derive.Facet) error {
	if !slices.ContainsFunc(declared, func(d derive.Facet) bool { return d.Name == OpinionFacet && d.Kind == derive.FacetNumbers }) {
		return nil
	}
	q.Trend, q.Limit, q.Cursor = fulltext.NoTrend, -1, ""
	for _, n := range e.Names[:min(len(e.Names), entityJudged)] {
		if !fulltext.Quotable(n.Name) {
			continue
		}
		var counts [3]int64
		for i, condition := range []string{judged(n.Name), inFavour(n.Name), against(n.Name)} {
			ask := q
			ask.Text = Narrow(q.Text, condition)
			a, err := Ask(ctx, t, collections, ask)
			if err != nil {
				return err
			}
			counts[i] = a.Total
		}
		if counts[0] > 0 {
			e.Opinions = append(e.Opinions, OpinionName{Name: n.Name, Sides: Sides{counts[0], counts[1], counts[2]}})
		}
	}
	return nil
}

// typed asks the passages what kinds of things they say the entity is: what stands around its names there.
func (e *Entity) typed(ctx context.Context) error {
	m, err := kind.Default(kind.WordNet)
	if err != nil {
		return err
	}
	called := map[string]bool{}
	for _, n := range e.Names {
		called[entity.Key(n.Name)] = true
	}
	counts, a := map[kind.Judged]int{}, language.New()
	for _, h := range e.Passages {
		if language.Tags.Known(h.Language) != nil {
			continue
		}
		var text strings.Builder
		for _, p := range h.Snippet {
			text.WriteString(p.Text)
		}
		doc, err := a.Analyse(ctx, language.Text{Text: text.String(), Language: h.Language}, language.Mentions)
		if err != nil {
			return err
		}
		names, err := m.Document(ctx, doc)
		if err != nil {
			return err
		}
		for _, n := range names {
			if called[entity.Key(n.Text)] {
				e.Typed++
				for _, t := range n.Types {
					t.Confidence = 0
					counts[t]++
				}
				break // one name of it says as much as two
			}
		}
	}
	for t, n := range counts {
		e.Types = append(e.Types, EntityType{t.Type, t.Label, n})
	}
	slices.SortFunc(e.Types, func(a, b EntityType) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Type, b.Type)) })
	return nil
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
		class, label := classOf(b, kind)
		k := EntityKind{ID: kind, Label: label}
		if class != nil {
			k.Above = above(b, class)
		}
		e.Kinds = append(e.Kinds, k)
	}
	return nil
}

// Bounds of a hierarchy: dumps have circles, and classes of everything.
const (
	classSteps = 6
	classesUp  = 24
)

// classOf returns a class of the base and what to call it; nil where the base does not have it.
func classOf(b *base.Base, id string) (*entity.Entity, string) {
	if n, ok, err := b.Find(id); err == nil && ok {
		if class, err := b.Entity(n); err == nil {
			if _, name, category := strings.Cut(class.ID, ":Category:"); class.Label == "" && category {
				return class, name
			}
			return class, class.Title()
		}
	}
	if _, name, category := strings.Cut(id, ":Category:"); category {
		return nil, name
	}
	return nil, id
}

// above returns the classes above one, by steps: each once, the nearest first.
func above(b *base.Base, class *entity.Entity) (out []EntityClass) {
	seen := map[string]bool{class.ID: true}
	level := []*entity.Entity{class}
	for steps := 1; steps <= classSteps && len(level) > 0; steps++ {
		var next []*entity.Entity
		for _, c := range level {
			for _, id := range c.Kinds {
				up, label := classOf(b, id)
				if up != nil {
					id = up.ID
				}
				if seen[id] || len(out) == classesUp {
					continue
				}
				seen[id] = true
				out = append(out, EntityClass{id, label, steps})
				if up != nil {
					next = append(next, up)
				}
			}
		}
		level = next
	}
	return out
}

// Sizes of suggestions.
const (
	suggestedEntities = 8
	leastTyped        = 3 // bytes from which on a whole name is looked up
)

// SuggestEntities returns entities that versions which may be seen name: those whose label begins as the parameter prefix does, most frequent first, and those that
// the base of the archive knows by just this name. Outside readers are not told persons whom no knowledge base has.
func SuggestEntities(ctx context.Context, t Texts, bases Linkers, v url.Values, who EntityReader) ([]Companion, error) {
	list, err := suggestEntities(ctx, t, bases, v, who)
	if err != nil || !who.Outside {
		return list, err
	}
	e := Entity{Companions: list}
	err = e.withoutPrivate(bases)
	return e.Companions, err
}

func suggestEntities(ctx context.Context, t Texts, bases Linkers, v url.Values, who EntityReader) ([]Companion, error) {
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
			out = append(out, Companion{ID: id, Label: label, Count: c.Count})
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
		condition := named(m.Entity.ID)
		if who.Reader && made(m.Entity.ID) { // that it has this name may be told by what is withheld
			condition = calledSo(m.Entity.ID, v.Get("prefix"))
		}
		a, err := Ask(ctx, t, v.Get("collection"), fulltext.Query{Text: condition, Limit: -1})
		if err != nil {
			return nil, err
		}
		if a.Total > 0 {
			out = append(out, Companion{ID: m.Entity.ID, Label: m.Entity.Title(), Count: a.Total})
		}
	}
	return out, nil
}
