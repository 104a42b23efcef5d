package links

import (
	"bytes"
	"strings"
)

// Format is what a document is read as.
type Format uint8

// The formats.
const (
	Unknown Format = iota // nothing that holds links
	HTML
	XHTML
	SVG
	CSS
	Script
	JSON
	XML // feeds, sitemaps, DASH and every other XML; the root element decides
	PDF
	HLS // M3U8, and plain M3U play lists
	PLS
	VTT
	Text
)

var formatNames = []string{
	"unknown", "html", "xhtml", "svg", "css", "script", "json", "xml", "pdf", "hls", "pls", "vtt", "text",
}

// String gives the format's name.
func (f Format) String() string {
	if int(f) < len(formatNames) {
		return formatNames[f]
	}
	return "unknown"
}

// isText tells whether a charset applies.
func (f Format) isText() bool { return f != Unknown && f != PDF }

// byMIME maps declared types; what is not here is judged by its suffix or not read.
var byMIME = map[string]Format{
	"text/html":                     HTML,
	"application/xhtml+xml":         XHTML,
	"image/svg+xml":                 SVG,
	"text/css":                      CSS,
	"text/javascript":               Script,
	"application/javascript":        Script,
	"application/x-javascript":      Script,
	"application/ecmascript":        Script,
	"text/ecmascript":               Script,
	"application/json":              JSON,
	"text/json":                     JSON,
	"application/xml":               XML,
	"text/xml":                      XML,
	"application/pdf":               PDF,
	"application/x-pdf":             PDF,
	"application/vnd.apple.mpegurl": HLS,
	"application/x-mpegurl":         HLS,
	"audio/mpegurl":                 HLS,
	"audio/x-mpegurl":               HLS,
	"audio/x-scpls":                 PLS,
	"text/vtt":                      VTT,
	"text/plain":                    Text,
	"text/x-component":              HTML,
	"application/x-opml":            XML,
	"text/x-opml":                   XML,
	"text/opml":                     XML,
	"video/x-ms-asf":                XML,
	"audio/x-ms-wax":                XML,
	"video/x-ms-wvx":                XML,
}

// byExtension judges by the end of the path where the declared type says nothing.
var byExtension = map[string]Format{
	".html": HTML, ".htm": HTML, ".xhtml": XHTML, ".xht": XHTML, ".svg": SVG, ".css": CSS, ".js": Script, ".mjs": Script, ".json": JSON,
	".webmanifest": JSON, ".map": JSON, ".geojson": JSON, ".jsonld": JSON, ".xml": XML, ".rss": XML, ".atom": XML, ".rdf": XML, ".opml": XML,
	".xsl": XML, ".xslt": XML, ".xsd": XML, ".mpd": XML, ".xspf": XML, ".smil": XML, ".asx": XML, ".pdf": PDF, ".m3u8": HLS, ".m3u": HLS,
	".pls": PLS, ".vtt": VTT, ".txt": Text, ".md": Text, ".htc": HTML,
}

// sniff decides what a document is. The declared type is believed unless the first bytes clearly contradict it; a type
// that says nothing (missing, text/plain, application/octet-stream) yields to the bytes, then to the path's extension.
func sniff(mime, path string, body []byte) Format {
	mime = essence(mime)
	declared, known := byMIME[mime]
	if !known {
		declared = bySuffix(mime)
	}
	head := bodyHead(body)
	if bytes.HasPrefix(head, []byte("%PDF-")) {
		return PDF
	}
	switch mime {
	case "", "text/plain", "application/octet-stream", "binary/octet-stream", "application/x-unknown", "unknown/unknown", "application/force-download":
		return sniffVague(declared, path, head)
	}
	return contradict(declared, head)
}

// sniffVague reads a document whose declared type says nothing.
func sniffVague(declared Format, path string, head []byte) Format {
	if f := byMagic(head); f != Unknown && (f != HTML || declared != Text || surelyHTML(head)) {
		return f
	}
	if f, ok := byExtension[extension(path)]; ok && f != PDF && (f != HTML || declared != Text) {
		return f
	}
	if declared == Text || looksText(head) {
		return Text
	}
	return Unknown
}

// contradict corrects a declared type that the first bytes rule out.
func contradict(declared Format, head []byte) Format {
	switch declared {
	case PDF:
		return Unknown // it does not begin like one
	case HTML:
		if f := byMagic(head); f == XML || f == HLS || f == SVG || f == JSON {
			return f
		}
	case XML, JSON, CSS, Script, Text, SVG, XHTML:
		if surelyHTML(head) {
			return HTML
		}
		if f := byMagic(head); f == HLS || declared == XML && (f == XHTML || f == SVG) || declared == JSON && f == XML {
			return f
		}
		if declared == JSON && len(head) > 0 && head[0] == '<' {
			return HTML
		}
	case HLS:
		if f := byMagic(head); f != Unknown {
			return f
		}
	}
	return declared
}

// bySuffix judges structured types such as application/atom+xml.
func bySuffix(mime string) Format {
	switch {
	case strings.HasSuffix(mime, "+xml"), strings.HasSuffix(mime, "/xml"):
		return XML
	case strings.HasSuffix(mime, "+json"), strings.HasSuffix(mime, "/json"):
		return JSON
	case strings.HasSuffix(mime, "javascript"):
		return Script
	}
	return Unknown
}

// essence is a media type without parameters, in lower case.
func essence(mime string) string {
	mime, _, _ = strings.Cut(mime, ";")
	return strings.ToLower(strings.TrimSpace(mime))
}

// extension is the end of a path from its last dot, or "".
func extension(path string) string {
	path = path[strings.LastIndexByte(path, '/')+1:]
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		return path[i:]
	}
	return ""
}
