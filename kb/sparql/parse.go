package sparql

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"varve/kb/rdf"
	"varve/kb/rdf/lex"
)

// Error is what is wrong with a query, and where.
type Error struct {
	Line, Column int
	Msg          string
}

// Error returns place and cause in one line.
func (e *Error) Error() string {
	return fmt.Sprintf("SPARQL, line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

// maxDepth is how deep groups, expressions and paths may be nested.
const maxDepth = 200

// parser reads a query. Its first error sticks and turns the token into the end of the text.
type parser struct {
	text     string // without escapes of characters
	lex      *lex.Lexer
	tok      lex.Token
	closed   lex.Token // the brace that ended the last group
	base     string
	prefixes map[string]string
	err      error
	depth    int
	fresh    int // variables and labels made up so far

	labels   map[string]int // blank node labels to the pattern they are used in
	pattern  int            // number of the basic graph pattern
	template bool           // blank nodes stay what they are
	noVars   bool           // in data there are none
	noBlanks bool           // nor blank nodes in what is deleted

	aggs  *[]Binding // where aggregates go; nil where none may be
	inAgg bool
}

func newParser(text, base string) *parser {
	p := &parser{base: base, prefixes: map[string]string{}, labels: map[string]int{}}
	p.text, p.err = unescape(text)
	p.lex = lex.New(strings.NewReader(p.text), lex.SPARQL, 0)
	p.next()
	return p
}

// Parse reads a query. Relative IRIs are resolved against base.
func Parse(text, base string) (*Query, error) {
	p := newParser(text, base)
	q := p.query()
	if p.err == nil && p.tok.Kind != lex.EOF {
		p.fail("the end of the query expected, not %s", p.tok)
	}
	if p.err != nil {
		return nil, p.err
	}
	return q, nil
}

// unescape replaces \uXXXX and \UXXXXXXXX, which may stand anywhere in a query (19.2).
func unescape(s string) (string, error) {
	if !strings.Contains(s, `\u`) && !strings.Contains(s, `\U`) {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		digits := map[byte]int{'u': 4, 'U': 8}[s[i+1]]
		if digits == 0 {
			b.WriteString(s[i : i+2])
			i++
			continue
		}
		var n uint64
		err := errors.New("too short")
		if i+2+digits <= len(s) {
			n, err = strconv.ParseUint(s[i+2:i+2+digits], 16, 32)
		}
		if err != nil || !utf8.ValidRune(rune(n)) {
			line := 1 + strings.Count(s[:i], "\n")
			return s, &Error{Line: line, Column: utf8.RuneCountInString(s[strings.LastIndexByte(s[:i], '\n')+1:i]) + 1, Msg: "an escape that is no character"}
		}
		b.WriteRune(rune(n))
		i += 1 + digits
	}
	return b.String(), nil
}

func (p *parser) next() {
	if p.err != nil {
		return
	}
	t, err := p.lex.Next()
	if err != nil {
		e, _ := errors.AsType[*lex.Error](err)
		p.stop(&Error{Line: e.Line, Column: e.Column, Msg: e.Msg})
		return
	}
	p.tok = t
}

func (p *parser) stop(err error) {
	if p.err == nil {
		p.err = err
	}
	p.tok = lex.Token{Line: p.tok.Line, Column: p.tok.Column}
}

func (p *parser) fail(format string, args ...any) {
	p.stop(&Error{Line: p.tok.Line, Column: p.tok.Column, Msg: fmt.Sprintf(format, args...)})
}

func (p *parser) is(sign string) bool { return p.tok.Kind == lex.Punct && p.tok.Text == sign }

func (p *parser) isWord(words ...string) bool {
	for _, w := range words {
		if p.tok.Kind == lex.Word && strings.EqualFold(p.tok.Text, w) {
			return true
		}
	}
	return false
}

// accept goes over a sign or word if it is there.
func (p *parser) accept(what string) bool {
	if !p.is(what) && !p.isWord(what) {
		return false
	}
	p.next()
	return true
}

func (p *parser) take(what string) {
	if !p.accept(what) {
		p.fail("'%s' expected, not %s", what, p.tok)
	}
}

// enter goes one level deeper; the caller leaves.
func (p *parser) enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.fail("nested deeper than %d levels", maxDepth)
	}
	return p.err == nil
}

func (p *parser) leave() { p.depth-- }

// madeUp returns a name that no query can have.
func (p *parser) madeUp(kind string) string {
	p.fresh++
	return "." + kind + strconv.Itoa(p.fresh)
}

// prologue reads BASE and PREFIX.
func (p *parser) prologue() {
	for {
		switch {
		case p.accept("BASE"):
			p.base = p.iriRef()
		case p.accept("PREFIX"):
			name := p.tok
			if name.Kind != lex.Name || name.Local != "" {
				p.fail("a prefix with ':' expected, not %s", name)
			}
			p.next()
			p.prefixes[name.Text] = p.iriRef()
		default:
			return
		}
		if p.err != nil {
			return
		}
	}
}

func (p *parser) iriRef() string {
	if p.tok.Kind != lex.IRI {
		p.fail("an IRI in angle brackets expected, not %s", p.tok)
		return ""
	}
	iri := rdf.Resolve(p.base, p.tok.Text)
	p.next()
	return iri
}

// iri reads an IRI or a prefixed name.
func (p *parser) iri() string {
	if p.tok.Kind == lex.Name {
		ns, ok := p.prefixes[p.tok.Text]
		if !ok {
			p.fail("the prefix %s: is not declared", p.tok.Text)
			return ""
		}
		iri := ns + p.tok.Local
		p.next()
		return iri
	}
	return p.iriRef()
}

func (p *parser) isIRI() bool { return p.tok.Kind == lex.IRI || p.tok.Kind == lex.Name }

// query reads a whole query.
func (p *parser) query() *Query {
	p.prologue()
	q := &Query{Prefixes: p.prefixes}
	switch {
	case p.isWord("SELECT"):
		q.Form = Select
		sel := p.selectClause()
		p.datasets(q)
		q.Pattern, q.Vars = p.selectRest(sel, true)
	case p.accept("CONSTRUCT"):
		q.Form = Construct
		p.construct(q)
	case p.accept("DESCRIBE"):
		q.Form = Describe
		p.describe(q)
	case p.accept("ASK"):
		q.Form = Ask
		p.datasets(q)
		q.Pattern, _ = p.selectRest(&selection{star: true}, true)
	default:
		p.fail("SELECT, CONSTRUCT, DESCRIBE or ASK expected, not %s", p.tok)
	}
	return q
}

func (p *parser) datasets(q *Query) {
	for p.accept("FROM") {
		if p.accept("NAMED") {
			q.FromNamed = append(q.FromNamed, p.iri())
		} else {
			q.From = append(q.From, p.iri())
		}
	}
}

func (p *parser) construct(q *Query) {
	if p.is("{") {
		q.Template = p.templateBlock()
		p.datasets(q)
		q.Pattern, _ = p.selectRest(&selection{star: true}, true)
		return
	}
	p.datasets(q)
	p.take("WHERE") // the short form: the pattern is the template
	q.Template = p.templateBlock()
	bgp := &BGP{}
	for _, t := range q.Template {
		bgp.Triples = append(bgp.Triples, TriplePattern{asVar(t.S), asVar(t.P), asVar(t.O)})
	}
	q.Pattern = p.modifiers(bgp, &selection{star: true}, nil)
}

// asVar makes a variable of a blank node.
func asVar(n Node) Node {
	if n.Term.Kind == rdf.Blank {
		return Node{Var: "_:" + n.Term.Value}
	}
	return n
}

func (p *parser) templateBlock() []TriplePattern {
	p.take("{")
	p.template = true
	triples := p.plainTriples()
	p.template = false
	p.take("}")
	return triples
}

// plainTriples reads triples without paths.
func (p *parser) plainTriples() []TriplePattern {
	var out []TriplePattern
	for _, t := range p.triplesBlock() {
		if link, ok := t.path.(PathLink); ok {
			t.p = Node{Term: rdf.NewIRI(link.IRI)}
		} else if t.path != nil {
			p.fail("a property path cannot stand here")
		}
		out = append(out, TriplePattern{t.s, t.p, t.o})
	}
	return out
}

func (p *parser) describe(q *Query) {
	if !p.accept("*") {
		for p.isIRI() || p.tok.Kind == lex.Var {
			q.Describe = append(q.Describe, p.varOrIRI())
		}
		if q.Describe == nil {
			p.fail("'*', a variable or an IRI expected, not %s", p.tok)
		}
	}
	p.datasets(q)
	if p.is("{") || p.isWord("WHERE") {
		q.Pattern, _ = p.selectRest(&selection{star: true}, true)
	} else {
		q.Pattern = p.modifiers(&BGP{}, &selection{star: true}, nil)
	}
	if q.Describe == nil {
		for _, v := range named(inScope(q.Pattern)) {
			q.Describe = append(q.Describe, Node{Var: v})
		}
	}
}

// named drops what a query cannot name.
func named(vars []string) []string {
	var out []string
	for _, v := range vars {
		if v[0] != '.' && v[0] != '_' || len(v) > 1 && v[0] == '_' && v[1] != ':' || v == "_" {
			out = append(out, v)
		}
	}
	return out
}

// selection is what stands behind SELECT.
type selection struct {
	star, distinct, reduced bool
	vars                    []Binding // Expr is nil for a plain variable
	aggs                    []Binding
	at                      lex.Token
}

func (p *parser) selectClause() *selection {
	s := &selection{at: p.tok}
	p.take("SELECT")
	s.distinct = p.accept("DISTINCT")
	s.reduced = !s.distinct && p.accept("REDUCED")
	if p.accept("*") {
		s.star = true
		return s
	}
	for {
		switch {
		case p.tok.Kind == lex.Var:
			s.vars = append(s.vars, Binding{Var: p.tok.Text})
			p.next()
			continue
		case p.is("("):
			p.next()
			e := p.withAggregates(&s.aggs, p.expression)
			p.take("AS")
			s.vars = append(s.vars, Binding{Var: p.variable(), Expr: e})
			p.take(")")
			continue
		}
		break
	}
	if s.vars == nil {
		p.fail("'*' or a variable expected, not %s", p.tok)
	}
	return s
}

// withAggregates reads an expression in which aggregates may stand.
func (p *parser) withAggregates(to *[]Binding, read func() *Expr) *Expr {
	old := p.aggs
	p.aggs = to
	e := read()
	p.aggs = old
	return e
}

func (p *parser) variable() string {
	if p.tok.Kind != lex.Var {
		p.fail("a variable expected, not %s", p.tok)
		return ""
	}
	v := p.tok.Text
	p.next()
	return v
}

// selectRest reads WHERE and the modifiers behind it.
func (p *parser) selectRest(s *selection, where bool) (Op, []string) {
	if where {
		p.accept("WHERE")
	}
	pattern := p.groupGraphPattern()
	op := p.modifiers(pattern, s, &s.aggs)
	vars := []string(nil)
	Walk(op, func(op Op) bool {
		if pr, ok := op.(*Project); ok {
			vars = pr.Vars
			return false
		}
		return true
	})
	return op, vars
}

// modifiers reads GROUP BY to VALUES, and puts the operators together (18.2.4 and 18.2.5).
func (p *parser) modifiers(op Op, s *selection, aggs *[]Binding) Op {
	var none []Binding
	if aggs == nil {
		aggs = &none
	}
	var keys []Binding
	grouped := false
	if p.accept("GROUP") {
		p.take("BY")
		grouped = true
		for p.err == nil && (len(keys) == 0 || p.is("(") || p.tok.Kind == lex.Var || p.tok.Kind == lex.Word && p.isCall() || p.isIRI()) {
			keys = append(keys, p.groupKey())
		}
	}
	var having []*Expr
	if p.accept("HAVING") {
		for p.err == nil && (len(having) == 0 || p.startsConstraint()) {
			having = append(having, p.withAggregates(aggs, p.constraint))
		}
	}
	var order []OrderKey
	if p.accept("ORDER") {
		p.take("BY")
		for p.err == nil && (len(order) == 0 || p.isWord("ASC", "DESC") || p.tok.Kind == lex.Var || p.startsConstraint()) {
			order = append(order, p.orderKey(aggs))
		}
	}
	var offset, limit int64 = 0, -1
	seenOffset, seenLimit := false, false
	for p.err == nil {
		if !seenLimit && p.accept("LIMIT") {
			limit, seenLimit = p.count(), true
		} else if !seenOffset && p.accept("OFFSET") {
			offset, seenOffset = p.count(), true
		} else {
			break
		}
	}
	scope := inScope(op)
	if grouped || len(*aggs) > 0 {
		if s.star && !grouped {
			p.fail("'*' cannot be selected of groups")
		}
		p.checkGrouped(s, keys)
		op = &Group{In: op, Keys: keys, Aggs: *aggs}
		scope = inScope(op)
	}
	for _, h := range having {
		op = &Filter{Expr: h, In: op}
	}
	if p.accept("VALUES") {
		op = &Join{op, p.dataBlock()}
		if !grouped && len(*aggs) == 0 {
			scope = inScope(op)
		}
	}
	var vars []string
	bound := map[string]bool{}
	for _, v := range scope {
		bound[v] = true
	}
	if s.star {
		vars = named(scope)
	}
	for _, v := range s.vars {
		if v.Expr != nil {
			if bound[v.Var] {
				p.stop(&Error{Line: s.at.Line, Column: s.at.Column, Msg: "the variable ?" + v.Var + " of AS is bound already"})
			}
			op = &Extend{In: op, Var: v.Var, Expr: v.Expr}
			bound[v.Var] = true
		}
		vars = append(vars, v.Var)
	}
	if order != nil {
		op = &OrderBy{op, order}
	}
	op = &Project{op, vars}
	if s.distinct {
		op = &Distinct{op}
	}
	if s.reduced {
		op = &Reduced{op}
	}
	if offset > 0 || limit >= 0 {
		op = &Slice{op, offset, limit}
	}
	return op
}

// checkGrouped refuses variables that a group has many values of.
func (p *parser) checkGrouped(s *selection, keys []Binding) {
	if p.err != nil {
		return
	}
	known := map[string]bool{}
	for _, k := range keys {
		known[k.Var] = true
	}
	if s.star {
		p.stop(&Error{Line: s.at.Line, Column: s.at.Column, Msg: "'*' cannot be selected of groups"})
	}
	for _, v := range s.vars {
		loose := []string{v.Var}
		if v.Expr != nil {
			loose = v.Expr.vars(nil)
		}
		for _, name := range loose {
			if !known[name] && name[0] != '.' {
				p.stop(&Error{Line: s.at.Line, Column: s.at.Column, Msg: "?" + name + " is selected of groups, and neither grouped by nor aggregated"})
			}
		}
		known[v.Var] = true
	}
}

// vars returns the variables of an expression, but for those inside of EXISTS.
func (e *Expr) vars(all []string) []string {
	if e == nil {
		return all
	}
	if e.Op == "var" {
		return append(all, e.Var)
	}
	for _, a := range e.Args {
		all = a.vars(all)
	}
	return all
}

func (p *parser) groupKey() Binding {
	if p.tok.Kind == lex.Var {
		v := p.variable()
		return Binding{Var: v, Expr: &Expr{Op: "var", Var: v}}
	}
	if p.accept("(") {
		b := Binding{Expr: p.expression()}
		if p.accept("AS") {
			b.Var = p.variable()
		} else {
			b.Var = p.madeUp("key")
		}
		p.take(")")
		return b
	}
	return Binding{Var: p.madeUp("key"), Expr: p.constraint()}
}

func (p *parser) startsConstraint() bool {
	return p.is("(") || p.isIRI() || p.tok.Kind == lex.Word && p.isCall()
}

// constraint reads an expression in parentheses, or a call.
func (p *parser) constraint() *Expr {
	switch {
	case p.is("("):
		return p.bracketted()
	case p.isIRI():
		iri := p.iri()
		return p.functionCall(iri)
	}
	return p.builtIn()
}

func (p *parser) bracketted() *Expr {
	p.take("(")
	e := p.expression()
	p.take(")")
	return e
}

func (p *parser) orderKey(aggs *[]Binding) OrderKey {
	k := OrderKey{}
	switch {
	case p.accept("ASC"):
		k.Expr = p.withAggregates(aggs, p.bracketted)
	case p.accept("DESC"):
		k.Desc = true
		k.Expr = p.withAggregates(aggs, p.bracketted)
	case p.tok.Kind == lex.Var:
		k.Expr = &Expr{Op: "var", Var: p.variable()}
	default:
		k.Expr = p.withAggregates(aggs, p.constraint)
	}
	return k
}

func (p *parser) count() int64 {
	n, err := strconv.ParseInt(p.tok.Text, 10, 64)
	if p.tok.Kind != lex.Integer || err != nil || p.tok.Text[0] == '+' || n < 0 {
		p.fail("a whole number expected, not %s", p.tok)
	}
	p.next()
	return n
}
