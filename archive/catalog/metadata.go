package catalog

import (
	"bytes"
	"encoding/xml"
)

// Metadata describes a collection for catalogues, in the fifteen elements of Dublin Core, and who allowed what. It is the
// table [metadata] of collection.toml.
type Metadata struct {
	Title       string       `json:"title,omitempty" toml:"title"` // that of the collection if empty
	Creator     []string     `json:"creator,omitempty" toml:"creator"`
	Subject     []string     `json:"subject,omitempty" toml:"subject"`
	Description string       `json:"description,omitempty" toml:"description"` // the purpose of the collection if empty
	Publisher   []string     `json:"publisher,omitempty" toml:"publisher"`
	Contributor []string     `json:"contributor,omitempty" toml:"contributor"`
	Date        []string     `json:"date,omitempty" toml:"date"`
	Type        []string     `json:"type,omitempty" toml:"type"`
	Format      []string     `json:"format,omitempty" toml:"format"`
	Identifier  []string     `json:"identifier,omitempty" toml:"identifier"`
	Source      []string     `json:"source,omitempty" toml:"source"`
	Language    []string     `json:"language,omitempty" toml:"language"`
	Relation    []string     `json:"relation,omitempty" toml:"relation"`
	Coverage    []string     `json:"coverage,omitempty" toml:"coverage"`
	Rights      []string     `json:"rights,omitempty" toml:"rights"`
	Permissions []Permission `json:"permissions,omitempty" toml:"permission"`
}

// Permission says who allowed that something is collected or shown. It is for people: what the server shows is decided by
// access rules.
type Permission struct {
	Holder  string `json:"holder" toml:"holder"`             // of the rights
	Covers  string `json:"covers,omitempty" toml:"covers"`   // sites or parts of them, in words
	Granted string `json:"granted,omitempty" toml:"granted"` // a date
	Until   string `json:"until,omitempty" toml:"until"`     // a date
	Basis   string `json:"basis,omitempty" toml:"basis"`     // a law, a contract, a letter
	Contact string `json:"contact,omitempty" toml:"contact"` // whom to ask
	Note    string `json:"note,omitempty" toml:"note"`
}

// elements gives the elements of Dublin Core with their values, in the order of the standard.
func (m *Metadata) elements() []element {
	return []element{
		{"title", []string{m.Title}},
		{"creator", m.Creator},
		{"subject", m.Subject},
		{"description", []string{m.Description}},
		{"publisher", m.Publisher},
		{"contributor", m.Contributor},
		{"date", m.Date},
		{"type", m.Type},
		{"format", m.Format},
		{"identifier", m.Identifier},
		{"source", m.Source},
		{"language", m.Language},
		{"relation", m.Relation},
		{"coverage", m.Coverage},
		{"rights", m.Rights},
	}
}

type element struct {
	name   string
	values []string
}

// DublinCore writes the description as an oai_dc record.
func (m *Metadata) DublinCore() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	b.WriteString(`<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/">` + "\n")
	for _, e := range m.elements() {
		for _, v := range e.values {
			if v == "" {
				continue
			}
			b.WriteString("  <dc:" + e.name + ">")
			if err := xml.EscapeText(&b, []byte(v)); err != nil {
				return nil, err
			}
			b.WriteString("</dc:" + e.name + ">\n")
		}
	}
	b.WriteString("</oai_dc:dc>\n")
	return b.Bytes(), nil
}
