package rewrite

import (
	"html"
	"strings"

	"varve/web/markup"
)

// value returns the value of the attribute of that name in the current start tag, or "".
func (h *htmlScan) value(name string) string { return unescape(string(h.tag.Get(name))) }

// text returns the value of an attribute, character references undone.
func text(a *markup.Attr) string { return unescape(string(a.Val)) }

// unescape undoes character references as they are read in attributes: &copy=1 is no copyright sign.
func unescape(s string) string {
	i := strings.IndexByte(s, '&')
	if i < 0 {
		return s
	}
	var b strings.Builder
	for i >= 0 {
		b.WriteString(s[:i])
		s = s[i:]
		n := 1
		for n < len(s) && n < 34 && (s[n] == '#' || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' || s[n] >= '0' && s[n] <= '9') {
			n++
		}
		switch {
		case n < len(s) && s[n] == ';':
			n++
			b.WriteString(html.UnescapeString(s[:n]))
		case n > 1 && s[1] == '#', n < len(s) && s[n] != '=', n == len(s):
			b.WriteString(plain(s[:n]))
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
		i = strings.IndexByte(s, '&')
	}
	return b.String() + s
}

// plain undoes a reference without semicolon, if the whole of it is one: &amp but not &amplifier.
func plain(s string) string {
	out := html.UnescapeString(s)
	if strings.HasPrefix(s, "&#") || len([]rune(out)) == 1 {
		return out
	}
	return s
}

var escaper = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;")

// appendAttr appends name="value".
func appendAttr(dst, name []byte, value string) []byte {
	dst = append(dst, name...)
	dst = append(dst, '=', '"')
	dst = append(dst, escaper.Replace(value)...)
	return append(dst, '"')
}
