package websim

import (
	"slices"
	"strings"

	"varve/lab/websim/dice"
)

// Type is the type of a page.
type Type uint8

// The types of pages.
const (
	HTML Type = iota
	CSS
	JS
	PNG
	JPEG
	SVG
	PDF
	JSON
	XML
	TXT
	types
)

var typeNames = [types]string{"html", "css", "js", "png", "jpeg", "svg", "pdf", "json", "xml", "txt"}

var mimes = [types]string{
	"text/html", "text/css", "text/javascript", "image/png", "image/jpeg", "image/svg+xml",
	"application/pdf", "application/json", "application/xml", "text/plain",
}

// String is the name of the type, as in site descriptions.
func (t Type) String() string { return typeNames[min(t, types-1)] }

// MIME is the media type, without parameters.
func (t Type) MIME() string { return mimes[min(t, types-1)] }

// text tells whether a charset belongs to the type.
func (t Type) text() bool {
	return t == HTML || t == CSS || t == JS || t == XML || t == TXT || t == SVG
}

func parseType(s string) (Type, bool) {
	i := slices.Index(typeNames[:], s)
	return Type(max(i, 0)), i >= 0
}

// page tells whether the rule with this key takes the page: the key makes the choice by Share
// independent between rules.
func (m *Match) page(s *site, i int, key uint64) bool {
	if len(m.Type) > 0 && !slices.Contains(m.Type, s.types[i].String()) {
		return false
	}
	if d := s.depth(i); len(m.Depth) > 0 && (d < m.Depth[0] || d > m.Depth[len(m.Depth)-1]) {
		return false
	}
	if m.Path != "" && !glob(m.Path, s.paths[i]) {
		return false
	}
	return m.Share == 0 || m.Share == 1 || dice.Unit(dice.Mix(s.key, key, uint64(i))) < m.Share
}

// glob matches a path: * stands for any characters but a slash, ** for any. The number of stars is
// limited when the description is read, which bounds the work.
func glob(pattern, path string) bool {
	star := strings.IndexByte(pattern, '*')
	if star < 0 {
		return pattern == path
	}
	if !strings.HasPrefix(path, pattern[:star]) {
		return false
	}
	rest, path := pattern[star+1:], path[star:]
	across := strings.HasPrefix(rest, "*")
	if across {
		if rest = rest[1:]; rest == "" {
			return true
		}
	}
	for i := 0; ; i++ {
		if glob(rest, path[i:]) {
			return true
		}
		if i == len(path) || path[i] == '/' && !across {
			return false
		}
	}
}
