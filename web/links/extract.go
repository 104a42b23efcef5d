package links

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"varve/web/canon"
	"varve/web/markup"
)

// Extract finds the links of one document with the default limits. Where many documents are read, keep an Extractor.
func Extract(doc Document, emit func(Link)) (Info, error) {
	return New(Limits{}).Extract(doc, emit)
}

// Extractor finds the links of one document after another and reuses its buffers. It is not for concurrent use: give
// each worker its own.
type Extractor struct {
	limits Limits
	arena  arena
	text   prose
	pages  []*page // one per depth of nesting

	// The state of the current document.
	emit      func(Link)
	info      Info
	doc       canon.URL
	path      string // the path of the document's URL, for sniffing
	bases     []base
	base      int32   // the base that holds here
	in        Context // the context that holds here
	depth     int
	streams   bool // nothing later in the document changes a link
	count     int
	pending   []found
	guessed   map[string]struct{}
	cleaned   []byte
	coding    coding
	decoded   []byte // the body in UTF-8
	cssBuf    []byte
	jsFree    *jsScan // the readers, while none is at work
	jsonFree  *jsonScan
	xmlReader xmlScan
	inflater  io.ReadCloser // zlib, for PDF
	entries   []Entry       // room for the entries of sitemaps
	mime      string
	inHeaders bool // headers are being read
	brief     bool // of the text, only the start and the anchors are wanted
	with      []markup.Subscriber

	headerLang string
}

// New gives an Extractor; zero limits mean the defaults.
func New(l Limits) *Extractor {
	return &Extractor{limits: l.filled(), guessed: make(map[string]struct{})}
}

// Extract calls emit for each link of the document, in the order of the document (headers first), and tells what it
// learned on the way. An error says where the document stopped making sense; the links before it have been emitted.
func (e *Extractor) Extract(doc Document, emit func(Link)) (Info, error) {
	if err := e.begin(doc, emit); err != nil {
		return Info{}, err
	}
	mime := doc.MIME
	if mime == "" {
		mime = headerValue(doc.Headers, "content-type")
	}
	e.mime = mime
	e.inHeaders = true
	e.headers(doc.Headers)
	e.inHeaders = false
	format := sniff(mime, e.path, doc.Body)
	if isRobots(e.path) && format != Unknown {
		format = Text
	}
	e.info.Format = format
	body := doc.Body
	if format.isText() {
		body = e.decode(format, mime, doc.Charset, body)
	}
	e.apart(format, doc, body)
	err := e.read(format, body)
	e.finish()
	info := e.info
	e.emit, e.info, e.with = nil, Info{}, nil
	if err != nil {
		err = fmt.Errorf("read %s as %s: %w", doc.URL, format, err)
	}
	return info, err
}

// apart lets the others read a document by themselves where they must not read what we read: we take XHTML as XML, and leave bytes that are no UTF-8 where they
// stand, since places in the text are counted by them.
func (e *Extractor) apart(f Format, doc Document, body []byte) {
	if e.with = nil; len(doc.With) == 0 || f != HTML && f != XHTML {
		return
	}
	switch {
	case e.info.Charset == "iso-2022-jp": // all of its bytes are ASCII, so it was not decoded
		if sound, err := e.coding.enc.NewDecoder().Bytes(doc.Body); err == nil {
			body = sound
		}
	case e.info.Charset == "utf-8" && !utf8.Valid(body):
		body = bytes.ToValidUTF8(body, []byte("\ufffd"))
	case f == HTML:
		e.with = doc.With
		return
	}
	var w markup.Walker
	w.Walk(body, false, doc.With...)
}

// begin forgets the last document.
func (e *Extractor) begin(doc Document, emit func(Link)) error {
	u, err := canon.Parse(doc.URL)
	if err != nil {
		return fmt.Errorf("base of document: %w", err)
	}
	e.doc, e.path, e.emit, e.info = u, strings.ToLower(u.Path()), emit, Info{}
	e.bases = append(e.bases[:0], base{}, base{})
	e.base, e.in, e.depth, e.streams, e.count = baseDocument, 0, 0, false, 0
	e.pending = e.pending[:0]
	e.text.reset(e.limits.Text)
	e.brief = doc.Brief
	if len(e.guessed) > 4096 {
		e.guessed = make(map[string]struct{})
	}
	clear(e.guessed)
	e.coding, e.headerLang = coding{}, ""
	return nil
}

// finish emits what waited for the end.
func (e *Extractor) finish() {
	text, n := e.text.string()
	e.info.Text, e.info.TextLen = text, n
	if e.info.Lang == "" {
		e.info.Lang = e.headerLang
	}
	e.info.Base = e.baseAt(baseDocument).String()
	e.info.Title, e.info.Lang, e.info.Generator = valid(e.info.Title), valid(e.info.Lang), valid(e.info.Generator)
	e.flush(text)
	e.shrink()
}

// shrink gives up buffers that one huge document made huge.
func (e *Extractor) shrink() {
	const big = 4 << 20
	if cap(e.decoded) > big {
		e.decoded = nil
	}
	if cap(e.pending) > big/128 {
		e.pending = nil
	}
	if cap(e.cleaned) > big {
		e.cleaned = nil
	}
	if cap(e.text.buf) > big {
		e.text.buf = nil
	}
	for _, p := range e.pages {
		if cap(p.buf) > big {
			p.buf = nil
		}
	}
}

// read hands the document to the reader of its format.
func (e *Extractor) read(f Format, body []byte) error {
	switch f {
	case HTML:
		e.markup(body, false, e.with)
	case XHTML, SVG:
		e.markup(body, true, nil)
	case CSS:
		e.streams = true
		e.css(body, cssSheet)
	case Script:
		e.streams = true
		e.script(body)
	case JSON:
		e.streams = true
		return e.json(body, jsonModeOf(e.mime, e.path, body))
	case XML:
		return e.xml(body)
	case PDF:
		return e.pdf(body)
	case HLS:
		e.streams = true
		e.playlist(body)
	case PLS:
		e.pls(body)
	case VTT:
		e.vtt(body)
	case Text:
		e.streams = true
		e.plain(body)
	}
	return nil
}

// within runs read with a context added and the depth raised by one, if that is still allowed.
func (e *Extractor) within(c Context, read func()) {
	if e.depth >= e.limits.Depth {
		e.info.Truncated = true
		return
	}
	in, base := e.in, e.base
	e.in |= c
	e.depth++
	read()
	e.depth--
	e.in, e.base = in, base
}
