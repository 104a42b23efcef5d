package rdf

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// xmlWriter writes RDF/XML: a description for each run of statements with one subject. A predicate must be a namespace
// and an XML name; namespaces that have no prefix are declared where they are used.
type xmlWriter struct {
	output
	prefixes map[string]string // namespace to prefix
	spaces   []prefix
	begun    bool
	open     Term // the subject of the description
}

func newXMLWriter(o output, prefixes map[string]string) *xmlWriter {
	w := &xmlWriter{output: o, prefixes: map[string]string{RDF: "rdf"}, spaces: []prefix{{"rdf", RDF}}}
	for _, p := range newTurtleWriter(o, prefixes).prefixes {
		if _, known := w.prefixes[p.space]; known || !isNCName(p.name) || strings.HasPrefix(strings.ToLower(p.name), "xml") || p.name == "rdf" {
			continue
		}
		w.prefixes[p.space] = p.name
		w.spaces = append(w.spaces, p)
	}
	return w
}

func (w *xmlWriter) begin() {
	if w.begun {
		return
	}
	w.begun = true
	w.line = append(w.line, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rdf:RDF"...)
	for _, p := range w.spaces {
		w.line = append(w.line, "\n\txmlns:"+p.name+`="`+attributeEscapes.Replace(p.space)+`"`...)
	}
	w.line = append(w.line, ">\n"...)
}

// Write writes a statement.
func (w *xmlWriter) Write(q Quad) error {
	if err := w.check(q); err != nil {
		return err
	}
	element, declared, err := w.predicate(q)
	if err != nil {
		return err
	}
	for _, t := range q.terms() {
		if t.Kind == Blank && !isNCName(nodeName(t.Value)) {
			return fmt.Errorf("write RDF/XML: the label of %s is no XML name", t)
		}
		if i := notXML(t.Value); i >= 0 {
			return fmt.Errorf("write RDF/XML: byte %d of %s is a character that XML cannot hold; N-Triples can", i, q)
		}
	}
	w.line = w.line[:0]
	w.begin()
	b := w.line
	if q.Subject != w.open {
		b = append(w.end(b), "\t<rdf:Description "+nodeAttribute(q.Subject, "rdf:about")+">\n"...)
		w.open = q.Subject
	}
	b = append(b, "\t\t<"+element+declared...)
	switch t := q.Object; {
	case t.Kind != Literal:
		b = append(b, " "+nodeAttribute(t, "rdf:resource")+"/>\n"...)
	default:
		switch {
		case t.Lang != "":
			b = append(b, ` xml:lang="`+t.Lang+`"`...)
		case t.Datatype != String:
			b = append(b, ` rdf:datatype="`+attributeEscapes.Replace(t.Datatype)+`"`...)
		}
		b = append(b, ">"+textEscapes.Replace(t.Value)+"</"+element+">\n"...)
	}
	w.line = b
	_, err = w.Writer.Write(b)
	return err
}

// predicate returns the name of the element, and the namespace it must declare.
func (w *xmlWriter) predicate(q Quad) (name, declared string, err error) {
	iri := q.Predicate.Value
	if notProperties[iri] || iri == RDF+"li" {
		return "", "", fmt.Errorf("write RDF/XML: rdf:%s cannot be a property there: %s", iri[len(RDF):], q)
	}
	cut := len(iri)
	for i := len(iri); i > 0; {
		c, n := utf8.DecodeLastRuneInString(iri[:i])
		if !isNCName("a" + string(c)) {
			break
		}
		if i -= n; isNCName(iri[i:]) {
			cut = i
		}
	}
	if cut == len(iri) || cut == 0 {
		return "", "", fmt.Errorf("write RDF/XML: the predicate %s does not end with an XML name; Turtle can hold it", q.Predicate)
	}
	space := iri[:cut]
	if p, ok := w.prefixes[space]; ok {
		return p + ":" + iri[cut:], "", nil
	}
	return "ns:" + iri[cut:], ` xmlns:ns="` + attributeEscapes.Replace(space) + `"`, nil
}

// nodeAttribute returns the attribute that names a node.
func nodeAttribute(t Term, attr string) string {
	if t.Kind == Blank {
		return `rdf:nodeID="` + nodeName(t.Value) + `"`
	}
	return attr + `="` + attributeEscapes.Replace(t.Value) + `"`
}

// nodeName makes an XML name of a label: those that begin with a digit, or with what marks them, get the mark.
func nodeName(label string) string {
	if isASCIIDigit(label) || strings.HasPrefix(label, "n_") {
		return "n_" + label
	}
	return label
}

// notXML returns where a character is that XML 1.0 cannot hold, or -1.
func notXML(s string) int {
	for i, c := range s {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0xFFFE || c == 0xFFFF || c == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return i
		}
	}
	return -1
}

func (w *xmlWriter) end(b []byte) []byte {
	if w.open.Kind != None {
		b = append(b, "\t</rdf:Description>\n"...)
	}
	return b
}

// Close ends the document.
func (w *xmlWriter) Close() error {
	w.line = w.line[:0]
	w.begin()
	if _, err := w.Writer.Write(append(w.end(w.line), "</rdf:RDF>\n"...)); err != nil {
		return err
	}
	return w.Flush()
}
