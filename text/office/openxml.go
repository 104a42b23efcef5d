package office

import (
	"cmp"
	"encoding/xml"
	"path"
	"slices"
	"strconv"
	"strings"
)

// word reads the main part, then notes, headers and footers.
func (r *reader) word() error {
	r.about("docProps/core.xml")
	if err := r.runs("word/document.xml"); err != nil {
		return err
	}
	for _, name := range r.names {
		base := path.Base(name)
		if path.Dir(name) == "word" && (base == "footnotes.xml" || base == "endnotes.xml" || strings.HasPrefix(base, "header") || strings.HasPrefix(base, "footer")) {
			r.newline()
			_ = r.runs(name) // what is beside the text may be broken
		}
	}
	return nil
}

// runs reads the text of a Word or PowerPoint part: t elements, with paragraphs, tabs and breaks.
func (r *reader) runs(name string) error {
	inText, instruction := false, 0
	return r.tokens(name, func(t xml.Token) {
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "t":
				inText = true
			case "tab":
				if len(t.Attr) == 0 { // not a tab stop of the paragraph's properties
					r.text.WriteByte('\t')
				}
			case "br", "cr":
				r.newline()
			case "Fallback": // the same once more, for old programs
				instruction++
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "t":
				inText = false
			case "p":
				r.newline()
			case "tc":
				r.text.WriteByte('\t')
			case "Fallback":
				instruction--
			}
		case xml.CharData:
			if inText && instruction <= 0 {
				r.text.Write(t)
			}
		}
	})
}

// powerPoint reads the slides in order, each followed by its notes.
func (r *reader) powerPoint() error {
	r.about("docProps/core.xml")
	slides := r.numbered("ppt/slides/slide")
	if len(slides) == 0 {
		return nil
	}
	for _, name := range slides {
		if err := r.runs(name); err != nil {
			return err
		}
		r.newline()
		if notes := strings.Replace(name, "slides/slide", "notesSlides/notesSlide", 1); r.parts[notes] != nil {
			_ = r.runs(notes)
			r.newline()
		}
	}
	return nil
}

// numbered lists the parts whose names are a prefix, a number and .xml, in order of the number.
func (r *reader) numbered(prefix string) (names []string) {
	number := func(name string) int {
		n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(name, prefix), ".xml"))
		if err != nil {
			return -1
		}
		return n
	}
	for _, name := range r.names {
		if strings.HasPrefix(name, prefix) && strings.HasSuffix(name, ".xml") && number(name) >= 0 {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(number(a), number(b)) })
	return names
}
