package layer

import (
	"bytes"
	"crypto/sha256"

	"varve/text/near"
)

// What is data for programs has no visible text. Its layers beside bytes are one: what it says, apart from how it is written. White space
// that means nothing is left out, comments are, and values whose names say that they are written anew for each answer.

// PutData keeps what data says, as JSON or XML wrote it, as the layers from dom to near.
func (d *Digests) PutData(said []byte) {
	sum := short(sha256.Sum256(said))
	for _, n := range []Name{DOM, Text, Main} {
		d.Sums[place(n)] = sum
	}
	d.Print = near.Of(string(said))
}

// JSON returns what JSON says. What is no JSON is read as far as it can be.
func JSON(body []byte) []byte {
	out := make([]byte, 0, len(body))
	masking := false // the value that comes belongs to a name that says so
	for i := 0; i < len(body); {
		switch c := body[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case c == '"':
			n := stringLength(body[i:])
			isName := bytes.HasPrefix(bytes.TrimLeft(body[i+n:], " \t\r\n"), []byte(":"))
			if masking && !isName {
				out = append(out, masked...)
			} else {
				out = append(out, body[i:i+n]...)
			}
			masking = isName && holdsAny(appendPlain(nil, body[i:i+n]), tokenWords)
			i += n
		case c == ':':
			out = append(out, c)
			i++
		case masking && (c == '-' || c >= '0' && c <= '9'):
			n := 1
			for i+n < len(body) && bytes.IndexByte([]byte("0123456789.eE+-"), body[i+n]) >= 0 {
				n++
			}
			out, masking = append(out, masked...), false
			i += n
		default:
			out, masking = append(out, c), false
			i++
		}
	}
	return out
}

// stringLength is that of the string at the beginning of p, with its quotes; of one without an end, all of p.
func stringLength(p []byte) int {
	for i := 1; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(p)
}

// XML returns what XML says.
func XML(body []byte) []byte {
	out := make([]byte, 0, len(body))
	for len(body) > 0 {
		n, isComment := pieceOfXML(body)
		piece := body[:n]
		body = body[n:]
		if isComment {
			continue
		}
		for i, word := range bytes.Fields(piece) {
			if i > 0 {
				out = append(out, ' ')
			}
			out = append(out, word...)
		}
	}
	return out
}

// pieceOfXML is the length of what stands at the beginning of p: a comment, a section of character data, a tag, or text up to one.
func pieceOfXML(p []byte) (n int, isComment bool) {
	end := func(of string) int {
		if i := bytes.Index(p, []byte(of)); i >= 0 {
			return i + len(of)
		}
		return len(p)
	}
	switch {
	case bytes.HasPrefix(p, []byte("<!--")):
		return end("-->"), true
	case bytes.HasPrefix(p, []byte("<![CDATA[")):
		return end("]]>"), false
	case p[0] == '<':
		return end(">"), false
	}
	if i := bytes.IndexByte(p, '<'); i >= 0 {
		return i, false
	}
	return len(p), false
}
