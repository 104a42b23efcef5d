package links

import "bytes"

// finish ends the value being joined: it may be a constant to remember, markup, JSON, CSS, or a URL.
func (s *jsScan) finish() {
	if s.have {
		s.end()
	}
}

func (s *jsScan) end() {
	if s.plus {
		s.join([]byte(hole), false) // what is joined is no simple value
		s.plus = false
	}
	s.have = false
	v := s.val
	whole := !bytes.Contains(v, []byte(hole))
	s.remember(v, whole)
	if len(v) < 2 || len(v) < 4 && s.use.kind == kindNone || !s.literal && s.use.kind == kindNone {
		return
	}
	if s.use.part {
		v, _, _ = bytes.Cut(trim(v), []byte(" "))
	}
	if !s.use.set && s.inside(v) {
		return
	}
	v = trim(v)
	if !whole {
		// Only a file name that is already complete is worth a try: what is appended is a query or fragment.
		v = v[:bytes.Index(v, []byte(hole))]
		if path, query := cutQuery(v); query != nil || len(path) == 0 || !knownFile(path) {
			return
		}
	}
	s.judge(v)
}

// remember keeps a constant under its name, and a short first argument in its frame.
func (s *jsScan) remember(v []byte, whole bool) {
	if s.use.name != nil {
		if !whole {
			v = []byte(hole)
		}
		s.define(s.use.name, v)
	}
	if s.depth == 0 || s.depth > maxFrames {
		return
	}
	if f := &s.frames[s.depth-1]; (f.arg == 0 || f.arg == 1 && string(s.text(f.callee)) == "setAttributeNS") && len(v) <= len(f.first) {
		f.firstLen = copy(f.first[:], v)
	}
}

// judge adds a value as a link if it can be one in its use.
func (s *jsScan) judge(v []byte) {
	u := s.use
	switch {
	case len(v) == 0, u.mute && v[0] != '/' && !absolute(v):
	case u.set:
		srcset(v, func(url []byte) { s.e.link(kindJSProperty, url) })
	case u.kind != kindNone && u.module:
		if v[0] == '/' || v[0] == '.' || absolute(v) {
			if u.list {
				v = moduleFile(v)
			}
			s.e.link(u.kind, v)
		}
	case len(v) > maxGuess && absolute(v) && !bytes.ContainsAny(v, " <>{}|^`\"\n"):
		s.e.cut()
	case u.kind != kindNone && !(u.apart && absolute(v)):
		if askedShape(v) {
			s.e.link(u.kind, v)
		}
	case plausible(v), u.asked && pathShape(v):
		if !s.hold(u.name, v) {
			s.e.link(kindJSLiteral, v)
		}
	case s.depth > maxFrames && s.nest == 0 && pathShape(v): // the call that would have told is not known
		s.e.info.Truncated = true
	}
}

// askedShape tells whether a value where a URL is asked for can be one.
func askedShape(v []byte) bool {
	if len(v) > maxGuess || len(v) < 1 || valueName(v) || bytes.ContainsAny(v, " <>{}|^`\"\n") {
		return false
	}
	if bytes.Contains(v, []byte("/:")) {
		return false // a route with a parameter
	}
	rest := afterSlashes(v)
	return rest == nil || hostShape(rest)
}

// mediaType tells whether a value is type/subtype.
func mediaType(v []byte) bool {
	for _, top := range []string{"text/", "application/", "image/", "audio/", "video/", "font/", "multipart/", "model/", "message/"} {
		if hasFold(v, top) && bytes.Count(v, []byte("/")) == 1 && !knownFile(v) {
			return true
		}
	}
	return false
}

// inside looks for documents in a string: markup, JSON, CSS, a program, prose with URLs. It tells whether the string
// was one of these.
func (s *jsScan) inside(v []byte) bool {
	if len(v) < 8 {
		return false
	}
	e := s.e
	switch {
	case markupShape(v):
		v = bytes.Clone(v)
		e.within(InScript, func() { e.walk(v, false, false) })
	case v[0] == '{' && bytes.IndexByte(v, '"') >= 0, v[0] == '[' && bytes.IndexByte(v, '"') >= 0:
		v = bytes.Clone(v)
		e.within(InScript, func() { e.jsonText(v) })
	case bytes.Contains(v, []byte("url(")):
		v = bytes.Clone(v)
		e.within(InScript, func() { e.css(v, cssSheet) })
	case len(v) > 64 && bytes.ContainsAny(v, "\"'`") && bytes.IndexByte(v, '/') >= 0:
		v = bytes.Clone(v)
		e.within(InScript, func() { e.script(v) })
	case bytes.IndexByte(v, ' ') >= 0:
		scanText(v, func(url []byte) {
			if plausible(url) {
				e.link(kindJSLiteral, url)
			}
		})
	default:
		return false
	}
	return true
}

// markupShape tells whether a string holds a tag with an attribute.
func markupShape(v []byte) bool {
	i := bytes.IndexByte(v, '<')
	return i >= 0 && i+1 < len(v) && isAlpha(v[i+1]) && bytes.IndexByte(v[i:], '=') > 0
}

// handler reads an event handler attribute.
func (p *page) handler(val []byte) {
	if bytes.IndexByte(val, '(') < 0 && bytes.IndexByte(val, '=') < 0 {
		return
	}
	code := p.decoded(val)
	p.e.within(InHandler, func() { p.e.script(code) })
}
