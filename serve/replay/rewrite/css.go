package rewrite

import (
	"bytes"
	"strings"

	"varve/serve/replay/address"
	"varve/web/style"
)

// CSS appends a style sheet to dst with its references rewritten.
func (d *Document) CSS(dst, src []byte) []byte {
	if bytes.IndexByte(src, '(') < 0 && bytes.IndexByte(src, '@') < 0 {
		return append(dst, src...)
	}
	s := cssEditor{d: d, edit: edit{src: src, dst: dst}}
	s.run()
	return s.finish()
}

// cssEditor walks over a style sheet and edits its references.
type cssEditor struct {
	edit
	d       *Document
	imports bool  // after @import, before its address
	url     bool  // after url(
	sets    []int // depths of brackets at which image-set() was opened
	depth   int
}

func (s *cssEditor) run() {
	var lx style.Lexer
	lx.Reset(s.src)
	for {
		t := lx.Next()
		url := s.url
		s.url = false
		switch t.Kind() {
		case style.End:
			return
		case style.String: // a reference in url(), after @import and in image-set()
			if url || s.imports || len(s.sets) > 0 && s.sets[len(s.sets)-1] == s.depth {
				s.reference(t, false)
			}
		case style.URL:
			s.reference(t, true)
		case style.At:
			s.imports = strings.EqualFold(s.name(t), "import")
		case style.Function:
			s.depth++
			s.function(s.name(t))
		case style.Punct:
			switch t.Char() {
			case '(':
				s.depth++
			case ')':
				s.depth = max(s.depth-1, 0)
				if n := len(s.sets); n > 0 && s.sets[n-1] > s.depth {
					s.sets = s.sets[:n-1]
				}
			case ';', '{':
				s.imports = false
			}
		case style.Comment:
			s.url = url
		}
	}
}

func (s *cssEditor) name(t style.Token) string { return string(t.AppendInside(nil, s.src)) }

func (s *cssEditor) function(name string) {
	switch {
	case strings.EqualFold(name, "url"), strings.EqualFold(name, "src"):
		s.url = true
	case strings.EqualFold(name, "image-set"), strings.EqualFold(name, "-webkit-image-set"):
		if len(s.sets) < 64 {
			s.sets = append(s.sets, s.depth)
		}
	}
}

// reference rewrites a string or the inside of url().
func (s *cssEditor) reference(t style.Token, bare bool) {
	mod := address.Image
	if s.imports {
		mod, s.imports = address.Style, false
	}
	from, to := t.Span(s.src)
	if to <= from {
		return
	}
	if addr, ok := s.d.Address(string(t.AppendInside(nil, s.src)), mod); ok {
		s.replace(from, to, cssEscape(addr, bare))
	}
}

// cssEscape writes an address inside a string or inside the bare url().
func cssEscape(s string, bare bool) string {
	unsafe := "\"'\\\n"
	if bare {
		unsafe = "\"'\\()\n "
	}
	if !strings.ContainsAny(s, unsafe) {
		return s
	}
	var b strings.Builder
	for _, c := range []byte(s) {
		if strings.IndexByte(unsafe, c) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}
