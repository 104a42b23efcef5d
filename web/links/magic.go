package links

import (
	"bytes"
	"unicode/utf8"

	"varve/web/markup"
)

// headSize is how many bytes sniffing looks at.
const headSize = 1024

// bodyHead gives the first bytes behind a byte order mark and white space. UTF-16 is made readable by dropping zeros.
func bodyHead(body []byte) []byte {
	head := body[:min(len(body), headSize)]
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		head = head[3:]
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		head = bytes.ReplaceAll(head[2:], []byte{0}, nil)
	}
	return bytes.TrimLeft(head, " \t\r\n\f\v")
}

// htmlStarts are the tags that no other format begins with.
var htmlStarts = []string{
	"<!doctype html", "<html", "<head", "<body", "<title", "<meta", "<script", "<style", "<frameset", "<table", "<iframe", "<h1", "<div", "<a ", "<p>", "<br",
}

// surelyHTML tells whether the bytes begin as only a page does. Servers send error pages under any type.
func surelyHTML(head []byte) bool {
	for _, s := range []string{"<!doctype html", "<html", "<head>", "<body"} {
		if hasFold(head, s) {
			return true
		}
	}
	return false
}

// byMagic judges by the first bytes alone, and only where they leave no doubt.
func byMagic(head []byte) Format {
	if len(head) == 0 {
		return Unknown
	}
	switch head[0] {
	case '%':
		if bytes.HasPrefix(head, []byte("%PDF-")) {
			return PDF
		}
	case '#':
		if bytes.HasPrefix(head, []byte("#EXTM3U")) {
			return HLS
		}
	case 'W':
		if bytes.HasPrefix(head, []byte("WEBVTT")) {
			return VTT
		}
	case '[':
		if hasFold(head, "[playlist]") {
			return PLS
		}
		return jsonMagic(head)
	case '{':
		return jsonMagic(head)
	case '<':
		return markupMagic(head)
	}
	return Unknown
}

// jsonMagic accepts what can only be JSON: an object or array whose first inner byte fits.
func jsonMagic(head []byte) Format {
	rest := bytes.TrimLeft(head[1:], " \t\r\n")
	if len(rest) == 0 {
		return Unknown
	}
	switch c := rest[0]; {
	case c == '"' && (head[0] == '[' || quotedKey(rest)), head[0] == '{' && c == '}', head[0] == '[' && (c == '{' || c == ']'):
		return JSON
	}
	return Unknown
}

// quotedKey tells whether p is a quoted string followed by a colon, or is cut before that shows.
func quotedKey(p []byte) bool {
	for i := 1; i < len(p); i++ {
		switch p[i] {
		case '\\':
			i++
		case '"':
			rest := bytes.TrimLeft(p[i+1:], " \t\r\n")
			return len(rest) == 0 || rest[0] == ':'
		}
	}
	return true
}

// markupMagic tells the kinds of markup apart by the first tag behind comments, declarations and instructions.
func markupMagic(head []byte) Format {
	isXML := bytes.HasPrefix(head, []byte("<?xml"))
	l := markup.Lexer{Src: head, XML: isXML}
	for {
		at := l.Pos
		switch l.Next() {
		case markup.Comment, markup.Instruction, markup.Text, markup.CDATA:
		case markup.Doctype:
			if d := trim(l.Data); hasFold(d, "html") && !isXML {
				return HTML
			}
		case markup.Start:
			return rootMagic(head[at:], l.Name, isXML)
		default:
			if isXML {
				return XML
			}
			return Unknown
		}
	}
}

// rootMagic judges by the first tag.
func rootMagic(at, name []byte, isXML bool) Format {
	switch {
	case equalFold(name, "html") && isXML:
		return XHTML
	case equalFold(name, "svg"):
		return SVG
	case isXML:
		return XML
	}
	for _, root := range []string{"rss", "feed", "rdf:rdf", "urlset", "sitemapindex", "opml", "mpd", "playlist", "browserconfig", "opensearchdescription"} {
		if equalFold(name, root) {
			return XML
		}
	}
	for _, s := range htmlStarts {
		if hasFold(at, s) {
			return HTML
		}
	}
	return Unknown
}

// looksText tells whether the bytes are text rather than binary data.
func looksText(head []byte) bool {
	if len(head) == 0 {
		return false
	}
	bad := 0
	for _, c := range head {
		if c < ' ' && !isSpace(c) && c != 0x1b {
			return false
		}
		if c >= 0x80 {
			bad++
		}
	}
	return bad == 0 || utf8.Valid(head[:len(head)-min(len(head), 3)]) || bad < len(head)/3
}
