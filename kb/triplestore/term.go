package triplestore

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"time"

	"varve/archive/durable"
	"varve/kb/rdf"
	"varve/kb/rdf/xsd"
	"varve/kb/sparql"
)

// A number of a term, from the highest bit:
//
//	0 0 hash (62)              in the dictionary
//	0 1 0 0 value (60)         xsd:integer + 2^59
//	0 1 0 1 0.. value (1)      xsd:boolean
//	0 1 0 1 1 count (59)       in the dictionary: a term whose hash another term has (collision.go)
//	0 1 1 0 value (60)         xsd:date without zone, days since 1970 + 2^59
//	0 1 1 1 value (60)         xsd:dateTime in UTC, seconds since 1970 + 2^59
//
// The values keep their order.
const (
	inline     sparql.ID = 1 << 62
	kindShift            = 60
	kindMask   sparql.ID = 3 << kindShift
	valueMask  sparql.ID = 1<<kindShift - 1
	middle     int64     = 1 << 59
	isInteger  sparql.ID = 0 << kindShift
	isBoolean  sparql.ID = 1 << kindShift
	isDate     sparql.ID = 2 << kindShift
	isDateTime sparql.ID = 3 << kindShift
	collided             = inline | isBoolean | 1<<59
)

// inDictionary reports whether the dictionary has the term of a number.
func inDictionary(id sparql.ID) bool { return id&inline == 0 || id >= collided && id < inline|isDate }

// inlined returns the number of a literal that fits into it. It must read back just as it was written.
func inlined(t rdf.Term) (sparql.ID, bool) {
	if t.Kind != rdf.Literal || len(t.Value) > 24 {
		return 0, false
	}
	var kind sparql.ID
	var value int64
	switch t.Datatype {
	case rdf.Integer:
		n, err := strconv.ParseInt(t.Value, 10, 64)
		if err != nil {
			return 0, false
		}
		kind, value = isInteger, n
	case rdf.Boolean:
		kind = isBoolean
		if t.Value == "true" {
			value = 1
		}
	case rdf.Date:
		d, ok := xsd.ParseDate(t.Value)
		if !ok || d.HasZone {
			return 0, false
		}
		kind, value = isDate, d.Unix()/86400
	case rdf.DateTime:
		d, ok := xsd.ParseDateTime(t.Value)
		if !ok || !d.HasZone {
			return 0, false
		}
		kind, value = isDateTime, d.Unix()
	default:
		return 0, false
	}
	if value < -middle || value >= middle {
		return 0, false
	}
	id := inline | kind | sparql.ID(value+middle)
	if kind == isBoolean {
		id = inline | kind | sparql.ID(value)
	}
	back, ok := inlineTerm(id)
	return id, ok && back == t
}

// inlineTerm returns the literal that is in a number.
func inlineTerm(id sparql.ID) (rdf.Term, bool) {
	value := int64(id&valueMask) - middle
	switch id & kindMask {
	case isInteger:
		return rdf.NewLiteral(strconv.FormatInt(value, 10), rdf.Integer), true
	case isBoolean:
		return rdf.NewLiteral(strconv.FormatBool(id&1 == 1), rdf.Boolean), id&valueMask <= 1
	case isDate:
		return rdf.NewLiteral(xsd.DateTime{Time: time.Unix(value*86400, 0).UTC()}.DateString(), rdf.Date), true
	}
	return rdf.NewLiteral(xsd.DateTime{Time: time.Unix(value, 0).UTC(), HasZone: true}.DateTimeString(), rdf.DateTime), true
}

// datatypes that the dictionary writes as one byte. New ones go to the end.
var datatypes = []string{
	rdf.String, rdf.Integer, rdf.Decimal, rdf.Double, rdf.Float, rdf.Boolean, rdf.Date, rdf.DateTime,
	rdf.XSD + "gYear", rdf.XSD + "gYearMonth", rdf.XSD + "anyURI", rdf.XSD + "nonNegativeInteger", rdf.XSD + "int", rdf.XSD + "long",
}

const (
	tagIRI byte = iota + 1
	tagBlank
	tagLang  // tag, language, value
	tagOther // tag, datatype, value
	tagTyped // tag + index of datatypes, value
)

// appendTerm writes a term of the dictionary.
func appendTerm(b []byte, t rdf.Term) []byte {
	switch t.Kind {
	case rdf.IRI:
		return append(append(b, tagIRI), t.Value...)
	case rdf.Blank:
		return append(append(b, tagBlank), t.Value...)
	}
	if t.Lang != "" {
		return append(durable.AppendString(append(b, tagLang), t.Lang), t.Value...)
	}
	for i, d := range datatypes {
		if d == t.Datatype {
			return append(append(b, tagTyped+byte(i)), t.Value...)
		}
	}
	return append(durable.AppendString(append(b, tagOther), t.Datatype), t.Value...)
}

// readTerm reads a term of the dictionary.
func readTerm(b []byte) (rdf.Term, error) {
	if len(b) == 0 {
		return rdf.Term{}, fmt.Errorf("damaged value of the dictionary: it is empty")
	}
	tag, rest := b[0], b[1:]
	cut := func() (string, string, error) {
		n, size := binary.Uvarint(rest)
		if size <= 0 || n > uint64(len(rest)-size) {
			return "", "", fmt.Errorf("damaged value of the dictionary: %q", b)
		}
		return string(rest[size : size+int(n)]), string(rest[size+int(n):]), nil
	}
	switch {
	case tag == tagIRI:
		return rdf.NewIRI(string(rest)), nil
	case tag == tagBlank:
		return rdf.NewBlank(string(rest)), nil
	case tag == tagLang:
		lang, value, err := cut()
		return rdf.NewLang(value, lang), err
	case tag == tagOther:
		datatype, value, err := cut()
		return rdf.NewLiteral(value, datatype), err
	case tag >= tagTyped && int(tag-tagTyped) < len(datatypes):
		return rdf.NewLiteral(string(rest), datatypes[tag-tagTyped]), nil
	}
	return rdf.Term{}, fmt.Errorf("damaged value of the dictionary: kind %d", tag)
}

// numbering is how a store gives numbers to terms.
type numbering struct {
	salt uint64
	hash func([]byte) uint64
}

// of returns the number of a term by its value or hash, and what the dictionary must hold for it, or nil. The bytes are those of scratch.
func (n numbering) of(t rdf.Term, scratch []byte) (sparql.ID, []byte) {
	if t.Kind == rdf.None {
		return sparql.DefaultGraph, nil
	}
	if id, ok := inlined(t); ok {
		return id, nil
	}
	salted := appendTerm(binary.BigEndian.AppendUint64(scratch[:0], n.salt), t)
	return n.id(salted), salted[8:]
}

// again returns the number by the hash of a term of the dictionary.
func (n numbering) again(encoded []byte) sparql.ID {
	return n.id(append(binary.BigEndian.AppendUint64(nil, n.salt), encoded...))
}

func (n numbering) id(salted []byte) sparql.ID {
	id := sparql.ID(n.hash(salted)) & (inline - 1)
	if id <= sparql.DefaultGraph {
		id += 2
	}
	return id
}
