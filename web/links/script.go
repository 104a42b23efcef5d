package links

import (
	"bytes"
	"math"

	"varve/web/script"
)

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
	from, to int32
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
	e      *Extractor
	src    []byte
	lx     *script.Lexer // one of these
	lexers [maxNest + 1]script.Lexer
	ahead  script.Lexer

	history [4]jsToken // the last tokens, in turn
	newest  uint8      // where the newest of them is
	frames  [maxFrames]jsFrame
	depth   int
	nest    int // templates inside templates

	val     []byte // the value being joined
	have    bool
	plus    bool // the last token joins
	literal bool // a part of it was written here, not only named
	use     jsUse

	buf    []byte // a decoded string
	folded int
	vars   map[string]string
	known  [64]uint64 // a bit for each name in vars, so that most others are not looked up
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
	e.jsFree = nil                // a string in here may hold a script again
	if len(src) > math.MaxInt32 { // places of tokens are kept in 32 bits
		src = src[:math.MaxInt32]
		e.info.Truncated = true
	}
	s.src, s.depth, s.nest, s.have, s.plus, s.folded = src, 0, 0, false, false, 0
	s.lx = &s.lexers[0]
	s.lx.Comments = true // of source maps
	s.lx.Reset(src, 0)
	s.history = [4]jsToken{}
	clear(s.vars)
	clear(s.known[:])
	s.held = s.held[:0]
	s.run()
	s.release()
	s.src = nil
	for i := range s.lexers {
		s.lexers[i].Reset(nil, 0)
	}
	s.ahead.Reset(nil, 0)
	e.jsFree = s
}

// run reads all tokens.
func (s *jsScan) run() {
	for {
		switch t := s.lx.Next(); t.Kind() {
		case script.End:
			s.finish()
			return
		case script.Name:
			s.name(t)
		case script.Punct:
			s.punctuation(t)
		case script.String:
			s.string(t)
		case script.Template:
			s.template(t)
		case script.Number: // joined to a string it is its digits
			if s.plus {
				s.join(t.Text(s.src), true)
			}
			s.plus = false
			s.push('n', t.From, t.To)
		case script.Private:
			s.finish()
			s.plus = false
			s.push('i', t.From, t.To)
		case script.Regexp:
			s.finish()
			s.plus = false
			s.push(')', t.From, t.To)
		case script.Comment:
			s.sourceMap(t.Text(s.src))
		}
	}
}

// punctuation handles an operator or a bracket.
func (s *jsScan) punctuation(t script.Token) {
	kind := byte('~')
	switch t.Op() {
	case '+':
		s.plus = s.plus || t.After()
		s.push('+', t.From, t.To)
		return
	case script.AddAssign:
		s.finish()
		s.plus = true // something stood there before
		s.push('+', t.From, t.To)
		return
	case script.Increment, script.Decrement:
		s.finish()
	case '(', '[', '{':
		kind = byte(t.Op())
		if t.Op() == '[' && s.list(t) {
			return
		}
		s.finish()
		s.open(kind)
	case ')', ']', '}':
		s.finish()
		s.close(t)
		return
	case ',':
		kind = ','
		s.finish()
		if s.depth > 0 && s.depth <= maxFrames {
			s.frames[s.depth-1].arg++
		}
	case '.':
		kind = '.'
	default:
		if t.Op() < script.Arrow {
			kind = byte(t.Op())
		}
		s.finish()
		s.plus = false
	}
	s.push(kind, t.From, t.To)
}

// open pushes a frame.
func (s *jsScan) open(c byte) {
	s.plus = false
	s.depth++
	if s.depth > maxFrames {
		return
	}
	f := &s.frames[s.depth-1]
	f.kind, f.callee, f.object, f.isNew, f.arg, f.firstLen = c, jsToken{}, jsToken{}, false, 0, 0 // first holds nothing by that
	if c != '(' || s.back(1).kind != 'i' {
		return
	}
	f.callee = s.back(1)
	before := s.back(2)
	if s.back(2).kind == '.' {
		if s.back(3).kind == 'i' || s.back(3).kind == ')' && string(s.text(s.back(1))) == "load" { // $(x).load(url)
			f.object = s.back(3)
		}
		before = s.back(4)
	}
	f.isNew = before.kind == 'i' && string(s.text(before)) == "new"
}

// close pops a frame.
func (s *jsScan) close(t script.Token) {
	s.plus = false
	from, to := t.From, t.To
	if s.depth > 0 {
		if s.depth <= maxFrames && t.Op() == ')' {
			switch callee := s.frames[s.depth-1].callee; string(s.text(callee)) {
			case "$", "jQuery": // what is called of its result is jQuery's
				from, to = int(callee.from), int(callee.to)
			}
		}
		s.depth--
	}
	s.push(byte(t.Op()), from, to)
}

// sourceMap takes "# sourceMappingURL=app.js.map" out of a comment.
func (s *jsScan) sourceMap(comment []byte) {
	if len(comment) < 22 || comment[2] != '#' && comment[2] != '@' {
		return
	}
	if comment[1] == '*' {
		comment = bytes.TrimSuffix(comment, []byte("*/"))
	}
	if url, ok := bytes.CutPrefix(trim(comment[3:]), []byte("sourceMappingURL=")); ok {
		s.e.link(kindJSSourcemap, url)
	}
}

// string takes a quoted string; one that does not end is none.
func (s *jsScan) string(t script.Token) {
	if t.Cut() {
		s.finish()
		s.plus = false
		return
	}
	s.operand(s.decoded(t), true)
	s.push('s', t.From, t.To)
}

// decoded gives what a string means, until the next one is decoded.
func (s *jsScan) decoded(t script.Token) []byte {
	v := t.Inside(s.src)
	if t.Escaped() {
		s.buf = script.AppendText(s.buf[:0], v)
		v = s.buf
	}
	return v
}

// push remembers a token.
func (s *jsScan) push(kind byte, from, to int) {
	s.newest++
	s.history[s.newest&3] = jsToken{kind, int32(from), int32(to)}
}

// back gives the n-th last token, counted from 1.
func (s *jsScan) back(n uint8) jsToken { return s.history[(s.newest+1-n)&3] }

// text gives the bytes of a token; unbalanced brackets may ask for one of another script.
func (s *jsScan) text(t jsToken) []byte {
	if int(t.to) > len(s.src) {
		return nil
	}
	return s.src[t.from:t.to]
}

// name takes an identifier: a constant that is known, a function that can be computed here, or neither.
func (s *jsScan) name(t script.Token) {
	word := t.Text(s.src)
	if s.back(1).kind != '.' {
		if !s.plus {
			s.finish()
		}
		if v, ok := s.constant(word); ok {
			s.operand(v, false)
			s.push('i', t.From, t.To)
			return
		}
	}
	if v, ok := s.compute(word); ok {
		if s.back(1).kind == '.' { // String.fromCharCode: its object was taken for an unknown part
			s.unhole()
		}
		s.operand(v, true)
		s.push('s', t.From, s.lx.Pos())
		return
	}
	if s.plus {
		s.join([]byte(hole), true)
		s.plus = false
	}
	s.push('i', t.From, t.To)
}

// constant gives the value of a name that was set once to a constant.
func (s *jsScan) constant(word []byte) ([]byte, bool) {
	if at, bit := knownBit(word); s.known[at]&bit == 0 {
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
	next, _ := s.lx.Peek()
	switch next {
	case '=', ':', '(', '.', '[': // set, a key, a call, a part: not its value
		return nil, false
	}
	if s.plus || next == '+' {
		s.useHeld(string(word))
	}
	s.folded += len(v)
	s.buf = append(s.buf[:0], v...)
	return s.buf, true
}

// knownBit is the place and the bit of a name in known.
func knownBit(name []byte) (at int, bit uint64) {
	h := int(name[0]) + 31*int(name[len(name)-1]) + 173*int(name[len(name)/2]) + 461*len(name)
	return h >> 6 & 63, 1 << (h & 63)
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
	old, known := s.vars[string(name)]
	if len(value) > 512 || len(s.vars) >= 256 && !known {
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
	switch {
	case !known:
		at, bit := knownBit(name)
		s.known[at] |= bit
		s.vars[s.e.arena.str(name)] = s.e.arena.str(value)
	case old != string(value) && old != hole:
		s.vars[string(name)] = hole
	}
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
