package rdf

import (
	"strings"
	"unicode/utf8"
)

// jsonWriter writes JSON-LD in expanded form: an object for each run of statements with one subject, an object of a
// graph for each run in one graph. Lists stay what they are in RDF, so nothing must be kept but the names of one object:
// JSON may say each once, so a name that comes again, or too many of them, begin a new object of the same node.
type jsonWriter struct {
	output
	last Quad
	used map[string]bool // names of the object
}

const mostNames = 1000

// Write writes a statement.
func (w *jsonWriter) Write(q Quad) error {
	if err := w.check(q); err != nil {
		return err
	}
	b := w.line[:0]
	name := q.Predicate.Value
	if isClass(q) {
		name = "@type"
	}
	sameGraph := w.last.Subject.Kind != None && q.Graph == w.last.Graph
	sameNode := sameGraph && q.Subject == w.last.Subject
	switch {
	case sameNode && q.Predicate == w.last.Predicate && isClass(q) == isClass(w.last):
		b = append(b, ',')
	case sameNode && !w.used[name] && len(w.used) < mostNames:
		b = append(appendJSON(append(b, "],"...), name), ":["...)
	default:
		switch {
		case sameGraph:
			b = append(b, "]},\n"...)
		case w.last.Subject.Kind == None:
			b = append(b, "[\n"...)
		default:
			b = append(w.end(b), ",\n"...)
		}
		if !sameGraph && q.Graph.Kind != None {
			b = append(appendID(append(b, '{'), q.Graph), `,"@graph":[`...)
		}
		b = append(appendID(append(b, '{'), q.Subject), ',')
		b = append(appendJSON(b, name), ":["...)
		w.used = map[string]bool{}
	}
	w.used[name] = true
	b = appendJSONTerm(b, q)
	w.last, w.line = q, b
	_, err := w.Writer.Write(b)
	return err
}

// isClass reports whether a statement is written as @type.
func isClass(q Quad) bool { return q.Predicate.Value == Type && q.Object.Kind != Literal }

func appendID(b []byte, t Term) []byte {
	return appendNode(append(b, `"@id":`...), t)
}

func appendNode(b []byte, t Term) []byte {
	if t.Kind == Blank {
		return appendJSON(b, "_:"+t.Value)
	}
	return appendJSON(b, t.Value)
}

func appendJSONTerm(b []byte, q Quad) []byte {
	t := q.Object
	switch {
	case isClass(q):
		return appendNode(b, t)
	case t.Kind != Literal:
		return append(appendID(append(b, '{'), t), '}')
	}
	b = appendJSON(append(b, `{"@value":`...), t.Value)
	switch {
	case t.Lang != "":
		b = appendJSON(append(b, `,"@language":`...), t.Lang)
	case t.Datatype != String:
		b = appendJSON(append(b, `,"@type":`...), t.Datatype)
	}
	return append(b, '}')
}

// appendJSON writes a string of JSON.
func appendJSON(b []byte, s string) []byte {
	b = append(b, '"')
	for i, c := range s {
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case c == '\n':
			b = append(b, '\\', 'n')
		case c < ' ':
			b = append(b, `\u00`...)
			b = append(b, upperHex[c>>4], upperHex[c&15])
		case c == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			b = append(b, `\uFFFD`...)
		default:
			b = utf8.AppendRune(b, c)
		}
	}
	return append(b, '"')
}

func (w *jsonWriter) end(b []byte) []byte {
	b = append(b, "]}"...)
	if w.last.Graph.Kind != None {
		b = append(b, "]}"...)
	}
	return b
}

// Close ends the document.
func (w *jsonWriter) Close() error {
	end := "[]\n"
	if w.last.Subject.Kind != None {
		end = string(w.end(nil)) + "\n]\n"
	}
	if _, err := w.WriteString(end); err != nil {
		return err
	}
	return w.Flush()
}
