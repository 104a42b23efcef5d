package rdf

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"varve/kb/rdf/lex"
)

// Writer writes quads one after the other. What it keeps is the last statement, not the document: quads that come
// ordered by graph and subject are written together, others repeat what they share.
type Writer interface {
	Write(Quad) error
	// Close writes what a document must end with, and all that is buffered. It does not close the destination.
	Close() error
}

// NewWriter returns a writer of a format. Prefixes shorten IRIs in Turtle, TriG and RDF/XML; others ignore them.
func NewWriter(w io.Writer, f Format, prefixes map[string]string) Writer {
	out := output{Writer: bufio.NewWriterSize(w, 64<<10), format: f}
	switch f {
	case NTriples, NQuads:
		return &lineWriter{output: out}
	case Turtle, TriG:
		return newTurtleWriter(out, prefixes)
	case RDFXML:
		return newXMLWriter(out, prefixes)
	case JSONLD:
		return &jsonWriter{output: out}
	}
	panic("rdf: no such format: " + f.String())
}

// output is what writers share.
type output struct {
	*bufio.Writer
	format Format
	line   []byte
}

// check refuses what is no statement, and what the format cannot hold.
func (o *output) check(q Quad) error {
	switch {
	case q.Subject.Kind != IRI && q.Subject.Kind != Blank:
		return fmt.Errorf("write %s: the subject of %s is neither IRI nor blank node", o.format, q)
	case q.Predicate.Kind != IRI:
		return fmt.Errorf("write %s: the predicate of %s is no IRI", o.format, q)
	case q.Object.Kind == None:
		return fmt.Errorf("write %s: a statement without object: %s", o.format, q)
	case q.Graph.Kind == Literal:
		return fmt.Errorf("write %s: the graph of %s is a literal", o.format, q)
	case q.Graph.Kind != None && !o.format.HasGraphs():
		return fmt.Errorf("write %s: it cannot hold the named graph of %s; TriG, N-Quads and JSON-LD can", o.format, q)
	}
	for _, t := range q.terms() {
		if cause := unwritable(t); cause != "" {
			return fmt.Errorf("write %s: %s in %s", o.format, cause, q)
		}
	}
	return nil
}

// unwritable says why a term can be written in no format; "" if it can.
func unwritable(t Term) string {
	switch {
	case !utf8.ValidString(t.Value):
		return "bytes that are not UTF-8"
	case t.Kind == Blank && !lex.IsLabel(t.Value):
		return "a label that no blank node can have"
	case t.Kind == IRI && !(lex.IsIRI(t.Value) && IsAbsolute(t.Value)), t.Kind == Literal && !(lex.IsIRI(t.Datatype) && IsAbsolute(t.Datatype)):
		return "an IRI that is relative, or has a character that must be percent-encoded,"
	case t.Kind == Literal && (t.Lang != "") != (t.Datatype == LangString):
		return "a literal with a language tag that is not of type rdf:langString, or one of that type without,"
	case t.Lang != "" && !isTag(t.Lang):
		return "what is no language tag"
	}
	return ""
}

// Close flushes.
func (o *output) Close() error { return o.Flush() }

// lineWriter writes N-Triples and N-Quads.
type lineWriter struct{ output }

// Write writes a line.
func (w *lineWriter) Write(q Quad) error {
	if err := w.check(q); err != nil {
		return err
	}
	w.line = append(appendQuad(w.line[:0], q), '\n')
	_, err := w.Writer.Write(w.line)
	return err
}

// turtleWriter writes Turtle and TriG: prefixes first, then subjects with their predicates and objects.
type turtleWriter struct {
	output
	prefixes []prefix // the longest namespaces first
	begun    bool
	last     Quad // Subject.Kind is None before the first statement
}

type prefix struct{ name, space string }

func newTurtleWriter(o output, prefixes map[string]string) *turtleWriter {
	w := &turtleWriter{output: o}
	for _, name := range slices.Sorted(maps.Keys(prefixes)) {
		if lex.IsPrefix(name) && lex.IsIRI(prefixes[name]) && prefixes[name] != "" {
			w.prefixes = append(w.prefixes, prefix{name, prefixes[name]})
		}
	}
	slices.SortStableFunc(w.prefixes, func(a, b prefix) int { return len(b.space) - len(a.space) })
	return w
}

// begin writes the prefixes, by name.
func (w *turtleWriter) begin() {
	if w.begun {
		return
	}
	w.begun = true
	byName := slices.SortedFunc(slices.Values(w.prefixes), func(a, b prefix) int { return strings.Compare(a.name, b.name) })
	for _, p := range byName {
		w.line = append(append(append(w.line, "@prefix "...), p.name...), ": "...)
		w.line = append(appendIRI(w.line, p.space), " .\n"...)
	}
}

// Write writes a statement, or what it has more than the last one.
func (w *turtleWriter) Write(q Quad) error {
	if err := w.check(q); err != nil {
		return err
	}
	w.line = w.line[:0]
	w.begin()
	b := w.line
	margin := ""
	if q.Graph.Kind != None {
		margin = "\t"
	}
	switch {
	case w.last.Subject.Kind == None || q.Graph != w.last.Graph:
		b = w.end(b)
		if q.Graph.Kind != None {
			b = append(w.term(b, q.Graph), " {\n\t"...)
		}
		b = w.statement(w.term(b, q.Subject), q)
	case q.Subject != w.last.Subject:
		b = append(append(b, " .\n"...), margin...)
		b = w.statement(w.term(b, q.Subject), q)
	case q.Predicate != w.last.Predicate:
		b = w.statement(append(append(b, " ;\n"...), margin...), q)
	default:
		b = w.term(append(b, ", "...), q.Object)
	}
	w.last, w.line = q, b
	_, err := w.Writer.Write(b)
	return err
}

// statement writes predicate and object.
func (w *turtleWriter) statement(b []byte, q Quad) []byte {
	b = append(b, '\t')
	if q.Predicate.Value == Type {
		b = append(b, 'a')
	} else {
		b = w.term(b, q.Predicate)
	}
	return w.term(append(b, ' '), q.Object)
}

// end ends the last statement, and its graph.
func (w *turtleWriter) end(b []byte) []byte {
	if w.last.Subject.Kind == None {
		return b
	}
	b = append(b, " .\n"...)
	if w.last.Graph.Kind != None {
		b = append(b, "}\n"...)
	}
	return b
}

// Close ends the last statement.
func (w *turtleWriter) Close() error {
	w.line = w.line[:0]
	w.begin()
	if _, err := w.Writer.Write(w.end(w.line)); err != nil {
		return err
	}
	return w.Flush()
}

// term writes a term the short way where there is one.
func (w *turtleWriter) term(b []byte, t Term) []byte {
	switch t.Kind {
	case IRI:
		return w.iri(b, t.Value)
	case Literal:
		switch {
		case t.Datatype == Boolean && (t.Value == "true" || t.Value == "false"), isNumber(t):
			return append(b, t.Value...)
		case t.Datatype != String && t.Lang == "":
			return w.iri(append(appendString(b, t.Value), "^^"...), t.Datatype)
		}
	}
	return appendTerm(b, t)
}

func (w *turtleWriter) iri(b []byte, iri string) []byte {
	for _, p := range w.prefixes {
		if local, ok := strings.CutPrefix(iri, p.space); ok && lex.IsLocal(local) {
			return append(append(append(b, p.name...), ':'), local...)
		}
	}
	return appendIRI(b, iri)
}

// isNumber reports whether a literal read back without quotes is the same literal.
func isNumber(t Term) bool {
	rest := strings.TrimLeft(t.Value, "0123456789")
	if t.Value != "" && (t.Value[0] == '-' || t.Value[0] == '+') {
		rest = strings.TrimLeft(t.Value[1:], "0123456789")
	}
	switch t.Datatype {
	case Integer:
		return rest == "" && isASCIIDigit(t.Value[max(0, len(t.Value)-1):])
	case Decimal:
		fraction, ok := strings.CutPrefix(rest, ".")
		return ok && fraction != "" && strings.Trim(fraction, "0123456789") == ""
	case Double:
		mantissa, exponent, ok := strings.Cut(rest, "e")
		if !ok {
			mantissa, exponent, ok = strings.Cut(rest, "E")
		}
		if !ok || t.Value == rest { // a digit stands before the point
			return false
		}
		if exponent != "" && (exponent[0] == '-' || exponent[0] == '+') {
			exponent = exponent[1:]
		}
		fraction, point := strings.CutPrefix(mantissa, ".")
		return exponent != "" && strings.Trim(exponent, "0123456789") == "" && strings.Trim(fraction, "0123456789") == "" && (point || mantissa == "")
	}
	return false
}

func isASCIIDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// Turtle returns the term as Turtle writes it without prefixes: numbers and booleans without quotes. No term is "".
func (t Term) Turtle() string { return string((&turtleWriter{}).term(nil, t)) }
