package layer

import (
	"bytes"
	"strings"
)

// addresses are the attributes whose values are addresses.
var addresses = map[string]bool{
	"href": true, "src": true, "action": true, "formaction": true, "poster": true, "cite": true, "background": true,
	"data": true, "longdesc": true, "manifest": true, "xlink:href": true, "data-src": true, "data-href": true, "srcset": true,
	"data-srcset": true, "ping": true, "usemap": true, "icon": true, "data-url": true,
}

func isAddress(key []byte) bool { return addresses[string(key)] }

// cutStar tells whether a pattern ends in a star, and gives what is before it.
func cutStar(pattern string) (string, bool) { return strings.CutSuffix(pattern, "*") }

// appendPlain appends the letters and digits of p in lower case.
func appendPlain(dst, p []byte) []byte {
	for _, c := range p {
		switch class := charClass[c]; {
		case class&isUpper != 0:
			dst = append(dst, c+'a'-'A')
		case class&isWord != 0:
			dst = append(dst, c)
		}
	}
	return dst
}

// holdsAny tells whether any of the words is in p.
func holdsAny(p []byte, words []string) bool {
	for _, w := range words {
		if bytes.Contains(p, []byte(w)) {
			return true
		}
	}
	return false
}
