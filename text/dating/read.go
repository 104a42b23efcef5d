package dating

import (
	"bytes"
	"strings"

	"varve/web/markup"
)

// Stamps are the dates that a page states.
type Stamps struct {
	List  []Finding
	hints hints // for the day of publication
}

// maxStamps bounds what one page may state, maxTries how much of it is read as dates.
const (
	maxStamps = 256
	maxTries  = 2048
)

// Reader finds the stamps of pages that somebody walks over: it is a subscriber of that walk. It is not for concurrent use.
type Reader struct {
	list   []Finding
	items  []Finding // of time elements
	jsonld bool
	raw    bool
	timed  bool   // inside of a time element without datetime
	tail   []byte // the last words of the page
	tries  int
	hints  hints
}

var wanted = markup.Of(markup.Start, markup.End, markup.Text, markup.Raw, markup.Drawing)

// Begin implements markup.Subscriber.
func (r *Reader) Begin([]byte) markup.Kinds {
	*r = Reader{items: r.items[:0], tail: r.tail[:0], hints: hints{class: r.hints.class}}
	return wanted
}

// Stamps returns what the page states that was walked over last.
func (r *Reader) Stamps() Stamps {
	r.footer()
	r.times()
	return Stamps{r.list, r.hints}
}

// Token implements markup.Subscriber.
func (r *Reader) Token(t *markup.Token) {
	if len(r.list) >= maxStamps {
		return
	}
	switch t.Kind {
	case markup.Start:
		r.start(t)
		r.hints.start(t)
	case markup.End:
		r.raw, r.jsonld, r.timed = false, false, false
		r.hints.end(t.Element)
	case markup.Text, markup.Raw:
		switch {
		case len(t.Data) == 0:
		case r.jsonld:
			r.structured(t.Data)
		case !r.raw:
			r.hints.text(t.Data, r.tail)
			r.words(t.Data)
		case t.Element == elTitle:
			r.hints.title(t.Data)
		}
	}
}

// role is what an element may say of a date.
type role uint8

const (
	noRole  role = iota
	rawText      // no text of the page
	script       // the same, or structured data
	meta
	timed
	thing // that may be a date by its itemprop
)

var roles = markup.Table(map[string]role{"style title textarea": rawText, "script": script, "meta": meta, "time": timed, "span div p abbr": thing})

func (r *Reader) start(t *markup.Token) {
	what := roles[t.Element]
	r.raw = what == rawText || what == script
	switch what {
	case script:
		r.jsonld = strings.EqualFold(value(t, "type"), "application/ld+json")
	case meta:
		r.meta(t)
	case timed:
		r.time(t)
	case thing:
		if len(t.Attrs) > 1 && strings.EqualFold(value(t, "itemprop"), "dateModified") {
			r.add(Microdata, firstOf(value(t, "content"), value(t, "datetime"), value(t, "title")))
		}
	}
}

// value returns the value of an attribute, without quotes around it.
func value(t *markup.Token, key string) string {
	val := t.Get(key)
	if len(val) == 0 {
		return ""
	}
	return markup.Value(bytes.Trim(val, `"'`))
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
	"article.created": Published, "article_date_original": Published, "article:post_date": Published, "article.published": Published,
	"article:published": Published, "article:published_date": Published, "article:publicationdate": Published, "bt:pubdate": Published,
	"cxenseparse:recs:publishtime": Published, "date_published": Published, "dateposted": Published, "dc.date.publication": Published,
	"dc:created": Published, "dc:date": Published, "dcsext.articlefirstpublished": Published, "displaydate": Published, "doc_date": Published,
	"mediator_published_time": Published, "og:article:published": Published, "og:article:published_time": Published, "og:datepublished": Published,
	"og:pubdate": Published, "og:publish_date": Published, "og:question:published_time": Published, "og:regdate": Published,
	"originalpublicationdate": Published, "pdate": Published, "ptime": Published, "publish_date": Published, "publish_time": Published,
	"published-date": Published, "published_date": Published, "published_time": Published, "publisheddate": Published, "rbpubdate": Published,
	"rnews:datepublished": Published, "shareaholic:article_published_time": Published, "twt-published-at": Published, "vr:published_time": Published,
	"analyticsattributes.articledate": Published, "created": Published, "date_created": Published, "datecreated": Published, "dc.created": Published,
	"content_create_date": Published,
}

func (r *Reader) meta(t *markup.Token) {
	for _, key := range []string{"property", "name", "itemprop", "http-equiv"} {
		name := strings.ToLower(value(t, key))
		if s, ok := metas[name]; ok {
			said := firstOf(value(t, "content"), value(t, "datetime"))
			r.add(s, said)
			r.hints.meta(s, name, said)
			return
		}
		r.hints.property(name, t)
	}
}

// time reads a time element. Schema.org may say what it is.
func (r *Reader) time(t *markup.Token) {
	said := firstOf(value(t, "datetime"), value(t, "content"))
	switch strings.ToLower(value(t, "itemprop")) {
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
	if r.tries++; r.tries > maxTries || len(r.items) >= maxStamps {
		return
	}
	if f := found(TimeElement, said); f.Refused == "" {
		r.items = append(r.items, f)
	}
}

// times makes findings of the time elements: one is a date of the page, several are a list with a newest item.
func (r *Reader) times() {
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
func (r *Reader) add(s Source, said string) {
	if r.tries++; r.tries > maxTries {
		return
	}
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
