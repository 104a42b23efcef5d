package api

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A tree is JSON or XML as plain values: object, []any, string, number, bool, nil. Members keep their order.

// object is a JSON object, or an XML element: attributes are members with @, text is the member #text,
// children of one name are a list.
type object []member

type member struct {
	name  string
	value any
}

// number is a number as it was written: ids are too long for floating point.
type number string

func (o object) get(name string) (any, bool) {
	for i := range o {
		if o[i].name == name {
			return o[i].value, true
		}
	}
	return nil, false
}

// maxDepth bounds the nesting of an answer, maxNodes its values.
const (
	maxDepth = 200
	maxNodes = 2_000_000
)

// errTooDeep is for answers that are nested too deeply, or too large.
var errTooDeep = errors.New("too deep or too many values")

// Read makes a tree of an answer. Its kind is told by how it begins.
func Read(content []byte) (any, error) {
	content = bytes.TrimLeft(bytes.TrimPrefix(content, []byte("\xef\xbb\xbf")), " \t\r\n")
	if bytes.HasPrefix(content, []byte("<")) {
		return readXML(content)
	}
	return readJSON(content)
}

func readJSON(content []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(content))
	d.UseNumber()
	b := builder{d: d, left: maxNodes}
	v, err := b.value(0)
	if err != nil {
		return nil, fmt.Errorf("JSON at byte %d: %w", d.InputOffset(), err)
	}
	return v, nil
}

// builder makes a tree of JSON tokens.
type builder struct {
	d    *json.Decoder
	left int
}

func (b *builder) value(depth int) (any, error) {
	if b.left--; depth > maxDepth || b.left < 0 {
		return nil, errTooDeep
	}
	t, err := b.d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '{' {
			return b.object(depth)
		}
		if t == '[' {
			return b.list(depth)
		}
		return nil, fmt.Errorf("%q in place of a value", t.String())
	case json.Number:
		return number(t), nil
	case string, bool, nil:
		return t, nil
	}
	return nil, fmt.Errorf("unknown token %v", t)
}

func (b *builder) object(depth int) (any, error) {
	var o object
	for b.d.More() {
		t, err := b.d.Token()
		if err != nil {
			return nil, err
		}
		name, ok := t.(string)
		if !ok {
			return nil, fmt.Errorf("%v in place of a name", t)
		}
		v, err := b.value(depth + 1)
		if err != nil {
			return nil, err
		}
		o = append(o, member{name, v})
	}
	_, err := b.d.Token()
	return o, err
}

func (b *builder) list(depth int) (any, error) {
	out := []any{}
	for b.d.More() {
		v, err := b.value(depth + 1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	_, err := b.d.Token()
	return out, err
}

func readXML(content []byte) (any, error) {
	d := xml.NewDecoder(bytes.NewReader(content))
	d.Strict = false
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	left := maxNodes
	root := object{}
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return root, nil
		}
		if err != nil {
			return nil, fmt.Errorf("XML at byte %d: %w", d.InputOffset(), err)
		}
		if start, ok := t.(xml.StartElement); ok {
			v, err := element(d, start, 0, &left)
			if err != nil {
				return nil, fmt.Errorf("XML at byte %d: %w", d.InputOffset(), err)
			}
			root = append(root, member{start.Name.Local, v})
		}
	}
}

// element reads an element to its end. One with nothing but text is that text.
func element(d *xml.Decoder, start xml.StartElement, depth int, left *int) (any, error) {
	if *left--; depth > maxDepth || *left < 0 {
		return nil, errTooDeep
	}
	var o object
	for _, a := range start.Attr {
		o = append(o, member{"@" + a.Name.Local, a.Value})
	}
	var text strings.Builder
	for {
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.CharData:
			text.Write(t)
		case xml.StartElement:
			v, err := element(d, t, depth+1, left)
			if err != nil {
				return nil, err
			}
			o = o.with(t.Name.Local, v)
		case xml.EndElement:
			s := strings.TrimSpace(text.String())
			if len(o) == 0 {
				return s, nil
			}
			if s != "" {
				o = append(o, member{"#text", s})
			}
			return o, nil
		}
	}
}

// with adds a child; a second one of its name makes a list.
func (o object) with(name string, v any) object {
	for i := range o {
		if o[i].name != name {
			continue
		}
		if list, ok := o[i].value.([]any); ok {
			o[i].value = append(list, v)
		} else {
			o[i].value = []any{o[i].value, v}
		}
		return o
	}
	return append(o, member{name, v})
}
