package wacz

import (
	"bytes"
	"html"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"varve/text/charset"
	"varve/web/markup"
)

// Limits of what is read of a page. Titles stand at the front; text is for finding pages, not for
// keeping them.
const (
	titleContent = 256 << 10 // bytes of content looked at for the title
	textContent  = 4 << 20   // bytes of content looked at for text
	maxTitle     = 1000      // bytes
	maxText      = 256 << 10 // bytes
)

// readHTML returns the title of a page and, if asked, its visible text, both in UTF-8. It reads no
// more than the limits above, and takes what there is of a broken page.
func readHTML(r io.Reader, contentType string, wantText bool) (title, text string) {
	limit, step := titleContent, 16<<10
	if wantText {
		limit, step = textContent, textContent
	}
	var body []byte
	for len(body) < limit && !bytes.Contains(bytes.ToLower(body[max(0, len(body)-step-8):]), []byte("</title")) {
		more, _ := io.ReadAll(io.LimitReader(r, int64(min(step, limit-len(body))))) // what came before an error counts
		if len(more) == 0 {
			break
		}
		body = append(body, more...)
	}
	body, _ = charset.ToUTF8(body, contentType)
	p := &htmlPass{wantText: wantText}
	p.walk.Walk(body, false, p)
	return p.title.done(maxTitle), p.text.done(maxText)
}

// htmlPass is one walk over the tokens of a page.
type htmlPass struct {
	walk     markup.Walker
	wantText bool
	title    words
	text     words
	hasTitle bool
	inTitle  bool
	svg      int            // depth: drawings have titles of their own
	hidden   markup.Element // inside of this one nothing is shown
}

// Begin implements markup.Subscriber.
func (p *htmlPass) Begin([]byte) markup.Kinds {
	return markup.Of(markup.Start, markup.End, markup.Text, markup.Raw)
}

// Token implements markup.Subscriber.
func (p *htmlPass) Token(t *markup.Token) {
	switch t.Kind {
	case markup.Text, markup.Raw:
		p.onText(t.Data)
	case markup.Start:
		p.onStart(t)
	case markup.End:
		p.onEnd(t.Element)
	}
	if p.text.b.Len() >= maxText || p.hasTitle && !p.wantText {
		p.walk.Stop()
	}
}

func (p *htmlPass) onText(data []byte) {
	to := &p.text
	switch {
	case p.inTitle:
		to = &p.title
	case !p.wantText || p.hidden != 0 || p.svg > 0:
		return
	}
	if bytes.IndexByte(data, '&') >= 0 {
		data = []byte(html.UnescapeString(string(data)))
	}
	to.add(data)
}

// kind is what an element does to the text around it or in it.
type kind uint8

const (
	block  kind = iota // it ends a line
	inline             // it does not
	hides              // its text is not shown
	drawing
	heading // the title
)

var kinds = markup.Table(map[string]kind{
	"script style template noscript iframe object": hides, "svg": drawing, "title": heading,
	"a abbr b bdi bdo cite code data del dfn em font i img ins kbd label mark q s samp small span strong sub sup time u var wbr": inline,
})

func (p *htmlPass) onStart(t *markup.Token) {
	switch k := kinds[t.Element]; {
	case k == drawing:
		if !t.Self {
			p.svg++
		}
	case k == heading:
		if p.inTitle = !p.hasTitle && p.svg == 0; !p.inTitle && p.hidden == 0 {
			p.hidden = t.Element
		}
	case k == hides:
		if p.hidden == 0 {
			p.hidden = t.Element
		}
	case k == block && t.Element != 0:
		p.text.breakLine()
	}
}

func (p *htmlPass) onEnd(e markup.Element) {
	switch k := kinds[e]; {
	case k == drawing:
		p.svg = max(0, p.svg-1)
	case k == heading:
		p.hasTitle = p.hasTitle || p.inTitle
		p.inTitle = false
		if p.hidden == e {
			p.hidden = 0
		}
	case e != 0 && e == p.hidden:
		p.hidden = 0
	case k != inline && e != 0:
		p.text.breakLine()
	}
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
