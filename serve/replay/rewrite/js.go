package rewrite

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"varve/serve/replay/address"
	"varve/web/script"
)

// The names that scripts are given in place of those that cannot be changed in a browser.
const (
	nameLocation = "varve$location"
	nameTop      = "varve$top"
	nameCode     = "varve$code"
	nameImport   = "varve$import"
	namePost     = "varve$post"
	nameSelf     = "varve$self"
	nameEval     = "varve$eval"
	nameKey      = "varve$key"
	nameMember   = "varve$member"
	nameMeta     = "varve$meta"
)

// JS appends a script to dst with its names and imports rewritten.
func (d *Document) JS(dst, src []byte) []byte {
	if !mentions(src) {
		return append(dst, src...)
	}
	e := jsEditor{d: d, edit: edit{src: src, dst: dst}}
	e.run()
	return append(e.finish(), e.tail...)
}

// mentions tells whether a script holds any text that could be rewritten.
func mentions(src []byte) bool {
	for _, word := range []string{"location", "top", "eval", "import", "export", "postMessage", "window", "self", "globalThis", "document", "contentWindow", "defaultView", "this[", `\u`} {
		if bytes.Contains(src, []byte(word)) {
			return true
		}
	}
	return false
}

// jsEditor walks over a script and edits it. It never fails: what is no script comes out as it went in, give or take
// a renamed word.
type jsEditor struct {
	edit
	d           *Document
	lx          script.Lexer
	prev, prev2 script.Token // the last tokens
	tail        []byte       // exports to be added
	wrap        string       // the function that goes around the arguments in the next parenthesis
	wraps       []int        // depths of the parentheses whose arguments are wrapped
	insert      string       // put behind the next bracket
	deletes     bool         // in the members of what delete takes away: the object's own, not those of the shim
	aliases     []string     // names that were given a window or document: w = window
	spaces      []string     // names of modules as objects, which have no prototype and so no names of the shim: import * as ns
	exports     int          // one more than the depth at which names are declared that are exported: export const a = 1, b = 2
	inObject    bool         // the token stands in the braces of a literal or pattern
	ahead       script.Lexer
}

func (e *jsEditor) run() {
	e.lx.Reset(e.src, 0)
	for {
		e.inObject = e.lx.Inside() == script.Object
		t := e.lx.Next()
		if e.deletes {
			e.deletes = t.Kind() == script.Name && !t.After() || t.Is('.') || t.Is('[') || t.Kind() == script.String && e.prev.Is('[')
		}
		switch t.Kind() {
		case script.End:
			return
		case script.Name:
			e.exported(t)
			e.name(t)
			e.deletes = e.deletes || t.Word() == script.Delete
		case script.String:
			e.text(t)
		case script.Punct:
			switch t.Op() {
			case '(', '[', '{':
				e.opened(t)
			case ')':
				if n := len(e.wraps); n > 0 && e.wraps[n-1] > e.lx.Depth() {
					e.wraps = e.wraps[:n-1]
					e.replace(t.To, t.To, ")")
				}
			case ';':
				e.exports = 0
			case ']':
				if n := len(e.wraps); n > 0 && e.wraps[n-1] > e.lx.Depth() {
					e.wraps = e.wraps[:n-1]
					e.replace(t.From, t.From, "))")
				}
			case script.Increment, script.Decrement:
				if t.After() {
					continue // a++ is an operand still
				}
			}
		}
		e.prev2, e.prev = e.prev, t
	}
}

// exported notes where a list of declarations that are exported begins, and where it ends without a semicolon.
func (e *jsEditor) exported(t script.Token) {
	switch {
	case t.Word().Declares() && e.prev.Word() == script.Export:
		e.exports = e.lx.Depth() + 1
	case e.exports == e.lx.Depth()+1 && t.After() && t.Newline():
		e.exports = 0
	}
}

// opened puts in what belongs behind an opening bracket.
func (e *jsEditor) opened(t script.Token) {
	if t.Op() == '(' && e.wrap != "" {
		e.replace(t.To, t.To, e.wrap+"(")
		e.wraps, e.wrap = append(e.wraps, e.lx.Depth()), ""
	}
	if e.insert != "" {
		e.replace(t.To, t.To, e.insert)
		e.insert = ""
	}
	if t.Op() != '[' || e.deletes {
		return
	}
	key := e.global()
	if key == "" && e.inObject && (e.prev.Is('{') || e.prev.Is(',')) && e.takesApart(1) { // const {[k]: v} = window
		key = nameMember
	}
	if key != "" {
		if next, at := e.lx.Peek(); !e.literal(at) && (next < '0' || next > '9') { // else it is known which member is meant
			e.replace(t.To, t.To, key+"((")
			e.wraps = append(e.wraps, e.lx.Depth())
		}
	}
}

// literal reports whether a short string and nothing else stands in the brackets that were opened.
func (e *jsEditor) literal(at int) bool {
	if at >= len(e.src) || e.src[at] != '"' && e.src[at] != '\'' {
		return false
	}
	end := bytes.IndexByte(e.src[at+1:min(len(e.src), at+64)], e.src[at])
	if end < 0 {
		return true // too long to be one of the names that matter
	}
	rest := bytes.TrimLeft(e.src[at+1+end+1:min(len(e.src), at+128)], " \t\r\n")
	return len(rest) > 0 && rest[0] == ']'
}

// global returns the function that stands in for names of members where the last token is a window or document, of which a member follows
// whose name is put together while the script runs: window["loca" + "tion"]. It is "" for other objects.
func (e *jsEditor) global() string {
	object, before, optional := e.prev, e.prev2, false
	if object.Is('.') { // window?.[k]
		object, before, optional = e.prev2, script.Token{}, true
	}
	if object.Is(']') && before.Kind() == script.String && string(before.Inside(e.src)) == "defaultView" { // document["defaultView"][k]
		return nameKey
	}
	if object.Kind() != script.Name {
		return ""
	}
	word := string(object.Text(e.src))
	switch word {
	case "defaultView", "contentWindow":
		return nameKey
	}
	if before.Is('.') {
		return ""
	}
	switch word {
	case "window", "self", "globalThis":
		return nameKey
	case "document", "frames", "parent", "this":
		return nameMember
	}
	// Ways along a path of names: path.split(".").reduce((o, k) => o?.[k], window).
	if slices.Contains(e.aliases, word) || optional || arrow.Match(e.src[max(0, object.From-4):object.From]) {
		return nameMember
	}
	return ""
}

// arrow is what stands before an object in such a function.
var arrow = regexp.MustCompile(`(?:=>|&&)\s?$`)

// maxAliases bounds the names that are known to be windows.
const maxAliases = 32

// alias notes a name that is given a window or document: var w = window, d = document.
func (e *jsEditor) alias(t script.Token) {
	if !e.prev.Is('=') || e.prev2.Kind() != script.Name || len(e.aliases) >= maxAliases {
		return
	}
	switch next, _ := e.lx.Peek(); next {
	case ',', ';', ')', '}', 0:
	default:
		if next, at := e.lx.Peek(); bytes.IndexByte(e.src[t.To:at], '\n') < 0 || next == '.' || next == '[' {
			return
		}
	}
	if name := string(e.prev2.Text(e.src)); !slices.Contains(e.aliases, name) {
		e.aliases = append(e.aliases, name)
	}
}

// text rewrites a string where it names a module or a member.
func (e *jsEditor) text(t script.Token) {
	switch {
	case t.Specifier():
		e.specifier(t, string(t.Inside(e.src)))
	case e.prev.Is('[') && (e.lx.Inside() == script.Index || e.prev2.Is('.')) && !e.deletes: // x["location"], x?.["location"]
		name := string(t.Inside(e.src))
		if name == "location" || name == "top" && e.windowed() {
			if next, _ := e.lx.Peek(); next == ']' {
				e.replace(t.From+1, t.From+1+len(name), "varve$"+name)
			}
		}
	}
}

// specifier rewrites the name of a module, unless it is a bare one for the import map.
func (e *jsEditor) specifier(t script.Token, s string) {
	if !Specifier(s) {
		return
	}
	if addr, ok := e.d.Address(s, address.Script); ok && !strings.ContainsAny(addr, "'\"\\\n") {
		e.replace(t.From+1, t.From+1+len(s), addr)
	}
}

// Specifier tells whether the name of a module is a URL rather than a bare name for the import map.
func Specifier(s string) bool {
	return strings.HasPrefix(s, "/") || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "../") ||
		strings.HasPrefix(s, "http:") || strings.HasPrefix(s, "https:")
}

// windows tells the names that usually stand for a window.
func windows(w []byte) bool {
	switch string(w) {
	case "window", "self", "globalThis", "parent", "top", "frames", "opener", "contentWindow", "defaultView", "this":
		return true
	}
	return false
}

// name renames a word where it means what the shim replaces.
func (e *jsEditor) name(t script.Token) {
	member := e.prev.Is('.')
	word := t.Text(e.src)
	if t.Escaped() {
		word = script.AppendText(nil, word)
	}
	switch string(word) {
	case "location":
		e.rename(t, nameLocation, member, true)
	case "top":
		e.rename(t, nameTop, member, member && (e.windowed() || e.likeWindow(t)))
	case "eval":
		next, _ := e.lx.Peek()
		switch {
		case (!member || e.windowed()) && next == '(' && !e.declared():
			e.wrapCall(t, nameCode)
		case !member && !e.declared() && (e.passed(next) || next == '.' || next == '?'):
			e.rename(t, nameEval, false, true)
		}
	case "postMessage":
		if member && t.To < len(e.src) && e.src[t.To] == '(' {
			e.replace(t.From, t.To, namePost)
			e.insert = nameSelf + ","
		}
	case "import":
		switch next, _ := e.lx.Peek(); {
		case member || e.declared():
		case next == '(':
			e.wrapCall(t, nameImport)
		case next == '.':
			if n := len(importMeta.Find(e.src[t.From:min(len(e.src), t.From+maxCompare)])); n > 0 {
				e.replace(t.From, t.From+n, nameMeta+"(import.meta)")
			}
		}
	case "window", "self", "globalThis", "document":
		if !member {
			e.alias(t)
		}
	case "as":
		if e.prev.Is('*') && len(e.spaces) < maxAliases {
			if m := spaceName.FindSubmatch(e.src[t.To:min(len(e.src), t.To+maxCompare)]); m != nil {
				e.spaces = append(e.spaces, string(m[1]))
			}
		}
	}
}

// spaceName is the name of a module as an object, behind "* as".
var spaceName = regexp.MustCompile(`^\s+([\w$]+)`)

// importMeta is what a module knows of itself.
var importMeta = regexp.MustCompile(`^import\s*\.\s*meta\b`)

// wrapCall wraps the arguments of the call that follows at once.
func (e *jsEditor) wrapCall(t script.Token, name string) {
	if e.src[t.To] == '(' {
		e.wrap = name
	}
}

// windowed reports whether the object before the dot or bracket is a window.
func (e *jsEditor) windowed() bool {
	return e.prev2.Kind() == script.Name && windows(e.prev2.Text(e.src))
}

// likeWindow reports whether the object before .top is a window by what is done with it: it was given one, its top is compared with itself,
// or what follows is what only windows have.
//
//	w = window, w.top          e.top === e          e !== e.top          e.self == e.top          e.top.location          (window).top
func (e *jsEditor) likeWindow(t script.Token) bool {
	if e.prev2.Is(')') {
		return topOfCall.Match(e.src[t.To:min(len(e.src), t.To+maxCompare)]) || e.prev2.From > 6 && bytes.HasSuffix(e.src[:e.prev2.From], []byte("window"))
	}
	if e.prev2.Kind() != script.Name {
		return false
	}
	object := e.prev2.Text(e.src)
	if slices.Contains(e.aliases, string(object)) {
		return true
	}
	behind, before := e.src[t.To:min(len(e.src), t.To+maxCompare)], e.src[max(0, e.prev2.From-maxCompare):e.prev2.From]
	if topOfCall.Match(behind) {
		return true
	}
	if m := compared.FindSubmatch(behind); m != nil && bytes.Equal(m[1], object) {
		return true
	}
	m := compares.FindSubmatch(before)
	return m != nil && bytes.Equal(m[1], object)
}

// maxCompare bounds how far it is looked for what .top is compared with.
const maxCompare = 64

var (
	topOfCall = regexp.MustCompile(`^\s*(?:\.\s*(?:location|document|postMessage|window|self|frames)|[!=]==?\s*(?:window|self|globalThis))\b`)
	compared  = regexp.MustCompile(`^\s*[!=]==?\s*([\w$]+)\b`)
	compares  = regexp.MustCompile(`([\w$]+)(?:\.(?:self|window))?\s*[!=]==?\s*$`)
)

// declared reports whether the word is being named rather than used: function eval(, or a method of a class or object.
func (e *jsEditor) declared() bool {
	return e.prev.Word() == script.Function || e.keyPosition()
}

// rename replaces a word, unless it is a key. A key that is a variable too is written as both.
func (e *jsEditor) rename(t script.Token, name string, member, windowed bool) {
	if member {
		if windowed && !e.deletes && !e.bare() {
			e.replace(t.From, t.To, name)
		}
		return
	}
	old := string(t.Text(e.src))
	switch e.lx.Inside() {
	case script.Object:
		if e.keyPosition() {
			switch next, _ := e.lx.Peek(); {
			case e.shorthand() && e.pattern():
				e.replace(t.From, t.To, name+":"+name)
			case e.shorthand():
				e.replace(t.From, t.To, old+":"+name)
			case next == ':' && e.pattern():
				e.replace(t.From, t.To, name)
			}
			return
		}
	case script.Body:
		if e.keyPosition() {
			return
		}
	case script.Imports, script.Exports:
		e.bind(t, old, name)
		return
	}
	if e.prev.Word().Declares() && e.prev2.Word() == script.Export || e.prev.Is(',') && e.exports == e.lx.Depth()+1 {
		e.tail = append(e.tail, "\n;export {"+name+" as "+old+"};"...)
	}
	e.replace(t.From, t.To, name)
}

// bare reports whether the object before the dot has no names of the shim: what the class before has is its own, and the named groups of a
// match and the object of a module have no prototype.
func (e *jsEditor) bare() bool {
	if e.prev2.Kind() != script.Name {
		return false
	}
	word := e.prev2.Text(e.src)
	return string(word) == "super" || string(word) == "groups" || slices.Contains(e.spaces, string(word))
}

// passed reports whether the word is used as a value, to be called by another name: (0, eval)(x), f(eval).
func (e *jsEditor) passed(next byte) bool {
	switch next {
	case ')', ',', ';', ']':
	default:
		return false
	}
	switch e.lx.Inside() {
	case script.Object, script.Body, script.Imports, script.Exports:
		return false
	}
	return e.prev.Kind() == script.Punct && e.prev.Op() != '{' && e.prev.Op() != '.'
}

// keyPosition reports whether a word here names a member of the object or class around it.
func (e *jsEditor) keyPosition() bool {
	inside := e.lx.Inside()
	if inside != script.Object && inside != script.Body {
		return false
	}
	switch p := e.prev; p.Kind() {
	case script.Punct:
		switch p.Op() {
		case '{':
			return true
		case ',':
			return inside == script.Object
		case ';', '}':
			return inside == script.Body
		case '*': // a generator, no product
			next, _ := e.lx.Peek()
			return next == '(' && e.begins(e.prev2)
		}
	case script.Name:
		switch p.Word() {
		case script.Get, script.Set, script.Async, script.Static:
			return e.begins(e.prev2) || e.prev2.Word() == script.Static
		}
	}
	return false
}

// begins reports whether a member may stand behind the token.
func (e *jsEditor) begins(t script.Token) bool {
	return t.Is('{') || t.Is(',') || t.Is(';') || t.Is('}')
}

// shorthand reports whether a key is its own value: {location}, {location, x}, {location = 1}.
func (e *jsEditor) shorthand() bool {
	switch next, at := e.lx.Peek(); next {
	case ',', '}':
		return true
	case '=':
		return at+1 >= len(e.src) || e.src[at+1] != '=' && e.src[at+1] != '>'
	}
	return false
}

// maxPattern bounds how many tokens are read ahead to tell a pattern from a literal.
const maxPattern = 200

// pattern reports whether the braces around the current token take an object apart rather than make one:
//
//	{location} =         ({location}) =>        function ({location}) {        for (const {location} of
//
// What has a rest ({location, ...others}) is told as no pattern, since a renamed key would stay in the rest.
func (e *jsEditor) pattern() bool { return e.takesApart(0) }

// takesApart does it from within so many further brackets.
func (e *jsEditor) takesApart(depth int) bool {
	e.lx.Ahead(&e.ahead)
	closed := false
	for range maxPattern {
		t := e.ahead.Next()
		if t.Kind() == script.End {
			return false
		}
		if t.Kind() != script.Punct {
			continue
		}
		switch op := t.Op(); op {
		case '(', '[', '{':
			depth++
		case ';':
			if depth == 0 {
				return false
			}
		case ')', ']', '}':
			if depth > 0 {
				depth--
				continue
			}
			closed = true
			next, at := e.ahead.Peek()
			arrow := bytes.HasPrefix(e.src[at:], []byte("=>"))
			switch {
			case op == ')':
				return arrow || next == '{'
			case next == '=':
				return !arrow && !bytes.HasPrefix(e.src[at:], []byte("=="))
			case bytes.HasPrefix(e.src[at:], []byte("of ")):
				return true
			case next != ',' && next != ')' && next != ']' && next != '}':
				return false
			}
		default:
			if !closed && depth == 0 && string(t.Text(e.src)) == "..." {
				return false
			}
		}
	}
	return false
}

// bind renames inside the braces of an import or export, where the name outside must stay.
func (e *jsEditor) bind(t script.Token, old, name string) {
	exports := e.lx.Inside() == script.Exports
	renamed := e.prev.Word() == script.As
	_, next := e.lx.Peek()
	follows := bytes.HasPrefix(e.src[next:], []byte("as"))
	switch {
	case exports && renamed, !exports && follows && !renamed:
	case exports && follows, renamed:
		e.replace(t.From, t.To, name)
	case exports:
		e.replace(t.From, t.To, name+" as "+old)
	default:
		e.replace(t.From, t.To, old+" as "+name)
	}
}
