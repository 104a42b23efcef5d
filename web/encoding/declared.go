// Package encoding finds out which character encoding a document is said to have, by its transport or by itself, and names
// encodings as browsers do. It is the one prescan and the one order of trust (Declared): links, replay and text/charset ask it. What is done where nobody
// says anything, or where the bytes cannot be what is said, is theirs.
//
// Terms: a *label* is what people write ("latin1", "UTF8"), a *name* is what the WHATWG encoding standard calls the
// encoding ("windows-1252", "utf-8"); "" is none. Labels that browsers refuse (the standard's "replacement") have no name.
//
//	byte order mark   BOM
//	Content-Type      OfType
//	the document      OfHTML: XML declaration, then meta elements; OfXML; OfCSS: @charset
//
// Cost: the first 2 KiB of a document are looked at, twice at most.
package encoding

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	xencoding "golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"

	"varve/web/markup"
)

// prescan is how far a declaration is looked for in a document; the HTML standard says 1024, pages say more.
const prescan = 2048

// Lookup returns the encoding of a label, and its name; nil if there is none.
func Lookup(label string) (xencoding.Encoding, string) {
	enc, err := htmlindex.Get(strings.Trim(label, " \t\n\f\r\"'"))
	if err != nil {
		return nil, ""
	}
	name, err := htmlindex.Name(enc)
	if err != nil || name == "replacement" {
		return nil, ""
	}
	return enc, name
}

// Name returns the name of a label.
func Name(label string) string {
	if len(label) == 5 && strings.EqualFold(label, "utf-8") {
		return "utf-8"
	}
	_, name := Lookup(label)
	return name
}

// NewReader returns a reader of r in UTF-8.
func NewReader(label string, r io.Reader) (io.Reader, error) {
	enc, _ := Lookup(label)
	if enc == nil {
		return nil, fmt.Errorf("no character encoding %q", label)
	}
	return enc.NewDecoder().Reader(r), nil
}

// BOM returns the name of the encoding whose byte order mark a document begins with, and the length of that.
func BOM(body []byte) (name string, size int) {
	switch {
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		return "utf-8", 3
	case bytes.HasPrefix(body, []byte("\xff\xfe")):
		return "utf-16le", 2
	case bytes.HasPrefix(body, []byte("\xfe\xff")):
		return "utf-16be", 2
	}
	return "", 0
}

// Source is who names an encoding.
type Source string

// The sources, in the order in which they are believed.
const (
	Mark      Source = "bom"  // byte order mark
	Transport Source = "http" // Content-Type
	Document  Source = "meta" // the document: meta element, XML declaration, @charset
)

// Declared returns the encoding that a document is said to have, who says so, and the length of its byte order mark; "" if nobody does. of reads
// what the document says itself: OfHTML, OfXML, OfCSS; nil for one that cannot say it.
func Declared(body []byte, contentType string, of func([]byte) string) (name string, by Source, mark int) {
	if name, mark = BOM(body); name != "" {
		return name, Mark, mark
	}
	if name = OfType(contentType); name != "" {
		return name, Transport, 0
	}
	if of != nil {
		if name = of(body); name != "" {
			return name, Document, 0
		}
	}
	return "", "", 0
}

// OfType returns the name of the charset parameter of a Content-Type.
func OfType(contentType string) string {
	for contentType != "" {
		var part string
		part, contentType, _ = strings.Cut(contentType, ";")
		if k, v, ok := strings.Cut(part, "="); ok && strings.EqualFold(strings.TrimSpace(k), "charset") {
			return Name(v)
		}
	}
	return ""
}

// OfCSS returns the name that a style sheet declares.
func OfCSS(body []byte) string {
	rest, ok := bytes.CutPrefix(head(body), []byte(`@charset "`))
	if !ok {
		return ""
	}
	label, _, _ := bytes.Cut(rest, []byte(`"`))
	return inside(string(label))
}

// OfXML returns the name that the XML declaration of a document declares.
func OfXML(body []byte) string {
	l := markup.Lexer{Src: bytes.TrimLeft(head(body), " \t\r\n"), XML: true}
	if !bytes.HasPrefix(l.Src, []byte("<?xml")) || l.Next() != markup.Instruction {
		return ""
	}
	_, rest, _ := bytes.Cut(l.Data, []byte("encoding"))
	return inside(value(rest))
}

// OfHTML returns the name that an HTML document declares: in an XML declaration, or the first meta element that names an
// encoding. Most pages have it within the first tags, so it looks for the word and lexes the one tag around it.
func OfHTML(body []byte) string {
	if name := OfXML(body); name != "" {
		return name
	}
	l := markup.Lexer{Src: head(body)}
	for {
		n := bytes.IndexByte(l.Src[l.Pos:], '<')
		if n < 0 {
			return ""
		}
		l.Pos += n
		switch rest := l.Src[l.Pos:]; {
		case bytes.HasPrefix(rest, []byte("<!--")):
			l.Next()
		case markup.NameAt(rest[1:], "meta"):
			l.Next()
			if name := ofMeta(&l); name != "" {
				return name
			}
		default:
			l.Pos++
		}
	}
}

// ofMeta reads the attributes of a meta element.
func ofMeta(l *markup.Lexer) string {
	var label, content string
	isType := false
	for l.Attr() {
		switch {
		case bytes.EqualFold(l.Key, []byte("charset")):
			label = string(l.Val)
		case bytes.EqualFold(l.Key, []byte("content")):
			_, rest, _ := bytes.Cut(bytes.ToLower(l.Val), []byte("charset"))
			content = value(rest)
		case bytes.EqualFold(l.Key, []byte("http-equiv")):
			isType = bytes.EqualFold(bytes.TrimSpace(l.Val), []byte("content-type"))
		}
	}
	if label == "" && isType {
		label = content
	}
	return inside(label)
}

// value returns what stands behind an equals sign: in quotes, or up to white space or a semicolon.
func value(p []byte) string {
	const space = " \t\n\f\r"
	p = bytes.TrimLeft(p, space)
	if len(p) == 0 || p[0] != '=' {
		return ""
	}
	p = bytes.TrimLeft(p[1:], space)
	if len(p) > 0 && (p[0] == '"' || p[0] == '\'') {
		label, _, _ := bytes.Cut(p[1:], p[:1])
		return string(label)
	}
	if end := bytes.IndexAny(p, space+";"); end >= 0 {
		p = p[:end]
	}
	return string(p)
}

// inside returns the name of a label that a document has inside. It was read byte by byte, so the document cannot be UTF-16.
func inside(label string) string {
	switch name := Name(label); name {
	case "utf-16le", "utf-16be":
		return "utf-8"
	case "x-user-defined":
		return "windows-1252"
	default:
		return name
	}
}

func head(body []byte) []byte { return body[:min(len(body), prescan)] }
