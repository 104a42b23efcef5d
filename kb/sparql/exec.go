package sparql

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"regexp"
	"time"

	"varve"
	"varve/kb/rdf"
)

// Options say how a query is evaluated, and how far. The zero value has the default limits.
type Options struct {
	MaxRows   int64      // solutions at most; 0 is DefaultRows, below 0 no limit
	MaxMemory int64      // bytes held at most; 0 is DefaultMemory
	Scratch   Scratch    // where what is more than that goes; nil: nowhere, that is an error
	MaxDisk   int64      // bytes in temporary files at most; 0 is DefaultDisk
	Now       time.Time  // the time that NOW() returns
	Rand      *rand.Rand // for RAND, UUID and labels of new blank nodes; nil is seeded by chance

	// UnionDefault makes the default graph the union of all graphs, where the query names none.
	UnionDefault bool
	// Functions are known beside those of the standard and of this package; nil: no others.
	Functions Functions
	// Services asks other endpoints for SERVICE; nil: none is asked.
	Services Services
	// From and FromNamed are the dataset where the protocol names one; they go before that of the query.
	From, FromNamed []string
}

// Limits where nobody says otherwise.
const (
	DefaultRows   = 10_000_000
	DefaultMemory = 1 << 30
	DefaultDisk   = 10 << 30
)

// Result is the answer to a query. Exactly one of Solutions and Quads is there, or none for Ask.
type Result struct {
	Form      Form
	Vars      []string                     // of Select
	Solutions iter.Seq2[[]rdf.Term, error] // one term for each of Vars; None is unbound; the slice is reused
	Triples   iter.Seq2[rdf.Quad, error]   // of Construct and Describe, without duplicates
	Boolean   bool                         // of Ask
	plan      *step
}

// row is a solution: a term for each slot, or 0. Who is handed a row may fill empty slots while the call lasts.
type row []ID

// emitter takes a solution, and reports whether more are wanted.
type emitter func(row) bool

// step is a compiled operator.
type step struct {
	run      func(in row, emit emitter) bool // false: no more is wanted, or an error came up
	name     string
	detail   string
	estimate float64
	inputs   []*step
}

// run is a query that is being evaluated.
type execution struct {
	ctx   context.Context
	data  Dataset
	o     Options
	slots int

	terms termCache       // some of those of the dataset
	keys  map[ID]*sortKey // and some of their values
	made  []rdf.Term      // local terms
	ids   map[rdf.Term]ID // of local terms

	estimates map[Pattern]float64
	regexps   map[[2]string]*regexp.Regexp
	from      []ID // the default graph, where the query says so
	named     map[ID]bool
	dataset   bool // the query has a dataset of its own
	ticks     int64
	memory    int64
	disk      int64
	rows      int64
	blankBase string
	blanks    int
	services  int                 // requests that were sent for SERVICE
	bnodes    map[string]rdf.Term // BNODE(label) of this solution
	err       error
}

// limitError says that a query came to a limit.
func limitError(msg, hint string) error {
	return &varve.Error{Kind: varve.Unavailable, Op: "evaluate query", Msg: msg, Hint: hint}
}

// fail notes an error that ends the query.
func (x *execution) fail(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) {
		err = limitError("the query took longer than it may", "ask for less, or give it more time")
	}
	if x.err == nil {
		x.err = err
	}
	return false
}

// tick is called for each quad and solution looked at; it reports whether the query may go on.
func (x *execution) tick() bool {
	if x.ticks++; x.ticks&1023 == 0 {
		if err := x.ctx.Err(); err != nil {
			return x.fail(err)
		}
	}
	return x.err == nil
}

// hold counts memory that is held until the end of the query.
func (x *execution) hold(bytes int) bool {
	limit := x.memoryLimit()
	if x.memory += int64(bytes); x.memory > limit {
		return x.fail(limitError(fmt.Sprintf("the query needs more than %d MB of memory", limit>>20), "ask for less, or raise the limit"))
	}
	return true
}

// id returns the ID of a term, and makes one for a term that the dataset does not have.
func (x *execution) id(t rdf.Term) ID {
	if t.Kind == rdf.None {
		return 0
	}
	if id, ok := x.ids[t]; ok {
		return id
	}
	id, err := x.data.Lookup(t)
	if err != nil {
		x.fail(err)
		return 0
	}
	if id == 0 {
		id = local | ID(len(x.made))
		x.made = append(x.made, t)
		x.hold(len(t.Value) + len(t.Datatype) + 100)
	}
	if len(x.ids) < 1<<16 || id >= local {
		x.ids[t] = id
	}
	return id
}

// term returns the term of an ID.
func (x *execution) term(id ID) rdf.Term {
	if id == 0 {
		return rdf.Term{}
	}
	if id >= local {
		return x.made[id&^local]
	}
	cached := x.terms.at(id)
	if cached.id == id {
		return cached.term
	}
	t, err := x.data.Term(id)
	if err != nil {
		x.fail(err)
		return rdf.Term{}
	}
	cached.id, cached.term = id, t
	return t
}

// termCache has a place for each ID, which it shares with others. It grows with what is asked of it and not found.
type termCache struct {
	places []cachedTerm
	shift  int
	asked  int
}

type cachedTerm struct {
	id   ID
	term rdf.Term
}

// at returns the place of an ID.
func (c *termCache) at(id ID) *cachedTerm {
	if len(c.places) == 0 {
		c.places, c.shift = make([]cachedTerm, 1<<6), 64-6
	}
	p := &c.places[uint64(id)*0x9E3779B97F4A7C15>>c.shift] // Fibonacci hashing: small IDs are spread too
	if p.id == id {
		return p
	}
	if c.asked++; c.asked > 4*len(c.places) && len(c.places) < 1<<14 {
		c.places, c.shift, c.asked = make([]cachedTerm, 4*len(c.places)), c.shift-2, 0
		return c.at(id)
	}
	return p
}

// key returns the value of an ID.
func (x *execution) key(id ID) *sortKey {
	if k, ok := x.keys[id]; ok {
		return k
	}
	if len(x.keys) >= 1<<14 {
		clear(x.keys)
	}
	k := keyOf(x.term(id))
	x.keys[id] = &k
	return &k
}

// estimate returns about how many quads match; asking the dataset costs more than many a query.
func (x *execution) estimate(p Pattern) float64 {
	e, ok := x.estimates[p]
	if !ok {
		e = x.data.Estimate(p)
		x.estimates[p] = e
	}
	return e
}

// blank returns a new blank node.
func (x *execution) blank() rdf.Term {
	x.blanks++
	return rdf.NewBlank(fmt.Sprintf("%s%d", x.blankBase, x.blanks))
}

// Evaluate answers a query. Solutions are computed as they are asked for; an error ends them. Limits that are met give
// an error of kind Unavailable that says which.
func Evaluate(ctx context.Context, data Dataset, q *Query, o Options) (*Result, error) {
	x := newExecution(ctx, data, o)
	if err := x.setDataset(q); err != nil {
		return nil, err
	}
	c := &compiler{execution: x, scope: map[string]int{}, graph: graphRef{id: DefaultGraph}}
	top := c.compile(q.Pattern, bindings{})
	if x.err != nil {
		return nil, x.err
	}
	x.slots = c.next
	r := &Result{Form: q.Form, plan: top}
	switch q.Form {
	case Select:
		r.Vars = q.Vars
		r.Solutions = x.solutions(top, c.slotsOf(q.Vars))
	case Ask:
		top.run(make(row, x.slots), func(row) bool {
			r.Boolean = true
			return false
		})
		if x.err != nil {
			return nil, x.err
		}
	case Construct:
		r.Triples = x.construct(top, q.Template, c)
	case Describe:
		r.Triples = x.describe(top, q.Describe, c)
	}
	return r, nil
}

func newExecution(ctx context.Context, data Dataset, o Options) *execution {
	x := &execution{ctx: ctx, data: data, o: o, keys: map[ID]*sortKey{}, estimates: map[Pattern]float64{}, ids: map[rdf.Term]ID{}, regexps: map[[2]string]*regexp.Regexp{}}
	if x.o.Rand == nil {
		x.o.Rand = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	x.blankBase = fmt.Sprintf("q%x_", x.o.Rand.Uint64())
	return x
}

// setDataset takes FROM and FROM NAMED in.
func (x *execution) setDataset(q *Query) error {
	from, named := q.From, q.FromNamed
	if x.o.From != nil || x.o.FromNamed != nil {
		from, named = x.o.From, x.o.FromNamed
	}
	if from == nil && named == nil {
		return nil
	}
	x.dataset = true
	x.named = map[ID]bool{}
	for _, iri := range from {
		if id := x.id(rdf.NewIRI(iri)); id < local {
			x.from = append(x.from, id)
		}
	}
	for _, iri := range named {
		if id := x.id(rdf.NewIRI(iri)); id < local {
			x.named[id] = true
		}
	}
	return x.err
}

// count counts a solution of the query.
func (x *execution) count() bool {
	limit := x.o.MaxRows
	if limit == 0 {
		limit = DefaultRows
	}
	if x.rows++; limit > 0 && x.rows > limit {
		return x.fail(limitError(fmt.Sprintf("more than %d solutions", limit), "add LIMIT to the query, or raise the limit"))
	}
	return x.tick()
}

func (x *execution) solutions(top *step, slots []int) iter.Seq2[[]rdf.Term, error] {
	return func(yield func([]rdf.Term, error) bool) {
		out := make([]rdf.Term, len(slots))
		stopped := false
		top.run(make(row, x.slots), func(r row) bool {
			if !x.count() {
				return false
			}
			for i, s := range slots {
				out[i] = x.term(r[s])
			}
			if x.err != nil {
				return false
			}
			stopped = !yield(out, nil)
			return !stopped
		})
		if x.err != nil && !stopped {
			yield(nil, x.err)
		}
	}
}

// distinctTriples returns a function that hands on each triple once.
func (x *execution) distinctTriples(yield func(rdf.Quad, error) bool) func(s, p, o ID) bool {
	seen := map[[3]ID]struct{}{}
	return func(s, p, o ID) bool {
		key := [3]ID{s, p, o}
		if _, ok := seen[key]; ok {
			return true
		}
		seen[key] = struct{}{}
		if !x.hold(40) || !x.count() {
			return false
		}
		t := rdf.Triple{Subject: x.term(s), Predicate: x.term(p), Object: x.term(o)}
		if x.err != nil {
			return false
		}
		return yield(rdf.Quad{Triple: t}, nil)
	}
}

func (x *execution) construct(top *step, template []TriplePattern, c *compiler) iter.Seq2[rdf.Quad, error] {
	type place struct {
		slot  int // -1 for a term
		id    ID
		label string // of a blank node
	}
	at := func(n Node) place {
		switch {
		case n.Var != "":
			if s, ok := c.scope[n.Var]; ok {
				return place{slot: s}
			}
			return place{slot: -1}
		case n.Term.Kind == rdf.Blank:
			return place{slot: -1, label: n.Term.Value}
		}
		return place{slot: -1, id: x.id(n.Term)}
	}
	var places [][3]place
	for _, t := range template {
		places = append(places, [3]place{at(t.S), at(t.P), at(t.O)})
	}
	return func(yield func(rdf.Quad, error) bool) {
		stopped := false
		add := x.distinctTriples(func(q rdf.Quad, err error) bool {
			stopped = !yield(q, err)
			return !stopped
		})
		top.run(make(row, x.slots), func(r row) bool {
			labels := map[string]ID{}
			for _, t := range places {
				var ids [3]ID
				for i, p := range t {
					switch {
					case p.slot >= 0:
						ids[i] = r[p.slot]
					case p.label != "":
						if labels[p.label] == 0 {
							labels[p.label] = x.id(x.blank())
						}
						ids[i] = labels[p.label]
					default:
						ids[i] = p.id
					}
				}
				if x.isTriple(ids) && !add(ids[0], ids[1], ids[2]) {
					return false
				}
			}
			return x.tick()
		})
		if x.err != nil && !stopped {
			yield(rdf.Quad{}, x.err)
		}
	}
}

// isTriple reports whether three terms can be a triple.
func (x *execution) isTriple(ids [3]ID) bool {
	if ids[0] == 0 || ids[1] == 0 || ids[2] == 0 {
		return false
	}
	return x.term(ids[0]).Kind != rdf.Literal && x.term(ids[1]).Kind == rdf.IRI
}

// describe returns the triples that have a resource as subject, and those of blank nodes that they lead to.
func (x *execution) describe(top *step, nodes []Node, c *compiler) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		stopped := false
		add := x.distinctTriples(func(q rdf.Quad, err error) bool {
			stopped = !yield(q, err)
			return !stopped
		})
		seen := map[ID]bool{}
		of := func(id ID) bool {
			for todo := []ID{id}; len(todo) > 0; todo = todo[1:] {
				if seen[todo[0]] || todo[0] >= local {
					continue
				}
				seen[todo[0]] = true
				ok := x.match(graphRef{id: DefaultGraph}, nil, Pattern{todo[0]}, func(q Pattern) bool {
					if x.term(q[2]).Kind == rdf.Blank {
						todo = append(todo, q[2])
					}
					return x.hold(16) && add(q[0], q[1], q[2])
				})
				if !ok {
					return false
				}
			}
			return true
		}
		top.run(make(row, x.slots), func(r row) bool {
			for _, n := range nodes {
				id := x.id(n.Term)
				if n.Var != "" {
					id = 0
					if s, ok := c.scope[n.Var]; ok {
						id = r[s]
					}
				}
				if id != 0 && !of(id) {
					return false
				}
			}
			return true
		})
		if x.err != nil && !stopped {
			yield(rdf.Quad{}, x.err)
		}
	}
}

// graphRef is the graph that patterns are matched in: a graph, or that of a slot.
type graphRef struct {
	id   ID
	slot int // where id is 0
}

// match hands on the quads that match in a graph; r has the value of the graph's slot, if that is bound.
func (x *execution) match(g graphRef, r row, p Pattern, emit func(Pattern) bool) bool {
	for _, id := range p {
		if id >= local { // the dataset cannot have it
			return x.err == nil
		}
	}
	id := g.id
	if id == 0 {
		id = r[g.slot]
	}
	switch {
	case id == DefaultGraph && x.dataset:
		return x.matchUnion(p, x.from, emit)
	case id == DefaultGraph && x.o.UnionDefault:
		return x.matchUnion(p, []ID{0}, emit)
	case id == 0: // every named graph
		return x.scan(p, func(q Pattern) bool {
			return q[3] == DefaultGraph || x.named != nil && !x.named[q[3]] || emit(q)
		})
	case id >= local || id != DefaultGraph && x.named != nil && !x.named[id]:
		return x.err == nil
	}
	p[3] = id
	return x.scan(p, emit)
}

// matchUnion hands on what is in any of some graphs, each triple once.
func (x *execution) matchUnion(p Pattern, graphs []ID, emit func(Pattern) bool) bool {
	if len(graphs) == 1 && graphs[0] != 0 {
		p[3] = graphs[0]
		return x.scan(p, emit)
	}
	seen := map[[3]ID]struct{}{}
	own := 0
	defer func() { x.memory -= int64(own) }() // the set goes with this call
	for _, g := range graphs {
		p[3] = g
		ok := x.scan(p, func(q Pattern) bool {
			key := [3]ID{q[0], q[1], q[2]}
			if _, twice := seen[key]; twice {
				return true
			}
			seen[key] = struct{}{}
			own += 40
			return x.hold(40) && emit(q)
		})
		if !ok {
			return false
		}
	}
	return true
}

func (x *execution) scan(p Pattern, emit func(Pattern) bool) bool {
	for q, err := range x.data.Match(p) {
		if err != nil {
			return x.fail(err)
		}
		if !x.tick() || !emit(q) {
			return false
		}
	}
	return true
}
