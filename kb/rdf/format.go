package rdf

import (
	"mime"
	"path"
	"strings"
)

// Format is a way to write RDF down.
type Format uint8

// The formats.
const (
	NTriples Format = iota + 1
	NQuads
	Turtle
	TriG
	RDFXML
	JSONLD // written, not read
)

// formats has what is known of each format; the first media type and ending are the usual ones.
var formats = [...]struct {
	name    string
	graphs  bool // holds named graphs
	media   []string
	endings []string
}{
	NTriples: {"N-Triples", false, []string{"application/n-triples", "text/plain"}, []string{".nt"}},
	NQuads:   {"N-Quads", true, []string{"application/n-quads"}, []string{".nq"}},
	Turtle:   {"Turtle", false, []string{"text/turtle", "application/x-turtle"}, []string{".ttl", ".n3"}},
	TriG:     {"TriG", true, []string{"application/trig"}, []string{".trig"}},
	RDFXML:   {"RDF/XML", false, []string{"application/rdf+xml", "application/xml", "text/xml"}, []string{".rdf", ".owl", ".xml"}},
	JSONLD:   {"JSON-LD", true, []string{"application/ld+json"}, []string{".jsonld"}},
}

// Formats returns all formats.
func Formats() []Format { return []Format{NTriples, NQuads, Turtle, TriG, RDFXML, JSONLD} }

// String returns the name of the format.
func (f Format) String() string {
	if f == 0 || int(f) >= len(formats) {
		return "unknown format"
	}
	return formats[f].name
}

// MediaType returns the registered media type.
func (f Format) MediaType() string { return formats[f].media[0] }

// Ending returns the usual ending of file names, with its dot.
func (f Format) Ending() string { return formats[f].endings[0] }

// HasGraphs reports whether the format can hold named graphs.
func (f Format) HasGraphs() bool { return formats[f].graphs }

// Readable reports whether Read reads the format.
func (f Format) Readable() bool { return f != JSONLD }

// FormatOf returns the format that a name, a media type (with or without parameters) or a file name means; 0 if none does.
func FormatOf(s string) Format {
	s = strings.ToLower(strings.TrimSpace(s))
	media, _, err := mime.ParseMediaType(s)
	if err != nil {
		media = s
	}
	ending := path.Ext(s)
	for f := NTriples; f <= JSONLD; f++ {
		known := formats[f]
		if s == strings.ToLower(known.name) || "."+s == known.endings[0] {
			return f
		}
		for _, m := range known.media {
			if m == media {
				return f
			}
		}
		for _, e := range known.endings {
			if e == ending {
				return f
			}
		}
	}
	return 0
}
