package pdf

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Document is what was read of a file.
type Document struct {
	Title     string
	Author    string
	Modified  time.Time // as the program that wrote it says; zero if it does not
	Pages     int
	Text      string // a paragraph per line
	Truncated bool   // a limit was reached
}

// Limits bound what a file may cost. Zero fields mean the defaults.
type Limits struct {
	Objects   int   // default 500,000
	Pages     int   // default 5,000
	Unpacked  int64 // bytes unpacked of all streams together; default 128 MiB
	Operators int   // of all content streams; default 20 million
	Text      int   // bytes of text; default 8 MiB
}

func (l Limits) filled() Limits {
	l.Objects, l.Pages, l.Operators, l.Text = orDefault(l.Objects, 500_000), orDefault(l.Pages, 5_000), orDefault(l.Operators, 20_000_000), orDefault(l.Text, 8<<20)
	if l.Unpacked <= 0 {
		l.Unpacked = 128 << 20
	}
	return l
}

// The errors that callers tell apart.
var (
	ErrNotPDF    = errors.New("no PDF file")
	ErrEncrypted = errors.New("the PDF file is encrypted with a password")
)

// Is tells by its first bytes whether a file is PDF. Programs put up to a kilobyte before it.
func Is(body []byte) bool { return bytes.Contains(body[:min(len(body), 1024)], []byte("%PDF-")) }

// Read reads the text of a file.
func Read(body []byte, l Limits) (Document, error) {
	if !Is(body) {
		return Document{}, ErrNotPDF
	}
	l = l.filled()
	f := &file{at: map[ref]place{}, trailer: dict{}, limits: l, left: l.Unpacked, busy: map[ref]bool{}}
	f.scan(body)
	if d := f.dictOf(f.trailer["Encrypt"]); d != nil {
		var ok bool
		if f.crypt, ok = f.newCrypt(d); !ok {
			return Document{}, ErrEncrypted
		}
	}
	f.unpackObjects()
	pages := f.pages()
	if len(pages) == 0 {
		return Document{}, fmt.Errorf("PDF file: no pages among %d objects", len(f.at))
	}
	out := &layout{limit: l.Text}
	p := &painter{f: f, out: out, fonts: map[any]*font{}}
	for _, pg := range pages {
		if out.full {
			break
		}
		p.page(pg)
	}
	d := Document{Pages: len(pages), Text: strings.ToValidUTF8(clean(out.text()), "\ufffd"), Truncated: f.cut || out.full}
	d.about(f)
	return d, nil
}

// page runs the content of a page.
func (p *painter) page(pg page) {
	p.state = state{ctm: identity, scale: 1}
	p.stack, p.tm, p.line = nil, identity, identity
	var data []byte
	for _, v := range p.f.list(pg.dict["Contents"]) {
		part, err := p.f.unpack(p.f.streamOf(v))
		if err != nil {
			continue
		}
		data = append(append(data, part...), '\n')
	}
	p.run(data, pg.resources)
	p.out.endPage()
}

// about reads title, author and date.
func (d *Document) about(f *file) {
	info := f.dictOf(f.trailer["Info"])
	r, _ := f.trailer["Info"].(ref)
	at := f.at[r]
	read := func(k name) string {
		s, _ := f.get(info[k]).(text)
		if f.crypt != nil && !f.crypt.nothing && at.num > 0 {
			s = text(f.crypt.decrypt(at.num, at.gen, []byte(s)))
		}
		return strings.TrimSpace(clean(textOf(s)))
	}
	d.Title, d.Author = read("Title"), read("Author")
	stamp := strings.ReplaceAll(strings.TrimPrefix(read("ModDate"), "D:"), "'", "")
	for _, layout := range []string{"20060102150405-0700", "20060102150405Z0700", "20060102150405Z", "20060102150405", "20060102"} {
		if t, err := time.Parse(layout, stamp); err == nil {
			d.Modified = t.UTC()
			return
		}
	}
}

// textOf decodes a string of the information dictionary: UTF-16 or UTF-8 with a mark, else Adobe's own encoding, which
// is close to windows-1252.
func textOf(s text) string {
	switch {
	case strings.HasPrefix(string(s), "\xfe\xff"):
		return string(utf16BE(s[2:]))
	case strings.HasPrefix(string(s), "\xef\xbb\xbf"):
		return strings.ToValidUTF8(string(s[3:]), "\ufffd")
	}
	var b strings.Builder
	for i := range len(s) {
		b.WriteString(winAnsi[s[i]])
	}
	return b.String()
}

// clean drops control characters.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, s)
}

func sortedKeys(m map[ref]place) []ref { return slices.Sorted(maps.Keys(m)) }
