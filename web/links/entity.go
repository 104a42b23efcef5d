package links

import (
	"bytes"

	"varve/web/markup"
)

// unescape decodes the character references of an attribute value. Without any it gives p itself, else a slice of dst's
// array, which it may grow.
func unescape(dst, p []byte) (out, buf []byte) {
	i := bytes.IndexByte(p, '&')
	if i < 0 {
		return p, dst
	}
	dst = dst[:0]
	for i >= 0 {
		dst = append(dst, p[:i]...)
		var n int
		dst, n = appendEntity(dst, p[i:], true)
		p = p[i+n:]
		i = bytes.IndexByte(p, '&')
	}
	dst = append(dst, p...)
	return dst, dst
}

// appendEntity is markup.AppendReference with a plain blank for one that must not break: nobody types that into a title, and around an
// address it is to be trimmed.
func appendEntity(dst, p []byte, attr bool) ([]byte, int) {
	at := len(dst)
	dst, n := markup.AppendReference(dst, p, attr)
	if string(dst[at:]) == "\u00a0" {
		dst = append(dst[:at], ' ')
	}
	return dst, n
}
