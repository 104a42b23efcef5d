package rewrite

import "strings"

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

// name looks at the word src[from:l.pos] and renames it where it means what the shim replaces.
func (l *jsLexer) name(from int, w []byte) {
	member := l.prev.kind == jsDot
	switch string(w) {
	case "location":
		l.rename(from, nameLocation, member, true)
	case "top":
		l.rename(from, nameTop, member, l.prev2.kind == jsWord && windows(l.prev2.word))
	case "eval":
		if (!member || l.prev2.kind == jsWord && windows(l.prev2.word)) && l.after(l.pos) == '(' && !l.declares() {
			l.wrap = l.src[l.pos] == '('
		} else if !member && !l.declares() && l.passed() {
			l.rename(from, nameEval, false, true)
		}
	case "postMessage":
		if member && l.pos < len(l.src) && l.src[l.pos] == '(' {
			l.replace(from, l.pos, namePost)
			l.insert = nameSelf + ","
		}
	case "import":
		l.imports(member)
	case "export":
		l.exporting, l.importing = !member, false
	case "from":
		l.importing = l.importing || l.exporting
	case "class":
		if !member && l.after(l.pos) != ':' {
			l.class = len(l.stack) + 1
		}
	case "case", "default":
		if n := len(l.stack); n > 0 && !member && l.stack[n-1].kind == '{' {
			l.stack[n-1].cases = true
		}
	}
}

// declares tells whether the word is being named rather than used: function eval(, or a method of a class or object.
func (l *jsLexer) declares() bool {
	if l.prev.kind == jsWord && string(l.prev.word) == "function" {
		return true
	}
	kind := l.inside()
	return (kind == 'o' || kind == 'c') && l.keyPosition()
}

// imports tells the three uses of import: a statement, a call, import.meta.
func (l *jsLexer) imports(member bool) {
	if member || l.declares() {
		return
	}
	switch l.after(l.pos) {
	case '(':
		l.wrap = l.src[l.pos] == '('
	case '.', ':':
	default:
		l.importing, l.exporting = true, false
	}
}

// rename replaces a word, unless it is a key. A key that is a variable too is written as both.
func (l *jsLexer) rename(from int, name string, member, windowed bool) {
	old := string(l.src[from:l.pos])
	if member {
		if windowed && !l.deleted(from) {
			l.replace(from, l.pos, name)
		}
		return
	}
	next := l.skip(l.pos)
	switch l.inside() {
	case 'o':
		if l.keyPosition() {
			if l.shorthand(next) {
				l.replace(from, l.pos, old+":"+name)
			}
			return
		}
	case 'c':
		if l.keyPosition() {
			return
		}
	case 'm':
		l.bind(from, next, old, name)
		return
	}
	if l.prev.kind == jsWord && declares(l.prev.word) && l.prev2.kind == jsWord && string(l.prev2.word) == "export" {
		l.tail = append(l.tail, "\n;export {"+name+" as "+old+"};"...)
	}
	l.replace(from, l.pos, name)
}

// passed reports whether the word is used as a value, to be called by another name: (0, eval)(x), f(eval).
func (l *jsLexer) passed() bool {
	switch l.after(l.pos) {
	case ')', ',', ';', ']':
		return l.inside() != 'm' && l.prev.kind == jsPunct && l.prev.c != '{' && l.inside() != 'o' && l.inside() != 'c'
	}
	return false
}

// deleted reports whether the member at from is what delete takes away: the object's own, not that of the shim.
func (l *jsLexer) deleted(from int) bool {
	i := from
	for i > 0 && (identByte(l.src[i-1]) || l.src[i-1] == '.') {
		i--
	}
	rest := strings.TrimRight(string(l.src[max(i-16, 0):i]), " \t")
	return len(rest) < i-max(i-16, 0) && strings.HasSuffix(rest, "delete") && (len(rest) == 6 || !identByte(rest[len(rest)-7]) && rest[len(rest)-7] != '.')
}

// declares tells the keywords that a new name follows.
func declares(w []byte) bool {
	switch string(w) {
	case "const", "let", "var", "function", "class":
		return true
	}
	return false
}

// keyPosition tells whether a word here names a member of the object or class around it.
func (l *jsLexer) keyPosition() bool {
	switch p := l.prev; p.kind {
	case jsPunct:
		return p.c == '{' || p.c == ',' && l.inside() == 'o' || l.inside() == 'c' && (p.c == ';' || p.c == '}') || p.c == '*' && l.method()
	case jsWord:
		switch string(p.word) {
		case "get", "set", "async", "static":
			return l.prev2.kind == jsPunct && strings.IndexByte("{,;}", l.prev2.c) >= 0 || l.prev2.kind == jsWord && string(l.prev2.word) == "static"
		}
	}
	return false
}

// method tells whether the star before a word begins a generator method and is no product or spread.
func (l *jsLexer) method() bool {
	return l.prev2.kind == jsPunct && strings.IndexByte("{,;}", l.prev2.c) >= 0 && l.after(l.pos) == '(' && l.src[l.pos-1] != '.'
}

// shorthand tells whether a key is its own value: {location}, {location, x}, {location = 1}.
func (l *jsLexer) shorthand(next int) bool {
	if next >= len(l.src) {
		return false
	}
	switch l.src[next] {
	case ',', '}':
		return true
	case '=':
		return next+1 >= len(l.src) || l.src[next+1] != '=' && l.src[next+1] != '>'
	}
	return false
}

// bind renames inside the braces of an import or export, where the name outside must stay.
func (l *jsLexer) bind(from, next int, old, name string) {
	renamed := l.prev.kind == jsWord && string(l.prev.word) == "as"
	follows := next+2 <= len(l.src) && string(l.src[next:next+2]) == "as"
	switch {
	case l.exporting && renamed, !l.exporting && follows && !renamed:
	case l.exporting && follows, renamed:
		l.replace(from, l.pos, name)
	case l.exporting:
		l.replace(from, l.pos, name+" as "+old)
	default:
		l.replace(from, l.pos, old+" as "+name)
	}
}
