package ui

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"varve"
	"varve/archive/cdxj"
	"varve/serve/holdings"
	"varve/serve/memento"
	"varve/serve/message"
	"varve/serve/search"
	"varve/serve/strip"
)

// documentData is what the page of a document shows: one version of a page, and what surrounds it.
type documentData struct {
	*search.Document
	Home      *holdings.Collection
	Number    int // of the version, from 1
	Strip     strip.Strip
	Before    string // address of the version before
	After     string
	Open      string // replay
	Page      string
	Compare   string // with the version before
	Coherence string // of the crawl that captured it
	JSON      string
	Save      string            // as a text file
	Mail      string            // as a mail
	MailTo    string            // a mail with the citation alone; empty: it has none
	Cite      *memento.Citation // nil: it cannot be replayed
	Lines     [][]run           // of the text
	Marks     marks
	say       *message.Language
	shown     string // the text that is shown, without what is withheld
	Cut       int    // bytes of the text that are not shown
	Whole     string // address with all of the text
	History   []documentVersion
	Pager     listPager
	In, Out   linkList
	Near      []nearDocument
	Thread    *threadData // what people wrote on a page of a forum, blog or wiki; nil if it is none
	Passages  bool        // there was text enough to look for the same passages elsewhere
}

// documentVersion is a version of the page in its list.
type documentVersion struct {
	search.DocumentVersion
	Number        int
	Here          bool
	More          int // words more than the version before
	First         bool
	Href, Compare string
}

// linkList is a page of links.
type linkList struct {
	Links []documentLink
	Pager listPager
}

// documentLink is a link with where it leads in the archive.
type documentLink struct {
	search.DocumentLink
	Href string // empty: the collection has no text of it
}

// Sizes of the page of a document.
const (
	textShown     = 20_000 // bytes
	linksShown    = 20
	versionsShown = 15
)

// document shows a version of a page: text, dates, versions, links.
func (u *UI) document(r *http.Request) (*view, error) {
	q := r.URL.Query()
	target := strings.TrimSpace(q.Get("url"))
	if target == "" {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "show a document", Msg: "the address of this view names no url", Hint: "pick one from a search"}
	}
	at, err := documentTime(q.Get("time"))
	if err != nil {
		return nil, err
	}
	if u.cfg.Texts == nil {
		return nil, noTexts()
	}
	desk := search.Desk{Texts: u.cfg.Texts, Contents: u.cfg.Contents, Links: u.cfg.Links}
	doc, err := desk.Document(r.Context(), q.Get("collection"), target, at)
	if err != nil {
		return nil, err
	}
	c, err := u.cfg.Holdings.Collection(r.Context(), doc.Collection)
	if err != nil {
		return nil, err
	}
	d := &documentData{say: message.From(r.Context()), Home: c, Document: doc, Number: doc.At + 1}
	d.ways(u)
	if doc.Text, err = u.shownText(r, doc.Text); err != nil {
		return nil, err
	}
	if f := q.Get("format"); f == "txt" || f == "eml" {
		return u.saved(r, d, f)
	}
	d.Save, d.Mail, d.MailTo = withFormat(q, "txt"), withFormat(q, "eml"), mailTo(d.say, d)
	d.addText(q)
	found, err := u.markText(r, d)
	if err != nil {
		return nil, err
	}
	if q.Get("format") == "csv" {
		body, err := marksTable(found)
		return &view{file: &file{"marks.csv", "text/csv; charset=utf-8", body}}, err
	}
	d.listMarks(u, q, found)
	d.addMarks(u, q, found)
	d.addVersions(r)
	if err := d.addLinks(u, r); err != nil {
		return nil, err
	}
	if d.Thread, err = u.thread(r, doc); err != nil {
		return nil, err
	}
	if d.Near, d.Passages, err = u.near(r.Context(), doc); err != nil {
		return nil, err
	}
	title := doc.Title
	if title == "" {
		title = doc.URL
	}
	return &view{template: "document", title: title, section: "search", data: d}, nil
}

// withFormat is the address of a document as a file.
func withFormat(q url.Values, format string) string {
	out := url.Values{"format": {format}}
	for _, k := range []string{"collection", "url", "time"} {
		if v := q.Get(k); v != "" {
			out.Set(k, v)
		}
	}
	return "/document?" + out.Encode()
}

// documentTime reads the instant of a version: 14 digits, whose second counts to its end, or RFC 3339.
func documentTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return t.UTC(), nil
	}
	t, err := cdxj.ParseTimestamp(s)
	if err != nil {
		return t, &varve.Error{Kind: varve.Invalid, Op: "show a document", Msg: "time=" + s + " is no time", Hint: "20140501120000 or 2014-05-01T12:00:00Z"}
	}
	return t.Add(time.Second - time.Microsecond), nil
}

// ways makes the addresses that lead on.
func (d *documentData) ways(u *UI) {
	doc := d.Document
	to := func(i int) string { return documentPath(doc.Collection, doc.URL, doc.Versions[i].From) }
	d.Strip = d.strip(d.say, to)
	if doc.At > 0 {
		d.Before = to(doc.At - 1)
		d.Compare = compareTimes(doc.Collection, doc.URL, doc.Versions[doc.At-1].From, doc.From)
	}
	if doc.At+1 < len(doc.Versions) {
		d.After = to(doc.At + 1)
	}
	d.Cite = u.citation(doc.Collection, doc.Title, doc.URL, doc.From)
	d.Open = u.replayURL(doc.Collection, holdings.IndexedCapture{Capture: varve.Capture{URL: doc.URL, Time: doc.From}})
	d.Page = pagePath(doc.Collection, doc.URL)
	if doc.Crawl != "" {
		d.Coherence = collectionPath(doc.Collection) + "/crawls/" + url.PathEscape(doc.Crawl) + "/coherence"
	}
	d.JSON = address("/api/document", values("collection", doc.Collection, "url", doc.URL, "time", doc.From.UTC().Format(time.RFC3339Nano)))
}

func (d *documentData) strip(l *message.Language, to func(int) string) strip.Strip {
	bands := make([]strip.Band, 0, len(d.Versions))
	for i, x := range d.Versions {
		until := later(x.Until, x.Last)
		bands = append(bands, strip.Band{
			From: x.From, Seen: x.Last, To: until, Href: to(i), Here: i == d.At,
			Title: l.Text("version {0}", i+1) + " · " + l.Text("{0} to {1}", l.Day(x.From), l.Day(until)) + " · " + l.Count(x.Captures, "capture") + " · " + l.Count(x.Words, "word"),
		})
	}
	return versionStrip(l, d.Document.URL, 26, bands)
}

// addText says how much of the text is shown: a long one in part, unless it is asked for.
func (d *documentData) addText(q url.Values) {
	text := d.Document.Text
	if len(text) > textShown && q.Get("text") != "all" {
		cut := strings.ToValidUTF8(text[:textShown], "")
		d.Cut = len(text) - len(cut)
		text = cut
		q = cloneValues(q)
		q.Set("text", "all")
		d.Whole = address("/document", q)
	}
	d.shown = text
}

// addVersions lists the versions, newest first.
func (d *documentData) addVersions(r *http.Request) {
	n := len(d.Versions)
	d.Pager = newListPager(r, "v", n, versionsShown)
	for k := d.Pager.From; k < d.Pager.To; k++ {
		i := n - 1 - k
		v := documentVersion{DocumentVersion: d.Versions[i], Number: i + 1, Here: i == d.At, First: i == 0, Href: documentPath(d.Document.Collection, d.Document.URL, d.Versions[i].From)}
		if i > 0 {
			v.More = v.Words - d.Versions[i-1].Words
			v.Compare = compareTimes(d.Document.Collection, d.Document.URL, d.Versions[i-1].From, v.From)
		}
		d.History = append(d.History, v)
	}
}

func cloneValues(q url.Values) url.Values {
	out := url.Values{}
	for k, v := range q {
		out[k] = v
	}
	return out
}
