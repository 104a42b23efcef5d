package triplestore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"varve"
	"varve/kb/rdf"
	"varve/kb/rdf/xsd"
	"varve/kb/sparql"
	"varve/kb/triplestore"
	"varve/lab/chance"
	"varve/lab/oxigraph"
)

// Random queries over random quads, asked of the store, of a dataset in memory and of Oxigraph. A query on which they
// differ is made smaller as long as they do, and printed with the quads. VARVE_QUERIES is how many are asked.
func TestDrillOxigraph(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("a drill: VARVE_DRILL=1")
	}
	python, err := oxigraph.Install(t.Context(), t.TempDir())
	if err != nil {
		t.Skip(err)
	}
	d := &drilled{t: t, python: python}
	d.start()
	defer func() { _ = d.peer.Close() }()
	total := 4000
	if s := os.Getenv("VARVE_QUERIES"); s != "" {
		if total, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	r := chance.Rand(t, 20)
	counts := map[string]int{}
	for asked := 0; asked < total; {
		blanks := r.IntN(2) == 0
		quads := quadsOf(r, blanks)
		d.fill(quads)
		for range 40 {
			asked++
			g := &querySource{Rand: r, limits: !blanks, ways: r.IntN(2) == 0}
			query := g.query()
			verdict := d.compare(query.String())
			if counts[strings.SplitN(verdict, ":", 2)[0]]++; !strings.HasPrefix(verdict, "differ") {
				continue
			}
			t.Error(d.smallest(query, quads))
			if counts["differ"] >= 8 {
				t.Fatalf("too many differences: %v", counts)
			}
			d.fill(quads)
		}
	}
	d.fill(nil)
	t.Logf("Oxigraph %s: %v", d.peer.Version, counts)
	if counts["same with solutions"] < total/5 {
		t.Errorf("the queries say little: %v", counts)
	}
}

const drillNS = "http://e.org/"

// quadsOf returns a few quads in the default graph and two named ones. Literals are written as Oxigraph writes them, which
// keeps the values of numbers and times and not how they were written.
func quadsOf(r *rand.Rand, blanks bool) []rdf.Quad {
	literals := []rdf.Term{
		rdf.NewString("a"), rdf.NewString("b"), rdf.NewString(""), rdf.NewLang("a", "en"), rdf.NewLang("a", "en-gb"), rdf.NewLang("b", "de"),
		rdf.NewLiteral("1", rdf.Integer), rdf.NewLiteral("2", rdf.Integer), rdf.NewLiteral("-3", rdf.Integer), rdf.NewLiteral("1.5", rdf.Decimal),
		rdf.NewLiteral("2.5", rdf.Double), rdf.NewLiteral("true", rdf.Boolean), rdf.NewLiteral("false", rdf.Boolean), rdf.NewLiteral("a", drillNS+"type"),
		rdf.NewLiteral("2003-05-01", rdf.Date), rdf.NewLiteral("2003-05-01T10:00:00Z", rdf.DateTime), rdf.NewLiteral("2004-05-01T10:00:00Z", rdf.DateTime),
	}
	node := func() rdf.Term {
		if blanks && r.IntN(8) == 0 {
			return rdf.NewBlank("n" + strconv.Itoa(r.IntN(3)))
		}
		return rdf.NewIRI(drillNS + "s" + strconv.Itoa(r.IntN(4)))
	}
	quads := map[rdf.Quad]bool{}
	for range 30 + r.IntN(30) {
		q := rdf.Quad{Triple: rdf.Triple{Subject: node(), Predicate: rdf.NewIRI(drillNS + "p" + strconv.Itoa(r.IntN(3))), Object: node()}}
		switch r.IntN(5) {
		case 0:
			q.Object = literals[r.IntN(len(literals))]
		case 1:
			q.Predicate, q.Object = rdf.NewIRI(drillNS+"num"), rdf.NewLiteral(strconv.Itoa(r.IntN(5)), rdf.Integer)
		}
		if r.IntN(3) == 0 {
			q.Graph = rdf.NewIRI(drillNS + "g" + strconv.Itoa(r.IntN(2)))
		}
		quads[q] = true
	}
	var all []rdf.Quad
	for q := range quads {
		all = append(all, q)
	}
	slices.SortFunc(all, func(a, b rdf.Quad) int { return strings.Compare(a.String(), b.String()) })
	return all
}

func document(quads []rdf.Quad) string {
	var b strings.Builder
	for _, q := range quads {
		fmt.Fprintln(&b, q)
	}
	return b.String()
}

// drilled has the same quads three times.
type drilled struct {
	t              *testing.T
	python         string
	peer           *oxigraph.Peer
	quads          []rdf.Quad
	memory, stored sparql.Dataset
	close          func()
}

func (d *drilled) start() {
	var err error
	if d.peer, err = oxigraph.Start(d.t.Context(), d.python, ""); err != nil {
		d.t.Fatal(err)
	}
}

// fill makes quads the only ones; with none it lets the store go.
func (d *drilled) fill(quads []rdf.Quad) {
	if d.close != nil {
		d.close()
		d.close = nil
	}
	if d.quads = quads; quads == nil {
		return
	}
	s := open(d.t, vfs.NewMem(), "store", triplestore.Config{CacheBytes: 1 << 20, MemtableBytes: 1 << 20, SortBytes: 1 << 16})
	fill(d.t, s, quads)
	view := s.View()
	d.memory, d.stored = sparql.NewMemory(quads), view
	d.close = func() {
		if err := errors.Join(view.Close(), s.Close()); err != nil {
			d.t.Error(err)
		}
	}
	if err := d.peer.Replace(document(quads)); err != nil {
		d.t.Fatal(err)
	}
}

// smallest leaves out of a query and of the quads what the difference does not need, and says what is left.
func (d *drilled) smallest(query *fragment, quads []rdf.Quad) string {
	differ := func() bool { return strings.HasPrefix(d.compare(query.String()), "differ") }
	query.shrink(differ)
	for i := 0; i < len(quads) && len(quads) > 1; {
		less := slices.Delete(slices.Clone(quads), i, i+1)
		if d.fill(less); differ() {
			quads = less
		} else {
			i++
		}
	}
	d.fill(quads)
	return fmt.Sprintf("%s\n%s\n%s", query, d.compare(query.String()), document(quads))
}

// compare says what became of a query: "same", "same with solutions", "too large", "Oxigraph took too long", or how they differ.
func (d *drilled) compare(query string) string {
	q, err := sparql.Parse(query, "")
	if err != nil {
		return "differ: " + err.Error()
	}
	ask := func(data sparql.Dataset) ([]string, error) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		res, err := sparql.Evaluate(ctx, data, q, sparql.Options{MaxRows: 20_000})
		if err != nil {
			return nil, err
		}
		return rowsOf(res)
	}
	got, err := ask(d.stored)
	if varve.KindOf(err) == varve.Unavailable {
		return "too large"
	}
	if err != nil {
		return "differ: " + err.Error()
	}
	again, err := ask(d.memory)
	if err != nil || !slices.Equal(got, again) {
		return fmt.Sprintf("differ: store\n%s\nmemory %v\n%s", strings.Join(got, "\n"), err, strings.Join(again, "\n"))
	}
	ctx, cancel := context.WithTimeout(d.t.Context(), 30*time.Second)
	defer cancel()
	body, _, err := d.peer.Query(ctx, query)
	if ctx.Err() != nil { // some paths take Oxigraph forever
		_ = d.peer.Close()
		d.start()
		d.fill(d.quads)
		return "Oxigraph took too long"
	}
	if err != nil {
		return "differ: Oxigraph: " + err.Error()
	}
	theirs, err := sparql.ReadResult(bytes.NewReader(body))
	if err != nil {
		return "differ: " + err.Error()
	}
	want, err := rowsOf(theirs)
	if err != nil {
		return "differ: " + err.Error()
	}
	switch {
	case !slices.Equal(got, want):
		return fmt.Sprintf("differ: Varve\n%s\nOxigraph\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	case len(got) > 1: // one row may be a zero counted
		return "same with solutions"
	}
	return "same"
}

// rowsOf returns solutions as sorted lines; numbers that were computed are compared by value.
func rowsOf(r *sparql.Result) ([]string, error) {
	if r.Form == sparql.Ask {
		return []string{strconv.FormatBool(r.Boolean)}, nil
	}
	var all []string
	for row, err := range r.Solutions {
		if err != nil {
			return nil, err
		}
		var line []string
		for i, t := range row {
			if t.Kind == rdf.None {
				continue
			}
			if c, ok := xsd.Canonical(t.Value, t.Datatype); ok {
				t.Value = c
			}
			if t.Datatype == rdf.Decimal && len(t.Value) > 14 { // quotients are cut at different places
				t.Value = t.Value[:14]
			}
			line = append(line, r.Vars[i]+"="+t.String())
		}
		slices.Sort(line)
		all = append(all, strings.Join(line, " "))
	}
	slices.Sort(all)
	return all, nil
}

// fragment is a piece of a query: its children between two texts. What is droppable can be left out.
type fragment struct {
	begin, between, end string
	kids                []*fragment
	droppable           bool
}

// String returns the text of the query.
func (f *fragment) String() string {
	var kids []string
	for _, k := range f.kids {
		kids = append(kids, k.String())
	}
	return f.begin + strings.Join(kids, f.between) + f.end
}

// shrink leaves out pieces, as long as the query stays one of those that are looked for.
func (f *fragment) shrink(still func() bool) {
	for i := 0; i < len(f.kids); i++ {
		if f.kids[i].droppable {
			all := f.kids
			f.kids = slices.Delete(slices.Clone(all), i, i+1)
			if still() {
				i--
				continue
			}
			f.kids = all
		}
		f.kids[i].shrink(still)
	}
}

func leaf(format string, args ...any) *fragment {
	return &fragment{begin: fmt.Sprintf(format, args...)}
}

func droppable(f *fragment) *fragment {
	f.droppable = true
	return f
}

// querySource makes up queries. Left out is what the standard leaves open (SAMPLE, the order of GROUP_CONCAT and of
// unlike literals, MIN and MAX of errors, which Oxigraph makes an error and we leave out) and what depends on chance.
type querySource struct {
	*rand.Rand
	ways   bool // alternatives and negated sets in paths: Oxigraph counts some ways through them once, where 18.2.2.2 makes a union; so all is DISTINCT
	limits bool // no blank nodes are tied in the order of a query, so that a limit means the same in both
	made   int  // variables of BIND and of aggregates
	extra  []string
	inner  int // how many OPTIONAL, GRAPH and EXISTS are around
}

func (g *querySource) pick(of ...string) string { return of[g.IntN(len(of))] }

func (g *querySource) variable() string {
	return g.pick(append([]string{"?a", "?b", "?c", "?d"}, g.extra...)...)
}

func (g *querySource) iri() string { return fmt.Sprintf("<%ss%d>", drillNS, g.IntN(5)) }

func (g *querySource) predicate() string {
	return "<" + drillNS + g.pick("p0", "p1", "p2", "num") + ">"
}

func (g *querySource) constant() string {
	return g.pick(g.iri(), `"a"`, `"a"@en`, "1", "2", "1.5", `"2.5"^^<`+rdf.Double+">", "true", `"2003-05-01"^^<`+rdf.Date+">", `"2004-01-01T00:00:00Z"^^<`+rdf.DateTime+">", `"a"^^<`+drillNS+`type>`)
}

// newVariable returns a variable that nothing before it has.
func (g *querySource) newVariable() string {
	g.made++
	return "?x" + strconv.Itoa(g.made)
}

func (g *querySource) query() *fragment {
	if g.IntN(12) == 0 {
		return &fragment{begin: "ASK ", kids: []*fragment{g.group(3)}}
	}
	return g.selection(3)
}

// selection returns a SELECT.
func (g *querySource) selection(depth int) *fragment {
	body := g.group(depth)
	head, tail := &fragment{begin: "SELECT ", between: " ", end: " "}, &fragment{between: " "}
	if g.ways || g.IntN(4) == 0 {
		head.begin = "SELECT DISTINCT "
	}
	var vars []string
	if !g.ways && g.IntN(4) == 0 {
		vars = g.grouped(head, tail)
	} else {
		for _, v := range []string{"?a", "?b", "?c", "?d"} {
			if g.IntN(3) > 0 || len(vars) == 0 {
				vars = append(vars, v)
				head.kids = append(head.kids, leaf("%s", v))
			}
		}
	}
	if g.IntN(4) == 0 { // a total order but for blank nodes
		order := &fragment{begin: " ORDER BY", between: " "}
		for _, v := range vars {
			if dir := g.pick("ASC", "DESC"); g.IntN(2) == 0 {
				order.kids = append(order.kids, leaf(" %s(isLiteral(%s)) %s(isIRI(%s))", dir, v, dir, v))
			}
			order.kids = append(order.kids, leaf(" %s(DATATYPE(%s)) LANG(%s) %s(STR(%s)) isBlank(%s)", g.pick("ASC", "DESC"), v, v, g.pick("ASC", "DESC"), v, v))
		}
		tail.kids = append(tail.kids, order)
		if g.limits {
			tail.kids = append(tail.kids, leaf(" LIMIT %d OFFSET %d", 1+g.IntN(12), g.IntN(3)))
		}
	}
	return &fragment{kids: []*fragment{head, body, tail}}
}

func (g *querySource) grouped(head, tail *fragment) (vars []string) {
	if g.IntN(4) > 0 {
		v := g.variable()
		vars = append(vars, v)
		head.kids = append(head.kids, leaf("%s", v))
		tail.kids = append(tail.kids, leaf(" GROUP BY %s", v))
		if g.IntN(4) == 0 {
			tail.kids = append(tail.kids, droppable(leaf(" HAVING(COUNT(*) > %d)", g.IntN(4))))
		}
	}
	for range 1 + g.IntN(2) {
		v, as := g.variable(), g.newVariable()
		call := g.pick("COUNT(*)", "COUNT(%s)", "COUNT(DISTINCT %s)", "SUM(%s)", "AVG(%s)", `MIN(STRLEN(COALESCE(STR(%s), "")))`, `MAX(COALESCE(STR(%s), ""))`, "SUM(DISTINCT %s)", "COUNT(DISTINCT *)")
		head.kids = append(head.kids, leaf("(%s AS %s)", strings.ReplaceAll(call, "%s", v), as))
		vars = append(vars, as)
	}
	return vars
}

// group returns what stands in braces.
func (g *querySource) group(depth int) *fragment {
	f := &fragment{begin: "{ ", between: " ", end: " }"}
	n := 1 + g.IntN(3)
	for i := range n {
		if i == 0 && g.IntN(8) > 0 || depth == 0 {
			f.kids = append(f.kids, droppable(g.triple()))
			continue
		}
		f.kids = append(f.kids, droppable(g.element(depth-1)))
	}
	return f
}

func (g *querySource) element(depth int) *fragment {
	in := func(begin string) *fragment { return &fragment{begin: begin, kids: []*fragment{g.group(depth)}} }
	switch g.IntN(16) {
	case 0, 1:
		g.inner++
		defer func() { g.inner-- }()
		return in("OPTIONAL ")
	case 2:
		return &fragment{between: " UNION ", kids: []*fragment{g.group(depth), g.group(depth)}}
	case 3:
		if g.inner > 0 { // what is bound outside is not shared with MINUS (18.5, 18.6); for Oxigraph it is
			return g.triple()
		}
		return in("MINUS ")
	case 4, 5:
		return leaf("FILTER(%s)", g.condition(2))
	case 6:
		v := g.newVariable()
		f := leaf("BIND(%s AS %s)", g.value(2), v)
		g.extra = append(g.extra, v)
		return f
	case 7:
		v, w := "?a", "?b"
		return leaf("VALUES (%s %s) { (%s %s) (%s UNDEF) (UNDEF %s) }", v, w, g.iri(), g.constant(), g.constant(), g.iri())
	case 8:
		g.inner++
		defer func() { g.inner-- }()
		triple := g.triple() // in any case: without one, Oxigraph does not go through the graphs
		graph := in("GRAPH " + g.pick("?g", "?g", "<"+drillNS+"g0>", "<"+drillNS+"g1>") + " ")
		graph.kids[0].kids = append([]*fragment{triple}, graph.kids[0].kids...)
		return graph
	case 9:
		if g.inner > 0 { // in GRAPH ?g, Oxigraph does not ask a subquery in the graph of the rest
			return g.triple()
		}
		outer := g.extra
		f := &fragment{begin: "{ ", end: " }", kids: []*fragment{g.selection(depth)}}
		g.extra = outer
		return f
	case 10:
		g.inner++
		defer func() { g.inner-- }()
		return in("FILTER " + g.pick("", "NOT ") + "EXISTS ")
	case 11, 12:
		path, from, to := g.path(2), g.variable(), g.variable()
		if !strings.ContainsAny(path, "*?") { // a term that is in no graph leads to itself (18.4); for Oxigraph it does not
			from, to = g.pick(from, from, g.iri()), g.pick(to, to, g.iri())
		}
		return leaf("%s %s %s .", from, path, to)
	case 13:
		return in("")
	}
	return g.triple()
}

func (g *querySource) triple() *fragment {
	return leaf("%s %s %s .", g.pick(g.variable(), g.variable(), g.variable(), g.variable(), g.variable(), g.iri()), g.pick(g.predicate(), g.predicate(), g.predicate(), g.variable()),
		g.pick(g.variable(), g.variable(), g.variable(), g.variable(), g.variable(), g.variable(), g.iri(), g.constant()))
}

func (g *querySource) path(depth int) string {
	if depth == 0 {
		return g.predicate()
	}
	sub := func() string { return "(" + g.path(depth-1) + ")" }
	most := 6
	if g.ways {
		most = 9
	}
	switch g.IntN(most) {
	case 0:
		return sub() + "/" + sub()
	case 1:
		return "^" + sub()
	case 2:
		return sub() + "*"
	case 3:
		return sub() + "+"
	case 4:
		return sub() + "?"
	case 6:
		return "!" + g.predicate()
	case 7:
		return sub() + "|" + sub()
	case 8:
		return "!(" + g.predicate() + "|^" + g.predicate() + ")"
	}
	return g.predicate()
}

func (g *querySource) condition(depth int) string {
	v := g.variable()
	if depth > 0 {
		switch g.IntN(4) {
		case 0:
			return fmt.Sprintf("(%s %s %s)", g.condition(depth-1), g.pick("&&", "||"), g.condition(depth-1))
		case 1:
			return "!(" + g.condition(depth-1) + ")"
		}
	}
	switch g.IntN(9) {
	case 0:
		return "BOUND(" + v + ")"
	case 1:
		return g.pick("isIRI", "isLiteral", "isNumeric", "isBlank") + "(" + v + ")"
	case 2:
		return fmt.Sprintf("%s %sIN (%s, %s)", v, g.pick("", "NOT "), g.constant(), g.value(1))
	case 3:
		return fmt.Sprintf("REGEX(STR(%s), %s)", v, g.pick(`"s[0-3]"`, `"^a$"`, `"a|1"`))
	case 4:
		return fmt.Sprintf("sameTerm(%s, %s)", v, g.value(1))
	case 5:
		return fmt.Sprintf("LANGMATCHES(LANG(%s), %s)", v, g.pick(`"en"`, `"*"`))
	}
	if g.IntN(2) == 0 { // not between two variables: Oxigraph finds that an IRI is <= itself, and 17.3 has no answer
		return fmt.Sprintf("%s %s %s", g.value(1), g.pick("<", ">", "<=", ">="), g.pick("1", "1.5", `"a"`, "true"))
	}
	return fmt.Sprintf("%s %s %s", g.value(1), g.pick("=", "!="), g.value(1))
}

func (g *querySource) value(depth int) string {
	if depth == 0 || g.IntN(3) == 0 {
		return g.pick(g.variable(), g.variable(), g.constant())
	}
	switch g.IntN(9) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", g.value(depth-1), g.pick("+", "*", "/"), g.value(depth-1))
	case 1: // Oxigraph subtracts times too
		return fmt.Sprintf("(%s - %s)", g.value(depth-1), g.pick("1", "2.5"))
	case 2:
		return "STRLEN(STR(" + g.variable() + "))"
	case 3:
		return "STR(" + g.variable() + ")"
	case 4:
		return fmt.Sprintf("IF(%s, %s, %s)", g.condition(depth-1), g.value(depth-1), g.value(depth-1))
	case 5:
		return fmt.Sprintf("COALESCE(%s, %s)", g.value(depth-1), g.value(depth-1))
	case 6:
		return g.pick("LANG", "DATATYPE", "ABS", "UCASE", "YEAR") + "(" + g.variable() + ")"
	case 7:
		return fmt.Sprintf("SUBSTR(STR(%s), %d)", g.variable(), 1+g.IntN(14))
	}
	return g.variable()
}
