package markup

import "bytes"

// Raw reads the content of an element whose text is not markup (script, style, title, textarea, xmp) up to its end
// tag, which is left to Next. tag is in lower case.
func (l *Lexer) Raw(tag string) []byte {
	for l.open {
		l.Attr()
	}
	from := l.Pos
	if tag == "script" {
		l.Pos = scriptEnd(l.Src, from)
	} else {
		l.Pos = closeTag(l.Src, from, tag)
	}
	return l.Src[from:l.Pos]
}

// closeTag finds the next </tag at or after i, or the end of the source.
func closeTag(src []byte, i int, tag string) int {
	for i < len(src) {
		n := bytes.IndexByte(src[i:], '<')
		if n < 0 {
			break
		}
		i += n
		if isClose(src[i:], tag) {
			return i
		}
		i++
	}
	return len(src)
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

// scriptEnd finds the end of a script. A script that holds "<!--" and then "<script" swallows one "</script" (the
// standard's double escaped state), until "-->".
func scriptEnd(src []byte, i int) int {
	escaped, double := false, false
	for i < len(src) {
		n := bytes.IndexByte(src[i:], '<')
		if escaped {
			if m := dashEnd(src[i:], n); m >= 0 {
				escaped, double = false, false
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
			if !double {
				return i
			}
			double = false
		case !escaped && bytes.HasPrefix(p, []byte("<!--")):
			escaped = true
			i++ // "<!-->" closes at once: its dashes are seen again
		case escaped && NameAt(p[1:], "script"):
			double = true
		}
		i++
	}
	return len(src)
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
