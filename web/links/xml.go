package links

import (
	"bytes"
	"fmt"

	"varve/web/markup"
)

// xmlDialect is what an XML document is, by its root element.
type xmlDialect uint8

const (
	xmlPlain xmlDialect = iota
	xmlFeed
	xmlSitemap
	xmlOPML
	xmlDASH
	xmlBrowserconfig
	xmlOpenSearch
	xmlPlaylist
)

var xmlRoots = map[string]xmlDialect{
	"rss": xmlFeed, "feed": xmlFeed, "rdf": xmlFeed, "urlset": xmlSitemap, "sitemapindex": xmlSitemap, "opml": xmlOPML, "mpd": xmlDASH,
	"browserconfig": xmlBrowserconfig, "opensearchdescription": xmlOpenSearch, "playlist": xmlPlaylist, "asx": xmlPlaylist, "smil": xmlPlaylist,
}

// xmlElement is an open element.
type xmlElement struct {
	name  []byte // local name
	base  int32  // the base outside of it
	child bool   // it has children, so its text is not all it says
	html  bool   // its text is markup, as Atom's type attribute says
}

// xmlScan reads an XML document as tokens with a stack of names. It is lenient: mismatched tags are passed over, and
// the first fault is reported. Names are compared without prefix; what a prefix would tell, the parent tells too.
type xmlScan struct {
	e       *Extractor
	lx      markup.Lexer
	dialect xmlDialect
	stack   []xmlElement
	deeper  int // open elements beyond the limit
	attrs   []attribute
	text    []byte
	buf     []byte
	err     error

	item feedItem
	loc  location
}

// xml reads an XML document.
func (e *Extractor) xml(src []byte) error {
	s := &e.xmlReader
	*s = xmlScan{e: e, lx: markup.Lexer{Src: src, XML: true, CDATA: true}, stack: s.stack[:0], attrs: s.attrs[:0], text: s.text[:0], buf: s.buf, item: feedItem{from: -1}}
	s.run()
	if s.dialect == xmlDASH {
		s.err = e.manifest(src)
	}
	s.lx = markup.Lexer{} // what points into the document would keep it
	clear(s.stack[:cap(s.stack)])
	clear(s.attrs[:cap(s.attrs)])
	return s.err
}

// fail notes the first fault.
func (s *xmlScan) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("xml at byte %d: %s", s.lx.Pos, fmt.Sprintf(format, args...))
	}
}

// run reads all tokens.
func (s *xmlScan) run() {
	for {
		switch s.lx.Next() {
		case markup.EOF:
			s.finish()
			return
		case markup.Text:
			s.characters(s.lx.Data, true)
		case markup.CDATA:
			s.characters(s.lx.Data, false)
		case markup.Start:
			if s.start(); s.dialect == xmlDASH {
				return // a reader of its own reads it
			}
		case markup.End:
			s.end(local(s.lx.Name))
		case markup.Instruction:
			if rest, ok := bytes.CutPrefix(s.lx.Data, []byte("xml-stylesheet")); ok {
				s.e.instruction(rest)
			}
		case markup.Doctype:
			s.doctype(s.lx.Data)
		}
	}
}

// finish reports what is still open.
func (s *xmlScan) finish() {
	if n := len(s.stack); n > 0 {
		s.fail("ends inside <%s>", clip(s.stack[n-1].name))
	}
	s.endLocation()
	s.endItem()
}

// clip shortens a name for a message.
func clip(p []byte) []byte { return p[:min(len(p), 40)] }

// local is a name without its prefix.
func local(name []byte) []byte { return name[bytes.LastIndexByte(name, ':')+1:] }

// parent is the name of the n-th element around the current one, 0 being the innermost open one.
func (s *xmlScan) parent(n int) []byte {
	if i := len(s.stack) - 1 - n; i >= 0 {
		return s.stack[i].name
	}
	return nil
}

// characters gathers the text of the innermost element.
func (s *xmlScan) characters(data []byte, references bool) {
	if room := s.e.limits.Text - len(s.text); len(data) > room {
		data = data[:max(0, room)]
		s.e.info.Truncated = true
	}
	if !references {
		s.text = append(s.text, data...)
		return
	}
	for {
		i := bytes.IndexByte(data, '&')
		if i < 0 {
			s.text = append(s.text, data...)
			return
		}
		var n int
		s.text = append(s.text, data[:i]...)
		s.text, n = appendEntity(s.text, data[i:], false)
		data = data[i+n:]
	}
}

// start handles a start tag.
func (s *xmlScan) start() {
	name := local(s.lx.Name)
	if len(s.stack) == 0 && s.dialect == xmlPlain {
		s.root(name)
	}
	s.attrs = s.attrs[:0]
	for s.lx.Attr() {
		switch {
		case len(s.lx.Val) == 0:
		case len(s.attrs) >= maxAttrs:
			s.e.cut()
		default:
			s.attrs = append(s.attrs, attribute{key: s.lx.Key, val: s.lx.Val})
		}
	}
	s.text = s.text[:0]
	if n := len(s.stack); n > 0 {
		s.stack[n-1].child = true
	}
	if len(s.stack) >= s.e.limits.Nesting {
		s.e.info.Truncated = true
		if !s.lx.Self {
			s.deeper++
		}
		return
	}
	el := xmlElement{name: name, base: s.e.base}
	if v := s.get("xml:base"); len(v) > 0 {
		s.e.base = s.e.addBase(v, s.e.base)
	}
	s.stack = append(s.stack, el)
	s.element(name)
	if s.lx.Self {
		s.end(name)
	}
}

// root decides the dialect.
func (s *xmlScan) root(name []byte) {
	var low [24]byte
	if len(name) > len(low) {
		return
	}
	for i, c := range name {
		low[i] = lowerByte(c)
	}
	s.dialect = xmlRoots[string(low[:len(name)])]
	s.e.streams = s.dialect != xmlFeed && s.dialect != xmlDASH
}

// end handles an end tag. One that does not match closes what it must, or nothing.
func (s *xmlScan) end(name []byte) {
	if s.deeper > 0 {
		s.deeper--
		return
	}
	at := len(s.stack) - 1
	for at >= 0 && at > len(s.stack)-16 && !bytes.Equal(s.stack[at].name, name) {
		at--
	}
	if at < 0 || !bytes.Equal(s.stack[at].name, name) {
		s.fail("unexpected </%s>", clip(name))
		return
	}
	if at < len(s.stack)-1 {
		s.fail("<%s> closed by </%s>", clip(s.stack[len(s.stack)-1].name), clip(name))
	}
	for len(s.stack) > at {
		s.leave()
	}
}

// leave closes the innermost element.
func (s *xmlScan) leave() {
	el := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	s.leaf(&el, trim(s.text))
	s.text = s.text[:0]
	s.e.base = el.base
}

// get gives the decoded value of an attribute by its full or local name, nil if there is none.
func (s *xmlScan) get(name string) []byte {
	for i := range s.attrs {
		if a := &s.attrs[i]; string(a.key) == name || string(local(a.key)) == name || equalFold(a.key, name) {
			var v []byte
			v, s.buf = unescape(s.buf, a.val)
			return trim(v)
		}
	}
	return nil
}
