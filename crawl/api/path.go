package api

import (
	"fmt"
	"strconv"
	"strings"
)

// Path names values in a tree of JSON or XML:
//
//	title.rendered       the member rendered of the member title
//	[*].id               the member id of every element of a list
//	query.pages.*        every member of pages, whatever its name
//	data.edges[0].node   the first element
//	feed.link.@href      an attribute of an XML element
//
// The empty path is the whole. A list of one element and the element itself are the same to it, since XML
// does not tell them apart.
type Path []step

// step is one step of a path: a name, an index, or all.
type step struct {
	name  string
	index int // of a list, where isIndex
	kind  stepKind
}

type stepKind uint8

const (
	stepName stepKind = iota
	stepIndex
	stepAll // of a list
	stepAny // of an object
)

// maxSteps bounds a path.
const maxSteps = 32

// ParsePath reads a path.
func ParsePath(s string) (Path, error) {
	var p Path
	rest := strings.TrimPrefix(s, "$")
	for at := 0; rest != ""; at = len(s) - len(rest) {
		var st step
		var err error
		if rest[0] == '[' {
			st, rest, err = parseIndex(rest)
		} else {
			rest = strings.TrimPrefix(rest, ".")
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			st, rest = nameStep(rest[:end]), rest[end:]
			if st.name == "" && st.kind == stepName {
				err = fmt.Errorf("a name is missing")
			}
		}
		if err != nil {
			return nil, fmt.Errorf("path %q at %d: %w", s, at, err)
		}
		if p = append(p, st); len(p) > maxSteps {
			return nil, fmt.Errorf("path %q: more than %d steps", s, maxSteps)
		}
	}
	return p, nil
}

func nameStep(s string) step {
	if s == "*" {
		return step{kind: stepAny}
	}
	return step{name: s}
}

// parseIndex reads [n] or [*].
func parseIndex(s string) (step, string, error) {
	end := strings.IndexByte(s, ']')
	if end < 0 {
		return step{}, "", fmt.Errorf("no ]")
	}
	inner, rest := s[1:end], s[end+1:]
	if inner == "*" {
		return step{kind: stepAll}, rest, nil
	}
	n, err := strconv.Atoi(inner)
	if err != nil || n < 0 || n > 1<<20 {
		return step{}, "", fmt.Errorf("index %q", inner)
	}
	return step{index: n, kind: stepIndex}, rest, nil
}

// maxValues bounds what one path gives of one answer.
const maxValues = 100_000

// Values gives the values that the path names, in order, up to a limit that nothing but the items of a list reaches.
func (p Path) Values(tree any) []any {
	found, _ := p.within(tree, maxValues)
	return found
}

// within gives at most so many values that the path names, in order, and how many were cut off on the way.
func (p Path) within(tree any, most int) (found []any, cut int) {
	found = []any{tree}
	for _, st := range p {
		var next []any
		for _, v := range found {
			if next = st.walk(v, next); len(next) > most {
				cut += len(next) - most
				next = next[:most]
			}
		}
		found = next
	}
	return found, cut
}

// walk appends what one step leads to.
func (st step) walk(v any, out []any) []any {
	switch v := v.(type) {
	case object:
		switch st.kind {
		case stepName:
			if m, ok := v.get(st.name); ok {
				return append(out, m)
			}
		case stepAny:
			for _, m := range v {
				out = append(out, m.value)
			}
		case stepAll: // a list of one, in XML
			return append(out, v)
		case stepIndex:
			if st.index == 0 {
				return append(out, v)
			}
		}
	case []any:
		switch st.kind {
		case stepAll:
			return append(out, v...)
		case stepIndex:
			if st.index < len(v) {
				return append(out, v[st.index])
			}
		default: // a name of a list is that of its elements
			for _, e := range v {
				out = st.walk(e, out)
			}
		}
	case string:
		if st.kind == stepAll {
			return append(out, v)
		}
	}
	return out
}

// Text gives the first value that is text, a number or true or false.
func (p Path) Text(tree any) (string, bool) {
	for _, v := range p.Values(tree) {
		if s, ok := textOf(v); ok {
			return s, true
		}
	}
	return "", false
}

// textOf writes a value as it would stand in a URL.
func textOf(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case number:
		return string(v), true
	case bool:
		return strconv.FormatBool(v), true
	case object: // an XML element with attributes
		if t, ok := v.get("#text"); ok {
			return textOf(t)
		}
	}
	return "", false
}
