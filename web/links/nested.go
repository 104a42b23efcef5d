package links

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// maxData bounds the data: URLs that are looked into.
const maxData = 1 << 20

// inline reads the content of a script element by its type.
func (e *Extractor) inline(typ string, data []byte) {
	switch {
	case strings.HasPrefix(typ, "text/x-") && !strings.Contains(typ, "script") || strings.HasSuffix(typ, "template") || typ == "text/html" || typ == "text/ng-template" || typ == "text/mustache":
		e.within(InTemplate, func() { e.walk(data, false, false) })
	case typ == "application/ld+json":
		_ = e.json(data, jsonLD) // a fault in it is no fault of the page
	case typ == "importmap" || typ == "importmap-shim":
		_ = e.json(data, jsonImportmap) // a fault in it is no fault of the page
	case typ == "speculationrules":
		_ = e.json(data, jsonSpeculation) // a fault in it is no fault of the page
	case typ == "webbundle":
		_ = e.json(data, jsonBundle) // a fault in it is no fault of the page
	case strings.HasSuffix(typ, "json"):
		_ = e.json(data, jsonPlain) // a fault in it is no fault of the page
	case typ == "" || typ == "module" || typ == "text/babel" || typ == "text/jsx" || typ == "text/typescript" || typ == "text/partytown" ||
		strings.Contains(typ, "javascript") || strings.Contains(typ, "ecmascript") || strings.Contains(typ, "jscript") || strings.Contains(typ, "rocketlazyloadscript"):
		e.script(data)
	}
}

// dataURL looks into a data: URL that holds a document. Nothing relative can be resolved in there.
func (e *Extractor) dataURL(raw []byte) {
	head, body, ok := bytes.Cut(raw[len("data:"):], []byte(","))
	if !ok {
		return
	}
	f := byMIME[essence(string(head[:min(len(head), 256)]))]
	if f != HTML && f != CSS && f != SVG && f != XHTML {
		return
	}
	if len(raw) > maxData {
		e.info.Truncated = true // at least one: nobody looks into it
		return
	}
	if bytes.HasSuffix(trim(head), []byte("base64")) {
		out, err := base64.StdEncoding.AppendDecode(nil, percentDecode(body))
		if err != nil {
			return
		}
		body = out
	} else {
		body = bytes.Clone(percentDecode(body))
	}
	e.within(InData, func() {
		e.base = baseNone
		switch f {
		case CSS:
			e.css(body, cssSheet)
		default:
			e.walk(body, f != HTML, false)
		}
	})
}

// javascriptURL reads the program in a javascript: URL.
func (e *Extractor) javascriptURL(code []byte) {
	code = bytes.Clone(percentDecode(code))
	e.within(InHandler, func() { e.script(code) })
}
