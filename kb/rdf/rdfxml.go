package rdf

import (
	"bufio"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"varve/kb/rdf/lex"
	"varve/web/encoding"
)

// RDF/XML, by the grammar of the standard (sections 7.2.10 to 7.2.21), whose productions name the functions. Elements
// are read one after the other; what is kept is the way from the root to the place of reading, the text of one property,
// and the IDs of the document, each of which may be given once.

const xmlNS = "http://www.w3.org/XML/1998/namespace"

// xmlReader reads a document element by element.
type xmlReader struct {
	*parser
	dec   *xml.Decoder
	text  int // bytes of text that may be kept at once
	ids   map[string]struct{}
	ended bool // the root element is over
}

// element is the start of an element with what it inherits. Names of attributes are as written; space and local are its own.
type element struct {
	prefix, space, local string
	attrs                []attribute
	base, lang           string
	ns                   map[string]string // prefix to namespace; shared with the parent where nothing is declared
	members              int               // rdf:li seen so far
}

type attribute struct {
	prefix, space, local, value string
}

func (e *element) name() string { return e.space + e.local }

func (e *element) is(local string) bool { return e.space == RDF && e.local == local }

func readXML(r io.Reader, p *parser) {
	x := &xmlReader{parser: p, ids: map[string]struct{}{}, text: p.o.MaxToken}
	if x.text <= 0 {
		x.text = lex.DefaultLimit
	}
	in := bufio.NewReader(r)
	head, _ := in.Peek(4)
	var src io.Reader = in
	if name, _ := encoding.BOM(head); name != "" && name != "utf-8" {
		decoded, err := encoding.NewReader(name, in)
		if err != nil {
			x.fault("encoding %s: %v", name, err)
			return
		}
		src = decoded
	}
	x.dec = xml.NewDecoder(src)
	x.dec.CharsetReader = func(label string, r io.Reader) (io.Reader, error) {
		if src != in { // decoded already
			return r, nil
		}
		return encoding.NewReader(label, r)
	}
	x.document()
}

// fault notes what is wrong at the place of reading.
func (x *xmlReader) fault(format string, args ...any) {
	x.stop(x.place(&Error{Msg: fmt.Sprintf(format, args...)}))
}

// place puts the place of reading into an error. A decoder that went back over the end of a line is in column 0 for itself.
func (x *xmlReader) place(e *Error) *Error {
	e.Format, e.Line, e.Column = RDFXML, 1, 1
	if x.dec != nil {
		e.Line, e.Column = x.dec.InputPos()
		e.Column = max(e.Column, 1)
	}
	return e
}

// token returns the next token; nil at the end of the document and after an error. Declarations of entities are taken in.
func (x *xmlReader) token() xml.Token {
	for x.err == nil {
		t, err := x.dec.RawToken()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			syntax, ok := errors.AsType[*xml.SyntaxError](err)
			if ok {
				x.fault("not well-formed XML: %s", syntax.Msg)
			} else {
				x.stop(x.place(&Error{Msg: "cannot read on", Err: err}))
			}
			return nil
		}
		if d, ok := t.(xml.Directive); ok {
			x.entities(string(d))
			continue
		}
		return t
	}
	return nil
}

// entities takes in what a DOCTYPE declares: <!ENTITY name "value">. Values are expanded here, once, by entities before
// them, and their sum is bounded.
func (x *xmlReader) entities(doctype string) {
	const most = 64 << 10
	size := 0
	for {
		_, rest, found := strings.Cut(doctype, "<!ENTITY")
		if !found {
			return
		}
		doctype = rest
		rest = strings.TrimLeftFunc(rest, unicode.IsSpace)
		end := strings.IndexFunc(rest, unicode.IsSpace)
		if end <= 0 || rest[:end] == "%" {
			continue
		}
		name := rest[:end]
		rest = strings.TrimLeftFunc(rest[end:], unicode.IsSpace)
		if rest == "" || rest[0] != '"' && rest[0] != '\'' {
			continue // an external one
		}
		value, after, ok := strings.Cut(rest[1:], rest[:1])
		if !ok {
			x.fault("the entity %s has no end", name)
			return
		}
		doctype = after
		value = x.expand(value)
		if size += len(value); size > most {
			x.fault("entities of more than %d bytes", most)
			return
		}
		if x.dec.Entity == nil {
			x.dec.Entity = map[string]string{}
		}
		if _, twice := x.dec.Entity[name]; !twice {
			x.dec.Entity[name] = value
		}
	}
}

// expand replaces references in the value of an entity.
func (x *xmlReader) expand(value string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(value, "&")
		b.WriteString(before)
		name, after, closed := strings.Cut(rest, ";")
		if !found || !closed || b.Len() > 64<<10 {
			return b.String()
		}
		value = after
		known, ok := x.dec.Entity[name]
		switch digits, isNumber := strings.CutPrefix(name, "#"); {
		case isNumber:
			base := 10
			if hex, isHex := strings.CutPrefix(digits, "x"); isHex {
				digits, base = hex, 16
			}
			if n, err := strconv.ParseUint(digits, base, 21); err == nil {
				b.WriteRune(rune(n))
			}
		case ok:
			b.WriteString(known)
		default:
			if s, ok := map[string]string{"amp": "&", "lt": "<", "gt": ">", "quot": `"`, "apos": "'"}[name]; ok {
				b.WriteString(s)
			} else {
				b.WriteString("&" + name + ";")
			}
		}
	}
}

// maxAttributes is how many attributes an element has at most: each is held against all before it.
const maxAttributes = 1000

// open reads the start of an element below parent: its namespaces, base and language.
func (x *xmlReader) open(s xml.StartElement, parent *element) *element {
	e := &element{prefix: s.Name.Space, local: s.Name.Local, base: parent.base, lang: parent.lang, ns: parent.ns}
	own := false
	for _, a := range s.Attr {
		prefix, declares := a.Name.Local, a.Name.Space == "xmlns"
		if a.Name.Space == "" && a.Name.Local == "xmlns" {
			prefix, declares = "", true
		}
		if !declares {
			continue
		}
		if !own {
			own = true
			ns := make(map[string]string, len(e.ns)+1)
			for k, v := range parent.ns {
				ns[k] = v
			}
			e.ns = ns
		}
		if prefix == "xmlns" || (prefix == "xml") != (a.Value == xmlNS) || prefix != "" && a.Value == "" {
			x.fault("the prefix %s cannot be declared as %q", prefix, a.Value)
		}
		e.ns[prefix] = a.Value
	}
	e.space = x.namespace(e, e.prefix)
	for _, a := range s.Attr {
		if a.Name.Space == "xmlns" || a.Name.Space == "" && a.Name.Local == "xmlns" {
			continue
		}
		at := attribute{prefix: a.Name.Space, local: a.Name.Local, value: a.Value}
		if at.prefix != "" {
			at.space = x.namespace(e, at.prefix)
		}
		if len(e.attrs) == maxAttributes {
			x.fault("more than %d attributes", maxAttributes)
			return e
		}
		for _, b := range e.attrs {
			if b.space == at.space && b.local == at.local {
				x.fault("the attribute %s is given twice", at.local)
			}
		}
		switch {
		case at.space == xmlNS && at.local == "base":
			e.base = Resolve(parent.base, at.value)
		case at.space == xmlNS && at.local == "lang":
			e.lang = at.value
			if at.value != "" && !isTag(at.value) {
				x.fault("xml:lang is %q, which is no language tag", at.value)
			}
		}
		e.attrs = append(e.attrs, at)
	}
	return e
}

// isTag reports whether s has the form of a language tag.
func isTag(s string) bool {
	for i, part := range strings.Split(s, "-") {
		for _, c := range part {
			if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
				return false
			}
		}
		if part == "" {
			return false
		}
	}
	return true
}

func (x *xmlReader) namespace(e *element, prefix string) string {
	if prefix == "xml" {
		return xmlNS
	}
	ns, ok := e.ns[prefix]
	if !ok && prefix != "" {
		x.fault("the prefix %s is not declared", prefix)
	}
	return ns
}

// document reads the root: rdf:RDF with nodes, or one node.
func (x *xmlReader) document() {
	outer := &element{base: x.o.Base}
	for x.err == nil {
		t := x.token()
		switch t := t.(type) {
		case nil:
			if !x.ended {
				x.fault("the document has no element")
			}
			return
		case xml.StartElement:
			if x.ended {
				x.fault("a second root element")
				return
			}
			root := x.open(t, outer)
			if x.o.Prefixes != nil {
				for prefix, ns := range root.ns {
					x.o.Prefixes[prefix] = ns
				}
			}
			if root.is("RDF") {
				for _, a := range root.attrs {
					if !a.reserved() {
						x.fault("rdf:RDF cannot have the attribute %s", a.local)
					}
				}
				x.children(root, func(child *element) { x.nodeElement(child) })
			} else {
				x.nodeElement(root)
			}
			x.ended = true
		case xml.CharData:
			x.blankText(t)
		case xml.EndElement:
			x.fault("the end of an element that was not begun: %s", t.Name.Local)
		}
	}
}

// blankText refuses text where none can be.
func (x *xmlReader) blankText(t xml.CharData) {
	if strings.Trim(string(t), " \t\r\n") != "" {
		x.fault("text where an element is expected: %q", cutText(string(t)))
	}
}

func cutText(s string) string {
	s = strings.TrimSpace(s)
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// children reads the elements inside of e up to its end.
func (x *xmlReader) children(e *element, each func(*element)) {
	defer x.leave()
	if x.depth++; x.depth > x.o.MaxDepth {
		x.fault("nested deeper than %d levels", x.o.MaxDepth)
	}
	for x.err == nil {
		switch t := x.token().(type) {
		case nil:
			if x.err == nil {
				x.fault("the document ends inside of %s", e.local)
			}
		case xml.StartElement:
			if child := x.open(t, e); x.err == nil {
				each(child)
			}
		case xml.CharData:
			x.blankText(t)
		case xml.EndElement:
			x.closed(e, t)
			return
		}
	}
}

// closed checks that an end belongs to e.
func (x *xmlReader) closed(e *element, t xml.EndElement) {
	if t.Name.Local != e.local || t.Name.Space != e.prefix {
		x.fault("the end of %s where that of %s is expected", t.Name.Local, e.local)
	}
}

// notNodes and notProperties are names of the syntax that cannot be those of nodes and properties (coreSyntaxTerms, oldTerms).
var (
	core          = []string{"RDF", "ID", "about", "parseType", "resource", "nodeID", "datatype"}
	old           = []string{"aboutEach", "aboutEachPrefix", "bagID"}
	notNodes      = names(core, old, []string{"li"})
	notProperties = names(core, old, []string{"Description"})
	notAttributes = names(core, old, []string{"Description", "li"})
)

func names(lists ...[]string) map[string]bool {
	all := map[string]bool{}
	for _, l := range lists {
		for _, n := range l {
			all[RDF+n] = true
		}
	}
	return all
}

// nodeElement reads a node with its properties, and returns it.
func (x *xmlReader) nodeElement(e *element) Term {
	if notNodes[e.name()] {
		x.fault("rdf:%s cannot be a node", e.local)
	}
	if e.space == "" {
		x.fault("the element %s has no namespace", e.local)
	}
	var node Term
	var rest []attribute
	for _, a := range e.attrs {
		var t Term
		switch a.rdfName() {
		case "ID":
			t = NewIRI(x.id(e, a.value))
		case "about":
			t = NewIRI(x.iri(e, a.value))
		case "nodeID":
			t = x.nodeID(a.value)
		default:
			rest = append(rest, a)
			continue
		}
		if node.Kind != None {
			x.fault("a node has one of rdf:ID, rdf:about and rdf:nodeID")
		}
		node = t
	}
	if node.Kind == None {
		node = x.blanks.fresh()
	}
	if !e.is("Description") {
		x.emit(node, NewIRI(Type), NewIRI(e.name()))
	}
	x.propertyAttributes(e, node, rest)
	x.properties(e, node)
	return node
}

// rdfName returns the local name of an attribute of the syntax, or "". Five may come without a namespace, as in documents before 2004.
func (a attribute) rdfName() string {
	if a.space == RDF {
		return a.local
	}
	if a.prefix == "" {
		switch a.local {
		case "ID", "about", "resource", "parseType", "type":
			return a.local
		}
	}
	return ""
}

// reserved reports whether an attribute is one of XML itself, which says nothing.
func (a attribute) reserved() bool {
	return a.space == xmlNS || a.prefix == "" && strings.HasPrefix(strings.ToLower(a.local), "xml")
}

// properties reads the property elements inside of e (propertyEltList).
func (x *xmlReader) properties(e *element, node Term) {
	x.children(e, func(p *element) {
		name := p.name()
		if p.is("li") {
			e.members++
			name = RDF + "_" + strconv.Itoa(e.members)
		}
		x.propertyElement(p, node, name)
	})
}

// propertyAttributes says of node what attributes say.
func (x *xmlReader) propertyAttributes(e *element, node Term, attrs []attribute) {
	for _, a := range attrs {
		name := a.rdfName()
		switch {
		case a.reserved():
		case name == "type":
			x.emit(node, NewIRI(Type), NewIRI(x.iri(e, a.value)))
		case a.prefix == "":
			x.fault("the attribute %s has no namespace", a.local)
		case notAttributes[a.space+a.local]:
			x.fault("rdf:%s cannot be an attribute here", a.local)
		default:
			x.emit(node, NewIRI(x.iri(e, a.space+a.local)), e.literal(a.value))
		}
	}
}

func (e *element) literal(s string) Term {
	if e.lang != "" {
		return NewLang(s, e.lang)
	}
	return NewString(s)
}

// iri resolves a reference.
func (x *xmlReader) iri(e *element, ref string) string {
	iri := Resolve(e.base, ref)
	switch {
	case !lex.IsIRI(iri):
		x.fault("the IRI %q has a character that must be percent-encoded", cutText(iri))
	case !IsAbsolute(iri):
		x.fault("the relative IRI %q, and the document has no base", cutText(ref))
	}
	return iri
}

// id returns the IRI that rdf:ID means, which the document may give once.
func (x *xmlReader) id(e *element, name string) string {
	if !isNCName(name) {
		x.fault("rdf:ID is %q, which is no XML name", name)
	}
	iri := x.iri(e, "#"+name)
	if _, twice := x.ids[iri]; twice {
		x.fault("rdf:ID=%q is given twice", name)
	}
	x.ids[iri] = struct{}{}
	return iri
}

func (x *xmlReader) nodeID(name string) Term {
	if !isNCName(name) {
		x.fault("rdf:nodeID is %q, which is no XML name", name)
	}
	return x.blanks.labelled(name)
}

// isNCName reports whether s is an XML name without a colon.
func isNCName(s string) bool {
	for i, c := range s {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || c != '-' && c != '.' && !unicode.IsDigit(c) && !unicode.IsMark(c) && c != 0xB7) {
			return false
		}
	}
	return s != ""
}

// propertyElement reads what an element says of subject.
func (x *xmlReader) propertyElement(e *element, subject Term, name string) {
	if notProperties[e.name()] {
		x.fault("rdf:%s cannot be a property", e.local)
	}
	if e.space == "" {
		x.fault("the property %s has no namespace", e.local)
	}
	pred := NewIRI(x.iri(e, name))
	var statement, datatype, parseType string
	var object Term
	var rest []attribute
	for _, a := range e.attrs {
		switch a.rdfName() {
		case "ID":
			statement = x.id(e, a.value)
		case "datatype":
			datatype = x.iri(e, a.value)
		case "parseType":
			parseType = a.value
			if parseType != "Resource" && parseType != "Collection" {
				parseType = "Literal" // "other" is read like it
			}
		case "resource", "nodeID":
			if object.Kind != None {
				x.fault("a property has one of rdf:resource and rdf:nodeID")
			}
			if a.rdfName() == "nodeID" {
				object = x.nodeID(a.value)
			} else {
				object = NewIRI(x.iri(e, a.value))
			}
		default:
			if !a.reserved() {
				rest = append(rest, a)
			}
		}
	}
	say := func(o Term) {
		x.emit(subject, pred, o)
		if statement != "" {
			s := NewIRI(statement)
			x.emit(s, NewIRI(Type), NewIRI(RDF+"Statement"))
			x.emit(s, NewIRI(RDF+"subject"), subject)
			x.emit(s, NewIRI(RDF+"predicate"), pred)
			x.emit(s, NewIRI(RDF+"object"), o)
		}
	}
	if parseType != "" {
		if object.Kind != None || datatype != "" || len(rest) > 0 {
			x.fault("rdf:parseType stands with no other attribute but rdf:ID")
		}
		switch parseType {
		case "Literal":
			say(NewLiteral(x.xmlLiteral(e), XMLLiteral))
		case "Resource":
			node := x.blanks.fresh()
			say(node)
			x.properties(e, node)
		case "Collection":
			x.collectionElement(e, say)
		}
		return
	}
	if object.Kind != None || len(rest) > 0 { // emptyPropertyElt
		if datatype != "" {
			x.fault("rdf:datatype stands with text alone")
		}
		if object.Kind == None {
			object = x.blanks.fresh()
		}
		say(object)
		x.propertyAttributes(e, object, rest)
		x.children(e, func(*element) {
			x.fault("a property with rdf:resource, rdf:nodeID or properties as attributes must be empty")
		})
		return
	}
	x.content(e, datatype, say)
}

// content reads text or one node (literalPropertyElt, resourcePropertyElt).
func (x *xmlReader) content(e *element, datatype string, say func(Term)) {
	defer x.leave()
	if x.depth++; x.depth > x.o.MaxDepth {
		x.fault("nested deeper than %d levels", x.o.MaxDepth)
	}
	var text strings.Builder
	nodes := 0
	for x.err == nil {
		switch t := x.token().(type) {
		case nil:
			if x.err == nil {
				x.fault("the document ends inside of %s", e.local)
			}
		case xml.CharData:
			if nodes > 0 {
				x.blankText(t)
			}
			x.keep(&text, string(t))
		case xml.StartElement:
			child := x.open(t, e)
			if nodes++; nodes > 1 {
				x.fault("a property holds one node; rdf:parseType says otherwise")
			}
			if datatype != "" {
				x.fault("rdf:datatype stands with text alone")
			}
			x.blankText(xml.CharData(text.String()))
			if x.err == nil {
				say(x.nodeElement(child))
			}
		case xml.EndElement:
			x.closed(e, t)
			switch {
			case x.err != nil || nodes > 0:
			case datatype != "":
				say(NewLiteral(text.String(), datatype))
			default:
				say(e.literal(text.String()))
			}
			return
		}
	}
}

// keep adds to a text that is bounded.
func (x *xmlReader) keep(b *strings.Builder, s string) {
	if b.Len()+len(s) > x.text {
		x.fault("a literal of more than %d bytes; the limit can be raised", x.text)
		return
	}
	b.WriteString(s)
}

// collectionElement reads a list of nodes.
func (x *xmlReader) collectionElement(e *element, say func(Term)) {
	var last Term
	x.children(e, func(child *element) {
		node := x.blanks.fresh()
		if last.Kind == None {
			say(node)
		} else {
			x.emit(last, NewIRI(Rest), node)
		}
		last = node
		x.emit(node, NewIRI(First), x.nodeElement(child))
	})
	if last.Kind == None {
		say(NewIRI(Nil))
	} else {
		x.emit(last, NewIRI(Rest), NewIRI(Nil))
	}
}
