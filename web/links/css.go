package links

import (
	"bytes"

	"varve/web/style"
)

// cssMode says where a piece of CSS stands.
type cssMode uint8

const (
	cssSheet cssMode = iota // a style sheet or style element
	cssAttr                 // a style attribute
	cssPaint                // an SVG presentation attribute
)

// maxFunctions bounds the nesting of functions that is followed.
const maxFunctions = 32

// cssScan reads CSS token by token, keeping only what decides whether a string or url() is a reference: the at-rule that
// holds here and the functions that are open.
type cssScan struct {
	e    *Extractor
	src  []byte
	lx   style.Lexer
	mode cssMode
	buf  []byte

	rule  cssRule
	depth int
	stack [maxFunctions]cssFunc
}

// cssRule is the at-rule whose prelude or block is being read.
type cssRule uint8

const (
	ruleNone     cssRule = iota
	ruleImport           // the first string or url() is a style sheet
	ruleImported         // the rest of an @import
	ruleMute             // @namespace, @document, @charset: names, not references
	ruleFont             // @font-face
)

// cssFunc is a function that is open.
type cssFunc uint8

const (
	funcOther  cssFunc = iota
	funcImages         // image-set, image, cross-fade: strings are images
	funcURL            // url("..."), src("..."), before the string
	funcFilter         // AlphaImageLoader
)

// css reads a piece of CSS.
func (e *Extractor) css(src []byte, mode cssMode) {
	s := cssScan{e: e, src: src, mode: mode, buf: e.cssBuf}
	e.cssBuf = nil // a data: URL in here may hold CSS again
	s.run()
	e.cssBuf = s.buf
}

// run reads all tokens.
func (s *cssScan) run() {
	s.lx.Reset(s.src)
	for {
		switch t := s.lx.Next(); t.Kind() {
		case style.End:
			return
		case style.Comment:
			s.comment(t)
		case style.String:
			s.reference(s.inside(t))
		case style.URL:
			if !t.Cut() && !t.Bad() {
				s.address(s.inside(t))
			}
		case style.At:
			s.at(s.inside(t))
		case style.Function:
			s.function(s.inside(t))
		case style.Punct:
			switch t.Char() {
			case '(':
				s.push(funcOther)
			case ')':
				s.pop()
			case ';', '{':
				s.endPrelude()
			case '}':
				s.rule, s.depth = ruleNone, 0
			}
		}
	}
}

// inside gives what a token means, until the next one is asked for; nothing for a string that does not end.
func (s *cssScan) inside(t style.Token) []byte {
	if t.Cut() {
		return nil
	}
	if !t.Escaped() {
		from, to := t.Span(s.src)
		return s.src[from:to]
	}
	s.buf = t.AppendInside(s.buf[:0], s.src)
	return s.buf
}

// function handles name( .
func (s *cssScan) function(name []byte) {
	switch {
	case equalFold(name, "url"), equalFold(name, "src"):
		s.push(funcURL)
	case equalFold(name, "image-set"), equalFold(name, "-webkit-image-set"), equalFold(name, "cross-fade"), equalFold(name, "image"):
		s.push(funcImages)
	case equalFold(name, "alphaimageloader"): // its progid: prefix ends in a dot, so the name stands alone
		s.push(funcFilter)
	default:
		s.push(funcOther)
	}
}

func (s *cssScan) push(f cssFunc) {
	if s.depth < maxFunctions {
		s.stack[s.depth] = f
	}
	s.depth++
}

func (s *cssScan) pop() {
	if s.depth > 0 {
		s.depth--
	}
}

// at handles an at-keyword.
func (s *cssScan) at(name []byte) {
	switch {
	case equalFold(name, "import"):
		s.rule = ruleImport
	case equalFold(name, "font-face"):
		s.rule = ruleFont
	case equalFold(name, "namespace"), equalFold(name, "charset"), equalFold(name, "document"), equalFold(name, "-moz-document"):
		s.rule = ruleMute
	default:
		s.rule = ruleNone
	}
}

// endPrelude handles ; and { : a font-face block keeps its rule, all others lose it.
func (s *cssScan) endPrelude() {
	s.depth = 0
	if s.rule != ruleFont {
		s.rule = ruleNone
	}
}

// reference handles a string: most are no reference.
func (s *cssScan) reference(v []byte) {
	top := funcOther
	if s.depth > 0 && s.depth <= maxFunctions {
		top = s.stack[s.depth-1]
	}
	switch {
	case s.depth > maxFunctions:
		s.e.info.Truncated = true
	case top == funcURL:
		s.stack[s.depth-1] = funcOther // url() may have modifiers behind the string
		s.address(v)
	case s.rule == ruleImport:
		s.emit(kindCSSImport, v)
		s.rule = ruleImported
	case top == funcImages && s.rule != ruleMute:
		s.emit(kindCSSImageSet, v)
	case top == funcFilter:
		s.emit(kindCSSFilter, v)
		s.stack[s.depth-1] = funcOther // its other arguments are words
	}
}

// address handles the inside of url().
func (s *cssScan) address(v []byte) {
	switch s.rule {
	case ruleImport:
		s.emit(kindCSSImport, v)
		s.rule = ruleImported
	case ruleFont:
		s.emit(kindCSSFont, v)
	case ruleMute:
	default:
		s.emit(kindCSSURL, v)
	}
}

// emit adds a link. References to the same document are no links even under a base.
func (s *cssScan) emit(k Kind, v []byte) {
	if v = trim(v); len(v) == 0 || v[0] == '#' {
		return
	}
	switch s.mode {
	case cssAttr:
		k = kindStyleAttr
	case cssPaint:
		k = kindSVGPaint
	}
	s.e.link(k, v)
}

// comment takes the source map of a comment.
func (s *cssScan) comment(t style.Token) {
	if rest, ok := bytes.CutPrefix(trim(s.inside(t)), []byte("# sourceMappingURL=")); ok && s.mode == cssSheet {
		s.e.link(kindCSSSourcemap, rest)
	}
}
