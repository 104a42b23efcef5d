package office

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// tokens goes through the XML of a part. Elements and attributes are told by their local names: the prefixes of the
// formats are fixed by habit only. A part that breaks off gives what was before.
func (r *reader) tokens(name string, each func(xml.Token)) error {
	rc, err := r.open(name)
	if err != nil {
		return err
	}
	defer rc.Close()
	d := xml.NewDecoder(rc)
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for !r.full() {
		t, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			if r.doc.Truncated {
				return nil
			}
			return fmt.Errorf("part %s: byte %d: %w", name, d.InputOffset(), err)
		}
		each(t)
	}
	return nil
}

// attribute gives the value of an attribute.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// newline ends a paragraph; there are no empty ones.
func (r *reader) newline() {
	if s := r.text.String(); s != "" && !strings.HasSuffix(s, "\n") {
		r.text.WriteByte('\n')
	}
}

// about reads title, author and date of a document; a document without them is fine.
func (r *reader) about(part string) {
	if r.parts[part] == nil {
		return
	}
	in := ""
	_ = r.tokens(part, func(t xml.Token) {
		switch t := t.(type) {
		case xml.StartElement:
			in = t.Name.Local
		case xml.EndElement:
			in = ""
		case xml.CharData:
			s := strings.TrimSpace(string(t[:min(len(t), 1024)]))
			switch {
			case s == "":
			case in == "title" && r.doc.Title == "":
				r.doc.Title = s
			case in == "creator" && r.doc.Author == "":
				r.doc.Author = s
			case (in == "modified" || in == "date") && r.doc.Modified.IsZero():
				r.doc.Modified = stamp(s)
			}
		}
	})
}

func stamp(s string) time.Time {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
