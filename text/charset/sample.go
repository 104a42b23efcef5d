package charset

import (
	"bytes"
	"unicode/utf8"
)

// sampleOf gathers the text of a document that tells encodings apart: stretches between tags that hold bytes above
// 0x7f, up to a number of bytes, a blank between two. Scripts and styles are left out. It works in all encodings in
// which < and > mean what they mean in ASCII and are never the second byte of a character.
func sampleOf(body []byte, most int) []byte {
	out := make([]byte, 0, most)
	for len(body) > 0 && len(out) < most {
		end := bytes.IndexByte(body, '<')
		text := body
		if end >= 0 {
			text = body[:end]
		}
		if at := firstHigh(text); at >= 0 {
			out = append(out, interesting(text, at, most-len(out))...)
			out = append(out, ' ')
		}
		if end < 0 {
			break
		}
		body = skipTag(body[end:])
	}
	return out
}

// interesting cuts a long stretch to a piece that begins a little before the first byte above 0x7f.
func interesting(text []byte, at, most int) []byte {
	if from := bytes.LastIndexByte(text[:at], ' '); from > 64 {
		text = text[bytes.LastIndexByte(text[:from], ' ')+1:]
	}
	if len(text) > most {
		text = text[:most]
	}
	return text
}

// skipTag skips a tag, and the content of a script or style.
func skipTag(p []byte) []byte {
	end := bytes.IndexByte(p, '>')
	if end < 0 {
		return nil
	}
	tag, rest := p[1:end], p[end+1:]
	for _, name := range []string{"script", "style"} {
		if len(tag) >= len(name) && equalFold(tag[:len(name)], name) {
			i := bytes.Index(rest, []byte("</"))
			for i >= 0 && !(len(rest) >= i+2+len(name) && equalFold(rest[i+2:i+2+len(name)], name)) {
				next := bytes.Index(rest[i+2:], []byte("</"))
				if next < 0 {
					return nil
				}
				i += 2 + next
			}
			if i < 0 {
				return nil
			}
			return rest[i:]
		}
	}
	return rest
}

// equalFold compares ASCII without case; name is in lower case.
func equalFold(p []byte, name string) bool {
	for i, c := range p {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != name[i] {
			return false
		}
	}
	return len(p) == len(name) && len(p) < utf8.RuneSelf
}
