package canon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxJSONDepth is the deepest nesting that is read.
const maxJSONDepth = 512

// jsonQuery writes the leaves of a JSON document, or of one document per line, as arguments: each
// under the name of the nearest object key, with ".2_", ".3_" added to names seen before. Values
// are written as Python writes them (True, None, 1e-05), because the indexes of the field are.
func jsonQuery(body []byte) (string, error) {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if !utf8.Valid(body) {
		return "", errors.New("not UTF-8")
	}
	var leaves leafSet
	root, err := parseJSON(body)
	if err == nil {
		leaves.add("", root)
		return leaves.query(), nil
	}
	lines := bytes.Split(body, []byte("\n"))
	if len(lines) < 2 {
		return "", err
	}
	for _, line := range lines {
		if root, err = parseJSON(line); err != nil {
			return "", err
		}
		leaves.add("", root)
	}
	return leaves.query(), nil
}

// node is a JSON value: an object (keys and items), an array (items) or a leaf (text).
type node struct {
	keys  []string
	items []node
	leaf  bool
	text  string
}

// parseJSON reads exactly one value.
func parseJSON(text []byte) (node, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	n, err := readNode(d, 0)
	if err != nil {
		return n, err
	}
	if _, err := d.Token(); err != io.EOF {
		return n, fmt.Errorf("more after the value at byte %d", d.InputOffset())
	}
	return n, nil
}

// readNode reads the next value.
func readNode(d *json.Decoder, depth int) (node, error) {
	if depth > maxJSONDepth {
		return node{}, fmt.Errorf("nested deeper than %d", maxJSONDepth)
	}
	t, err := d.Token()
	if err != nil {
		return node{}, err
	}
	switch v := t.(type) {
	case json.Delim:
		return readItems(d, depth, v == '{')
	case string:
		return node{leaf: true, text: v}, nil
	case bool:
		return node{leaf: true, text: map[bool]string{true: "True", false: "False"}[v]}, nil
	case json.Number:
		return node{leaf: true, text: pythonNumber(string(v))}, nil
	}
	return node{leaf: true, text: "None"}, nil
}

// readItems reads an object or array to its end. Of equal keys the last value counts, at the
// place of the first.
func readItems(d *json.Decoder, depth int, object bool) (node, error) {
	var n node
	at := map[string]int{}
	for d.More() {
		i := len(n.items)
		if object {
			t, err := d.Token()
			if err != nil {
				return n, err
			}
			key := t.(string) // the decoder gives only strings here
			if j, seen := at[key]; seen {
				i = j
			} else {
				at[key] = i
				n.keys = append(n.keys, key)
			}
		}
		item, err := readNode(d, depth+1)
		if err != nil {
			return n, err
		}
		if i == len(n.items) {
			n.items = append(n.items, item)
		} else {
			n.items[i] = item
		}
	}
	_, err := d.Token()
	return n, err
}

// leafSet collects named leaves in order.
type leafSet struct {
	names, values []string
	at            map[string]int
	repeats       map[string]int
}

// add collects the leaves below n; name is the nearest key above it.
func (s *leafSet) add(name string, n node) {
	for i, item := range n.items {
		if n.keys != nil {
			s.add(n.keys[i], item)
		} else {
			s.add(name, item)
		}
	}
	if n.leaf && name != "" {
		s.set(s.unused(name), n.text)
	}
}

// unused gives name, or name.N_ for the Nth leaf of that name.
func (s *leafSet) unused(name string) string {
	if _, seen := s.at[name]; !seen {
		return name
	}
	if s.repeats == nil {
		s.repeats = map[string]int{}
	}
	if s.repeats[name] == 0 {
		s.repeats[name] = 1
	}
	s.repeats[name]++
	return name + "." + strconv.Itoa(s.repeats[name]) + "_"
}

func (s *leafSet) set(name, value string) {
	if i, seen := s.at[name]; seen {
		s.values[i] = value
		return
	}
	if s.at == nil {
		s.at = map[string]int{}
	}
	s.at[name] = len(s.names)
	s.names = append(s.names, name)
	s.values = append(s.values, value)
}

// query writes the leaves, as many as the key can hold.
func (s *leafSet) query() string {
	var b []byte
	for i, name := range s.names {
		if b = appendArg(b, name, s.values[i]); len(b) > maxRequestQuery {
			break
		}
	}
	return string(b)
}

// pythonNumber writes a JSON number as Python's str does after reading it.
func pythonNumber(s string) string {
	if !strings.ContainsAny(s, ".eE") {
		if s == "-0" {
			return "0"
		}
		return s
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return s
	}
	if math.IsInf(f, 0) {
		return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(f, 'g', -1, 64), "+"))
	}
	mantissa, exp, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	if n, _ := strconv.Atoi(exp); n < -4 || n >= 16 {
		return mantissa + "e" + exp
	}
	out := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(out, ".") {
		out += ".0"
	}
	return out
}
