package boilerplate

import (
	"bytes"
	"html"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2"
	lexer "github.com/tdewolff/parse/v2/html"
)

// The fast path reads the page once, without a tree, and answers only for pages that make it easy: one element
// says that it holds the article, and nearly all running text of the page stands in it; or the page has no layout at
// all, only headings, paragraphs and lists. All other pages are left to the extractor.

// scan is one reading of a page.
type scan struct {
	stack []element
	skip  int // open elements that hold no text of an article
	open  int // the holder that text goes to, -1 for none

	block block    // being read
	found []holder // the articles of the page
	loose int      // characters of running text outside of them
	plain []byte   // all blocks, as long as no element makes a layout
	laid  bool     // an element made a layout
	deep  bool     // nested too deeply
	raw   bool     // inside of script, style and the like
}

// element is an open element that may hold others.
type element struct {
	name  string
	skip  bool
	outer int // the holder that was open before
}

// block is a paragraph, heading or list item.
type block struct {
	text    []byte
	linked  int // bytes of it inside of links
	inLink  bool
	heading bool
	space   bool
}

// holder is an element that says it holds the article.
type holder struct {
	claim   claim
	text    []byte
	end     int // where the last running text ends: what follows is a caption, a tag, a headline of something else
	running int // characters in blocks with few links
}

// claim is how clearly an element says that it holds the article.
type claim uint8

const (
	noClaim   claim = iota
	mainClaim       // the main element: there may be much else in it
	articleClaim
	bodyClaim // schema.org's articleBody: nothing else is in it
)

const (
	maxStack   = 512  // deeper pages are left to the extractor, which has limits of its own
	minRunning = 600  // characters of running text that make an article
	minShare   = 0.75 // of all running text of the page
)

// fast gives the main text of an easy page, false for any other.
func fast(page []byte) (string, Method) {
	s := &scan{open: -1}
	lex := lexer.NewLexer(parse.NewInputBytes(page[:len(page):len(page)]))
	for s.step(lex) {
	}
	s.flush()
	switch {
	case s.deep:
	case !s.laid:
		return string(bytes.TrimSpace(s.plain)), Plain
	default:
		if h := s.best(); h != nil {
			return string(bytes.TrimSpace(h.text[:h.end])), Article
		}
	}
	return "", None
}

// best is the holder of the article, nil if that is not clear.
func (s *scan) best() (best *holder) {
	all := s.loose
	for i := range s.found {
		h := &s.found[i]
		all += h.running
		if best == nil || h.running > best.running {
			best = h
		}
	}
	if best == nil || best.running < minRunning || float64(best.running) < minShare*float64(all) {
		return nil
	}
	return best
}

// step reads one token, and is false at the end or when the page is not for the fast path.
func (s *scan) step(lex *lexer.Lexer) bool {
	kind, data := lex.Next()
	switch kind {
	case lexer.ErrorToken:
		return false
	case lexer.StartTagToken:
		return s.start(lex, string(lex.Text()))
	case lexer.EndTagToken:
		s.end(string(lex.Text()))
	case lexer.TextToken:
		if !s.raw {
			s.words(data)
		}
	}
	return true
}

// start handles a start tag with its attributes.
func (s *scan) start(lex *lexer.Lexer, name string) bool {
	t := s.attributes(lex)
	kind := kinds[name]
	s.raw = kind == rawText
	switch kind {
	case blockStart, headingStart:
		s.flush()
		s.block.heading = kind == headingStart
	case lineBreak:
		s.block.space = true
	case anchor:
		s.block.inLink = true
	case container, skipped, article:
		s.flush()
		if t.closed {
			break
		}
		if len(s.stack) == maxStack {
			s.deep = true
			return false
		}
		if kind == article {
			t.claim = max(t.claim, claims[name])
		}
		if layout[name] {
			s.laid, s.plain = true, nil
		}
		s.push(name, kind == skipped || t.hidden || t.claim == noClaim && isBoilerplate(t.about), t.claim)
	}
	return true
}

// push opens an element. It takes over from the holder around it only if its claim is stronger.
func (s *scan) push(name string, skip bool, c claim) {
	s.stack = append(s.stack, element{name: name, skip: skip, outer: s.open})
	if skip {
		s.skip++
	}
	if c > noClaim && s.skip == 0 && (s.open < 0 || c > s.found[s.open].claim) {
		s.open = len(s.found)
		s.found = append(s.found, holder{claim: c})
	}
}

// tag is what the attributes of a start tag say.
type tag struct {
	about          []byte // class and id, lower case
	hidden, closed bool
	claim          claim
}

func (s *scan) attributes(lex *lexer.Lexer) (t tag) {
	for {
		switch kind, _ := lex.Next(); kind {
		case lexer.AttributeToken:
			t.attribute(string(lex.AttrKey()), bytes.ToLower(bytes.Trim(lex.AttrVal(), `"'`)))
		case lexer.StartTagVoidToken:
			t.closed = true
			return t
		default:
			return t
		}
	}
}

func (t *tag) attribute(key string, val []byte) {
	switch key {
	case "class", "id":
		t.about = append(append(t.about, ' '), val...)
	case "hidden":
		t.hidden = true
	case "aria-hidden":
		t.hidden = t.hidden || string(val) == "true"
	case "role":
		t.hidden = t.hidden || roles[string(val)]
		t.claim = max(t.claim, claims[string(val)])
	case "itemprop":
		if string(val) == "articlebody" {
			t.claim = bodyClaim
		}
	case "style":
		t.hidden = t.hidden || bytes.Contains(val, []byte("display:none")) || bytes.Contains(val, []byte("display: none"))
	}
}

// end closes the innermost element of that name, and all inside of it.
func (s *scan) end(name string) {
	s.raw = false
	switch kinds[name] {
	case blockStart, headingStart:
		s.flush()
	case anchor:
		s.block.inLink = false
	case container, skipped, article:
		s.flush()
		for i := len(s.stack) - 1; i >= 0; i-- {
			if s.stack[i].name == name {
				s.pop(i)
				return
			}
		}
	}
}

func (s *scan) pop(to int) {
	for _, e := range s.stack[to:] {
		if e.skip {
			s.skip--
		}
	}
	s.open = s.stack[to].outer
	s.stack = s.stack[:to]
}

// words adds character data to the block, white space collapsed.
func (s *scan) words(data []byte) {
	if s.skip > 0 {
		return
	}
	if bytes.IndexByte(data, '&') >= 0 {
		data = []byte(html.UnescapeString(string(data)))
	}
	b := &s.block
	for i := 0; i < len(data); {
		if c := data[i]; c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' {
			b.space = true
			i++
			continue
		}
		n := bytes.IndexAny(data[i:], " \n\t\r\f")
		if n < 0 {
			n = len(data) - i
		}
		if b.space && len(b.text) > 0 {
			b.text = append(b.text, ' ')
		}
		b.text = append(b.text, data[i:i+n]...)
		if b.inLink {
			b.linked += n
		}
		b.space = false
		i += n
	}
}

// flush ends the block: running text goes to the article it stands in.
func (s *scan) flush() {
	b := &s.block
	if len(b.text) > 0 {
		if !s.laid && s.skip == 0 {
			s.plain = append(append(s.plain, b.text...), '\n')
		}
		n := utf8.RuneCount(b.text)
		running := b.linked*3 < len(b.text) && n >= 40
		switch {
		case s.open >= 0 && s.skip == 0 && (running || b.linked*2 < len(b.text)):
			h := &s.found[s.open]
			h.text = append(append(h.text, b.text...), '\n')
			if running && !b.heading {
				h.running += n
				h.end = len(h.text)
			}
		case running && !b.heading:
			s.loose += n
		}
	}
	*b = block{text: b.text[:0], inLink: b.inLink}
}
