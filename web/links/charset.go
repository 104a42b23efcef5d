package links

import (
	"strings"
	"unicode/utf8"

	xencoding "golang.org/x/text/encoding"
	"golang.org/x/text/transform"

	"varve/web/encoding"
)

// coding is the character encoding of a document; enc is nil for UTF-8.
type coding struct {
	name string
	enc  xencoding.Encoding
	out  *xencoding.Encoder // made when first needed, for queries
	buf  []byte
}

// decode finds the document's charset (as declared, or a guess) and gives the body
// in UTF-8: the body itself where it is so already.
func (e *Extractor) decode(f Format, mime, hint string, body []byte) []byte {
	name, source, skip := e.charset(f, mime, hint, body)
	body = body[skip:]
	e.info.Charset, e.info.Source = name, source
	if name == "utf-8" {
		return body
	}
	enc, name := encoding.Lookup(name)
	if enc == nil {
		return body
	}
	e.coding.name, e.coding.enc = name, enc
	if ascii(body) && !strings.HasPrefix(name, "utf-16") {
		return body
	}
	out, _, err := transform.Append(enc.NewDecoder(), e.decoded[:0], body)
	e.decoded = out
	if err != nil {
		return body // decoders replace what is wrong; this is not reached by any known one
	}
	return out
}

// charset names the encoding by its WHATWG name, who said so, and how many bytes its byte order mark takes. A hint of who calls us comes before
// what the transport says.
func (e *Extractor) charset(f Format, mime, hint string, body []byte) (name, source string, bom int) {
	name, by, bom := encoding.Declared(body, mime, declarationOf(f))
	if hinted := encoding.Name(hint); hinted != "" && by != encoding.Mark {
		return hinted, string(encoding.Transport), 0
	}
	switch {
	case name != "":
		return name, string(by), bom
	case f == JSON || utf8.Valid(body):
		return "utf-8", "guess", 0
	}
	return "windows-1252", "guess", 0
}

// declarationOf is where a document of a format says its encoding.
func declarationOf(f Format) func([]byte) string {
	switch f {
	case CSS:
		return encoding.OfCSS
	case XML, SVG:
		return encoding.OfXML
	case HTML, XHTML:
		return encoding.OfHTML
	}
	return nil
}

// ascii tells whether all bytes are below 0x80.
func ascii(p []byte) bool {
	for len(p) >= 8 {
		if (p[0]|p[1]|p[2]|p[3]|p[4]|p[5]|p[6]|p[7])&0x80 != 0 {
			return false
		}
		p = p[8:]
	}
	for _, c := range p {
		if c >= 0x80 {
			return false
		}
	}
	return true
}
