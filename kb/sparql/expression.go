package sparql

import (
	"strings"

	"varve/kb/rdf"
	"varve/kb/rdf/lex"
)

// expression reads an expression; the functions below are its levels, from the loosest operator to the tightest.
func (p *parser) expression() *Expr {
	defer p.leave()
	if !p.enter() {
		return &Expr{}
	}
	left := p.conjunction()
	for p.accept("||") {
		left = &Expr{Op: "||", Args: []*Expr{left, p.conjunction()}}
	}
	return left
}

func (p *parser) conjunction() *Expr {
	left := p.relation()
	for p.accept("&&") {
		left = &Expr{Op: "&&", Args: []*Expr{left, p.relation()}}
	}
	return left
}

func (p *parser) relation() *Expr {
	left := p.sum()
	for _, op := range []string{"=", "!=", "<", ">", "<=", ">="} {
		if p.accept(op) {
			return &Expr{Op: op, Args: []*Expr{left, p.sum()}}
		}
	}
	not := p.accept("NOT")
	if not && !p.isWord("IN") {
		p.fail("IN expected behind NOT, not %s", p.tok)
	}
	if !p.accept("IN") {
		return left
	}
	e := &Expr{Op: "in", Args: append([]*Expr{left}, p.list()...)}
	if not {
		return &Expr{Op: "!", Args: []*Expr{e}}
	}
	return e
}

// list reads expressions in parentheses; there may be none.
func (p *parser) list() []*Expr {
	var all []*Expr
	p.take("(")
	if p.accept(")") {
		return nil
	}
	all = append(all, p.expression())
	for p.accept(",") {
		all = append(all, p.expression())
	}
	p.take(")")
	return all
}

func (p *parser) sum() *Expr {
	left := p.product(p.unary())
	for p.err == nil {
		switch {
		case p.accept("+"):
			left = &Expr{Op: "+", Args: []*Expr{left, p.product(p.unary())}}
		case p.accept("-"):
			left = &Expr{Op: "-", Args: []*Expr{left, p.product(p.unary())}}
		case p.signed(): // "?a -1": the sign is an operator
			t, _ := p.literal()
			op := t.Value[:1]
			t.Value = t.Value[1:]
			left = &Expr{Op: op, Args: []*Expr{left, p.product(&Expr{Op: "term", Term: t})}}
		default:
			return left
		}
	}
	return left
}

func (p *parser) signed() bool {
	switch p.tok.Kind {
	case lex.Integer, lex.Decimal, lex.Double:
		return p.tok.Text[0] == '+' || p.tok.Text[0] == '-'
	}
	return false
}

func (p *parser) product(left *Expr) *Expr {
	for p.err == nil {
		switch {
		case p.accept("*"):
			left = &Expr{Op: "*", Args: []*Expr{left, p.unary()}}
		case p.accept("/"):
			left = &Expr{Op: "/", Args: []*Expr{left, p.unary()}}
		default:
			return left
		}
	}
	return left
}

func (p *parser) unary() *Expr {
	for _, op := range []string{"!", "+", "-"} {
		if p.is(op) {
			defer p.leave()
			if !p.enter() {
				return &Expr{}
			}
			p.next()
			name := map[string]string{"!": "!", "+": "plus", "-": "negate"}[op]
			return &Expr{Op: name, Args: []*Expr{p.unary()}}
		}
	}
	return p.primary()
}

func (p *parser) primary() *Expr {
	switch {
	case p.is("("):
		return p.bracketted()
	case p.tok.Kind == lex.Var:
		return &Expr{Op: "var", Var: p.variable()}
	case p.isIRI():
		iri := p.iri()
		if p.is("(") {
			return p.functionCall(iri)
		}
		return &Expr{Op: "term", Term: rdf.NewIRI(iri)}
	}
	if t, ok := p.literal(); ok {
		return &Expr{Op: "term", Term: t}
	}
	return p.builtIn()
}

// functionCall reads the arguments of a function named by an IRI.
func (p *parser) functionCall(iri string) *Expr {
	if p.is("(") {
		e := &Expr{Op: "call", Term: rdf.NewIRI(iri)}
		e.Args = p.list()
		return e
	}
	p.fail("'(' expected behind the name of a function, not %s", p.tok)
	return &Expr{}
}

// arity has the functions of the standard with the least and most of their arguments.
var arity = map[string][2]int{
	"str": {1, 1}, "lang": {1, 1}, "langmatches": {2, 2}, "datatype": {1, 1}, "bound": {1, 1}, "iri": {1, 1}, "uri": {1, 1}, "bnode": {0, 1}, "rand": {0, 0},
	"abs": {1, 1}, "ceil": {1, 1}, "floor": {1, 1}, "round": {1, 1}, "concat": {0, -1}, "strlen": {1, 1}, "ucase": {1, 1}, "lcase": {1, 1},
	"encode_for_uri": {1, 1}, "contains": {2, 2}, "strstarts": {2, 2}, "strends": {2, 2}, "strbefore": {2, 2}, "strafter": {2, 2},
	"year": {1, 1}, "month": {1, 1}, "day": {1, 1}, "hours": {1, 1}, "minutes": {1, 1}, "seconds": {1, 1}, "timezone": {1, 1}, "tz": {1, 1}, "now": {0, 0},
	"uuid": {0, 0}, "struuid": {0, 0}, "md5": {1, 1}, "sha1": {1, 1}, "sha256": {1, 1}, "sha384": {1, 1}, "sha512": {1, 1}, "coalesce": {0, -1}, "if": {3, 3},
	"strlang": {2, 2}, "strdt": {2, 2}, "sameterm": {2, 2}, "isiri": {1, 1}, "isuri": {1, 1}, "isblank": {1, 1}, "isliteral": {1, 1}, "isnumeric": {1, 1},
	"regex": {2, 3}, "substr": {2, 3}, "replace": {3, 4},
}

var aggregates = map[string]bool{"count": true, "sum": true, "min": true, "max": true, "avg": true, "sample": true, "group_concat": true}

// isCall reports whether the word is a function, an aggregate or EXISTS.
func (p *parser) isCall() bool {
	name := strings.ToLower(p.tok.Text)
	_, known := arity[name]
	return known || aggregates[name] || name == "exists" || name == "not"
}

// builtIn reads a call of a function of the standard.
func (p *parser) builtIn() *Expr {
	if p.tok.Kind != lex.Word || !p.isCall() {
		p.fail("an expression expected, not %s", p.tok)
		return &Expr{}
	}
	name := strings.ToLower(p.tok.Text)
	at := p.tok
	p.next()
	switch {
	case name == "not":
		p.take("EXISTS")
		return &Expr{Op: "notexists", Pattern: p.exists()}
	case name == "exists":
		return &Expr{Op: "exists", Pattern: p.exists()}
	case aggregates[name]:
		return p.aggregate(name, at)
	}
	e := &Expr{Op: name, Args: p.list(), Base: p.base}
	if n := arity[name]; p.err == nil && (len(e.Args) < n[0] || n[1] >= 0 && len(e.Args) > n[1]) {
		p.stop(&Error{Line: at.Line, Column: at.Column, Msg: strings.ToUpper(name) + " with the wrong number of arguments"})
	}
	if name == "bound" && p.err == nil && e.Args[0].Op != "var" {
		p.stop(&Error{Line: at.Line, Column: at.Column, Msg: "BOUND needs a variable"})
	}
	return e
}

// exists reads the pattern of EXISTS, in which no aggregates of the query stand.
func (p *parser) exists() Op {
	aggs := p.aggs
	p.aggs = nil
	p.pattern++
	op := p.groupGraphPattern()
	p.aggs = aggs
	return op
}

// aggregate reads an aggregate, notes it with its group, and returns the variable that has its value.
func (p *parser) aggregate(name string, at lex.Token) *Expr {
	if p.aggs == nil || p.inAgg {
		p.stop(&Error{Line: at.Line, Column: at.Column, Msg: strings.ToUpper(name) + " cannot stand here: aggregates belong into SELECT, HAVING and ORDER BY, not into each other"})
		return &Expr{}
	}
	e := &Expr{Op: name, Separator: " "}
	p.take("(")
	e.Distinct = p.accept("DISTINCT")
	p.inAgg = true
	if name != "count" || !p.accept("*") {
		e.Args = []*Expr{p.expression()}
	}
	p.inAgg = false
	if name == "group_concat" && p.accept(";") {
		p.take("SEPARATOR")
		p.take("=")
		if p.tok.Kind != lex.String {
			p.fail("a string expected, not %s", p.tok)
		}
		e.Separator = p.tok.Text
		p.next()
	}
	p.take(")")
	v := p.madeUp("agg")
	*p.aggs = append(*p.aggs, Binding{Var: v, Expr: e})
	return &Expr{Op: "var", Var: v}
}
