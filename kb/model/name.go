package model

import (
	"fmt"
	"strings"
	"time"

	"varve/kb/rdf"
	"varve/web/canon"
)

// Name names something of an archive.
//
//	urn:varve:collection:news
//	urn:varve:crawl:news:20260110T120000Z
//	urn:varve:file:news:00001.warc.gz
//	urn:varve:capture:news:20260110120000:http://news.example/
//	urn:varve:version:news:20260110120000:http://news.example/                       by its first capture
//	urn:varve:captures:news:20260110120000-20260610120000.5:http://news.example/         all captures of an address in a time, the last one too
//	urn:varve:capture:news:20260110120000:http://news.example/form#example,news)/form?__wb_method=post&a=1
//	urn:varve:capture:news:20260110120000:http://news.example/+mention.12-20         something found in it
//
// In addresses, keys and names of files, characters that IRIs cannot have and % # + are written as %XX. The key stands there where it is not that of the
// address alone.
type Name struct {
	Kind       NameKind
	Collection string
	Local      string    // of a crawl, a file or a package
	URL        string    // of a capture, a version or captures
	Key        string    // of the index; "" is that of URL
	Time       time.Time // of a capture; of a version or of captures: of the first
	Until      time.Time // of captures: of the last
	Part       string    // of what was found in it
}

// NameKind says what a name is of.
type NameKind string

// The kinds of names.
const (
	OfCollection NameKind = "collection"
	OfCrawl      NameKind = "crawl"
	OfFile       NameKind = "file"
	OfCapture    NameKind = "capture"
	OfVersion    NameKind = "version"
	OfCaptures   NameKind = "captures"
	OfPackage    NameKind = "package"
)

// CaptureName returns the name of a capture; key is that of the index.
func CaptureName(collection, url, key string, at time.Time) Name {
	n := Name{Kind: OfCapture, Collection: collection, URL: url, Time: at}
	if key != canon.SURT(url) {
		n.Key = key
	}
	return n
}

const scheme = "urn:varve:"

// stamp is how instants are written; fractions of seconds only where there are some.
const stamp = "20060102150405.999999999"

// IRI returns the name as an IRI.
func (n Name) IRI() rdf.Term {
	s := scheme + string(n.Kind) + ":" + n.Collection
	switch n.Kind {
	case OfCrawl, OfFile, OfPackage:
		s += ":" + escape(n.Local)
	case OfCapture, OfVersion, OfCaptures:
		s += ":" + n.Time.UTC().Format(stamp)
		if n.Kind == OfCaptures {
			s += "-" + n.Until.UTC().Format(stamp)
		}
		s += ":" + escape(n.URL)
		if n.Key != "" {
			s += "#" + escape(n.Key)
		}
	}
	if n.Part != "" {
		s += "+" + n.Part
	}
	return rdf.NewIRI(s)
}

// ParseName reads a name; ok is false for what is none of ours.
func ParseName(iri string) (n Name, ok bool) {
	rest, ok := strings.CutPrefix(iri, scheme)
	if !ok {
		return Name{}, false
	}
	rest, n.Part, _ = strings.Cut(rest, "+")
	kind, rest, _ := strings.Cut(rest, ":")
	n.Kind = NameKind(kind)
	n.Collection, rest, ok = strings.Cut(rest, ":")
	if n.Collection == "" {
		return Name{}, false
	}
	switch n.Kind {
	case OfCollection:
		return n, !ok
	case OfCrawl, OfFile, OfPackage:
		n.Local, ok = unescape(rest)
		return n, ok && n.Local != ""
	case OfCapture, OfVersion, OfCaptures:
	default:
		return Name{}, false
	}
	when, where, ok := strings.Cut(rest, ":")
	if !ok {
		return Name{}, false
	}
	if n.Kind == OfCaptures {
		var until string
		when, until, _ = strings.Cut(when, "-")
		if n.Until, ok = instant(until); !ok {
			return Name{}, false
		}
	}
	if n.Time, ok = instant(when); !ok {
		return Name{}, false
	}
	where, key, _ := strings.Cut(where, "#")
	if n.URL, ok = unescape(where); !ok || n.URL == "" {
		return Name{}, false
	}
	n.Key, ok = unescape(key)
	return n, ok
}

// IndexKey returns the key of the index that a capture, a version or captures have.
func (n Name) IndexKey() string {
	if n.Key != "" {
		return n.Key
	}
	return canon.SURT(n.URL)
}

func instant(s string) (time.Time, bool) {
	t, err := time.Parse(stamp, s)
	return t, err == nil
}

func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c <= ' ', c >= 0x7F, strings.IndexByte("%#+<>\"{}|^`\\", c) >= 0:
			fmt.Fprintf(&b, "%%%02X", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func unescape(s string) (string, bool) {
	if strings.IndexByte(s, '%') < 0 {
		return s, true
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		var c byte
		if i+3 > len(s) {
			return "", false
		}
		if n, err := fmt.Sscanf(s[i+1:i+3], "%02X", &c); n != 1 || err != nil {
			return "", false
		}
		b.WriteByte(c)
		i += 2
	}
	return b.String(), true
}

// Entity returns the IRI of what a name names. Whatever has the same name has the same IRI: nobody has told them apart yet.
func Entity(name string) rdf.Term { return rdf.NewIRI(scheme + "entity:" + escape(name)) }

// EntityName returns the name that is in the IRI of an entity; false if it is none.
func EntityName(t rdf.Term) (string, bool) {
	escaped, ok := strings.CutPrefix(t.Value, scheme+"entity:")
	if !ok {
		return "", false
	}
	return unescape(escaped)
}

// Topic returns the IRI of the topic that a term stands for.
func Topic(term string) rdf.Term { return rdf.NewIRI(scheme + "topic:" + escape(term)) }

// IRI returns the IRI of a class or property of the ontology.
func IRI(local string) rdf.Term { return rdf.NewIRI(NS + local) }
