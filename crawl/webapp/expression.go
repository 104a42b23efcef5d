package webapp

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"varve/web/markup"
	"varve/web/markup/tree"
)

// An expression says where a value stands in a page, or in an object of it:
//
//	SELECTOR            the text of the first element that fits
//	SELECTOR @NAME      its attribute instead
//	... =~ PATTERN      of that value, the first group of a regular expression, or all that it matches; no value where it matches nothing
//
// Without a selector, "@id", or with a lone ".", it is about the object's own element. A selector is the part of CSS that costs the same whatever the page:
//
//	div  *  #main  .post  [itemprop]  [rel="next"]  [class^="post-"]  [id$="_body"]  [href*="/user/"]  [class~="post"]
//	article.post > header a      inside of, and directly inside of
//	.post, .comment              either
//
// Each element of a page is looked at once for each step of a selector: a step that fitted is remembered on the way down (find), so
// nothing is tried twice. The rest of CSS (:has, :nth-child, +, ~) is refused, since its cost grows with the square of the page.
type Expression struct {
	Select Selector // nil: the element itself
	Attr   string   // "" is its text
	Like   *regexp.Regexp
}

// Selector is one of several ways from outside to inside.
type Selector []way

type way []step

// step is one element of a way, and how it lies to the one before it.
type step struct {
	child bool // directly inside
	name  string
	tests []test
}

// test is a condition on an attribute.
type test struct {
	key string
	op  byte // 0: it is there; or one of = ~ ^ $ *
	val string
}

// Bounds of what is written in a knowledge file.
const (
	maxSteps  = 16
	maxWays   = 20
	maxLength = 500
)

// UnmarshalText reads an expression.
func (x *Expression) UnmarshalText(p []byte) (err error) {
	s := string(p)
	if len(s) > maxLength {
		return fmt.Errorf("an expression of %d bytes; at most %d", len(s), maxLength)
	}
	*x = Expression{}
	if where, like, ok := strings.Cut(s, "=~"); ok {
		if x.Like, err = regexp.Compile(strings.TrimSpace(like)); err != nil {
			return fmt.Errorf("%q: %w", strings.TrimSpace(like), err)
		}
		s = where
	}
	where, attr, ok := cutAttr(s)
	if x.Attr = attr; ok && !isName(attr) {
		return fmt.Errorf("%q: behind @ stands the name of an attribute", s)
	}
	if where = strings.TrimSpace(where); where == "." {
		return nil
	}
	if where != "" {
		x.Select, err = ParseSelector(where)
	} else if !ok {
		return errors.New("an expression with nothing in it")
	}
	return err
}

// cutAttr cuts an expression before its last @, if that is not inside of a quoted value.
func cutAttr(s string) (where, attr string, ok bool) {
	i := strings.LastIndexByte(s, '@')
	if i < 0 || strings.ContainsAny(s[i:], `]"'`) {
		return s, "", false
	}
	return s[:i], strings.TrimSpace(s[i+1:]), true
}

// String returns the expression as it is written.
func (x Expression) String() string {
	var parts []string
	switch {
	case x.Select != nil:
		parts = append(parts, x.Select.String())
	case x.Attr == "":
		parts = append(parts, ".")
	}
	if x.Attr != "" {
		parts = append(parts, "@"+x.Attr)
	}
	if x.Like != nil {
		parts = append(parts, "=~ "+x.Like.String())
	}
	return strings.Join(parts, " ")
}

// MarshalText writes the expression.
func (x Expression) MarshalText() ([]byte, error) { return []byte(x.String()), nil }

// UnmarshalText reads a selector.
func (s *Selector) UnmarshalText(p []byte) (err error) {
	*s, err = ParseSelector(string(p))
	return err
}

// MarshalText writes the selector.
func (s Selector) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// String returns the selector as it is written.
func (s Selector) String() string {
	var b strings.Builder
	for i, w := range s {
		if i > 0 {
			b.WriteString(", ")
		}
		for k, st := range w {
			switch {
			case st.child:
				b.WriteString(" > ")
			case k > 0:
				b.WriteString(" ")
			}
			b.WriteString(st.String())
		}
	}
	return b.String()
}

func (s step) String() string {
	out := s.name
	for _, t := range s.tests {
		switch {
		case t.op == '~' && t.key == "class" && isName(t.val):
			out += "." + t.val
		case t.op == '=' && t.key == "id" && isName(t.val):
			out += "#" + t.val
		case t.op == 0:
			out += "[" + t.key + "]"
		case t.op == '=':
			out += fmt.Sprintf("[%s=%s]", t.key, quote(t.val))
		default:
			out += fmt.Sprintf("[%s%c=%s]", t.key, t.op, quote(t.val))
		}
	}
	if out == "" {
		return "*"
	}
	return out
}

// quote puts a value in the quotes that it does not hold.
func quote(s string) string {
	if strings.Contains(s, `"`) {
		return "'" + s + "'"
	}
	return `"` + s + `"`
}

// ParseSelector reads a selector.
func ParseSelector(s string) (Selector, error) {
	p := selectorParser{rest: s}
	list, err := p.selector()
	if err != nil {
		return nil, fmt.Errorf("selector %q, at %q: %w", s, p.rest, err)
	}
	return list, nil
}

// selectorParser reads a selector from left to right.
type selectorParser struct{ rest string }

func (p *selectorParser) selector() (list Selector, err error) {
	var w way
	child := false
	for {
		p.space()
		st, err := p.step()
		if err != nil {
			return nil, err
		}
		st.child = child
		if w = append(w, st); len(w) > maxSteps {
			return nil, fmt.Errorf("more than %d steps", maxSteps)
		}
		before := p.rest
		p.space()
		switch {
		case p.rest == "":
			return append(list, w), nil
		case p.take(','):
			if list, w, child = append(list, w), nil, false; len(list) >= maxWays {
				return nil, fmt.Errorf("more than %d ways", maxWays)
			}
		case p.take('>'):
			child = true
		case len(before) > len(p.rest) && strings.IndexByte("+~", p.rest[0]) < 0:
			child = false
		default:
			return nil, fmt.Errorf("%q is not known here: elements are told by name, #id, .class and [attribute], inside of each other by a space or >", p.rest[:1])
		}
	}
}

func (p *selectorParser) space() { p.rest = strings.TrimLeft(p.rest, " \t\n") }

func (p *selectorParser) take(c byte) bool {
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// step reads one element.
func (p *selectorParser) step() (st step, err error) {
	all := p.take('*')
	if !all {
		st.name = strings.ToLower(p.name())
	}
	for {
		switch {
		case p.take('.'):
			err = p.test(&st, test{"class", '~', ""})
		case p.take('#'):
			err = p.test(&st, test{"id", '=', ""})
		case p.take('['):
			err = p.attribute(&st)
		default:
			if !all && st.name == "" && len(st.tests) == 0 {
				return st, errors.New("an element is missing")
			}
			return st, nil
		}
		if err != nil {
			return st, err
		}
	}
}

func (p *selectorParser) test(st *step, t test) error {
	if t.val = p.name(); t.val == "" {
		return errors.New("a name is missing")
	}
	st.tests = append(st.tests, t)
	return nil
}

// attribute reads a condition in brackets.
func (p *selectorParser) attribute(st *step) error {
	p.space()
	t := test{key: strings.ToLower(p.name())}
	if t.key == "" {
		return errors.New("the name of an attribute is missing")
	}
	p.space()
	if p.take(']') {
		st.tests = append(st.tests, t)
		return nil
	}
	t.op = '='
	if p.rest != "" && strings.IndexByte("~^$*", p.rest[0]) >= 0 {
		t.op, p.rest = p.rest[0], p.rest[1:]
	}
	if !p.take('=') {
		return errors.New("behind the name of an attribute stands ], =, ~=, ^=, $= or *=")
	}
	p.space()
	switch q := p.rest; {
	case q != "" && (q[0] == '"' || q[0] == '\''):
		end := strings.IndexByte(q[1:], q[0])
		if end < 0 {
			return errors.New("a quote is not closed")
		}
		t.val, p.rest = q[1:1+end], q[end+2:]
	default:
		t.val = p.name()
	}
	if p.space(); t.val == "" || !p.take(']') {
		return errors.New("a condition is a name, a sign and a value, and ends with ]; quote a value that is no name")
	}
	st.tests = append(st.tests, t)
	return nil
}

// name reads a name, "" if there is none.
func (p *selectorParser) name() string {
	n := 0
	for n < len(p.rest) && isNameByte(p.rest[n]) {
		n++
	}
	s := p.rest[:n]
	p.rest = p.rest[n:]
	return s
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c >= 0x80
}

func isName(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool { return r < 0x80 && !isNameByte(byte(r)) }) < 0
}

// fits reports whether an element is one that a step tells of.
func (s *step) fits(n *tree.Node) bool {
	if n.Name == "" || s.name != "" && s.name != n.Name {
		return false
	}
	for i := range s.tests {
		if !s.tests[i].holds(n) {
			return false
		}
	}
	return true
}

func (t *test) holds(n *tree.Node) bool {
	i := slices.IndexFunc(n.Attrs, func(a tree.Attr) bool { return a.Key == t.key })
	if i < 0 {
		return false
	}
	val := n.Attrs[i].Val
	switch t.op {
	case '=':
		return val == t.val
	case '~':
		return hasClass(val, t.val)
	case '^':
		return strings.HasPrefix(val, t.val)
	case '$':
		return strings.HasSuffix(val, t.val)
	case '*':
		return strings.Contains(val, t.val)
	}
	return true
}

// hasClass reports whether one of the words of an attribute is a word.
func hasClass(list, word string) bool {
	for w := range strings.FieldsFuncSeq(list, func(r rune) bool { return strings.ContainsRune(" \t\n\f\r", r) }) {
		if w == word {
			return true
		}
	}
	return false
}

// find calls yield for the elements inside of a node that a selector tells of, in the order of the page, until it returns false. It does
// not look into elements that skip reports true for; nil looks into all.
func (s Selector) find(root *tree.Node, skip, yield func(*tree.Node) bool) {
	above := make([]fitted, len(s))
	s.walk(root, above, skip, yield)
}

// fitted says which steps of a way fit an element (here), or it or one around it (by bit).
type fitted struct{ here, any uint32 }

func (s Selector) walk(n *tree.Node, above []fitted, skip, yield func(*tree.Node) bool) bool {
	var mine [4]fitted
	at := mine[:min(len(s), len(mine))]
	if len(s) > len(mine) {
		at = make([]fitted, len(s))
	}
	for c := n.First; c != nil; c = c.Next {
		if c.Name == "" || skip != nil && skip(c) {
			continue
		}
		found := false
		for i, w := range s {
			at[i] = fitted{any: above[i].any}
			for k := range w {
				bit := uint32(1) << k
				if k > 0 {
					from := above[i].any
					if w[k].child {
						from = above[i].here
					}
					if from&(bit>>1) == 0 {
						continue
					}
				}
				if w[k].fits(c) {
					at[i].here |= bit
				}
			}
			at[i].any |= at[i].here
			found = found || at[i].here&(1<<(len(w)-1)) != 0
		}
		if found && !yield(c) || !s.walk(c, at, skip, yield) {
			return false
		}
	}
	return true
}

// all lists what a selector finds, up to a number.
func (s Selector) all(root *tree.Node, skip func(*tree.Node) bool, most int) (list []*tree.Node) {
	s.find(root, skip, func(n *tree.Node) bool {
		list = append(list, n)
		return len(list) < most
	})
	return list
}

// maxTries is how many elements are looked at for one value: each may hold the others.
const maxTries = 20

// value returns what an expression says of a node, with where that stands; "" and nil for nothing.
func (x *Expression) value(root *tree.Node, skip, drop func(*tree.Node) bool) (val string, at *tree.Node) {
	left := maxTries
	look := func(n *tree.Node) bool {
		left--
		s := ""
		if x.Attr != "" {
			s = strings.TrimSpace(n.Attr(x.Attr))
		} else {
			s = textOf(n, drop)
		}
		if x.Like != nil {
			s = firstGroup(x.Like, s)
		}
		val, at = s, n
		return s == "" && left > 0
	}
	if x.Select == nil {
		look(root)
	} else {
		x.Select.find(root, skip, look)
	}
	if val == "" {
		at = nil
	}
	return val, at
}

// firstGroup returns the first group of a match that is not empty, or all of it if there are no groups.
func firstGroup(re *regexp.Regexp, s string) string {
	m := re.FindStringSubmatch(s)
	if len(m) < 2 {
		return strings.Join(m, "")
	}
	for _, g := range m[1:] {
		if g != "" {
			return strings.TrimSpace(g)
		}
	}
	return ""
}

// Elements whose content nobody reads, and those that end a line.
var (
	unread = markup.Table(map[string]bool{"script style noscript template iframe object video audio select textarea head svg math": true})
	blocks = markup.Table(map[string]bool{`address article aside blockquote br dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header
		hr li main nav ol p pre section table td th tr ul`: true})
)

// textOf returns the text of an element as a reader sees it, blocks on lines of their own; what drop reports true for is left out.
func textOf(n *tree.Node, drop func(*tree.Node) bool) string {
	var b strings.Builder
	var walk func(n *tree.Node)
	walk = func(n *tree.Node) {
		for c := n.First; c != nil; c = c.Next {
			switch {
			case c.IsText():
				b.WriteString(c.Data)
			case unread[c.Element], drop != nil && drop(c):
			case blocks[c.Element]:
				b.WriteByte('\x00')
				walk(c)
				b.WriteByte('\x00')
			default:
				walk(c)
			}
		}
	}
	walk(n)
	lines := strings.Split(b.String(), "\x00")
	out := lines[:0]
	for _, l := range lines {
		if l = strings.Join(strings.Fields(l), " "); l != "" {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}
