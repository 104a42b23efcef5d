package office

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Kind says what a document is.
type Kind string

// The kinds of documents.
const (
	Word         Kind = "docx"
	Excel        Kind = "xlsx"
	PowerPoint   Kind = "pptx"
	Text         Kind = "odt"
	Spreadsheet  Kind = "ods"
	Presentation Kind = "odp"
)

// Document is what was read.
type Document struct {
	Kind      Kind
	Title     string
	Author    string
	Modified  time.Time // as the program that wrote it says; zero if it does not
	Text      string
	Truncated bool // a limit was reached
}

// Limits bound what a document may cost. Zero fields mean the defaults.
type Limits struct {
	Parts    int   // in the archive; default 10,000
	Unpacked int64 // bytes unpacked of all parts together; default 64 MiB
	Text     int   // bytes of text; default 8 MiB
}

func (l Limits) filled() Limits {
	if l.Parts == 0 {
		l.Parts = 10_000
	}
	if l.Unpacked == 0 {
		l.Unpacked = 64 << 20
	}
	if l.Text == 0 {
		l.Text = 8 << 20
	}
	return l
}

// ErrUnknown is the cause when a file is no office document of a kind that is read here.
var ErrUnknown = errors.New("no office document of a known kind")

// Is tells by its first bytes whether a file may be an office document: a zip archive.
func Is(body []byte) bool { return bytes.HasPrefix(body, []byte("PK\x03\x04")) }

// Read reads a document.
func Read(body []byte, l Limits) (Document, error) {
	l = l.filled()
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return Document{}, fmt.Errorf("office document: %w", err)
	}
	if len(z.File) > l.Parts {
		return Document{}, fmt.Errorf("office document: %d parts, more than %d", len(z.File), l.Parts)
	}
	r := &reader{parts: make(map[string]*zip.File, len(z.File)), left: l.Unpacked, limit: l.Text}
	for _, f := range z.File {
		name := strings.TrimPrefix(f.Name, "/")
		if _, twice := r.parts[name]; !twice {
			r.parts[name] = f
			r.names = append(r.names, name)
		}
	}
	if err := r.read(); err != nil {
		return Document{}, fmt.Errorf("office document: %w", err)
	}
	r.doc.Text = strings.TrimSpace(strings.ToValidUTF8(r.text.String(), "\ufffd"))
	return r.doc, nil
}

// reader reads one document.
type reader struct {
	parts  map[string]*zip.File
	names  []string // in the order of the archive
	left   int64    // bytes that may still be unpacked
	limit  int
	text   strings.Builder
	shared []string // strings that cells refer to
	doc    Document
}

// read finds the kind and reads the parts of it.
func (r *reader) read() error {
	if f := r.parts["mimetype"]; f != nil {
		kind, err := r.small("mimetype")
		if err != nil {
			return err
		}
		return r.openDocument(kind)
	}
	types, err := r.small("[Content_Types].xml")
	if err != nil {
		return ErrUnknown
	}
	switch {
	case strings.Contains(types, "wordprocessingml.document.main") || strings.Contains(types, "ms-word.document"):
		r.doc.Kind = Word
		return r.word()
	case strings.Contains(types, "spreadsheetml.sheet.main") || strings.Contains(types, "ms-excel.sheet"):
		r.doc.Kind = Excel
		return r.excel()
	case strings.Contains(types, "presentationml.presentation.main") || strings.Contains(types, "presentationml.slideshow.main") || strings.Contains(types, "ms-powerpoint.presentation"):
		r.doc.Kind = PowerPoint
		return r.powerPoint()
	}
	return ErrUnknown
}

// small reads a part that is short in every sound document.
func (r *reader) small(name string) (string, error) {
	rc, err := r.open(name)
	if err != nil {
		return "", err
	}
	defer rc.Close()
	b, err := io.ReadAll(io.LimitReader(rc, 1<<20))
	if err != nil {
		return "", fmt.Errorf("part %s: %w", name, err)
	}
	return string(b), nil
}

// open opens a part; reading it uses up what may be unpacked.
func (r *reader) open(name string) (io.ReadCloser, error) {
	f := r.parts[name]
	if f == nil {
		return nil, fmt.Errorf("part %s is missing", name)
	}
	rc, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("part %s: %w", name, err)
	}
	return &budget{rc, r}, nil
}

// budget counts what is unpacked and ends where nothing is left.
type budget struct {
	io.ReadCloser
	r *reader
}

func (b *budget) Read(p []byte) (int, error) {
	if b.r.left <= 0 {
		b.r.doc.Truncated = true
		return 0, io.EOF
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.r.left)])
	b.r.left -= int64(n)
	return n, err
}

// full tells whether enough text was read.
func (r *reader) full() bool {
	if r.text.Len() >= r.limit {
		r.doc.Truncated = true
		return true
	}
	return false
}
