package markup

import (
	"bytes"
	"slices"
)

// Kinds is a set of kinds of tokens.
type Kinds uint16

// Of returns the set of some kinds.
func Of(list ...Kind) (s Kinds) {
	for _, k := range list {
		s |= 1 << k
	}
	return s
}

// Token is one token of a document. It and all it points to are good until the subscriber returns.
type Token struct {
	Kind     Kind
	Element  Element // of Start, End and Raw
	Self     bool    // a start tag that ended in />
	Whole    bool    // a tag that ended in >, not with the document
	Odd      bool    // a start tag with a slash that does not end it, or with an attribute whose name begins with =
	From, To int     // its place in the source
	Data     []byte  // characters, content, inside of a comment; of an end tag all but the brackets and the slash
	Name     []byte  // of Start, End and Raw: in lower case
	Attrs    []Attr  // of Start, as often as they are written
}

// Attr is an attribute of a start tag.
type Attr struct {
	Key []byte // in lower case
	Val []byte // references not decoded; nil if it has none
	At  int    // where its name begins in the source
}

// Span returns where an attribute of a whole tag is in the source: from its name to behind its value.
func (a *Attr) Span(src []byte) (from, to int) {
	to = a.At + len(a.Key)
	if a.Val == nil {
		return a.At, to
	}
	to += bytes.IndexByte(src[to:], '=') + 1
	for isSpace(src[to]) {
		to++
	}
	if src[to] == '"' || src[to] == '\'' {
		to += 2
	}
	return a.At, to + len(a.Val)
}

// Get returns the value of the first attribute of a name, nil if there is none.
func (t *Token) Get(key string) []byte {
	for i := range t.Attrs {
		if string(t.Attrs[i].Key) == key {
			return t.Attrs[i].Val
		}
	}
	return nil
}

// Subscriber is somebody who wants to know of a document while it is read.
type Subscriber interface {
	// Begin is told the document, before its first token, and returns the kinds of tokens that are wanted.
	// Who wants Drawing gets nothing of what is inside of svg, math and xml, but each of them as one token.
	Begin(src []byte) Kinds
	Token(t *Token)
}

// maxSubscribers is how many read a document at a time.
const maxSubscribers = 8

// Walker reads documents, each once for all of its subscribers, and reuses its buffers. It is not for concurrent use.
type Walker struct {
	InFrame bool // what is read is the content of an iframe, where another is like any element

	tagReader
	lx     Lexer
	tok    Token
	subs   [maxSubscribers]Subscriber
	wants  [maxSubscribers]Kinds
	n      int
	all    Kinds // what anybody wants
	closed bool  // somebody wants drawings whole
	until  int   // inside of a drawing: where it ends
	parts  int   // how often somebody went on alone
	depth  int   // svg and math that were open before it
	svg    int
	math   int
	xml    bool
}

// Elements whose content is no markup, and those whose content is markup of another kind.
var (
	elScript, elStyle, elTitle, elIframe = Named("script"), Named("style"), Named("title"), Named("iframe")
	elSvg, elMath, elXML                 = Named("svg"), Named("math"), Named("xml")

	special = Table(map[string]bool{"script style title textarea xmp iframe plaintext svg math xml": true})
)

// Walk reads a document. With xml it is read as XML: XHTML and SVG.
func (w *Walker) Walk(src []byte, xml bool, subs ...Subscriber) {
	*w = Walker{InFrame: w.InFrame, lx: Lexer{Src: src, XML: xml, CDATA: xml}, tagReader: w.tagReader, xml: xml}
	for _, s := range subs {
		kinds := s.Begin(src)
		w.subs[w.n], w.wants[w.n] = s, kinds
		w.n++
		w.all |= kinds
	}
	w.closed = w.all&(1<<Drawing) != 0
	for w.all != 0 && w.next() {
	}
	clear(w.attrs) // what points into the document would keep it
	w.lx, w.tok, w.subs = Lexer{}, Token{}, [maxSubscribers]Subscriber{}
	if cap(w.lower) > 64<<10 {
		w.lower = nil
	}
	if cap(w.attrs) > 4096 {
		w.attrs = nil
	}
}

// Stop ends the walk that is under way, for all.
func (w *Walker) Stop() { w.lx.Pos = len(w.lx.Src) }

// next reads one token and hands it on.
func (w *Walker) next() bool {
	l := &w.lx
	from := l.Pos
	switch kind := l.Next(); kind {
	case EOF:
		return false
	case Start:
		w.start()
	case End:
		w.end()
	default:
		t := &w.tok
		t.Kind, t.Element, t.From, t.To, t.Data, t.Name, t.Attrs = kind, 0, l.From, l.Pos, l.Data, nil, nil
		t.Self, t.Whole, t.Odd = false, false, false
		w.give(t)
	}
	if from < w.until && l.Pos >= w.until && (l.Pos > w.until || w.svg+w.math != w.depth) {
		w.part()
	}
	return w.all != 0
}

// maxParts bounds how often those who do not look into drawings go on by themselves in one document: each time costs a
// token that was read in vain.
const maxParts = 64

// part lets those who do not look into drawings go on by themselves from the end of one, where those who do are still inside of it, or
// inside of a token: a style element that is never closed, say. No page that keeps the rules has such a drawing.
func (w *Walker) part() {
	rest := Walker{lx: Lexer{Src: w.lx.Src, Pos: w.until, XML: w.xml, CDATA: w.xml}, xml: w.xml, closed: true, parts: w.parts + 1}
	n := 0
	w.all = 0
	for i := range w.n {
		if w.wants[i]&(1<<Drawing) == 0 {
			w.subs[n], w.wants[n] = w.subs[i], w.wants[i]
			w.all |= w.wants[n]
			n++
			continue
		}
		rest.subs[rest.n], rest.wants[rest.n] = w.subs[i], w.wants[i]
		rest.all |= w.wants[i]
		rest.n++
	}
	w.n, w.closed, w.until = n, false, 0
	for rest.parts <= maxParts && rest.next() {
	}
}

// give hands a token to those who want it.
func (w *Walker) give(t *Token) {
	bit := Kinds(1) << t.Kind
	if w.all&bit == 0 {
		return
	}
	inside := t.From < w.until
	for i := range w.n {
		if w.wants[i]&bit != 0 && (!inside || w.wants[i]&(1<<Drawing) == 0) {
			w.subs[i].Token(t)
		}
	}
}

// tagReader reads start tags with their attributes, and reuses its buffers.
type tagReader struct {
	attrs []Attr
	lower []byte // names that were not in lower case
}

// name returns the name that l read last in lower case.
func (r *tagReader) name(l *Lexer, p []byte) []byte {
	if !l.upper {
		return p
	}
	from := len(r.lower)
	for _, c := range p {
		r.lower = append(r.lower, lowerByte(c))
	}
	return r.lower[from:len(r.lower):len(r.lower)]
}

// read reads the attributes of the start tag that l is at.
func (r *tagReader) read(l *Lexer, t *Token) {
	r.lower = r.lower[:0]
	t.Kind, t.From, t.Data = Start, l.From, nil
	t.Name = r.name(l, l.Name)
	t.Element = ElementOf(t.Name)
	n := 0
	for l.open {
		if n == len(r.attrs) {
			r.attrs = slices.Grow(r.attrs, max(16, n)) // twice as many: a tag may have thousands
			r.attrs = r.attrs[:cap(r.attrs)]
		}
		a := &r.attrs[n]
		if !l.next(a) {
			break
		}
		a.Key = r.name(l, a.Key)
		n++
	}
	t.Attrs = r.attrs[:n]
	t.Self, t.Whole, t.Odd, t.To = l.Self, l.Whole, l.odd, l.Pos
}

// start reads a start tag with its attributes, and the content of an element that holds no markup.
func (w *Walker) start() {
	t := &w.tok
	w.read(&w.lx, t)
	e, name := t.Element, t.Name
	if !special[e] {
		w.give(t)
		if w.xml && e == 0 {
			if e = prefixed(name); e == elScript || e == elStyle {
				w.content(e, name)
			}
		}
		return
	}
	if w.closed && t.From >= w.until && (e == elSvg || e == elMath || e == elXML) {
		tag := *t
		w.drawing(e, t.From)
		*t = tag
	}
	w.give(t)
	w.content(e, name)
}

// prefixed is the element of a name with a prefix, such as svg:style.
func prefixed(name []byte) Element {
	if i := bytes.IndexByte(name, ':'); i >= 0 {
		return ElementOf(name[i+1:])
	}
	return 0
}

// content reads what is inside of an element, if that is no markup.
func (w *Walker) content(e Element, name []byte) {
	l := &w.lx
	foreign := w.xml || w.svg > 0 || w.math > 0
	switch {
	case e == elXML:
		return
	case e == elSvg, e == elMath:
		if !l.Self {
			if e == elSvg {
				w.svg++
			} else {
				w.math++
			}
			l.CDATA = true
		}
		return
	case e == elTitle && w.svg > 0, foreign && (l.Self || e == elIframe), e == elIframe && w.InFrame:
		return
	}
	from := l.Pos
	data := l.Raw(string(name))
	w.tok = Token{Kind: Raw, Element: e, From: from, To: l.Pos, Data: data, Name: name}
	w.give(&w.tok)
}

// Nameless is an end tag without a name. Browsers pass over it; it is given as a comment, and some of what was made of pages before has it as text.
const Nameless = "</>"

// end reads an end tag. One without a letter at its beginning is a comment that nobody wrote as one, and given to nobody.
func (w *Walker) end() {
	l, t := &w.lx, &w.tok
	w.lower = w.lower[:0]
	data := l.Src[l.From+2 : l.Pos]
	if l.Whole {
		data = data[:len(data)-1]
	}
	t.Kind, t.Element, t.From, t.To, t.Data, t.Name, t.Attrs = End, 0, l.From, l.Pos, data, w.name(l, l.Name), nil
	t.Self, t.Whole, t.Odd = false, l.Whole, false
	if len(t.Name) == 0 || !isAlpha(t.Name[0]) && !w.xml {
		if t.To-t.From == len(Nameless) {
			t.Kind, t.Data = Comment, t.Data[:0]
			w.give(t)
		}
		return
	}
	t.Element = ElementOf(t.Name)
	switch t.Element {
	case elSvg:
		w.svg = max(0, w.svg-1)
		l.CDATA = w.xml || w.svg > 0 || w.math > 0
	case elMath:
		w.math = max(0, w.math-1)
		l.CDATA = w.xml || w.svg > 0 || w.math > 0
	}
	w.give(t)
}

// drawing gives svg, math or xml, whose start tag was read and begins at from, whole to those who want it so.
func (w *Walker) drawing(e Element, from int) {
	end, ok := drawingEnd(w.lx.Src, from+1+len(spelled[e]), spelled[e])
	w.tok = Token{Kind: Drawing, Element: e, From: from, To: end, Data: w.lx.Src[from:end], Name: w.tok.Name}
	if ok {
		w.give(&w.tok)
	} else {
		end = len(w.lx.Src) + 1 // a zero byte: nothing behind it was ever read
	}
	w.until, w.depth = end, w.svg+w.math
}

// drawingEnd finds the end of the element name at i, behind its name, as XML is read: what is in double quotes is passed over, wherever they stand, and the same
// element may be inside. Layers of equality have kept digests of drawings that were cut out so, so this is how they are cut out.
func drawingEnd(src []byte, i int, name string) (end int, ok bool) {
	nested, quoted := 0, false
	for ; i < len(src); i++ {
		switch c := src[i]; {
		case c == 0:
			return i, false
		case c == '"':
			quoted = !quoted
		case c == '<' && !quoted:
			j := i + 1
			isEnd := j < len(src) && src[j] == '/'
			if isEnd {
				j++
			}
			from := j
			for j < len(src) && isAlpha(src[j]) {
				j++
			}
			i = j - 1
			if !isEnd && j < len(src) && src[j] == '/' || j-from != len(name) || !hasFold(src[from:j], name) {
				continue
			}
			if !isEnd {
				nested++
				continue
			}
			if nested > 0 {
				nested--
				continue
			}
			if n := bytes.IndexByte(src[j:], '>'); n >= 0 {
				if z := bytes.IndexByte(src[j:j+n], 0); z >= 0 {
					return j + z, false
				}
				return j + n + 1, true
			}
			return len(src), bytes.IndexByte(src[j:], 0) < 0
		}
	}
	return len(src), true
}
