package markup

import (
	"bytes"
	"io"
)

// MaxToken bounds the tokens of a Stream that are held whole, but for Raw.
const MaxToken = 1 << 20

const (
	chunk = 32 << 10 // what is read at a time, at least
	ahead = 64       // what is in the window where a token begins: enough to tell what it is
)

// Stream reads the tokens of a document as it comes, in a window of bounded size. Together they are all bytes of the
// document, in order. They are those that a Lexer finds in the whole of it, but text, which comes in pieces of any
// length, and what does not fit: a token longer than MaxToken has its kind, is not Whole, and goes on in tokens of the
// kind Part. So does a start tag in which the document ends; of both the tag ends at its first >, in quotes or not.
//
//	    read before   token      not lexed yet
//	|...............|<a href="">|text text tex|   the window; a token that reaches its end is lexed again
//	                 From        To               in one of twice the size, unless it is text
type Stream struct {
	tagReader
	lx   Lexer
	tok  Token
	r    io.Reader
	more bool // there may be more to read
	err  error
	stop string  // ends the token that goes on in parts
	raw  rawText // that goes on in parts
}

// NewStream returns a stream of what r reads.
func NewStream(r io.Reader, xml bool) *Stream {
	return &Stream{r: r, more: true, lx: Lexer{XML: xml, CDATA: xml}}
}

// Window returns what the places of the current token are places in.
func (s *Stream) Window() []byte { return s.lx.Src }

// Bytes returns the current token as it is written.
func (s *Stream) Bytes() []byte { return s.lx.Src[s.tok.From:s.tok.To] }

// Err returns the error of the reader that ended the document, if it was not io.EOF.
func (s *Stream) Err() error { return s.err }

// SetForeign says whether what follows is inside of svg or math, where there are CDATA sections.
func (s *Stream) SetForeign(is bool) { s.lx.CDATA = is || s.lx.XML }

// Next reads the next token, which is EOF at the end. It is good until the next call.
func (s *Stream) Next() *Token {
	if s.raw.tag != "" {
		s.content(Part, 0)
		return &s.tok
	}
	s.need(ahead)
	if s.stop != "" {
		return s.part(Part)
	}
	l, t := &s.lx, &s.tok
	for {
		from := l.Pos
		s.token()
		switch {
		case t.Kind == EOF:
			return t
		case l.Pos == len(l.Src) && s.more && t.Kind == Text:
			t.To -= begun(l.Src[from:])
			t.Data, l.Pos = l.Src[from:t.To], t.To
			return t
		case l.Pos == len(l.Src) && s.more && l.Pos-from <= MaxToken: // it may go on
			l.Pos = from
			s.need(2 * (len(l.Src) - from))
		case l.Pos == len(l.Src) && s.more, t.Kind == Start && (!t.Whole || t.To-from > MaxToken):
			l.Pos, s.stop = from, l.stop(t.Kind)
			return s.part(t.Kind)
		default:
			return t
		}
	}
}

// token reads the token at the place of the lexer, as far as it is in the window.
func (s *Stream) token() {
	l, t := &s.lx, &s.tok
	switch kind := l.Next(); kind {
	case Start:
		s.read(l, t)
	case End:
		s.lower = s.lower[:0]
		name := s.name(l.Name)
		*t = Token{Kind: End, Element: ElementOf(name), Whole: l.Whole, From: l.From, To: l.Pos, Name: name}
	default:
		*t = Token{Kind: kind, From: l.From, To: l.Pos, Data: l.Data}
	}
}

// begun returns how many bytes at the end of text may begin a tag.
func begun(text []byte) int {
	for _, s := range []string{"<", "</"} {
		if bytes.HasSuffix(text, []byte(s)) {
			return len(s)
		}
	}
	return 0
}

// stop returns what ends the token at the place of the lexer, which is too long to be read at once.
func (l *Lexer) stop(kind Kind) string {
	switch {
	case kind == Comment && bytes.HasPrefix(l.Src[l.Pos:], []byte("<!--")):
		return "-->"
	case kind == CDATA:
		return "]]>"
	case kind == Instruction && l.XML:
		return "?>"
	}
	return ">"
}

// part returns what is in the window of a token that goes on in parts.
func (s *Stream) part(kind Kind) *Token {
	l := &s.lx
	from := l.Pos
	switch n := bytes.Index(l.Src[from:], []byte(s.stop)); {
	case n >= 0:
		l.Pos += n + len(s.stop)
		s.stop = ""
	case s.more:
		l.Pos = len(l.Src) - len(s.stop) + 1
	default:
		l.Pos = len(l.Src)
		s.stop = ""
	}
	s.tok = Token{Kind: kind, From: from, To: l.Pos, Data: l.Src[from:l.Pos]}
	return &s.tok
}

// Raw reads the content of the element whose start tag was read, which holds no markup, up to its end tag: a token of the
// kind Raw. It is not Whole where it is longer than most, in which case it goes on in parts, and where the document
// ends in it. tag is in lower case.
func (s *Stream) Raw(tag string, most int) *Token {
	s.raw = rawText{tag: tag}
	s.content(Raw, most)
	return &s.tok
}

// content reads content that is no markup: all of it, or more than most.
func (s *Stream) content(kind Kind, most int) {
	l := &s.lx
	at := l.Pos
	for {
		end, found := s.raw.end(l.Src, at, s.more)
		if size := end - l.Pos; found || !s.more || size > most {
			s.tok = Token{Kind: kind, Whole: found && size <= most, From: l.Pos, To: end, Data: l.Src[l.Pos:end]}
			l.Pos = end
			if found || !s.more {
				s.raw = rawText{}
			}
			return
		}
		seen := end - l.Pos
		s.need(max(ahead, 2*(len(l.Src)-l.Pos)))
		at = l.Pos + seen
	}
}

// need reads until n bytes that were not lexed are in the window, or the document ends. What was lexed leaves the window.
func (s *Stream) need(n int) {
	l := &s.lx
	rest := l.Src[l.Pos:]
	if !s.more || len(rest) >= n {
		return
	}
	window := l.Src[:0]
	if size := max(n, chunk); cap(window) < size {
		window = make([]byte, 0, size)
	}
	window = append(window, rest...)
	for idle := 0; s.more && len(window) < n; {
		k, err := s.r.Read(window[len(window):cap(window)])
		window = window[:len(window)+k]
		if idle++; k > 0 {
			idle = 0
		}
		if err == nil && idle == 100 {
			err = io.ErrNoProgress
		}
		if err != nil {
			s.more = false
			if err != io.EOF {
				s.err = err
			}
		}
	}
	l.Src, l.Pos = window, 0
}
