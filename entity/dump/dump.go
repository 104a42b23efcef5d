// Package dump reads dumps of knowledge bases and says what they say as statements about entities.
//
//	wikidata   JSON of Wikidata: labels, aliases, classes, dates, coordinates, which item refers to which, pages of Wikipedia that are the same
//	mediawiki  XML of any MediaWiki: titles, redirects, disambiguation pages, links with their text, categories, coordinates; items of Wikibase inside
//	rdf        N-Triples, Turtle and other RDF of DBpedia and YAGO: the properties that both use for the same
//	table      CSV and TSV with a line of column names
//
// Files may be packed (gzip, bzip2, zstd): seen from their first bytes.
//
// Ids: an item of Wikidata is Q42, a page enwiki:Douglas Adams (so is http://dbpedia.org/resource/Douglas_Adams), a resource of YAGO yago:Douglas_Adams, anything
// else its IRI. Where a dump says that two are the same, what others say of the first goes to the second when the base is built; so dumps complete each other.
//
// A dump is read unit by unit (line, page, quad). What cannot be read is a bug with its place, and reading goes on behind it. A dump that ends too early, or whose syntax is lost,
// ends with an *Error; what was read stays. Memory is bounded by the largest unit, which is at most MaxUnit.
package dump

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"varve/entity"
	"varve/kb/rdf"
)

// MaxUnit is the largest unit, in bytes.
const MaxUnit = 64 << 20

// Format is a format of dumps.
type Format string

// The formats.
const (
	Wikidata  Format = "wikidata"
	MediaWiki Format = "mediawiki"
	RDF       Format = "rdf"
	Table     Format = "table"
)

// Formats are all formats.
var Formats = []Format{Wikidata, MediaWiki, RDF, Table}

// Sink takes what a dump says. base.Source is one.
type Sink interface {
	Add(entity.Statement)
	Bug(text string) // a place that could not be read as it is
	Unit() error     // a unit was read whole
}

// Options say how a dump is read.
type Options struct {
	Name      string   // of the file, by which formats and separators are told apart
	Languages []string // of names, by ISO 639-1, the first is that of labels; none: en
	Wiki      string   // which wiki an XML dump is, such as enwiki; "": what it says itself
	Skip      int64    // units that were read before
}

// Error is why a dump could not be read to its end, and where.
type Error struct {
	Place string // such as "line 12" or "byte 4711, page Berlin"
	Err   error
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("%s: %v", e.Place, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// FormatOf returns the format of a file by its name; "" if it is not known.
func FormatOf(name string) Format {
	bare := strings.ToLower(Bare(name))
	switch ext := path.Ext(bare); {
	case ext == ".json":
		return Wikidata
	case ext == ".xml":
		return MediaWiki
	case ext == ".csv", ext == ".tsv":
		return Table
	case rdf.FormatOf(bare) != 0:
		return RDF
	}
	return ""
}

// Bare returns the name of a file without the ending that says how it is packed.
func Bare(name string) string {
	for _, ext := range []string{".gz", ".bz2", ".zst"} {
		name = strings.TrimSuffix(name, ext)
	}
	return name
}

// Unpack returns the content of a file that may be packed.
func Unpack(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 1<<20)
	head, err := b.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch s := string(head); {
	case strings.HasPrefix(s, "\x1f\x8b"):
		return gzip.NewReader(b)
	case strings.HasPrefix(s, "BZh"):
		return bzip2.NewReader(b), nil
	case s == "\x28\xb5\x2f\xfd":
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<30))
		return z, err
	}
	return b, nil
}

// Read reads a dump that is not packed.
func Read(ctx context.Context, r io.Reader, f Format, o Options, to Sink) error {
	if len(o.Languages) == 0 {
		o.Languages = []string{"en"}
	}
	d := reading{ctx: ctx, o: o, to: to, left: o.Skip}
	switch f {
	case Wikidata:
		return d.wikidata(r)
	case MediaWiki:
		return d.mediawiki(r)
	case RDF:
		return d.rdf(r)
	case Table:
		return d.table(r)
	}
	return fmt.Errorf("there is no format %q: the formats are %q", f, Formats)
}

// reading is a dump while it is read.
type reading struct {
	ctx  context.Context
	o    Options
	to   Sink
	left int64 // units that are to be passed over
}

// skip reports whether a unit was read before.
func (d *reading) skip() bool {
	if d.left > 0 {
		d.left--
		return true
	}
	return false
}

func (d *reading) say(subject string, s entity.Says, text string) {
	if subject != "" && text != "" {
		d.to.Add(entity.Statement{Subject: subject, Says: s, Text: text})
	}
}

// names says what an entity is called in the languages that are wanted: the first is its label.
func (d *reading) names(id string, byLanguage map[string]string) {
	label := false
	for _, lang := range d.o.Languages {
		if text := byLanguage[lang]; text != "" && !label {
			d.say(id, entity.HasLabel, text)
			label = true
		} else {
			d.say(id, entity.HasAlias, text)
		}
	}
}

// date says when an entity begins or ends, if that can be read.
func (d *reading) date(id string, s entity.Says, text, place string) {
	if _, _, err := entity.ParseDays(text); err != nil {
		d.to.Bug(fmt.Sprintf("%s: %s: %v", place, id, err))
		return
	}
	d.say(id, s, text)
}

func (d *reading) place(id, text, place string) {
	if _, err := entity.ParsePlace(text); err != nil {
		d.to.Bug(fmt.Sprintf("%s: %s: %v", place, id, err))
		return
	}
	d.say(id, entity.LiesAt, text)
}

// pageID returns the id of a page of a wiki.
func pageID(wiki, title string) string {
	title = strings.TrimSpace(strings.ReplaceAll(title, "_", " "))
	if title == "" {
		return ""
	}
	first, n := utf8.DecodeRuneInString(title)
	return wiki + ":" + string(unicode.ToUpper(first)) + title[n:]
}

// ID returns the id of an IRI.
func ID(iri string) string {
	rest, ok := strings.CutPrefix(iri, "http://")
	if !ok {
		if rest, ok = strings.CutPrefix(iri, "https://"); !ok {
			return iri
		}
	}
	host, name, _ := strings.Cut(rest, "/")
	host = strings.TrimPrefix(host, "www.")
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		switch dir := name[:i]; {
		case host == "wikidata.org" && (dir == "entity" || dir == "wiki"):
			return name[i+1:]
		case host == "yago-knowledge.org" && dir == "resource":
			return "yago:" + name[i+1:]
		}
	}
	lang, site, _ := strings.Cut(host, ".")
	if host == "dbpedia.org" {
		lang, site = "en", host
	}
	title, resource := strings.CutPrefix(name, "resource/")
	if page, ok := strings.CutPrefix(name, "wiki/"); ok && site == "wikipedia.org" {
		title = page
	} else if !resource || site != "dbpedia.org" {
		return iri
	}
	if plain, err := url.PathUnescape(title); err == nil {
		title = plain
	}
	return pageID(lang+"wiki", title)
}

// titleOf returns what an id is called, for want of a label: the last part of it, without underscores, and without what stands in brackets at its end.
func titleOf(id string) string {
	if i := strings.LastIndexAny(id, "/#"); i >= 0 {
		id = id[i+1:]
	} else if _, name, ok := strings.Cut(id, ":"); ok {
		id = name
	}
	return withoutBrackets(strings.ReplaceAll(id, "_", " "))
}

// withoutBrackets returns "Mercury" for "Mercury (planet)", and for "Mercury, Nevada" that.
func withoutBrackets(title string) string {
	if i := strings.LastIndex(title, " ("); i > 0 && strings.HasSuffix(title, ")") {
		return title[:i]
	}
	return title
}

// spoken reports whether a language is wanted; "" is none, and wanted.
func (d *reading) spoken(lang string) bool {
	lang, _, _ = strings.Cut(lang, "-")
	return lang == "" || slices.Contains(d.o.Languages, lang)
}

// lines reads lines of any length, of which those longer than MaxUnit are bugs.
type lines struct {
	r      *bufio.Reader
	number int   // of the line that was read last, from 1
	offset int64 // behind it
	whole  bool  // the line has an end
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, 1<<20)} }

var errLong = fmt.Errorf("longer than %d bytes", MaxUnit)

// next returns the next line without its end, which is valid until the one after it. A line that is too long is errLong, and passed over.
func (l *lines) next() ([]byte, error) {
	var long []byte
	tooLong := false
	for {
		part, err := l.r.ReadSlice('\n')
		l.offset += int64(len(part))
		full := errors.Is(err, bufio.ErrBufferFull)
		if tooLong = tooLong || len(long)+len(part) > MaxUnit; !tooLong && (full || long != nil) {
			long = append(long, part...)
		}
		if full {
			continue
		}
		if long != nil {
			part = long
		}
		if err != nil && (!errors.Is(err, io.EOF) || len(part) == 0 && !tooLong) {
			return nil, err
		}
		l.number++
		l.whole = err == nil
		if tooLong {
			return nil, errLong
		}
		return bytes.TrimRight(part, "\r\n"), nil
	}
}
