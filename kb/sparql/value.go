package sparql

import (
	"cmp"
	"math"
	"strings"

	"varve/kb/rdf"
	"varve/kb/rdf/xsd"
)

// numeric is a number with its type; the types are in the order of promotion.
type numeric struct {
	kind numericKind
	d    xsd.Decimal // of integer and decimal
	f    float64     // of float and double
}

type numericKind uint8

const (
	integerKind numericKind = iota
	decimalKind
	floatKind
	doubleKind
)

func iriTerm(iri string) rdf.Term { return rdf.NewIRI(iri) }

// number returns the value of a numeric literal.
func number(t rdf.Term) (numeric, bool) {
	if t.Kind != rdf.Literal {
		return numeric{}, false
	}
	switch t.Datatype {
	case rdf.Integer:
		d, ok := xsd.ParseInteger(t.Value)
		return numeric{kind: integerKind, d: d}, ok
	case rdf.String, rdf.LangString:
		return numeric{}, false
	case rdf.Decimal:
		d, ok := xsd.ParseDecimal(t.Value)
		return numeric{kind: decimalKind, d: d}, ok
	case rdf.Double:
		f, ok := xsd.ParseDouble(t.Value, 64)
		return numeric{kind: doubleKind, f: f}, ok
	case rdf.Float:
		f, ok := xsd.ParseDouble(t.Value, 32)
		return numeric{kind: floatKind, f: f}, ok
	}
	if !xsd.IsInteger(t.Datatype) {
		return numeric{}, false
	}
	d, ok := xsd.IntegerOf(t.Value, t.Datatype)
	return numeric{kind: integerKind, d: d}, ok
}

func isNumeric(datatype string) bool {
	return datatype == rdf.Decimal || datatype == rdf.Double || datatype == rdf.Float || xsd.IsInteger(datatype)
}

func (n numeric) float() float64 {
	if n.kind < floatKind {
		return n.d.Float()
	}
	return n.f
}

// term returns the literal of a number.
func (n numeric) term() rdf.Term {
	switch n.kind {
	case integerKind:
		return rdf.NewLiteral(n.d.String(), rdf.Integer)
	case decimalKind:
		return rdf.NewLiteral(n.d.String(), rdf.Decimal)
	case floatKind:
		return rdf.NewLiteral(xsd.FormatDouble(float64(float32(n.f)), 32), rdf.Float)
	}
	return rdf.NewLiteral(xsd.FormatDouble(n.f, 64), rdf.Double)
}

// arithmetic computes a op b after promotion to the larger type.
func arithmetic(op string, a, b numeric) (numeric, bool) {
	kind := max(a.kind, b.kind)
	if kind >= floatKind {
		x, y := a.float(), b.float()
		var f float64
		switch op {
		case "+":
			f = x + y
		case "-":
			f = x - y
		case "*":
			f = x * y
		case "/":
			f = x / y
		}
		return numeric{kind: kind, f: f}, true
	}
	ok := true
	var d xsd.Decimal
	switch op {
	case "+":
		d = a.d.Add(b.d)
	case "-":
		d = a.d.Sub(b.d)
	case "*":
		d, ok = a.d.Mul(b.d)
	case "/":
		kind = decimalKind // integers divided are a decimal
		d, ok = a.d.Quo(b.d)
	}
	return numeric{kind: kind, d: d}, ok
}

// order compares numbers; ok is false for NaN.
func (n numeric) order(m numeric) (int, bool) {
	if n.kind < floatKind && m.kind < floatKind {
		return n.d.Cmp(m.d), true
	}
	x, y := n.float(), m.float()
	return cmp.Compare(x, y), !math.IsNaN(x) && !math.IsNaN(y)
}

// moment returns the value of a literal that is a point in time.
func moment(t rdf.Term) (xsd.DateTime, bool) {
	switch t.Datatype {
	case rdf.DateTime:
		return xsd.ParseDateTime(t.Value)
	case rdf.Date:
		return xsd.ParseDate(t.Value)
	}
	return xsd.DateTime{}, false
}

// effective returns the effective boolean value (17.2.2).
func effective(t rdf.Term) (value, ok bool) {
	if t.Kind != rdf.Literal {
		return false, false
	}
	switch {
	case t.Datatype == rdf.Boolean:
		b, _ := xsd.ParseBoolean(t.Value)
		return b, true
	case t.Datatype == rdf.String || t.Datatype == rdf.LangString:
		return t.Value != "", true
	case isNumeric(t.Datatype):
		n, ok := number(t)
		if !ok {
			return false, true
		}
		f := n.float()
		return f != 0 && !math.IsNaN(f), true
	}
	return false, false
}

func boolTerm(b bool) rdf.Term {
	if b {
		return rdf.NewLiteral("true", rdf.Boolean)
	}
	return rdf.NewLiteral("false", rdf.Boolean)
}

// class says with what a literal can be compared.
type class uint8

const (
	otherClass class = iota
	numberClass
	stringClass
	langClass
	boolClass
	dateTimeClass
	dateClass
)

// equal is the operator "=": ok is false where it has no answer.
func equal(k, l *sortKey) (value, ok bool) {
	a, b := &k.term, &l.term
	if *a == *b {
		return k.class != numberClass || !math.IsNaN(k.num.f), true
	}
	if a.Kind != rdf.Literal || b.Kind != rdf.Literal {
		return false, true
	}
	x, y := k.class, l.class
	switch {
	case x == langClass || y == langClass: // such a literal equals itself alone
		return false, true
	case x == otherClass || y == otherClass:
		return false, false // what is not known may be equal
	case x != y:
		return false, true
	}
	order, ok := k.value(l)
	return ok && order == 0, ok || x == numberClass
}

// relation is the operators "<", ">", "<=" and ">=": ok is false where they have no answer.
func relation(op string, k, l *sortKey) (value, ok bool) {
	if k.term.Kind != rdf.Literal || l.term.Kind != rdf.Literal {
		return false, false
	}
	order, ok := k.value(l)
	if !ok { // NaN is neither less nor more
		return false, k.class == numberClass && l.class == numberClass
	}
	switch op {
	case "<":
		return order < 0, true
	case ">":
		return order > 0, true
	case "<=":
		return order <= 0, true
	}
	return order >= 0, true
}

// sortKey is a term with its value, read once.
type sortKey struct {
	term  rdf.Term
	class class
	truth bool
	num   numeric
	when  xsd.DateTime
}

func keyOf(t rdf.Term) sortKey {
	k := sortKey{term: t}
	if t.Kind != rdf.Literal {
		return k
	}
	ok := true
	switch t.Datatype {
	case rdf.String:
		k.class = stringClass
	case rdf.LangString:
		k.class = langClass
	case rdf.Boolean:
		k.class = boolClass
		k.truth, ok = xsd.ParseBoolean(t.Value)
	case rdf.DateTime:
		k.class = dateTimeClass
		k.when, ok = xsd.ParseDateTime(t.Value)
	case rdf.Date:
		k.class = dateClass
		k.when, ok = xsd.ParseDate(t.Value)
	default:
		k.class = numberClass
		k.num, ok = number(t)
	}
	if !ok {
		k.class = otherClass
	}
	return k
}

// value compares literals of one class by value; ok is false where that has no answer.
func (k *sortKey) value(l *sortKey) (order int, ok bool) {
	if k.class != l.class {
		return 0, false
	}
	switch k.class {
	case numberClass:
		return k.num.order(l.num)
	case stringClass:
		return strings.Compare(k.term.Value, l.term.Value), true
	case boolClass:
		switch {
		case k.truth == l.truth:
			return 0, true
		case l.truth:
			return -1, true
		}
		return 1, true
	case dateTimeClass, dateClass:
		const most = 14 * 3600 // between a time with a zone and one without, hours are not known
		if k.when.HasZone != l.when.HasZone {
			if apart := k.when.Sub(l.when.Time).Seconds(); apart >= -most && apart <= most {
				return 0, false
			}
		}
		return k.when.Compare(l.when.Time), true
	}
	return 0, false
}

// rank is the order of kinds.
var rank = [...]int{rdf.None: 0, rdf.Blank: 1, rdf.IRI: 2, rdf.Literal: 3}

// compare is the order of ORDER BY, which is total: unbound, blank nodes, IRIs, literals; those that can be compared by
// value, the others by their text.
func (k *sortKey) compare(l *sortKey) int {
	if k.term == l.term {
		return 0
	}
	if c := cmp.Compare(rank[k.term.Kind], rank[l.term.Kind]); c != 0 || k.term.Kind != rdf.Literal {
		return cmp.Or(c, strings.Compare(k.term.Value, l.term.Value))
	}
	if k.class != l.class {
		return cmp.Compare(k.class, l.class)
	}
	if c, ok := k.value(l); ok && c != 0 {
		return c
	}
	if k.class == numberClass { // NaN before all numbers
		if c := cmp.Compare(k.num.float(), l.num.float()); c != 0 {
			return c
		}
	}
	return k.term.Compare(l.term)
}
