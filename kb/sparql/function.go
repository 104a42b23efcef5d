package sparql

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"varve/kb/model"
	"varve/kb/rdf"
	"varve/kb/rdf/xsd"
)

// evaluator computes an expression of a solution; ok is false for an error, which is what an unbound variable is too.
type evaluator func(row) (rdf.Term, bool)

// expr compiles an expression.
func (c *compiler) expr(e *Expr) evaluator {
	switch e.Op {
	case "term":
		return func(row) (rdf.Term, bool) { return e.Term, true }
	case "var":
		slot := c.slot(e.Var)
		return func(r row) (rdf.Term, bool) { return c.term(r[slot]), r[slot] != 0 }
	case "bound":
		slot := c.slot(e.Args[0].Var)
		return func(r row) (rdf.Term, bool) { return boolTerm(r[slot] != 0), true }
	case "exists", "notexists":
		return c.exists(e)
	case "=", "!=", "<", ">", "<=", ">=":
		return c.comparison(e)
	}
	var args []evaluator
	for _, a := range e.Args {
		args = append(args, c.expr(a))
	}
	switch e.Op {
	case "||", "&&":
		return either(e.Op == "||", args[0], args[1])
	case "if":
		return func(r row) (rdf.Term, bool) {
			t, ok := args[0](r)
			b, ok2 := effective(t)
			if !ok || !ok2 {
				return rdf.Term{}, false
			}
			if b {
				return args[1](r)
			}
			return args[2](r)
		}
	case "coalesce":
		return func(r row) (rdf.Term, bool) {
			for _, a := range args {
				if t, ok := a(r); ok {
					return t, true
				}
			}
			return rdf.Term{}, false
		}
	case "in":
		return in(args)
	case "call":
		if e.Term.Value == model.NS+"validAt" && len(args) == 2 {
			return c.validAt(args)
		}
	}
	f := c.function(e)
	if f == nil {
		return func(row) (rdf.Term, bool) { return rdf.Term{}, false } // a function that is not known is an error of the expression
	}
	values := make([]rdf.Term, len(args)) // used again for each solution: no function keeps it
	return func(r row) (rdf.Term, bool) {
		for i, a := range args {
			var ok bool
			if values[i], ok = a(r); !ok {
				return rdf.Term{}, false
			}
		}
		return f(values)
	}
}

// keyed compiles an expression to its value, which is read once for a constant and once for each term that a variable
// has. The value may change with the next call.
func (c *compiler) keyed(e *Expr) func(row) (*sortKey, bool) {
	switch e.Op {
	case "term":
		k := keyOf(e.Term)
		return func(row) (*sortKey, bool) { return &k, true }
	case "var":
		slot := c.slot(e.Var)
		return func(r row) (*sortKey, bool) { return c.key(r[slot]), r[slot] != 0 }
	}
	value := c.expr(e)
	var k sortKey
	return func(r row) (*sortKey, bool) {
		t, ok := value(r)
		k = keyOf(t)
		return &k, ok
	}
}

// comparison compiles a comparison.
func (c *compiler) comparison(e *Expr) evaluator {
	left, right := c.keyed(e.Args[0]), c.keyed(e.Args[1])
	return func(r row) (rdf.Term, bool) {
		k, ok := left(r)
		if !ok {
			return rdf.Term{}, false
		}
		l, ok := right(r)
		if !ok {
			return rdf.Term{}, false
		}
		var value bool
		switch e.Op {
		case "=", "!=":
			value, ok = equal(k, l)
			value = value == (e.Op == "=")
		default:
			value, ok = relation(e.Op, k, l)
		}
		return boolTerm(value), ok
	}
}

// either is || (or &&), where an error on one side does not matter if the other decides (17.2).
func either(or bool, left, right evaluator) evaluator {
	return func(r row) (rdf.Term, bool) {
		t, ok := left(r)
		a, okA := effective(t)
		if okA = okA && ok; okA && a == or {
			return boolTerm(or), true
		}
		t, ok = right(r)
		b, okB := effective(t)
		if okB = okB && ok; okB && b == or {
			return boolTerm(or), true
		}
		return boolTerm(!or), okA && okB
	}
}

func in(args []evaluator) evaluator {
	return func(r row) (rdf.Term, bool) {
		t, ok := args[0](r)
		if !ok {
			return rdf.Term{}, false
		}
		certain := true
		k := keyOf(t)
		for _, a := range args[1:] {
			u, ok := a(r)
			l := keyOf(u)
			same, known := equal(&k, &l)
			if ok && known && same {
				return boolTerm(true), true
			}
			certain = certain && ok && known
		}
		return boolTerm(false), certain
	}
}

// exists compiles EXISTS: the pattern is evaluated with the solution put in.
func (c *compiler) exists(e *Expr) evaluator {
	known := bindings{}
	inner := c.compile(e.Pattern, known)
	want := e.Op == "exists"
	return func(r row) (rdf.Term, bool) {
		found := false
		start := make(row, max(c.slots, len(r)))
		copy(start, r)
		inner.run(start, func(row) bool {
			found = true
			return false
		})
		return boolTerm(found == want), c.err == nil
	}
}

// stringOf returns a string and what it must keep: its language, or nothing.
func stringOf(t rdf.Term) (rdf.Term, bool) {
	return t, t.Kind == rdf.Literal && (t.Datatype == rdf.String || t.Datatype == rdf.LangString)
}

// compatible reports whether the second string may be looked for in the first (17.4.3.1.2).
func compatible(a, b rdf.Term) bool {
	_, ok1 := stringOf(a)
	_, ok2 := stringOf(b)
	return ok1 && ok2 && (b.Datatype == rdf.String || strings.EqualFold(a.Lang, b.Lang))
}

// like returns a string of the kind of another.
func like(t rdf.Term, s string) rdf.Term {
	t.Value = s
	return t
}

type function func([]rdf.Term) (rdf.Term, bool)

// function returns the function of an expression, or nil.
func (c *compiler) function(e *Expr) function {
	if e.Op == "call" {
		if f := cast(e.Term.Value); f != nil {
			return f
		}
		if f := c.searchFunction(e.Term.Value); f != nil {
			return f
		}
		if c.o.Functions != nil {
			return c.o.Functions(e.Term.Value)
		}
		return nil
	}
	if f := operator(e.Op); f != nil {
		return f
	}
	if f := stringFunction(e.Op); f != nil {
		return f
	}
	if f := numberFunction(e.Op); f != nil {
		return f
	}
	if f := timeFunction(e.Op); f != nil {
		return f
	}
	switch e.Op {
	case "regex":
		return c.regex()
	case "replace":
		return c.replace
	case "now":
		return func([]rdf.Term) (rdf.Term, bool) {
			return rdf.NewLiteral(xsd.DateTime{Time: c.o.Now.UTC(), HasZone: true}.DateTimeString(), rdf.DateTime), true
		}
	case "rand":
		return func([]rdf.Term) (rdf.Term, bool) {
			return numeric{kind: doubleKind, f: c.o.Rand.Float64()}.term(), true
		}
	case "uuid":
		return func([]rdf.Term) (rdf.Term, bool) { return rdf.NewIRI("urn:uuid:" + c.uuid()), true }
	case "struuid":
		return func([]rdf.Term) (rdf.Term, bool) { return rdf.NewString(c.uuid()), true }
	case "bnode":
		return c.bnode
	case "iri", "uri":
		return func(a []rdf.Term) (rdf.Term, bool) {
			t := a[0]
			if t.Kind != rdf.IRI && (t.Kind != rdf.Literal || t.Datatype != rdf.String) {
				return rdf.Term{}, false
			}
			return rdf.NewIRI(rdf.Resolve(e.Base, t.Value)), true
		}
	}
	return nil
}

func (c *compiler) uuid() string {
	hi, lo := c.o.Rand.Uint64(), c.o.Rand.Uint64()
	hi = hi&^0xF000 | 0x4000
	lo = lo&^(3<<62) | 2<<62
	return fmt.Sprintf("%08x-%04x-%04x-%04x-%012x", hi>>32, hi>>16&0xFFFF, hi&0xFFFF, lo>>48, lo&(1<<48-1))
}

// bnode is BNODE: a new node, or for a label one that is the same in this solution.
func (c *compiler) bnode(a []rdf.Term) (rdf.Term, bool) {
	if len(a) == 0 {
		return c.blank(), true
	}
	if a[0].Kind != rdf.Literal || a[0].Datatype != rdf.String {
		return rdf.Term{}, false
	}
	t, ok := c.bnodes[a[0].Value]
	if !ok {
		if c.bnodes == nil {
			c.bnodes = map[string]rdf.Term{}
		}
		t = c.blank()
		c.bnodes[a[0].Value] = t
	}
	return t, true
}

// operator returns operators and functions on terms.
func operator(op string) function {
	truth := func(f func(a, b rdf.Term) (bool, bool)) function {
		return func(a []rdf.Term) (rdf.Term, bool) {
			v, ok := f(a[0], a[1])
			return boolTerm(v), ok
		}
	}
	kind := func(kinds ...rdf.Kind) function {
		return func(a []rdf.Term) (rdf.Term, bool) { return boolTerm(slices.Contains(kinds, a[0].Kind)), true }
	}
	switch op {
	case "!":
		return func(a []rdf.Term) (rdf.Term, bool) {
			v, ok := effective(a[0])
			return boolTerm(!v), ok
		}
	case "+", "-", "*", "/":
		return func(a []rdf.Term) (rdf.Term, bool) {
			x, ok1 := number(a[0])
			y, ok2 := number(a[1])
			if !ok1 || !ok2 {
				return rdf.Term{}, false
			}
			n, ok := arithmetic(op, x, y)
			return n.term(), ok
		}
	case "sameterm":
		return truth(func(a, b rdf.Term) (bool, bool) { return a == b, true })
	case "isiri", "isuri":
		return kind(rdf.IRI)
	case "isblank":
		return kind(rdf.Blank)
	case "isliteral":
		return kind(rdf.Literal)
	case "isnumeric":
		return func(a []rdf.Term) (rdf.Term, bool) {
			_, ok := number(a[0])
			return boolTerm(ok), true
		}
	case "str":
		return func(a []rdf.Term) (rdf.Term, bool) { return rdf.NewString(a[0].Value), a[0].Kind != rdf.Blank }
	case "lang":
		return func(a []rdf.Term) (rdf.Term, bool) { return rdf.NewString(a[0].Lang), a[0].Kind == rdf.Literal }
	case "datatype":
		return func(a []rdf.Term) (rdf.Term, bool) { return rdf.NewIRI(a[0].Datatype), a[0].Kind == rdf.Literal }
	case "langmatches":
		return truth(langMatches)
	case "strdt":
		return func(a []rdf.Term) (rdf.Term, bool) {
			return rdf.NewLiteral(a[0].Value, a[1].Value), a[0].Kind == rdf.Literal && a[0].Datatype == rdf.String && a[1].Kind == rdf.IRI
		}
	case "strlang":
		return func(a []rdf.Term) (rdf.Term, bool) {
			return rdf.NewLang(a[0].Value, a[1].Value), a[0].Kind == rdf.Literal && a[0].Datatype == rdf.String && a[1].Datatype == rdf.String && a[1].Value != ""
		}
	}
	return nil
}

// langMatches is the basic filtering of RFC 4647.
func langMatches(a, b rdf.Term) (value, ok bool) {
	if a.Datatype != rdf.String || b.Datatype != rdf.String {
		return false, false
	}
	tag, rangeOf := strings.ToLower(a.Value), strings.ToLower(b.Value)
	if rangeOf == "*" {
		return tag != "", true
	}
	return tag == rangeOf || rangeOf != "" && strings.HasPrefix(tag, rangeOf+"-"), true
}

func stringFunction(op string) function {
	one := func(f func(string) string) function {
		return func(a []rdf.Term) (rdf.Term, bool) {
			t, ok := stringOf(a[0])
			return like(t, f(t.Value)), ok
		}
	}
	test := func(f func(a, b string) bool) function {
		return func(a []rdf.Term) (rdf.Term, bool) {
			return boolTerm(f(a[0].Value, a[1].Value)), compatible(a[0], a[1])
		}
	}
	digest := func(f func([]byte) []byte) function {
		return func(a []rdf.Term) (rdf.Term, bool) {
			t, ok := stringOf(a[0])
			return rdf.NewString(hex.EncodeToString(f([]byte(t.Value)))), ok && t.Lang == ""
		}
	}
	switch op {
	case "ucase":
		return one(strings.ToUpper)
	case "lcase":
		return one(strings.ToLower)
	case "strlen":
		return func(a []rdf.Term) (rdf.Term, bool) {
			t, ok := stringOf(a[0])
			return numeric{d: xsd.FromInt(int64(utf8.RuneCountInString(t.Value)))}.term(), ok
		}
	case "encode_for_uri":
		return func(a []rdf.Term) (rdf.Term, bool) {
			t, ok := stringOf(a[0])
			return rdf.NewString(encodeForURI(t.Value)), ok
		}
	case "contains":
		return test(strings.Contains)
	case "strstarts":
		return test(strings.HasPrefix)
	case "strends":
		return test(strings.HasSuffix)
	case "strbefore", "strafter":
		return func(a []rdf.Term) (rdf.Term, bool) {
			before, after, found := strings.Cut(a[0].Value, a[1].Value)
			if op == "strafter" {
				before = after
			}
			if !found {
				return rdf.NewString(""), compatible(a[0], a[1])
			}
			return like(a[0], before), compatible(a[0], a[1])
		}
	case "concat":
		return concat
	case "substr":
		return substr
	case "md5":
		return digest(func(b []byte) []byte { s := md5.Sum(b); return s[:] })
	case "sha1":
		return digest(func(b []byte) []byte { s := sha1.Sum(b); return s[:] })
	case "sha256":
		return digest(func(b []byte) []byte { s := sha256.Sum256(b); return s[:] })
	case "sha384":
		return digest(func(b []byte) []byte { s := sha512.Sum384(b); return s[:] })
	case "sha512":
		return digest(func(b []byte) []byte { s := sha512.Sum512(b); return s[:] })
	}
	return nil
}

// maxString is how long a string may be that an expression makes.
const maxString = 16 << 20

func concat(a []rdf.Term) (rdf.Term, bool) {
	var b strings.Builder
	for i, t := range a {
		if _, ok := stringOf(t); !ok || b.Len()+len(t.Value) > maxString {
			return rdf.Term{}, false
		}
		b.WriteString(t.Value)
		if i > 0 && (t.Datatype != a[0].Datatype || t.Lang != a[0].Lang) {
			a[0] = rdf.NewString("") // of different kinds: a plain string
		}
	}
	if len(a) == 0 {
		return rdf.NewString(""), true
	}
	return like(a[0], b.String()), true
}

// substr is SUBSTR, with positions from 1 and numbers rounded as XPath does.
func substr(a []rdf.Term) (rdf.Term, bool) {
	t, ok := stringOf(a[0])
	from, ok1 := number(a[1])
	if !ok || !ok1 {
		return rdf.Term{}, false
	}
	begin := math.Floor(from.float() + 0.5)
	end := math.Inf(1)
	if len(a) == 3 {
		n, ok := number(a[2])
		if !ok {
			return rdf.Term{}, false
		}
		end = begin + math.Floor(n.float()+0.5)
	}
	var b strings.Builder
	place := 1.0
	for _, r := range t.Value {
		if place >= begin && place < end {
			b.WriteRune(r)
		}
		place++
	}
	return like(t, b.String()), true
}

func encodeForURI(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-_.~", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func numberFunction(op string) function {
	exact := map[string]func(xsd.Decimal) xsd.Decimal{
		"ceil": xsd.Decimal.Ceil, "floor": xsd.Decimal.Floor, "round": xsd.Decimal.Round, "negate": xsd.Decimal.Neg,
		"plus": func(d xsd.Decimal) xsd.Decimal { return d },
		"abs": func(d xsd.Decimal) xsd.Decimal {
			if d.Sign() < 0 {
				return d.Neg()
			}
			return d
		},
	}[op]
	floating := map[string]func(float64) float64{
		"ceil": math.Ceil, "floor": math.Floor, "round": func(f float64) float64 { return math.Floor(f + 0.5) },
		"negate": func(f float64) float64 { return -f }, "plus": func(f float64) float64 { return f }, "abs": math.Abs,
	}[op]
	if exact == nil {
		return nil
	}
	return func(a []rdf.Term) (rdf.Term, bool) {
		n, ok := number(a[0])
		if n.kind < floatKind {
			n.d = exact(n.d)
		} else {
			n.f = floating(n.f)
		}
		return n.term(), ok
	}
}

func timeFunction(op string) function {
	part := map[string]func(xsd.DateTime) int{
		"year":    func(d xsd.DateTime) int { return d.Year() },
		"month":   func(d xsd.DateTime) int { return int(d.Month()) },
		"day":     func(d xsd.DateTime) int { return d.Day() },
		"hours":   func(d xsd.DateTime) int { return d.Hour() },
		"minutes": func(d xsd.DateTime) int { return d.Minute() },
	}[op]
	if part != nil {
		return func(a []rdf.Term) (rdf.Term, bool) {
			d, ok := moment(a[0])
			if !ok || a[0].Datatype == rdf.Date && (op == "hours" || op == "minutes") {
				return rdf.Term{}, false
			}
			return rdf.NewLiteral(strconv.Itoa(part(d)), rdf.Integer), true
		}
	}
	switch op {
	case "seconds":
		return func(a []rdf.Term) (rdf.Term, bool) {
			d, ok := moment(a[0])
			s, _ := xsd.ParseDecimal(d.SecondString())
			return numeric{kind: decimalKind, d: s}.term(), ok && a[0].Datatype == rdf.DateTime
		}
	case "tz":
		return func(a []rdf.Term) (rdf.Term, bool) {
			d, ok := moment(a[0])
			if !ok {
				return rdf.Term{}, false
			}
			return rdf.NewString(d.ZoneString()), true
		}
	case "timezone":
		return func(a []rdf.Term) (rdf.Term, bool) {
			d, ok := moment(a[0])
			if !ok || !d.HasZone {
				return rdf.Term{}, false
			}
			return rdf.NewLiteral(zoneDuration(d), rdf.XSD+"dayTimeDuration"), true
		}
	}
	return nil
}

// zoneDuration returns the zone as xsd:dayTimeDuration: PT0S, -PT8H30M.
func zoneDuration(d xsd.DateTime) string {
	_, offset := d.Zone()
	if offset == 0 {
		return "PT0S"
	}
	sign := ""
	if offset < 0 {
		sign, offset = "-", -offset
	}
	s := sign + "PT"
	if h := offset / 3600; h > 0 {
		s += strconv.Itoa(h) + "H"
	}
	if m := offset / 60 % 60; m > 0 {
		s += strconv.Itoa(m) + "M"
	}
	return s
}

// compiled returns a pattern with flags as an expression of Go, which needs linear time whatever the pattern. Each is
// compiled once for a query.
func (c *compiler) compiled(pattern, flags string) (*regexp.Regexp, bool) {
	if re, ok := c.regexps[[2]string{pattern, flags}]; ok {
		return re, re != nil
	}
	source := pattern
	goFlags := ""
	for _, f := range flags {
		switch f {
		case 'i', 's', 'm':
			goFlags += string(f)
		case 'x':
			source = strings.Map(func(r rune) rune {
				if strings.ContainsRune(" \t\r\n", r) {
					return -1
				}
				return r
			}, source)
		case 'q':
			source = regexp.QuoteMeta(source)
		default:
			return nil, false
		}
	}
	if goFlags != "" {
		source = "(?" + goFlags + ")" + source
	}
	var re *regexp.Regexp
	if len(source) <= 10_000 {
		re, _ = regexp.Compile(source)
	}
	if len(c.regexps) < 1000 {
		c.regexps[[2]string{pattern, flags}] = re
	}
	return re, re != nil
}

// regex returns the function REGEX of one place in a query. There the expression is most often the same for all solutions: it is looked at once.
func (c *compiler) regex() function {
	var last [2]string // expression and flags
	var m matcher
	return func(a []rdf.Term) (rdf.Term, bool) {
		of := [2]string{a[1].Value}
		if len(a) == 3 {
			of[1] = a[2].Value
		}
		text, ok := stringOf(a[0])
		if !ok || a[1].Datatype != rdf.String {
			return rdf.Term{}, false
		}
		if m.re == nil || of != last {
			re, ok := c.compiled(of[0], of[1])
			if !ok {
				return rdf.Term{}, false
			}
			last, m = of, newMatcher(re)
		}
		return boolTerm(m.match(text.Value)), true
	}
}

// matcher is a regular expression with what each text that it matches begins and ends with: most texts need no more to be refused.
type matcher struct {
	re             *regexp.Regexp
	prefix, suffix string
}

// newMatcher finds the letters behind ^ and before $: "Ann " and "f" of ^Ann .*f$.
func newMatcher(re *regexp.Regexp) matcher {
	m := matcher{re: re}
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return m
	}
	tree = tree.Simplify()
	if tree.Op != syntax.OpConcat {
		return m
	}
	literal := func(r *syntax.Regexp) string {
		if r.Op != syntax.OpLiteral || r.Flags&syntax.FoldCase != 0 || slices.Contains(r.Rune, utf8.RuneError) { // which stands for bytes that are no text, too
			return ""
		}
		return string(r.Rune)
	}
	if n := len(tree.Sub); n > 1 {
		if tree.Sub[0].Op == syntax.OpBeginText {
			m.prefix = literal(tree.Sub[1])
		}
		if tree.Sub[n-1].Op == syntax.OpEndText {
			m.suffix = literal(tree.Sub[n-2])
		}
	}
	return m
}

func (m *matcher) match(s string) bool {
	return strings.HasPrefix(s, m.prefix) && strings.HasSuffix(s, m.suffix) && m.re.MatchString(s)
}

func (c *compiler) replace(a []rdf.Term) (rdf.Term, bool) {
	flags := ""
	if len(a) == 4 {
		flags = a[3].Value
	}
	text, ok := stringOf(a[0])
	re, ok1 := c.compiled(a[1].Value, flags)
	if !ok || !ok1 || a[1].Datatype != rdf.String || a[2].Datatype != rdf.String || re.MatchString("") { // an expression that matches nothing at all is an error of XPath
		return rdf.Term{}, false
	}
	with, ok := replacement(a[2].Value)
	if !ok || len(text.Value)*(1+len(with)) > maxString && len(text.Value) > 1000 {
		return rdf.Term{}, false
	}
	return like(text, re.ReplaceAllString(text.Value, with)), true
}

// replacement turns $1 of XPath into ${1} of Go, and \$ and \\ into what they stand for.
func replacement(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			if i+1 == len(s) || s[i+1] != '$' && s[i+1] != '\\' {
				return "", false
			}
			i++
			if s[i] == '$' {
				b.WriteString("$$")
			} else {
				b.WriteByte('\\')
			}
		case c == '$':
			if i+1 == len(s) || s[i+1] < '0' || s[i+1] > '9' {
				return "", false
			}
			i++
			b.WriteString("${" + s[i:i+1] + "}")
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// cast returns the function that makes a literal of a datatype (17.5), or nil.
func cast(datatype string) function {
	switch datatype {
	case rdf.String, rdf.Boolean, rdf.Integer, rdf.Decimal, rdf.Double, rdf.Float, rdf.DateTime, rdf.Date:
	default:
		return nil
	}
	return func(a []rdf.Term) (rdf.Term, bool) {
		if len(a) != 1 {
			return rdf.Term{}, false
		}
		t := a[0]
		if datatype == rdf.String {
			if b, ok := xsd.ParseBoolean(t.Value); ok && t.Datatype == rdf.Boolean {
				return rdf.NewString(strconv.FormatBool(b)), true
			}
			if c, ok := canonicalNumber(t); ok {
				return rdf.NewString(c), true
			}
			return rdf.NewString(t.Value), t.Kind == rdf.IRI || t.Kind == rdf.Literal && t.Lang == ""
		}
		if t.Kind != rdf.Literal || t.Lang != "" {
			return rdf.Term{}, false
		}
		if n, ok := number(t); ok {
			return castNumber(n, datatype)
		}
		if b, ok := xsd.ParseBoolean(t.Value); ok && t.Datatype == rdf.Boolean && datatype != rdf.Boolean {
			n := numeric{}
			if b {
				n.d = xsd.FromInt(1)
			}
			return castNumber(n, datatype)
		}
		if t.Datatype == datatype {
			_, ok := xsd.Canonical(t.Value, datatype)
			return t, ok
		}
		if d, ok := moment(t); ok {
			switch datatype {
			case rdf.Date:
				return rdf.NewLiteral(d.DateString(), rdf.Date), true
			case rdf.DateTime:
				return rdf.NewLiteral(d.DateTimeString(), rdf.DateTime), true
			}
			return rdf.Term{}, false
		}
		if t.Datatype != rdf.String {
			return rdf.Term{}, false
		}
		s := strings.TrimSpace(t.Value)
		if _, ok := xsd.Canonical(s, datatype); !ok {
			return rdf.Term{}, false
		}
		return rdf.NewLiteral(s, datatype), true
	}
}

// canonicalNumber returns a number as XPath casts it to a string: doubles that are not too large or small without exponent.
func canonicalNumber(t rdf.Term) (string, bool) {
	n, ok := number(t)
	if !ok || n.kind < floatKind {
		c, canonical := xsd.Canonical(t.Value, t.Datatype)
		return c, ok && canonical
	}
	if abs := math.Abs(n.f); abs >= 1e-6 && abs < 1e6 || n.f == 0 {
		bits := 64
		if n.kind == floatKind {
			bits = 32
		}
		return strconv.FormatFloat(n.f, 'f', -1, bits), true
	}
	return n.term().Value, true
}

func castNumber(n numeric, datatype string) (rdf.Term, bool) {
	switch datatype {
	case rdf.Boolean:
		f := n.float()
		return boolTerm(f != 0 && !math.IsNaN(f)), true
	case rdf.Double:
		return numeric{kind: doubleKind, f: n.float()}.term(), true
	case rdf.Float:
		return numeric{kind: floatKind, f: n.float()}.term(), true
	case rdf.Integer, rdf.Decimal:
		if n.kind >= floatKind {
			d, ok := xsd.FromFloat(n.f)
			if !ok {
				return rdf.Term{}, false
			}
			n.d = d
			if s := strconv.FormatFloat(n.f, 'f', -1, 64); datatype == rdf.Decimal {
				n.d, _ = xsd.ParseDecimal(s) // the shortest decimal that is this double
			}
		}
		n.kind = decimalKind
		if datatype == rdf.Integer {
			n.kind = integerKind
			if n.d.Sign() < 0 { // toward zero
				n.d = n.d.Ceil()
			} else {
				n.d = n.d.Floor()
			}
		}
		return n.term(), true
	}
	return rdf.Term{}, false
}
