package boilerplate

import (
	"bytes"
	"html"
	"unicode/utf8"

	"varve/web/markup"
)

// outline is a page as its elements and blocks.
type outline struct {
	nodes  []node  // in the order of their start tags; the first is the page
	blocks []block // in the order of the page, so those of a node follow each other
	text   []byte  // of all blocks
	laid   bool    // an element makes a layout
	ld     [][]byte
}

// node is an element that holds blocks.
type node struct {
	name        markup.Element
	parent      int32
	last        int32 // the last node inside of it, itself if there is none
	first, past int32 // its blocks are [first, past)
	aside       bool
	claims      claims
}

// block is a run of text between elements that break the line.
type block struct {
	kind       blockKind
	aside      int32 // the innermost node around it that is aside, 0 for none
	start, end int   // in outline.text
	runes      int
	linked     int // of these inside of links
	links      int // links with text that end in it
	short      int // of these with fewer than ten characters
}

type blockKind uint8

const (
	loose     blockKind = iota // text of an element that is made for layout
	paragraph                  // p, pre, blockquote and the like
	heading
	item
	cell
)

// runs reports whether a block is running text.
func (b *block) runs() bool {
	return b.kind != heading && b.runes >= minRunning && b.linked*3 < b.runes
}

// Reader finds the main text of pages that somebody walks over: it is a subscriber of that walk. It is not for concurrent use.
type Reader struct {
	limits Limits
	src    []byte
	names  map[string]naming // what classes and ids say, of the pages so far

	out   outline
	stack []open
	skip  int // open elements whose text is no text of an article, whatever is around them
	raw   bool
	ld    bool // inside of structured data

	block block // being read
	space bool  // before the next word
	link  int   // 1 + where in out.text the open link began, 0 for none
}

// open is an element whose end tag has not come.
type open struct {
	name   markup.Element
	node   int32 // -1 if it is none
	skip   bool
	breaks bool // the line
}

// NewReader returns a reader; zero limits mean the defaults.
func NewReader(l Limits) *Reader {
	if l.Bytes == 0 {
		l.Bytes = 2 << 20
	}
	return &Reader{limits: l, names: map[string]naming{}}
}

var wanted = markup.Of(markup.Start, markup.End, markup.Text, markup.Raw, markup.Comment, markup.Drawing)

// Begin implements markup.Subscriber.
func (r *Reader) Begin(src []byte) markup.Kinds {
	if len(r.names) > maxNames {
		clear(r.names)
	}
	o := &r.out
	*r = Reader{
		limits: r.limits, src: src, names: r.names, stack: r.stack[:0],
		out: outline{nodes: append(o.nodes[:0], node{parent: -1}), blocks: o.blocks[:0], text: o.text[:0], ld: o.ld[:0]},
	}
	return wanted
}

// Result returns the main text of the page that was walked over last.
func (r *Reader) Result() Result {
	r.pop(0)
	r.flush()
	root := &r.out.nodes[0]
	root.past, root.last = int32(len(r.out.blocks)), int32(len(r.out.nodes)-1)
	text, how := r.out.choose()
	clear(r.out.ld) // pieces of the page
	r.src = nil
	if cap(r.out.text) > 4<<20 {
		r.out = outline{}
	}
	return Result{text, how}
}

// Token implements markup.Subscriber. Elements nested deeper than maxDepth are read as if they were not there.
func (r *Reader) Token(t *markup.Token) {
	if t.From >= r.limits.Bytes {
		return
	}
	switch t.Kind {
	case markup.Start:
		r.start(t)
	case markup.End:
		r.raw, r.ld = false, false
		if len(t.Data) == len(t.Name) || len(bytes.TrimRight(t.Data, " \t\r\n")) == len(t.Name) { // else it has attributes, and closes nothing
			r.end(t.Element)
		}
	case markup.Comment:
		if t.To-t.From == len(markup.Nameless) && string(r.src[t.From:t.To]) == markup.Nameless && !r.raw { // was always taken for text
			r.words([]byte(markup.Nameless))
		}
	case markup.Text, markup.Raw:
		data := t.Data[:min(len(t.Data), r.limits.Bytes-t.From)]
		switch {
		case len(data) == 0:
		case r.ld && len(r.out.ld) < maxStructured:
			r.out.ld = append(r.out.ld, data)
		case !r.raw:
			r.words(data)
		}
	}
}

// start handles a start tag with its attributes.
func (r *Reader) start(token *markup.Token) {
	name := token.Element
	k := kinds[name]
	r.raw = k == rawText
	r.ld = false
	r.out.laid = r.out.laid || layout[name]
	switch k {
	case inline:
		return
	case rawText:
		r.ld = name == elScript && string(lowered(token.Get("type"))) == "application/ld+json"
		return
	case lineBreak:
		r.flush()
		return
	case anchor:
		r.closeLink()
		if r.skip == 0 {
			r.link = 1 + len(r.out.text)
		}
		return
	}
	e := open{name: name, node: -1, breaks: k != phrase && k != skippedPhrase}
	if e.breaks {
		r.impliedEnd(name)
		r.flush()
	}
	if token.Self && r.src[token.To-2] == '/' || len(r.stack) == maxDepth {
		return
	}
	t := r.readTag(token)
	says := r.naming(&t)
	c := elementClaims[name] | says.claims
	aside := k == beside || mayBeAside[name] && says.claims == 0 && says.aside
	e.skip = k == skipped || k == skippedPhrase || t.hidden || aside && !e.breaks
	if e.skip {
		r.skip++
	}
	if e.breaks && r.skip == 0 {
		e.node = int32(len(r.out.nodes))
		r.out.nodes = append(r.out.nodes, node{name: name, parent: r.node(), first: int32(len(r.out.blocks)), aside: aside, claims: c})
	}
	r.stack = append(r.stack, e)
	r.block.kind = r.kind()
}

// node is the innermost open node.
func (r *Reader) node() int32 {
	for i := len(r.stack) - 1; i >= 0; i-- {
		if n := r.stack[i].node; n >= 0 {
			return n
		}
	}
	return 0
}

// kind is that of a block that begins here.
func (r *Reader) kind() blockKind {
	for i := len(r.stack) - 1; i >= 0; i-- {
		if r.stack[i].breaks {
			return blockKinds[r.stack[i].name]
		}
	}
	return loose
}

// aside is the innermost open node that is aside.
func (r *Reader) aside() int32 {
	for n := r.node(); n > 0; n = r.out.nodes[n].parent {
		if r.out.nodes[n].aside {
			return n
		}
	}
	return 0
}

// impliedEnd closes the element whose end tag may be left out before a start tag.
func (r *Reader) impliedEnd(name markup.Element) {
	for i := len(r.stack) - 1; i >= 0; i-- {
		switch open := r.stack[i].name; {
		case open == elP, endsBefore[open][name]:
			r.pop(i)
			return
		case keepsOpen[open]:
			return
		}
	}
}

// end closes the innermost element of that name and all inside of it, but none across an element that the name cannot close.
func (r *Reader) end(name markup.Element) {
	switch kinds[name] {
	case inline, rawText, lineBreak:
		return
	case anchor:
		r.closeLink()
		return
	}
	for i := len(r.stack) - 1; i >= 0; i-- {
		if r.stack[i].name == name {
			r.pop(i)
			return
		}
		if keepsOpen[r.stack[i].name] && !keepsOpen[name] {
			return
		}
	}
}

// pop closes the open elements from the given one on.
func (r *Reader) pop(from int) {
	for _, e := range r.stack[from:] {
		if e.breaks {
			r.flush()
			break
		}
	}
	for _, e := range r.stack[from:] {
		if e.skip {
			r.skip--
		}
		if e.node >= 0 {
			n := &r.out.nodes[e.node]
			n.past, n.last = int32(len(r.out.blocks)), int32(len(r.out.nodes)-1)
		}
	}
	r.stack = r.stack[:from]
	r.block.kind = r.kind()
}

// words adds character data to the block, white space collapsed.
func (r *Reader) words(data []byte) {
	if r.skip > 0 {
		return
	}
	if bytes.IndexByte(data, '&') >= 0 {
		data = []byte(html.UnescapeString(string(data)))
	}
	for len(data) > 0 {
		i := bytes.IndexAny(data, " \n\t\r\f\u00a0")
		if i == 0 {
			_, n := utf8.DecodeRune(data)
			r.space = true
			data = data[n:]
			continue
		}
		if i < 0 {
			i = len(data)
		}
		if b := &r.block; b.end == b.start {
			b.start = len(r.out.text)
		} else if r.space {
			r.out.text = append(r.out.text, ' ')
		}
		r.out.text = append(r.out.text, data[:i]...)
		r.block.end = len(r.out.text)
		r.space = false
		data = data[i:]
	}
}

// closeLink ends the open link and counts what stands in it.
func (r *Reader) closeLink() {
	if r.link == 0 {
		return
	}
	if n := utf8.RuneCount(r.out.text[r.link-1:]); n > 0 {
		r.block.linked += n
		r.block.links++
		if n < 10 {
			r.block.short++
		}
	}
	r.link = 0
}

// flush ends the block. A link that is open goes on in the next one.
func (r *Reader) flush() {
	linked := r.link > 0
	r.closeLink()
	if b := &r.block; b.end > b.start {
		b.aside = r.aside()
		b.runes = utf8.RuneCount(r.out.text[b.start:b.end])
		r.out.blocks = append(r.out.blocks, *b)
	}
	r.block = block{kind: r.kind(), start: len(r.out.text), end: len(r.out.text)}
	r.space = false
	if linked {
		r.link = 1 + len(r.out.text)
	}
}
