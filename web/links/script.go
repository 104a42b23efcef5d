package links

import "bytes"

// A script is read as tokens, never run. Its strings are taken as values; values joined by + with each other, with
// constants named before, or wrapped in atob and kin are joined here too. An unknown part leaves the mark "${}" in the
// value, which no URL has. What a value is used for (a call, an assignment, a key) decides its kind:
//
//	var base = "/api/";              base is known from here on
//	fetch(base + "list.json")        js-fetch /api/list.json
//	x.src = "/img/" + n + ".png"     /img/${}.png: nothing
//	return "/about.html"             js-literal, speculative

// hole marks an unknown part of a value.
const hole = "${}"

// maxValue bounds a joined value; markup in strings may be long.
const maxValue = 64 << 10

// maxFolded bounds the bytes that names stand for in one script, however often it uses them.
const maxFolded = 4 << 20

// maxFrames bounds the nesting of brackets whose calls are remembered.
const maxFrames = 64

// jsToken is a token that was read: a byte of punctuation, or one of these.
type jsToken struct {
	kind     byte // 'i' name, 'n' number, 's' string, or the punctuation itself; '~' for operators of no interest
	from, to int
}

// jsFrame is an open bracket.
type jsFrame struct {
	kind     byte
	callee   jsToken // the name before (
	object   jsToken // the name before the dot before the callee
	isNew    bool
	arg      int
	first    [16]byte // the first argument, if it is a short string
	firstLen int
}

// jsScan reads one script.
type jsScan struct {
	e   *Extractor
	src []byte
	pos int

	p1, p2, p3, p4 jsToken // the last tokens, newest first
	frames         [maxFrames]jsFrame
	depth          int
	nest           int // templates inside templates
	noRegexp       int // no regular expression begins before this place

	val     []byte // the value being joined
	have    bool
	plus    bool // the last token joins
	literal bool // a part of it was written here, not only named
	use     jsUse

	buf    []byte // a decoded string
	folded int
	vars   map[string]string
	held   []jsHeld
}

// jsHeld is a folder given to a name: a link only if nothing is ever appended to it.
type jsHeld struct {
	name, value string
	used        bool
}

// script reads a script.
func (e *Extractor) script(src []byte) {
	s := e.jsFree
	if s == nil {
		s = &jsScan{e: e}
	}
	e.jsFree = nil // a string in here may hold a script again
	s.src, s.pos, s.depth, s.nest, s.noRegexp, s.have, s.plus, s.folded = src, 0, 0, 0, 0, false, false, 0
	s.p1, s.p2, s.p3, s.p4 = jsToken{}, jsToken{}, jsToken{}, jsToken{}
	clear(s.vars)
	s.held = s.held[:0]
	s.run()
	s.release()
	s.src = nil
	e.jsFree = s
}

// run reads all tokens.
func (s *jsScan) run() {
	src := s.src
	for s.pos < len(src) {
		c := src[s.pos]
		switch {
		case c <= ' ':
			s.pos++
		case isAlpha(c), c == '_', c == '$', c >= 0x80:
			s.name()
		case isDigit(c):
			s.number()
		case c == '"', c == '\'':
			s.string(c)
		case c == '`':
			s.template()
		case c == '/':
			s.slash()
		default:
			s.punctuation(c)
		}
	}
	s.finish()
}

// push remembers a token.
func (s *jsScan) push(kind byte, from, to int) {
	s.p4, s.p3, s.p2, s.p1 = s.p3, s.p2, s.p1, jsToken{kind, from, to}
}

// text gives the bytes of a token; unbalanced brackets may ask for one of another script.
func (s *jsScan) text(t jsToken) []byte {
	if t.to > len(s.src) {
		return nil
	}
	return s.src[t.from:t.to]
}

// number reads a numeric literal; joined to a string it is its digits.
func (s *jsScan) number() {
	from := s.pos
	for s.pos < len(s.src) && (isIdent(s.src[s.pos]) && s.src[s.pos] != '-' || s.src[s.pos] == '.') {
		s.pos++
	}
	if s.plus {
		s.join(s.src[from:s.pos], true)
	}
	s.plus = false
	s.push('n', from, s.pos)
}

// name reads an identifier: a constant that is known, a function that can be computed here, or neither.
func (s *jsScan) name() {
	from := s.pos
	for s.pos < len(s.src) && isIdent(s.src[s.pos]) && s.src[s.pos] != '-' {
		s.pos++
	}
	word := s.src[from:s.pos]
	if s.p1.kind != '.' {
		if !s.plus {
			s.finish()
		}
		if v, ok := s.constant(word); ok {
			s.operand(v, false)
			s.push('i', from, s.pos)
			return
		}
	}
	if v, ok := s.compute(word); ok {
		if s.p1.kind == '.' { // String.fromCharCode: its object was taken for an unknown part
			s.unhole()
		}
		s.operand(v, true)
		s.push('s', from, s.pos)
		return
	}
	if s.plus {
		s.join([]byte(hole), true)
		s.plus = false
	}
	s.push('i', from, s.pos)
}

// constant gives the value of a name that was set once to a constant.
func (s *jsScan) constant(word []byte) ([]byte, bool) {
	if len(s.vars) == 0 {
		return nil, false
	}
	v, ok := s.vars[string(word)]
	if !ok || v == hole {
		return nil, false
	}
	if s.folded > maxFolded {
		s.e.info.Truncated = true
		return nil, false
	}
	i := s.pos
	for i < len(s.src) && i < s.pos+8 && isSpace(s.src[i]) {
		i++
	}
	if i < len(s.src) {
		switch s.src[i] {
		case '=', ':', '(', '.', '[': // set, a key, a call, a part: not its value
			return nil, false
		}
	}
	if s.plus || i < len(s.src) && s.src[i] == '+' {
		s.useHeld(string(word))
	}
	s.folded += len(v)
	return []byte(v), true
}

// hold keeps a folder back until the script's end.
func (s *jsScan) hold(name, v []byte) bool {
	if v[len(v)-1] != '/' || len(s.held) >= 64 || len(name) == 0 {
		return false
	}
	s.held = append(s.held, jsHeld{name: string(name), value: string(v)})
	return true
}

// useHeld notes that something is appended to the folder of that name.
func (s *jsScan) useHeld(name string) {
	for i := range s.held {
		if s.held[i].name == name {
			s.held[i].used = true
		}
	}
}

// release adds the folders that nothing was appended to.
func (s *jsScan) release() {
	for _, h := range s.held {
		if !h.used {
			s.e.link(kindJSLiteral, []byte(h.value))
		}
	}
}

// define notes that a name was set. Set twice to different values, it is unknown.
func (s *jsScan) define(name, value []byte) {
	if old, known := s.vars[string(name)]; len(value) > 512 || len(s.vars) >= 256 && !known {
		if known && old != hole {
			s.vars[string(name)] = hole
		}
		if bytes.HasPrefix(value, []byte("/")) || absolute(value) { // what is appended to it is not found
			s.e.info.Truncated = true
		}
		return
	}
	if s.vars == nil {
		s.vars = make(map[string]string)
	}
	if old, ok := s.vars[string(name)]; ok && old != string(value) {
		s.vars[string(name)] = hole
		return
	}
	s.vars[string(name)] = string(value)
}

// operand takes a value: the next part of a joined one, or the first.
func (s *jsScan) operand(v []byte, literal bool) {
	if s.plus {
		s.join(v, literal)
		s.plus = false
		return
	}
	s.finish()
	s.have, s.literal = true, literal
	s.use = s.purpose()
	if len(v) > maxValue {
		s.e.info.Truncated = s.e.info.Truncated || markupShape(v[maxValue:])
	}
	s.val = append(s.val[:0], v[:min(len(v), maxValue)]...)
}

// join appends a part to the value.
func (s *jsScan) join(v []byte, literal bool) {
	if !s.have {
		s.have, s.literal, s.use = true, literal, jsUse{}
		s.val = append(s.val[:0], hole...)
	}
	s.literal = s.literal || literal
	if len(s.val)+len(v) <= maxValue {
		s.val = append(s.val, v...)
	} else if markupShape(v) {
		s.e.info.Truncated = true
	}
}

// unhole takes back the mark of an unknown part that turned out to be an object's name.
func (s *jsScan) unhole() {
	if s.have && bytes.HasSuffix(s.val, []byte(hole)) {
		s.val = s.val[:len(s.val)-len(hole)]
		s.plus = true
		if len(s.val) == 0 {
			s.have, s.plus = false, false
		}
	}
}
