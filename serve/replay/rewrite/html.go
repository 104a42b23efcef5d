package rewrite

import (
	"bytes"
	"io"
	"strings"

	"varve/web/markup"
)

// MaxElement bounds the content of a script or style element that is held in memory. What is longer is passed on as it is,
// and so is a start tag longer than markup.MaxToken.
const MaxElement = 8 << 20

// HTML copies a document with its references rewritten. It streams. An error is that of the reader or the writer.
func (d *Document) HTML(out io.Writer, in io.Reader) error {
	h := htmlScan{d: d, out: out, in: markup.NewStream(in, d.XML)}
	return h.run()
}

// htmlScan walks over markup.
type htmlScan struct {
	in      *markup.Stream
	tag     *markup.Token // the start tag that is read
	d       *Document
	out     io.Writer
	buf     []byte // a tag being written
	foreign int    // open svg and math elements
	based   bool
	begun   bool // the head snippet is written
	depth   int  // documents inside documents
	fail    error
}

// maxNesting bounds documents inside documents (srcdoc).
const maxNesting = 3

func (h *htmlScan) run() error {
	for h.fail == nil {
		switch t := h.in.Next(); t.Kind {
		case markup.EOF:
			h.begin()
			if h.fail != nil {
				return h.fail
			}
			return h.in.Err()
		case markup.Start:
			h.start(t)
		case markup.End:
			h.end(t)
		case markup.Text:
			if !h.begun && len(bytes.TrimSpace(bytes.TrimPrefix(t.Data, []byte("\xef\xbb\xbf")))) > 0 {
				h.begin()
			}
			h.pass()
		default:
			h.pass()
		}
	}
	return h.fail
}

// write passes bytes on.
func (h *htmlScan) write(p []byte) {
	if h.fail == nil && len(p) > 0 {
		_, h.fail = h.out.Write(p)
	}
}

// pass writes the current token as it is.
func (h *htmlScan) pass() { h.write(h.in.Bytes()) }

// begin writes the snippet for the head, once.
func (h *htmlScan) begin() {
	if !h.begun {
		h.begun = true
		h.write([]byte(h.d.Head))
	}
}

// end passes an end tag.
func (h *htmlScan) end(t *markup.Token) {
	switch t.Element {
	case elSVG, elMath:
		h.foreign = max(0, h.foreign-1)
		h.in.SetForeign(h.foreign > 0)
	case elHead, elHTML:
		h.begin()
	}
	h.pass()
}

// start writes a start tag edited, and then the content of its element if that is no markup.
func (h *htmlScan) start(t *markup.Token) {
	if !t.Whole { // cut off or too long
		h.begin()
		h.pass()
		return
	}
	h.tag = t
	if t.Element != elHTML && t.Element != elHead {
		h.begin()
	}
	h.buf = h.editTag(h.buf[:0])
	h.write(h.buf)
	if t.Element == elHead {
		h.begin()
	}
	if h.d.XML || h.foreign > 0 {
		if !t.Self {
			h.inside(t.Element)
		}
		return
	}
	switch t.Element {
	case elTextarea, elTitle, elXmp, elNoembed, elNoframes, elIframe, elPlaintext:
		h.raw(t.Element, nil)
	default:
		h.inside(t.Element)
	}
}

// Elements that are looked at apart.
var (
	elHTML, elHead, elSVG, elMath         = markup.Named("html"), markup.Named("head"), markup.Named("svg"), markup.Named("math")
	elScript, elStyle, elBase             = markup.Named("script"), markup.Named("style"), markup.Named("base")
	elTextarea, elTitle, elXmp, elNoembed = markup.Named("textarea"), markup.Named("title"), markup.Named("xmp"), markup.Named("noembed")
	elNoframes, elIframe, elPlaintext     = markup.Named("noframes"), markup.Named("iframe"), markup.Named("plaintext")
)

// inside writes the content of an element that has another language inside, in foreign markup or not.
func (h *htmlScan) inside(e markup.Element) {
	switch e {
	case elSVG, elMath:
		h.foreign++
		h.in.SetForeign(true)
	case elScript:
		h.raw(e, h.script())
	case elStyle:
		h.raw(e, h.d.CSS)
	}
}

// raw writes the content up to an end tag, changed by a function if it is given and the content is not too long.
func (h *htmlScan) raw(e markup.Element, change func(dst, src []byte) []byte) {
	most := 0
	if change != nil {
		most = MaxElement
	}
	if t := h.in.Raw(e.String(), most); t.Whole && change != nil {
		h.buf = change(h.buf[:0], t.Data)
		h.write(h.buf)
		return
	}
	h.pass()
}

// script returns how the content of the script element that begins is changed, nil for not at all.
func (h *htmlScan) script() func(dst, src []byte) []byte {
	switch typ := strings.ToLower(strings.TrimSpace(h.value("type"))); {
	case typ == "importmap":
		return h.d.ImportMap
	case h.d.Static || !isScript(typ):
		return nil
	}
	return h.d.JS
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
