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
	ahead       script.Lexer
}

func (e *jsEditor) run() {
	e.lx.Reset(e.src, 0)
	for {
		t := e.lx.Next()
		if e.deletes {
			e.deletes = t.Kind() == script.Name && !t.After() || t.Is('.') || t.Is('[') || t.Kind() == script.String && e.prev.Is('[')
		}
		switch t.Kind() {
		case script.End:
			return
		case script.Name:
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
	if key := e.global(); key != "" {
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
	object, before := e.prev, e.prev2
	if object.Is('.') { // window?.[k]
		object, before = e.prev2, script.Token{}
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
	if slices.Contains(e.aliases, word) {
		return nameMember
	}
	return ""
}

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
	case e.prev.Is('[') && e.lx.Inside() == script.Index && !e.deletes:
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
		e.rename(t, nameTop, member, e.windowed())
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
			if n := len(metaURL.Find(e.src[t.From:])); n > 0 {
				e.replace(t.From, t.From+n, nameMeta+"(import.meta.url)")
			}
		}
	case "window", "self", "globalThis", "document":
		if !member {
			e.alias(t)
		}
	}
}

// metaURL is the address of the module that a script is in.
var metaURL = regexp.MustCompile(`^import\s*\.\s*meta\s*\.\s*url\b`)

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

// declared reports whether the word is being named rather than used: function eval(, or a method of a class or object.
func (e *jsEditor) declared() bool {
	return e.prev.Word() == script.Function || e.keyPosition()
}

// rename replaces a word, unless it is a key. A key that is a variable too is written as both.
func (e *jsEditor) rename(t script.Token, name string, member, windowed bool) {
	if member {
		if windowed && !e.deletes && string(e.prev2.Text(e.src)) != "super" { // what the class before has is its own
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
	if e.prev.Word().Declares() && e.prev2.Word() == script.Export {
		e.tail = append(e.tail, "\n;export {"+name+" as "+old+"};"...)
	}
	e.replace(t.From, t.To, name)
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
func (e *jsEditor) pattern() bool {
	e.lx.Ahead(&e.ahead)
	depth, closed := 0, false
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
