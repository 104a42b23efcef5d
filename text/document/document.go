// Package document gives the text of files that are no web pages: PDF and office documents, told by their first bytes
// and not by their names. It joins text/pdf and text/office under one set of limits; what those cannot read is an
// error that says why, and what is no document at all is none of its business.
package document

import (
	"fmt"

	"varve/text/office"
	"varve/text/pdf"
)

// Document is what was read of a file.
type Document struct {
	Kind      string // pdf, docx, xlsx, pptx, odt, ods, odp
	Title     string
	Author    string
	Pages     int // of PDF
	Text      string
	Truncated bool // a limit was reached
}

// Limits bound what a file may cost. Zero fields mean the defaults of text/pdf and text/office.
type Limits struct {
	Unpacked int64 // bytes unpacked of all parts together
	Text     int   // bytes of text
}

// Known tells whether a file looks like a document that can be read. Zip archives of other kinds look so too.
func Known(body []byte) bool { return pdf.Is(body) || office.Is(body) }

// Read reads a document.
func Read(body []byte, l Limits) (Document, error) {
	if pdf.Is(body) {
		d, err := pdf.Read(body, pdf.Limits{Unpacked: l.Unpacked, Text: l.Text})
		if err != nil {
			return Document{}, fmt.Errorf("read PDF: %w", err)
		}
		return Document{"pdf", d.Title, d.Author, d.Pages, d.Text, d.Truncated}, nil
	}
	d, err := office.Read(body, office.Limits{Unpacked: l.Unpacked, Text: l.Text})
	if err != nil {
		return Document{}, fmt.Errorf("read office document: %w", err)
	}
	return Document{string(d.Kind), d.Title, d.Author, 0, d.Text, d.Truncated}, nil
}

// Text reads the text of a document, for derivatives and indexes; ok is false where the file is no document. The
// declared type does not matter: servers call documents anything.
func Text(_ string, body []byte) (text string, ok bool, err error) {
	if !Known(body) {
		return "", false, nil
	}
	d, err := Read(body, Limits{})
	return d.Text, err == nil, err
}
