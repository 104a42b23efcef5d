package markup

import "bytes"

// Raw reads the content of an element whose text is not markup (script, style, title, textarea, xmp) up to its end
// tag, which is left to Next; plaintext has none. tag is in lower case.
func (l *Lexer) Raw(tag string) []byte {
	for l.open {
		l.Attr()
	}
	from := l.Pos
	content := rawText{tag: tag}
	l.Pos, _ = content.end(l.Src, from, false)
	return l.Src[from:l.Pos]
}

// rawText is content that is no markup, as far as it was looked through for its end.
type rawText struct {
	tag             string
	escaped, double bool // a script holds "<!--"; and then "<script", which swallows one "</script"
}

// maxClose is more than the longest end tag that is looked for.
const maxClose = 16

// end returns the place of the end tag at or after i. If there is none it reports false, and where to go on when there is
// more of the source: what stands there may be cut.
func (r *rawText) end(src []byte, i int, more bool) (int, bool) {
	last := len(src)
	if more {
		last = max(i, last-maxClose)
	}
	switch r.tag {
	case "plaintext":
		return last, false
	case "script":
		return r.scriptEnd(src, i, last)
	}
	for i < last {
		n := bytes.IndexByte(src[i:last], '<')
		if n < 0 {
			break
		}
		i += n
		if isClose(src[i:], r.tag) {
			return i, true
		}
		i++
	}
	return last, false
}

// isClose reports whether p begins with </tag followed by a byte that ends a name.
func isClose(p []byte, tag string) bool {
	return len(p) > 2 && p[1] == '/' && NameAt(p[2:], tag)
}

// NameAt reports whether p begins with tag and the name ends there.
func NameAt(p []byte, tag string) bool {
	if !hasFold(p, tag) {
		return false
	}
	return len(p) == len(tag) || class[p[len(tag)]]&classTagNo != 0
}

// scriptEnd finds the end of a script that begins before last. A script that holds "<!--" and then "<script" swallows
// one "</script" (the standard's double escaped state), until "-->".
func (r *rawText) scriptEnd(src []byte, i, last int) (int, bool) {
	for i < last {
		n := bytes.IndexByte(src[i:last], '<')
		if r.escaped {
			if m := dashEnd(src[i:min(last+2, len(src))], n); m >= 0 {
				r.escaped, r.double = false, false
				i += m
				continue
			}
		}
		if n < 0 {
			break
		}
		i += n
		p := src[i:]
		switch {
		case isClose(p, "script"):
			if !r.double {
				return i, true
			}
			r.double = false
		case !r.escaped && bytes.HasPrefix(p, []byte("<!--")):
			r.escaped = true
			i++ // "<!-->" closes at once: its dashes are seen again
		case r.escaped && NameAt(p[1:], "script"):
			r.double = true
		}
		i++
	}
	return max(i, last), false
}

// dashEnd returns the place behind a "-->" that begins before the next < (at n, or nowhere if n is negative), else -1.
func dashEnd(p []byte, n int) int {
	if n >= 0 {
		p = p[:n]
	}
	if m := bytes.Index(p, []byte("-->")); m >= 0 {
		return m + 3
	}
	return -1
}
