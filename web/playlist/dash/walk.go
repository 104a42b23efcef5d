package dash

import (
	"bytes"
	"encoding/xml"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"varve/web/encoding"
)

// decoder reads the elements of a manifest as they stand. A text that is UTF-8 is read as such, whatever it says of
// itself: it was decoded already.
func decoder(text []byte) *xml.Decoder {
	x := xml.NewDecoder(bytes.NewReader(text))
	x.Strict = false
	x.CharsetReader = encoding.NewReader
	if utf8.Valid(text) {
		x.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	}
	return x
}

// walk goes through tags and texts with their places, up to the first fault.
func walk(text []byte, visit func(tok xml.Token, from, to int) bool) {
	x := decoder(text)
	for {
		from := int(x.InputOffset())
		tok, err := x.RawToken()
		if err != nil || !visit(tok, from, int(x.InputOffset())) {
			return
		}
	}
}

// Spans returns where the elements of a name begin and end.
func Spans(text []byte, name string) (out [][2]int) {
	var open []int // indexes into out
	walk(text, func(tok xml.Token, from, to int) bool {
		switch t := tok.(type) {
		case xml.StartElement:
			if t.Name.Local == name {
				open = append(open, len(out))
				out = append(out, [2]int{from, from})
			}
		case xml.EndElement:
			if n := len(open); t.Name.Local == name && n > 0 {
				out[open[n-1]][1] = to
				open = open[:n-1]
			}
		}
		return true
	})
	return out
}

// Addresses goes through the absolute addresses of a manifest, in attributes and in texts: text[from:to], with its
// references still in it. Names of schemes and of schemas look like addresses and are none.
func Addresses(text []byte) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		walk(text, func(tok xml.Token, from, to int) bool {
			switch tok.(type) {
			case xml.CharData:
				p := text[from:to]
				from += len(p) - len(bytes.TrimLeft(p, " \t\r\n"))
				p = bytes.TrimSpace(p)
				return !absolute(p) || yield(from, from+len(p))
			case xml.StartElement:
				return quoted(text[from:to], func(name string, a, b int) bool {
					return isName(name) || !absolute(text[from+a:from+b]) || yield(from+a, from+b)
				})
			}
			return true
		})
	}
}

// absolute reports whether p is an address of the web, and none of those bodies that only name things by theirs.
func absolute(p []byte) bool {
	s := string(p[:min(len(p), 32)])
	return (strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")) &&
		!strings.HasPrefix(s, "http://www.w3.org/") && !strings.HasPrefix(s, "http://dashif.org/")
}

// isName reports whether the values of an attribute are names.
func isName(attribute string) bool {
	return attribute == "xmlns" || strings.HasPrefix(attribute, "xmlns:") || strings.HasSuffix(attribute, "schemaLocation") || attribute == "schemeIdUri"
}

// quoted goes through the attributes of a tag that have quotes, with the places of their values.
func quoted(tag []byte, yield func(name string, from, to int) bool) bool {
	for i := 0; i < len(tag); {
		n := bytes.IndexAny(tag[i:], `"'`)
		if n < 0 {
			return true
		}
		name := bytes.TrimRight(tag[i:i+n], "= \t\r\n")
		name = name[bytes.LastIndexAny(name, " \t\r\n/")+1:]
		from := i + n + 1
		end := bytes.IndexByte(tag[from:], tag[from-1])
		if end < 0 {
			return true
		}
		if !yield(string(name), from, from+end) {
			return false
		}
		i = from + end + 1
	}
	return true
}
