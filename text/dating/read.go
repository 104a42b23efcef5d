package dating

import (
	"bytes"
	"html"
	"strings"

	"github.com/tdewolff/parse/v2"
	lexer "github.com/tdewolff/parse/v2/html"
)

// Stamps are the dates that a page states.
type Stamps struct {
	List []Finding
}

// maxStamps bounds what one page may state.
const maxStamps = 256

// Read finds the stamps of an HTML page in UTF-8, in one pass.
func Read(page []byte) Stamps {
	r := &reader{}
	lex := lexer.NewLexer(parse.NewInputBytes(page[:len(page):len(page)]))
	for r.step(lex) && len(r.list) < maxStamps {
	}
	r.footer()
	r.times()
	return Stamps{r.list}
}

// reader is one reading of a page.
type reader struct {
	list   []Finding
	items  []Finding // of time elements
	name   string
	attrs  map[string]string
	jsonld bool
	raw    bool
	timed  bool   // inside of a time element without datetime
	tail   []byte // the last words of the page
}

func (r *reader) step(lex *lexer.Lexer) bool {
	kind, data := lex.Next()
	switch kind {
	case lexer.ErrorToken:
		return false
	case lexer.StartTagToken:
		r.name = string(lex.Text())
		r.start(lex)
	case lexer.EndTagToken:
		r.raw, r.jsonld, r.timed = false, false, false
	case lexer.TextToken:
		switch {
		case r.jsonld:
			r.structured(data)
		case !r.raw:
			r.words(data)
		}
	}
	return true
}

// interesting are the elements whose attributes are read.
var interesting = map[string]bool{"meta": true, "time": true, "script": true, "style": true, "span": true, "div": true, "p": true, "abbr": true}

func (r *reader) start(lex *lexer.Lexer) {
	r.raw = r.name == "script" || r.name == "style" || r.name == "title" || r.name == "textarea"
	if !interesting[r.name] {
		return
	}
	r.attrs = map[string]string{}
	for {
		kind, _ := lex.Next()
		if kind != lexer.AttributeToken {
			break
		}
		switch key := string(lex.AttrKey()); key {
		case "name", "property", "itemprop", "http-equiv", "content", "datetime", "type", "title", "pubdate":
			r.attrs[key] = html.UnescapeString(string(bytes.Trim(lex.AttrVal(), `"'`)))
		}
	}
	switch {
	case r.name == "script":
		r.jsonld = strings.EqualFold(r.attrs["type"], "application/ld+json")
	case r.name == "meta":
		r.meta()
	case r.name == "time":
		r.time()
	case strings.EqualFold(r.attrs["itemprop"], "dateModified"):
		r.add(Microdata, firstOf(r.attrs["content"], r.attrs["datetime"], r.attrs["title"]))
	}
}

// metas are the names of meta elements that state a date.
var metas = map[string]Source{
	"article:modified_time": Meta, "og:updated_time": Meta, "og:article:modified_time": Meta, "last-modified": Meta, "lastmod": Meta, "revised": Meta,
	"dcterms.modified": Meta, "dc.date.modified": Meta, "dc.modified": Meta, "modified": Meta, "date.modified": Meta, "date_modified": Meta,
	"datemodified": Meta, "last_modified": Meta, "dateupdated": Meta, "updated_time": Meta, "rnews:datemodified": Meta,
	"article:published_time": Published, "og:published_time": Published, "datepublished": Published, "date": Published, "dc.date": Published,
	"dc.date.issued": Published, "dcterms.created": Published, "dcterms.issued": Published, "dcterms.date": Published, "pubdate": Published,
	"publishdate": Published, "publish-date": Published, "citation_publication_date": Published, "parsely-pub-date": Published,
	"sailthru.date": Published, "dc.date.created": Published, "citation_date": Published, "publication_date": Published,
}

func (r *reader) meta() {
	for _, key := range []string{"property", "name", "itemprop", "http-equiv"} {
		if s, ok := metas[strings.ToLower(r.attrs[key])]; ok {
			r.add(s, r.attrs["content"])
			return
		}
	}
}

// time reads a time element. Schema.org may say what it is.
func (r *reader) time() {
	said := firstOf(r.attrs["datetime"], r.attrs["content"])
	switch strings.ToLower(r.attrs["itemprop"]) {
	case "datemodified":
		r.add(Microdata, said)
		return
	case "datepublished":
		r.add(Published, said)
		return
	}
	if said == "" {
		r.timed = true
		return
	}
	if f := found(TimeElement, said); f.Refused == "" && len(r.items) < maxStamps {
		r.items = append(r.items, f)
	}
}

// times makes findings of the time elements: one is a date of the page, several are a list with a newest item.
func (r *reader) times() {
	if len(r.items) == 0 {
		return
	}
	newest := r.items[0]
	for _, f := range r.items {
		if f.Time.After(newest.Time) {
			newest = f
		}
	}
	if len(r.items) > 1 {
		newest.Source, newest.Confidence = Newest, confidence[Newest]
	}
	r.list = append(r.list, newest)
}

// add keeps a stamp that can be read.
func (r *reader) add(s Source, said string) {
	if f := found(s, said); f.Refused == "" {
		r.list = append(r.list, f)
	}
}

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}
