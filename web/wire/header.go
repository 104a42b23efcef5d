package wire

import (
	"strings"
)

// Field is one header field as written: case, order and repeats are kept.
type Field struct {
	Name  string
	Value string
}

// Header is a list of fields in the order they were written.
type Header []Field

// Get gives the value of the first field of that name (case does not matter), or "".
func (h Header) Get(name string) string {
	v, _ := h.Lookup(name)
	return v
}

// Lookup is Get that also tells whether the field is there.
func (h Header) Lookup(name string) (string, bool) {
	for i := range h {
		if equalFold(h[i].Name, name) {
			return h[i].Value, true
		}
	}
	return "", false
}

// Has tells whether a field of that name is there.
func (h Header) Has(name string) bool {
	_, ok := h.Lookup(name)
	return ok
}

// Values gives the values of all fields of that name, in order.
func (h Header) Values(name string) []string {
	var vs []string
	for i := range h {
		if equalFold(h[i].Name, name) {
			vs = append(vs, h[i].Value)
		}
	}
	return vs
}

// Add appends a field.
func (h *Header) Add(name, value string) { *h = append(*h, Field{name, value}) }

// Set replaces the first field of that name, drops its repeats, or appends it.
func (h *Header) Set(name, value string) {
	for i := range *h {
		if equalFold((*h)[i].Name, name) {
			(*h)[i].Value = value
			rest := Header((*h)[i+1:])
			rest.Del(name)
			*h = (*h)[:i+1+len(rest)]
			return
		}
	}
	h.Add(name, value)
}

// Del removes all fields of that name.
func (h *Header) Del(name string) {
	kept := (*h)[:0]
	for _, f := range *h {
		if !equalFold(f.Name, name) {
			kept = append(kept, f)
		}
	}
	*h = kept
}

// Clone gives a copy that shares nothing but the immutable strings.
func (h Header) Clone() Header { return append(Header(nil), h...) }

// Tokens gives the comma-separated members of all fields of that name, trimmed and in lower case.
func (h Header) Tokens(name string) []string {
	var out []string
	for i := range h {
		if !equalFold(h[i].Name, name) {
			continue
		}
		for part := range strings.SplitSeq(h[i].Value, ",") {
			if part = strings.TrimSpace(part); part != "" {
				out = append(out, strings.ToLower(part))
			}
		}
	}
	return out
}

// equalFold compares field names; lengths first, since most comparisons fail there.
func equalFold(a, b string) bool { return len(a) == len(b) && strings.EqualFold(a, b) }

// Problem is something forgiven while parsing. Line counts from 1 at the first line given.
type Problem struct {
	Line int
	What string
}

// ParseFields parses header lines up to the end of s (no blank line in it) and appends them to
// dst. Folded lines are joined with one space. firstLine is the number of the first line of s.
func ParseFields(dst Header, s string, firstLine int) (Header, []Problem) {
	var problems []Problem
	start := len(dst)
	for line := firstLine; len(s) > 0; line++ {
		var text string
		text, s = cutLine(s)
		if text == "" {
			continue
		}
		if (text[0] == ' ' || text[0] == '\t') && len(dst) > start {
			last := &dst[len(dst)-1]
			last.Value = strings.TrimSpace(last.Value + " " + strings.TrimSpace(text))
			problems = append(problems, Problem{line, "folded header line"})
			continue
		}
		colon := strings.IndexByte(text, ':')
		if colon <= 0 {
			problems = append(problems, Problem{line, "header line without a name and colon"})
			continue
		}
		name := text[:colon]
		if c := name[len(name)-1]; c == ' ' || c == '\t' {
			name = strings.TrimRight(name, " \t")
			problems = append(problems, Problem{line, "space before the colon"})
		}
		dst = append(dst, Field{name, trimSpace(text[colon+1:])})
	}
	return dst, problems
}

// cutLine splits off the first line, without its line end (CRLF or LF).
func cutLine(s string) (line, rest string) {
	i := strings.IndexByte(s, '\n')
	if i < 0 {
		return s, ""
	}
	line, rest = s[:i], s[i+1:]
	if i > 0 && line[i-1] == '\r' {
		line = line[:i-1]
	}
	return line, rest
}

// trimSpace trims blanks and tabs, the only space that surrounds a value.
func trimSpace(s string) string {
	for len(s) > 0 && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	for len(s) > 0 && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t') {
		s = s[:len(s)-1]
	}
	return s
}
