package links

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"

	"varve/web/markup"
)

// coding is the character encoding of a document; enc is nil for UTF-8.
type coding struct {
	name string
	enc  encoding.Encoding
	out  *encoding.Encoder // made when first needed, for queries
	buf  []byte
}

// prescanSize is how far a charset is looked for inside the document; the HTML standard says 1024, pages say more.
const prescanSize = 2048

// decode finds the document's charset (byte order mark, transport, document, guess, in this order) and gives the body
// in UTF-8: the body itself where it is so already.
func (e *Extractor) decode(f Format, mime, hint string, body []byte) []byte {
	name, source, skip := e.charset(f, mime, hint, body)
	body = body[skip:]
	e.info.Charset, e.info.Source = name, source
	if name == "utf-8" {
		return body
	}
	enc, err := htmlindex.Get(name)
	if err != nil {
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

// charset names the encoding by its WHATWG name, who said so, and how many bytes its byte order mark takes.
func (e *Extractor) charset(f Format, mime, hint string, body []byte) (name, source string, bom int) {
	switch {
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		return "utf-8", "bom", 3
	case bytes.HasPrefix(body, []byte("\xff\xfe")):
		return "utf-16le", "bom", 2
	case bytes.HasPrefix(body, []byte("\xfe\xff")):
		return "utf-16be", "bom", 2
	}
	for _, label := range []string{hint, charsetParam(mime)} {
		if name := charsetName(label); name != "" {
			return name, "http", 0
		}
	}
	if name := charsetName(prescan(f, body)); name != "" {
		if strings.HasPrefix(name, "utf-16") {
			name = "utf-8" // it was read byte by byte, so it cannot be
		}
		return name, "meta", 0
	}
	if f == JSON || utf8.Valid(body) {
		return "utf-8", "guess", 0
	}
	return "windows-1252", "guess", 0
}

// charsetName is the WHATWG name of a label, or "" if there is none.
func charsetName(label string) string {
	label = strings.Trim(label, " \t\n\f\r\"'")
	if label == "" {
		return ""
	}
	if len(label) == 5 && equalFold([]byte(label), "utf-8") {
		return "utf-8"
	}
	enc, err := htmlindex.Get(label)
	if err != nil {
		return ""
	}
	name, err := htmlindex.Name(enc)
	if err != nil || name == "replacement" {
		return ""
	}
	return name
}

// charsetParam is the charset parameter of a Content-Type.
func charsetParam(mime string) string {
	for mime != "" {
		var part string
		part, mime, _ = strings.Cut(mime, ";")
		if k, v, ok := strings.Cut(part, "="); ok && strings.EqualFold(strings.TrimSpace(k), "charset") {
			return v
		}
	}
	return ""
}

// prescan looks for a charset written in the document: meta elements, the XML declaration, or @charset.
func prescan(f Format, body []byte) string {
	head := body[:min(len(body), prescanSize)]
	switch f {
	case CSS:
		if rest, ok := bytes.CutPrefix(head, []byte(`@charset "`)); ok {
			label, _, _ := bytes.Cut(rest, []byte(`"`))
			return string(label)
		}
	case XML, SVG, XHTML, HTML:
		if label := xmlEncoding(head); label != "" {
			return label
		}
		if f == HTML || f == XHTML {
			return metaCharset(head)
		}
	}
	return ""
}

// xmlEncoding is the encoding of an XML declaration.
func xmlEncoding(head []byte) string {
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	decl, _, _ := bytes.Cut(head, []byte("?>"))
	_, rest, ok := bytes.Cut(decl, []byte("encoding"))
	if !ok {
		return ""
	}
	rest = trim(bytes.TrimLeft(rest, " \t\r\n="))
	if len(rest) < 2 {
		return ""
	}
	label, _, _ := bytes.Cut(rest[1:], rest[:1])
	return string(label)
}

// metaCharset finds <meta charset> or <meta http-equiv=content-type content>. Most pages have it within the first tags,
// so it looks for the word first and lexes the one tag around it.
func metaCharset(head []byte) string {
	for at := 0; at < len(head); {
		n := bytes.IndexByte(head[at:], '<')
		if n < 0 {
			return ""
		}
		at += n
		if hasFold(head[at:], "<!--") {
			l := markup.Lexer{Src: head, Pos: at}
			l.Next()
			at = l.Pos
			continue
		}
		if !markup.NameAt(head[at+1:], "meta") {
			at++
			continue
		}
		l := markup.Lexer{Src: head, Pos: at}
		l.Next()
		if label := charsetOfMeta(&l); label != "" {
			return label
		}
		at = l.Pos
	}
	return ""
}

// charsetOfMeta reads the attributes of one meta element.
func charsetOfMeta(l *markup.Lexer) string {
	direct, content, isType := "", "", false
	for l.Attr() {
		switch {
		case equalFold(l.Key, "charset"):
			direct = string(l.Val)
		case equalFold(l.Key, "content"):
			content = string(l.Val)
		case equalFold(l.Key, "http-equiv"):
			isType = equalFold(trim(l.Val), "content-type")
		}
	}
	if direct == "" && isType {
		direct = charsetParam(content)
	}
	return direct
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
