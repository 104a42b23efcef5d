package rewrite

import (
	"bytes"
	"io"
	"strings"
)

// HTML copies a document with its references rewritten. It streams. An error is that of the reader or the writer.
func (d *Document) HTML(out io.Writer, in io.Reader) error {
	h := htmlScan{d: d, out: out, window: window{r: in}}
	return h.run()
}

// htmlScan walks over markup.
type htmlScan struct {
	window
	d     *Document
	out   io.Writer
	buf   []byte // a tag being written
	tag   tag
	typ   string // of the script element being read
	based bool
	begun bool // the head snippet is written
	depth int  // documents inside documents
	fail  error
}

// maxNesting bounds documents inside documents (srcdoc).
const maxNesting = 3

func (h *htmlScan) run() error {
	for h.fail == nil && h.need(1) {
		if h.rest()[0] != '<' {
			h.text()
			continue
		}
		h.markup()
	}
	h.begin()
	if h.fail != nil {
		return h.fail
	}
	return h.err
}

// write passes bytes on.
func (h *htmlScan) write(p []byte) {
	if h.fail == nil && len(p) > 0 {
		_, h.fail = h.out.Write(p)
	}
}

// pass writes the next n bytes as they are.
func (h *htmlScan) pass(n int) {
	h.write(h.rest()[:n])
	h.pos += n
}

// text passes characters up to the next bracket.
func (h *htmlScan) text() {
	rest := h.rest()
	n := bytes.IndexByte(rest, '<')
	if n < 0 {
		n = len(rest)
	}
	if !h.begun && len(bytes.TrimSpace(bytes.TrimPrefix(rest[:n], []byte("\xef\xbb\xbf")))) > 0 {
		h.begin()
	}
	h.pass(n)
}

// begin writes the snippet for the head, once.
func (h *htmlScan) begin() {
	if !h.begun {
		h.begun = true
		h.write([]byte(h.d.Head))
	}
}

// markup reads what begins with a bracket.
func (h *htmlScan) markup() {
	h.need(9)
	rest := h.rest()
	switch {
	case len(rest) < 2:
		h.pass(1)
	case isLetter(rest[1]):
		h.startTag()
	case rest[1] == '/' && len(rest) > 2 && isLetter(rest[2]):
		h.endTag()
	case bytes.HasPrefix(rest, []byte("<!--")):
		h.comment()
	case bytes.HasPrefix(rest, []byte("<![CDATA[")) && (h.d.XML || h.tag.foreign > 0):
		h.until(0, "]]>")
	case rest[1] == '!' || rest[1] == '?' || rest[1] == '/':
		h.until(0, ">")
	default:
		h.pass(1)
	}
}

// until passes everything up to and with a text, in pieces.
func (h *htmlScan) until(from int, text string) {
	for {
		if n := h.index(from, text, 0); n >= 0 {
			h.pass(n + len(text))
			return
		}
		keep := min(len(text)-1, len(h.rest()))
		if n := len(h.rest()) - keep; n > 0 {
			h.pass(n)
			from = 0
		}
		if !h.fill() {
			h.pass(len(h.rest()))
			return
		}
	}
}

// comment passes a comment, which may be as short as <!-->.
func (h *htmlScan) comment() {
	h.need(6)
	rest := h.rest()
	switch {
	case bytes.HasPrefix(rest, []byte("<!-->")):
		h.pass(5)
	case bytes.HasPrefix(rest, []byte("<!--->")):
		h.pass(6)
	default:
		h.pass(4)
		h.until(0, "-->")
	}
}

// endTag passes an end tag.
func (h *htmlScan) endTag() {
	rest := h.rest()
	if h.tag.foreign > 0 && (hasFold(rest, "</svg") || hasFold(rest, "</math")) {
		h.tag.foreign--
	}
	if hasFold(rest, "</head") || hasFold(rest, "</html") {
		h.begin()
	}
	h.until(0, ">")
}

// startTag reads a start tag whole, writes it edited, and then its content if that is no markup.
func (h *htmlScan) startTag() {
	n := h.tagEnd()
	if n < 0 { // cut off or endless: no browser acts on it
		h.pass(1)
		h.begun = true
		h.until(0, ">")
		return
	}
	h.tag.read(h.rest()[:n])
	switch h.tag.name {
	case "html", "head":
	default:
		h.begin()
	}
	h.buf = h.editTag(h.buf[:0])
	h.write(h.buf)
	if h.tag.name == "script" {
		h.typ = strings.ToLower(strings.TrimSpace(h.tag.value("type")))
	}
	h.pos += n // the tag's attributes are gone from here on
	if h.tag.name == "head" || h.tag.name == "svg" && h.d.XML {
		h.begin()
	}
	h.content()
}

// tagEnd gives the length of the start tag at pos: up to the > that is in no quotes. -1 if there is none.
func (h *htmlScan) tagEnd() int {
	var end tagEnd
	for i := 0; ; {
		rest := h.rest()
		for i < len(rest) {
			c := rest[i]
			i++
			if end.step(c) {
				return i
			}
		}
		if i > MaxTag || !h.fill() {
			return -1
		}
	}
}

// tagEnd finds the end of a start tag: quotes count only where a value begins.
type tagEnd struct {
	quote byte
	value bool // after =, before the value
	bare  bool // in a value without quotes
}

// step takes one byte and tells whether it ends the tag.
func (e *tagEnd) step(c byte) bool {
	switch {
	case e.quote != 0:
		if c == e.quote {
			e.quote = 0
		}
	case e.value && (c == '"' || c == '\''):
		e.quote, e.value = c, false
	case c == '>':
		return true
	case isSpace(c):
		e.bare = false
	case c == '=' && !e.bare && !e.value:
		e.value = true
	case e.value:
		e.value, e.bare = false, true
	}
	return false
}

// content writes the content of elements that hold no markup.
func (h *htmlScan) content() {
	t := &h.tag
	if t.self && (h.d.XML || t.foreign > 0) {
		return
	}
	switch t.name {
	case "svg", "math":
		t.foreign++
	case "script":
		h.raw("</script", h.script)
	case "style":
		h.raw("</style", h.d.CSS)
	case "textarea", "title", "xmp", "noembed", "noframes", "iframe":
		if t.foreign == 0 && !h.d.XML {
			h.raw("</"+t.name, nil)
		}
	case "plaintext":
		for h.need(1) && h.fail == nil {
			h.pass(len(h.rest()))
		}
	}
}

// raw writes the content up to an end tag, changed by a function if it is given and the content is not too long.
func (h *htmlScan) raw(end string, change func(dst, src []byte) []byte) {
	n := h.endOf(end)
	if n < 0 {
		for h.need(1) && h.fail == nil && h.endOf(end) < 0 {
			h.pass(max(len(h.rest())-len(end), 1))
		}
		return
	}
	if change == nil {
		h.pass(n)
		return
	}
	h.buf = change(h.buf[:0], h.rest()[:n])
	h.write(h.buf)
	h.pos += n
}

// endOf finds an end tag, whatever its case; -1 if it is not within the limit.
func (h *htmlScan) endOf(end string) int {
	from := 0
	for {
		n := h.index(from, "</", MaxElement)
		if n < 0 {
			return -1
		}
		h.need(n + len(end) + 1)
		if rest := h.rest()[n:]; hasFold(rest, end) && (len(rest) == len(end) || !identByte(rest[len(end)])) {
			return n
		}
		from = n + 2
	}
}

// script writes the content of a script element in its own language.
func (h *htmlScan) script(dst, src []byte) []byte {
	switch {
	case h.typ == "importmap":
		return h.d.ImportMap(dst, src)
	case h.d.Static || !isScript(h.typ):
		return append(dst, src...)
	}
	return h.d.JS(dst, src)
}

// isScript tells the types of scripts that run.
func isScript(typ string) bool {
	typ, _, _ = strings.Cut(typ, ";")
	switch strings.TrimSpace(typ) {
	case "", "module", "text/javascript", "application/javascript", "text/ecmascript", "application/ecmascript", "application/x-javascript", "text/jscript", "text/livescript", "javascript":
		return true
	}
	return strings.HasPrefix(typ, "text/javascript1.")
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// hasFold tells whether p begins with a lower-case ASCII text, whatever the case of p.
func hasFold(p []byte, lower string) bool {
	if len(p) < len(lower) {
		return false
	}
	for i := range len(lower) {
		c := p[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
