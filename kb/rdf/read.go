package rdf

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"varve/kb/rdf/lex"
)

// Options say how a document is read. The zero value is right for a document that stands alone.
type Options struct {
	Base     string            // the IRI of the document, against which relative ones are resolved
	Scope    string            // stands before the labels of all blank nodes
	Prefixes map[string]string // filled with the prefixes that the document declares, where it is not nil
	MaxToken int               // longest token in bytes; 0 is lex.DefaultLimit
	MaxDepth int               // deepest nesting; 0 is DefaultDepth

	// Bad is told of each line of N-Triples and N-Quads that cannot be read; where it returns true, reading goes on with
	// the next line. Without it the first such line is the end.
	Bad func(*Error) bool
}

// DefaultDepth is how deep brackets and elements are nested at most, where nobody says otherwise.
const DefaultDepth = 500

// Error is what is wrong with a document, and where.
type Error struct {
	Format       Format
	Line, Column int // from 1; columns in characters
	Msg          string
	Err          error // what the source said; nil for a fault of the document
}

// Error returns place and cause in one line.
func (e *Error) Error() string {
	msg := e.Msg
	if e.Err != nil {
		msg += ": " + e.Err.Error()
	}
	return fmt.Sprintf("%s, line %d, column %d: %s", e.Format, e.Line, e.Column, msg)
}

// Unwrap returns what the source said.
func (e *Error) Unwrap() error { return e.Err }

// Read returns the quads of a document in the order in which they are said. An error is the last thing returned, with
// a quad that means nothing; it is an *Error.
func Read(r io.Reader, f Format, o Options) iter.Seq2[Quad, error] {
	return func(yield func(Quad, error) bool) {
		p := &parser{format: f, o: o, blanks: blanks{scope: o.Scope}, prefixes: map[string]string{}, yield: yield}
		if p.o.MaxDepth <= 0 {
			p.o.MaxDepth = DefaultDepth
		}
		switch f {
		case NTriples, NQuads:
			p.lex = lex.New(r, lex.NTriples, o.MaxToken)
			p.lines()
		case Turtle, TriG:
			p.lex = lex.New(r, lex.Turtle, o.MaxToken)
			p.document()
		case RDFXML:
			readXML(r, p)
		default:
			p.err = &Error{Format: f, Line: 1, Column: 1, Msg: "this format cannot be read"}
		}
		if p.err != nil && !p.stopped {
			yield(Quad{}, p.err)
		}
	}
}

// ReadAll returns all quads of a document.
func ReadAll(r io.Reader, f Format, o Options) ([]Quad, error) {
	var all []Quad
	for q, err := range Read(r, f, o) {
		if err != nil {
			return all, err
		}
		all = append(all, q)
	}
	return all, nil
}

// blanks gives blank nodes their labels.
type blanks struct {
	scope string
	made  int
}

const madeLabel = "anon"

// fresh returns a node without a label in the document.
func (b *blanks) fresh() Term {
	b.made++
	return NewBlank(b.scope + madeLabel + strconv.Itoa(b.made))
}

// labelled returns the node with a label of the document. One that looks like a label of fresh gets an underscore more
// than it has; so no two labels become one, and nothing need be remembered.
func (b *blanks) labelled(label string) Term {
	if rest, ok := strings.CutPrefix(label, madeLabel); ok {
		digits := strings.TrimRight(rest, "_")
		if digits != "" && strings.Trim(digits, "0123456789") == "" {
			label += "_"
		}
	}
	return NewBlank(b.scope + label)
}

// parser holds what reading a document needs. Its first error sticks and turns the token into the end of the text, so
// that every loop ends; callers look at err once.
type parser struct {
	format   Format
	o        Options
	lex      *lex.Lexer
	tok      lex.Token
	prefixes map[string]string
	blanks   blanks
	depth    int
	graph    Term
	yield    func(Quad, error) bool
	stopped  bool // nobody wants more
	err      error
}

// next goes to the next token.
func (p *parser) next() {
	if p.err != nil {
		return
	}
	t, err := p.lex.Next()
	if err != nil {
		e, _ := errors.AsType[*lex.Error](err)
		p.stop(&Error{Format: p.format, Line: e.Line, Column: e.Column, Msg: e.Msg, Err: e.Err})
		return
	}
	p.tok = t
}

func (p *parser) stop(err error) {
	if p.err == nil {
		p.err = err
	}
	p.tok = lex.Token{Line: p.tok.Line, Column: p.tok.Column}
}

// fail notes what is wrong at the token.
func (p *parser) fail(format string, args ...any) {
	p.stop(&Error{Format: p.format, Line: p.tok.Line, Column: p.tok.Column, Msg: fmt.Sprintf(format, args...)})
}

// emit hands a quad on.
func (p *parser) emit(s, pred, o Term) {
	if p.err != nil {
		return
	}
	if !p.yield(Quad{Triple: Triple{s, pred, o}, Graph: p.graph}, nil) {
		p.stopped = true
		p.stop(io.EOF)
	}
}

// is reports whether the token is a sign.
func (p *parser) is(sign string) bool { return p.tok.Kind == lex.Punct && p.tok.Text == sign }

// take goes over a sign that must be there.
func (p *parser) take(sign, why string) {
	if !p.is(sign) {
		p.fail("'%s' expected %s, not %s", sign, why, p.tok)
		return
	}
	p.next()
}

// enter goes one level deeper; the caller leaves.
func (p *parser) enter() bool {
	if p.depth++; p.depth > p.o.MaxDepth {
		p.fail("nested deeper than %d levels", p.o.MaxDepth)
	}
	return p.err == nil
}

func (p *parser) leave() { p.depth-- }
