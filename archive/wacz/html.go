package wacz

import (
	"bufio"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
)

// Limits of what is read of a page. Titles stand at the front; text is for finding pages, not for
// keeping them.
const (
	titleContent = 256 << 10 // bytes of content looked at for the title
	textContent  = 4 << 20   // bytes of content looked at for text
	maxTitle     = 1000      // bytes
	maxText      = 256 << 10 // bytes
	maxToken     = 1 << 20   // bytes
)

// readHTML gives the title of a page and, if asked, its visible text, both in UTF-8. It reads no
// more than the limits above, and takes what there is of a broken page.
func readHTML(r io.Reader, contentType string, wantText bool) (title, text string) {
	limit := int64(titleContent)
	if wantText {
		limit = textContent
	}
	in := bufio.NewReaderSize(io.LimitReader(r, limit), 4<<10)
	head, _ := in.Peek(1024) // a short page is a page
	enc, _, _ := charset.DetermineEncoding(head, contentType)
	p := &htmlPass{z: html.NewTokenizer(enc.NewDecoder().Reader(in)), wantText: wantText}
	p.z.SetMaxBuf(maxToken)
	p.run()
	return p.title.done(maxTitle), p.text.done(maxText)
}

// htmlPass is one walk over the tokens of a page.
type htmlPass struct {
	z        *html.Tokenizer
	wantText bool
	title    words
	text     words
	hasTitle bool
	inTitle  bool
	svg      int // depth: drawings have titles of their own
	hidden   atom.Atom
}

func (p *htmlPass) run() {
	for {
		switch p.z.Next() {
		case html.ErrorToken:
			return
		case html.TextToken:
			p.onText()
		case html.StartTagToken, html.SelfClosingTagToken:
			p.onStart()
		case html.EndTagToken:
			if p.onEnd() {
				return
			}
		}
		if p.text.b.Len() >= maxText {
			return
		}
	}
}

func (p *htmlPass) onText() {
	switch {
	case p.inTitle:
		p.title.add(p.z.Text())
	case p.wantText && p.hidden == 0 && p.svg == 0:
		p.text.add(p.z.Text())
	}
}

func (p *htmlPass) onStart() {
	name, _ := p.z.TagName()
	switch a := atom.Lookup(name); a {
	case atom.Svg:
		p.svg++
	case atom.Title:
		if p.inTitle = !p.hasTitle && p.svg == 0; !p.inTitle && p.hidden == 0 {
			p.hidden = a
		}
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Iframe, atom.Object:
		if p.hidden == 0 {
			p.hidden = a
		}
	default:
		if !inline[a] {
			p.text.breakLine()
		}
	}
}

// onEnd tells whether all that was asked for is there.
func (p *htmlPass) onEnd() bool {
	name, _ := p.z.TagName()
	switch a := atom.Lookup(name); a {
	case atom.Svg:
		p.svg = max(0, p.svg-1)
	case atom.Title:
		p.hasTitle = p.hasTitle || p.inTitle
		p.inTitle = false
		if p.hidden == a {
			p.hidden = 0
		}
		return p.hasTitle && !p.wantText
	default:
		if a != 0 && a == p.hidden {
			p.hidden = 0
		} else if !inline[a] {
			p.text.breakLine()
		}
	}
	return false
}

// inline are the elements that do not end a line of text.
var inline = map[atom.Atom]bool{
	0: true, atom.A: true, atom.Abbr: true, atom.B: true, atom.Bdi: true, atom.Bdo: true, atom.Cite: true,
	atom.Code: true, atom.Data: true, atom.Del: true, atom.Dfn: true, atom.Em: true, atom.Font: true,
	atom.I: true, atom.Img: true, atom.Ins: true, atom.Kbd: true, atom.Label: true, atom.Mark: true,
	atom.Q: true, atom.S: true, atom.Samp: true, atom.Small: true, atom.Span: true, atom.Strong: true,
	atom.Sub: true, atom.Sup: true, atom.Time: true, atom.U: true, atom.Var: true, atom.Wbr: true,
}

// words gathers text with white space folded.
type words struct {
	b     strings.Builder
	space bool
	line  bool
}

func (w *words) breakLine() { w.line = true }

func (w *words) add(text []byte) {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if unicode.IsSpace(r) || r == '\ufeff' || r == 0 {
			w.space = true
			text = text[n:]
			continue
		}
		w.separate()
		w.b.WriteRune(r)
		text = text[n:]
	}
}

// separate writes the white space that is due before a word.
func (w *words) separate() {
	switch {
	case w.b.Len() == 0:
	case w.line:
		w.b.WriteByte('\n')
	case w.space:
		w.b.WriteByte(' ')
	}
	w.line, w.space = false, false
}

// done gives the text, cut at a rune.
func (w *words) done(limit int) string {
	s := w.b.String()
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
