package office

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// kinds are the media types of OpenDocument, without and with template.
var kinds = map[string]Kind{
	"application/vnd.oasis.opendocument.text":         Text,
	"application/vnd.oasis.opendocument.text-web":     Text,
	"application/vnd.oasis.opendocument.text-master":  Text,
	"application/vnd.oasis.opendocument.spreadsheet":  Spreadsheet,
	"application/vnd.oasis.opendocument.presentation": Presentation,
}

// openDocument reads content.xml.
func (r *reader) openDocument(mime string) error {
	kind, ok := kinds[strings.TrimSuffix(strings.TrimSpace(mime), "-template")]
	if !ok {
		return ErrUnknown
	}
	r.doc.Kind = kind
	r.about("meta.xml")
	inText, skip := 0, 0
	return r.tokens("content.xml", func(t xml.Token) {
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "p", "h":
				inText++
			case "s":
				n, _ := strconv.Atoi(attribute(t, "c"))
				r.text.WriteString(strings.Repeat(" ", min(max(n, 1), 16)))
			case "tab":
				r.text.WriteByte('\t')
			case "line-break":
				r.newline()
			case "tracked-changes": // deleted text
				skip++
			}
		case xml.EndElement:
			r.endOpen(t.Name.Local, &inText, &skip)
		case xml.CharData:
			if inText > 0 && skip <= 0 {
				r.text.WriteString(collapsed(string(t)))
			}
		}
	})
}

// endOpen handles an end tag: paragraphs in cells end in a tab, others in a newline.
func (r *reader) endOpen(name string, inText, skip *int) {
	switch name {
	case "p", "h":
		*inText--
		if r.doc.Kind == Spreadsheet {
			r.text.WriteByte('\t')
		} else {
			r.newline()
		}
	case "table-row":
		r.newline()
	case "tracked-changes":
		*skip--
	}
}

// collapsed puts one blank for white space, as OpenDocument demands.
func collapsed(s string) string {
	if !strings.ContainsAny(s, "\n\t\r") && !strings.Contains(s, "  ") {
		return s
	}
	out := strings.Join(strings.Fields(s), " ")
	if s != "" && strings.ContainsRune(" \t\r\n", rune(s[0])) {
		out = " " + out
	}
	if len(s) > 1 && strings.ContainsRune(" \t\r\n", rune(s[len(s)-1])) {
		out += " "
	}
	return out
}
