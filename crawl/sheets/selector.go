package sheets

import (
	"bytes"

	"varve/web/style"
)

// maxBlocks bounds the nesting of blocks that is followed; deeper ones hold for every page.
const maxBlocks = 16

// rule is what must be on a page for a block of a sheet to hold there: one of the names; nothing if the block holds without any.
type rule struct{ names []string }

// pictures calls each for the addresses of a sheet, as they stand there, with the class names and IDs one of which a page must have to show
// them; none where nothing of the kind is asked for. Of each selector of a list it takes the longest name that it asks for:
//
//	.tw.tw-smile, #menu > a:hover { background: url(smile.png) }       smile.png    tw-smile, menu
//	p:not(.plain), .note { background: url(dots.png) }                 dots.png     none: the first selector asks for no name
//
// What stands in brackets (:not, :is) is not asked for; names with other characters than ASCII are not looked at.
func pictures(sheet []byte, each func(address string, names []string)) {
	var lx style.Lexer
	lx.Reset(sheet)
	var blocks [maxBlocks]rule
	depth := 0
	var head prelude
	var buf []byte
	inside := func(t style.Token) []byte {
		buf = t.AppendInside(buf[:0], sheet)
		return buf
	}
	tell := func(address []byte) {
		switch {
		case depth == 0 || depth > maxBlocks:
			each(string(address), nil)
		default:
			each(string(address), blocks[depth-1].names)
		}
	}
	for dot, url := false, false; ; {
		t := lx.Next()
		kind := t.Kind()
		switch kind {
		case style.End:
			return
		case style.Comment:
			continue
		case style.Ident:
			if dot {
				head.name(inside(t))
			}
		case style.Hash:
			head.name(inside(t))
		case style.URL:
			if !t.Cut() && !t.Bad() {
				tell(inside(t))
			}
		case style.Function:
			url = bytes.EqualFold(inside(t), []byte("url"))
			head.open++
		case style.String:
			if url && !t.Cut() {
				tell(inside(t))
			}
			url = false
		case style.Punct:
			switch t.Char() {
			case '(', '[':
				head.open++
			case ')', ']':
				head.open = max(0, head.open-1)
			case ',':
				head.comma()
			case '{':
				if depth < maxBlocks {
					blocks[depth] = head.rule()
				}
				depth++
				head = prelude{}
			case '}':
				depth = max(0, depth-1)
				head = prelude{}
			case ';':
				head = prelude{}
			}
		}
		dot = kind == style.Punct && t.Char() == '.' && head.open == 0
	}
}

// prelude is what was read of the selectors before a block.
type prelude struct {
	names []string // of the selectors so far
	last  string   // the longest name of the selector that is read
	all   bool     // one of them asks for no name
	open  int      // brackets
}

func (p *prelude) name(b []byte) {
	if p.open == 0 && len(b) > len(p.last) && isASCII(b) {
		p.last = string(bytes.ToLower(b))
	}
}

func (p *prelude) comma() {
	if p.open > 0 {
		return
	}
	if p.last == "" {
		p.all = true
	}
	p.names, p.last = append(p.names, p.last), ""
}

func (p *prelude) rule() rule {
	p.open = 0
	p.comma()
	if p.all {
		return rule{}
	}
	return rule{p.names}
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if !isName(c) {
			return false
		}
	}
	return true
}

// isName reports whether a character stands in names that are looked for.
func isName(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}
