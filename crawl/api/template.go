package api

import (
	"fmt"
	"net/url"
	"strings"
)

// Template is text with places to fill in: {page}, {base}, {id}, {account.id}. Values are escaped as
// their place in a URL asks for; {base} and {origin}, and places with a plus sign as in {+next}, are put in as
// they are. In the body of a request places have two braces, {{cursor}}, since bodies are full of single ones.
type Template []piece

type piece struct {
	text  string // before the place
	place string // "" at the end
	plain bool
}

// ParseTemplate reads a template of a URL.
func ParseTemplate(s string) (Template, error) { return parseTemplate(s, "{", "}") }

// ParseBody reads a template of a body.
func ParseBody(s string) (Template, error) { return parseTemplate(s, "{{", "}}") }

// maxPieces bounds a template.
const maxPieces = 1000

func parseTemplate(s, left, right string) (Template, error) {
	var t Template
	for rest := s; ; {
		open := strings.Index(rest, left)
		if open < 0 {
			return append(t, piece{text: rest}), nil
		}
		inside := rest[open+len(left):]
		end := strings.Index(inside, right)
		if end < 0 || !isPlace(inside[:end]) { // other braces
			t = append(t, piece{text: rest[:open+1]})
			rest = rest[open+1:]
		} else {
			name := inside[:end]
			t = append(t, piece{text: rest[:open], place: strings.TrimPrefix(name, "+"), plain: name[0] == '+' || name == "base" || name == "origin"})
			rest = inside[end+len(right):]
		}
		if len(t) > maxPieces {
			return nil, fmt.Errorf("template %.40q: too many braces", s)
		}
	}
}

// isPlace tells names from other text in braces.
func isPlace(s string) bool {
	s = strings.TrimPrefix(s, "+")
	if s == "" || len(s) > 60 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '-' || c == '@' || c == '#') {
			return false
		}
	}
	return true
}

// values gives what stands at a place.
type values func(place string) (string, bool)

// URL fills the template in as a URL; ok is false when a value is missing. A base that has a query of its
// own is followed by more of it.
func (t Template) URL(v values) (string, bool) {
	s, ok := t.fill(v, func(text, before string) string {
		if strings.Contains(before, "?") {
			return url.QueryEscape(text)
		}
		return url.PathEscape(text)
	})
	if !ok {
		return "", false
	}
	if i := strings.IndexByte(s, '?'); i >= 0 {
		s = s[:i+1] + strings.ReplaceAll(s[i+1:], "?", "&")
	}
	return s, true
}

// Text fills the template in as a body: JSON strings are escaped by their quotes' rules.
func (t Template) Text(v values) (string, bool) {
	return t.fill(v, func(text, _ string) string {
		return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(text)
	})
}

func (t Template) fill(v values, escape func(text, before string) string) (string, bool) {
	var b strings.Builder
	for _, p := range t {
		b.WriteString(p.text)
		if p.place == "" {
			continue
		}
		s, ok := v(p.place)
		if !ok {
			return "", false
		}
		if !p.plain {
			s = escape(s, b.String())
		}
		b.WriteString(s)
	}
	return b.String(), true
}

// uses tells whether the template has a place.
func (t Template) uses(place string) bool {
	for _, p := range t {
		if p.place == place {
			return true
		}
	}
	return false
}
