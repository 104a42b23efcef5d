package rewrite

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"

	"varve/serve/replay/address"
	"varve/web/style"
)

// CSS appends a style sheet to dst with its references rewritten.
func (d *Document) CSS(dst, src []byte) []byte {
	if bytes.IndexByte(src, '(') < 0 && bytes.IndexByte(src, '@') < 0 && bytes.IndexByte(src, '[') < 0 {
		return append(dst, src...)
	}
	s := cssEditor{d: d, edit: edit{src: src, dst: dst}}
	s.run()
	return s.finish()
}

// Mark stands before what the page wrote, in the fragment of an address in a style, where that is kept. Browsers send no fragments.
const Mark = "#varve="

// maxMark bounds what is kept of one address.
const maxMark = 512

// cssEditor walks over a style sheet and edits its references.
type cssEditor struct {
	edit
	d       *Document
	imports bool  // after @import, before its address
	url     bool  // after url(
	sets    []int // depths of brackets at which image-set() was opened
	depth   int
	decl    int  // where the declaration begins
	says    bool // it shows an attribute that may hold an address: content: attr(href)
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
			case ';', '{', '}':
				s.imports = false
				from, to := t.Span(s.src)
				s.asWritten(from)
				s.decl = to
			case '[':
				from, _ := t.Span(s.src)
				s.selector(from)
			}
		case style.Comment:
			s.url = url
		}
	}
}

// byAddress is a selector that goes by what an attribute holds which may be rewritten.
var byAddress = regexp.MustCompile(`^(?i)\[\s*(href|src|srcset|action|formaction|poster|data|target|cite|background|rel|http-equiv|integrity|crossorigin|on[a-z]+)\s*([~|^$*]?=\s*(?:"[^"\\\n]*"|'[^'\\\n]*'|[-\w]+)\s*(?:\s[is]\s*)?)\]`)

// selector has a selector go by what the page wrote. It stays as specific as it was: where() counts nothing.
func (s *cssEditor) selector(at int) {
	m := byAddress.FindSubmatch(s.src[at:min(len(s.src), at+512)])
	if m == nil || at < s.done {
		return
	}
	attr, test := string(m[1]), string(m[2])
	s.replace(at, at+len(m[0]), ":is(["+Kept+attr+test+"],["+attr+test+"]:where(:not(["+Kept+attr+"])))")
}

// shown is an attribute that may hold an address, as text.
var shown = regexp.MustCompile(`(?i)\battr\(\s*(href|src|action|data|cite)\s*\)`)

// asWritten has the declaration that ends here show an attribute as the page wrote it: it is said once more, for browsers that know what to
// take where an attribute is not there.
//
//	content: attr(href)   becomes   content: attr(href);content:attr(varve-href, attr(href))
func (s *cssEditor) asWritten(end int) {
	if !s.says {
		return
	}
	s.says = false
	d := s.src[s.decl:end]
	name, value, ok := bytes.Cut(d, []byte(":"))
	if !ok || len(d) > 512 || bytes.Contains(bytes.ToLower(d), []byte("url(")) {
		return
	}
	if !shown.Match(value) {
		return
	}
	again := shown.ReplaceAll(bytes.TrimSpace(value), []byte("attr("+Kept+"$1, attr($1))"))
	s.replace(end, end, ";"+string(bytes.TrimSpace(name))+":"+string(again))
}

func (s *cssEditor) name(t style.Token) string { return string(t.AppendInside(nil, s.src)) }

func (s *cssEditor) function(name string) {
	switch {
	case strings.EqualFold(name, "url"), strings.EqualFold(name, "src"):
		s.url = true
	case strings.EqualFold(name, "attr"):
		s.says = true
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
	ref := string(t.AppendInside(nil, s.src))
	if addr, ok := s.d.Address(ref, mod); ok {
		if s.d.Keep && !strings.Contains(addr, "#") && len(ref) <= maxMark {
			addr += Mark + url.PathEscape(ref)
		}
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
