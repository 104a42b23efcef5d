package office

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// maxShared bounds the strings that cells may refer to, in number and in bytes of all.
const (
	maxShared      = 1 << 20
	maxSharedBytes = 64 << 20
)

// excel reads the names of the sheets and then their cells, row by row.
func (r *reader) excel() error {
	r.about("docProps/core.xml")
	if r.parts["xl/sharedStrings.xml"] != nil {
		if err := r.sharedStrings(); err != nil {
			return err
		}
	}
	var names []string
	_ = r.tokens("xl/workbook.xml", func(t xml.Token) {
		if e, ok := t.(xml.StartElement); ok && e.Name.Local == "sheet" {
			names = append(names, attribute(e, "name"))
		}
	})
	for i, part := range r.numbered("xl/worksheets/sheet") {
		if i < len(names) {
			r.newline()
			r.text.WriteString(names[i])
			r.newline()
		}
		if err := r.sheet(part); err != nil {
			return err
		}
	}
	return nil
}

// sharedStrings reads the strings that cells refer to by number.
func (r *reader) sharedStrings() error {
	var b strings.Builder
	inText, phonetic, bytes := false, 0, 0
	return r.tokens("xl/sharedStrings.xml", func(t xml.Token) {
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "si":
				b.Reset()
			case "t":
				inText = true
			case "rPh": // how to pronounce it
				phonetic++
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "si":
				if bytes += b.Len(); len(r.shared) < maxShared && bytes < maxSharedBytes {
					r.shared = append(r.shared, b.String())
				} else {
					r.doc.Truncated = true
				}
			case "t":
				inText = false
			case "rPh":
				phonetic--
			}
		case xml.CharData:
			if inText && phonetic <= 0 {
				b.Write(t)
			}
		}
	})
}

// sheet reads the cells of a sheet. A string that many cells refer to counts each time against the limit of text.
func (r *reader) sheet(part string) error {
	kind, inValue := "", false
	return r.tokens(part, func(t xml.Token) {
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "c":
				kind = attribute(t, "t")
			case "v", "t":
				inValue = true
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "row":
				r.newline()
			case "c":
				r.text.WriteByte('\t')
			case "v", "t":
				inValue = false
			}
		case xml.CharData:
			if inValue {
				r.cell(kind, string(t))
			}
		}
	})
}

func (r *reader) cell(kind, value string) {
	if kind != "s" {
		r.text.WriteString(value)
		return
	}
	if i, err := strconv.Atoi(strings.TrimSpace(value)); err == nil && i >= 0 && i < len(r.shared) && !r.full() {
		r.text.WriteString(r.shared[i])
	}
}
