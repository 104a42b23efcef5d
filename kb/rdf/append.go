package rdf

// appendTerm writes a term as N-Triples do, in the canonical form: characters as they are, and the fewest escapes.
func appendTerm(b []byte, t Term) []byte {
	switch t.Kind {
	case IRI:
		return appendIRI(b, t.Value)
	case Blank:
		return append(append(b, "_:"...), t.Value...)
	case Literal:
		b = appendString(b, t.Value)
		switch {
		case t.Lang != "":
			b = append(append(b, '@'), t.Lang...)
		case t.Datatype != String:
			b = appendIRI(append(b, "^^"...), t.Datatype)
		}
	}
	return b
}

func appendIRI(b []byte, iri string) []byte {
	b = append(b, '<')
	for i := range len(iri) {
		switch c := iri[i]; {
		case c <= ' ', c == '<', c == '>', c == '"', c == '{', c == '}', c == '|', c == '^', c == '`', c == '\\':
			b = append(b, `\u00`...)
			b = append(b, upperHex[c>>4], upperHex[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '>')
}

const upperHex = "0123456789ABCDEF"

func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		case '\b':
			b = append(b, '\\', 'b')
		case '\f':
			b = append(b, '\\', 'f')
		default:
			if c < ' ' || c == 0x7F {
				b = append(b, `\u00`...)
				b = append(b, upperHex[c>>4], upperHex[c&15])
			} else {
				b = append(b, c)
			}
		}
	}
	return append(b, '"')
}

// appendQuad writes a quad with its dot, without the end of the line.
func appendQuad(b []byte, q Quad) []byte {
	b = append(appendTerm(b, q.Subject), ' ')
	b = append(appendTerm(b, q.Predicate), ' ')
	b = append(appendTerm(b, q.Object), ' ')
	if q.Graph.Kind != None {
		b = append(appendTerm(b, q.Graph), ' ')
	}
	return append(b, '.')
}
