package dating

import (
	"bytes"
	"html"
	"strings"

	"varve/text/needle"
	"varve/web/markup"
)

// place is where on a page a date stands that may be that of its publication.
type place uint8

// The places, in the order in which they are believed.
const (
	inMeta     place = iota // a meta element whose name says so: article:published_time
	inGraph                 // datePublished of an article in structured data
	inItem                  // itemprop=datePublished
	inMarked                // a time or abbr element that says so by class or pubdate
	inLoose                 // a meta element that says date, and not of what
	inDated                 // an element whose class or id says date
	inTime                  // another time element
	inTitle                 // the title, or a heading
	inByline                // an element whose class or id says that it tells of the text: author, time, details
	inText                  // elsewhere in the text
	inLabelled              // behind words that say published
	inModified              // what tells of the last change
	numPlaces
)

// hint is a date that stands on a page.
type hint struct {
	span
	place  place
	aside  bool  // in a part of the page that is about others: navigation, related articles, comments
	inside bool  // in the middle of a run of text: of a sentence, it may be
	rank   uint8 // among those of the same place: less is better
	off    int   // bytes of text before it
}

// Limits of the hints of one page.
const (
	maxHints   = 32 // of each place
	maxOpen    = 12 // elements that tell what is in them
	maxHeads   = 8
	before     = 48 // bytes of text kept around a year
	behind     = 24
	cueReaches = 160 // bytes of text behind the start of an element that says what is in it
	shortRun   = 90  // bytes of a run of text that may be a date and little more
)

// hints are collected while a page is walked over.
type hints struct {
	list  []hint
	count [numPlaces]int
	lang  string // of the page as it says, in lower case: en-us
	open  [maxOpen]window
	opens int
	heads []int // bytes of text before the headings
	head  bool  // inside of one
	off   int   // bytes of text
	sure  bool  // a meta element says it: the text need not be searched
	tries int
	links []string // the address that the page has for itself
	year  int      // the latest year of a copyright
	class []byte
}

// window is an open element that says what is in it.
type window struct {
	element markup.Element
	nested  int // elements of the same name inside
	cue     cue
	until   int // bytes of text
}

// cue is what a class or an id says of the element.
type cue uint8

const (
	noCue cue = iota
	bylineCue
	timeCue // a time element
	dateCue
	modifiedCue
	asideCue
)

// cues are the words in classes and ids, and what they say. Where several are met the last of the constants wins.
var cues = []struct {
	cue   cue
	words string
}{
	{bylineCue, "meta byline info author autor time subline details data clock calendar"},
	{dateCue, `date datum publish posted timestamp fecha created submitted parution datetime veroeffentlich tarih yayin posttime pubtime published
		dateline publi_ pub-d`},
	{modifiedCue, "update modif lastmod"},
	{asideCue, `related recommend sidebar comment widget popular latest trending teaser mostread most-read most_read promo ticker similar recent
		footer cookie breadcrumb menu navbar readmore read-more more-news suggest wm-ipp`},
	{noCue, "candidate validate mandate"},
}

var cueWords, cueSet = func() (list []cue, set *needle.Set) {
	var words []string
	for _, c := range cues {
		for w := range strings.FieldsSeq(c.words) {
			words, list = append(words, w), append(list, c.cue)
		}
	}
	return list, needle.New(words...)
}()

// part is what an element is to hints.
type part uint8

const (
	noPart part = iota
	heading
	besides // navigation and the like
	frame   // about the whole page: its class says nothing of what is in it
	dated   // a time or abbr element
	empty   // has no content
	root
)

var parts = markup.Table(map[string]part{
	"h1": heading, "aside nav footer": besides, "body main article head form table tbody script style select option button a": frame, "html": root,
	"time abbr": dated, "img input meta link br hr source param embed area base col wbr": empty,
})

var elTitle, elLink, elTime = markup.Named("title"), markup.Named("link"), markup.Named("time")

// add keeps a hint, while there are few of its place.
func (h *hints) add(x hint) {
	if isPlausible(x.day) && h.count[x.place] < maxHints {
		h.count[x.place]++
		h.list = append(h.list, x)
	}
}

// stamp keeps what an attribute or a member says, if it is a date, and reports whether it is.
func (h *hints) stamp(said string, x hint) bool {
	if len(said) < 6 || h.tries >= maxTries {
		return false
	}
	h.tries++
	var ok bool
	if x.span, ok = parseHint(said, h.hand()); ok {
		h.add(x)
	}
	return ok
}

// hand is how the page writes dates.
func (h *hints) hand() hand {
	lang, _, _ := strings.Cut(h.lang, "-")
	return hand{lang: lang, short: true}
}

// loose are names of meta elements that say date, but not of what.
var loose = map[string]bool{
	"date": true, "dc.date": true, "dc:date": true, "dcterms.date": true, "created": true, "dc.created": true, "dc:created": true, "dcterms.created": true, "dc.date.created": true,
	"date_created": true, "datecreated": true, "content_create_date": true, "displaydate": true, "doc_date": true, "release_date": true, "timestamp": true, "pdate": true,
}

// meta is told of a meta element that states a date.
func (h *hints) meta(s Source, name, said string) {
	p := inModified
	switch {
	case s == Published && loose[name]:
		p = inLoose
	case s == Published:
		p = inMeta
	}
	if h.stamp(said, hint{place: p}) && p == inMeta && h.count[inMeta] > 0 {
		h.sure = h.sure || !h.list[len(h.list)-1].utc
	}
}

// property is told of any other meta element.
func (h *hints) property(name string, t *markup.Token) {
	switch name {
	case "og:url":
		h.link(value(t, "content"))
	case "og:locale", "content-language":
		if h.lang == "" {
			h.lang = language(value(t, "content"))
		}
	}
}

func (h *hints) link(address string) {
	if len(h.links) < 4 {
		h.links = append(h.links, address)
	}
}

func language(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "-")) }

// start is told of a start tag.
func (h *hints) start(t *markup.Token) {
	what := parts[t.Element]
	if t.Element != 0 {
		for i := range h.open[:h.opens] {
			if h.open[i].element == t.Element {
				h.open[i].nested++
			}
		}
	}
	switch what {
	case root:
		h.lang = language(value(t, "lang"))
		return
	case heading:
		h.head = true
		if len(h.heads) < maxHeads {
			h.heads = append(h.heads, h.off)
		}
		return
	case besides:
		h.push(t.Element, asideCue)
		return
	case empty:
		if t.Element == elLink && bytes.EqualFold(t.Get("rel"), []byte("canonical")) {
			h.link(value(t, "href"))
		}
		return
	}
	if len(t.Attrs) == 0 && what != dated || h.sure {
		return
	}
	c := noCue
	for i := range t.Attrs {
		a := &t.Attrs[i]
		switch string(a.Key) {
		case "itemprop":
			if p, ok := itemprops[strings.ToLower(string(a.Val))]; ok {
				h.element(t, p)
				return
			}
		case "pubdate":
			h.element(t, inMarked)
			return
		case "class", "id":
			if what == dated && (bytes.Contains(a.Val, []byte("publi")) || bytes.Contains(a.Val, []byte("entry-date")) || bytes.Contains(a.Val, []byte("entry-time"))) &&
				!bytes.Contains(a.Val, []byte("updated")) {
				h.element(t, inMarked)
				return
			}
			if what != frame {
				c = max(c, h.cueOf(a.Val))
			}
		}
	}
	switch {
	case what == dated && c != modifiedCue && (t.Element == elTime || t.Get("data-utime") != nil):
		h.element(t, inTime)
	case c == dateCue:
		h.element(t, inDated)
	case c != noCue:
		h.push(t.Element, c)
	}
}

var itemprops = map[string]place{"datepublished": inItem, "datecreated": inItem, "dateposted": inItem, "datemodified": inModified, "dateupdated": inModified}

// cueOf reads a class or an id.
func (h *hints) cueOf(val []byte) (c cue) {
	if len(val) < 4 || len(val) > 200 {
		return noCue
	}
	h.class = append(h.class[:0], val...)
	for i, b := range h.class {
		if b >= 'A' && b <= 'Z' {
			h.class[i] = b + 'a' - 'A'
		}
	}
	none := false
	cueSet.Find(h.class, func(k int) bool {
		none = none || cueWords[k] == noCue
		c = max(c, cueWords[k])
		return true
	})
	if none {
		return noCue
	}
	return c
}

// element is told of an element that holds a date: in an attribute, or else in its text.
func (h *hints) element(t *markup.Token, p place) {
	for _, key := range [...]string{"datetime", "content", "data-datetime", "data-date", "data-time", "data-timestamp", "data-published", "data-utime", "data-publish-date", "title"} {
		if h.stamp(value(t, key), hint{place: p, off: h.off, aside: h.cue() == asideCue}) {
			return
		}
	}
	c := dateCue
	switch p {
	case inTime:
		c = timeCue
	case inModified:
		c = modifiedCue
	}
	h.push(t.Element, c)
}

// push opens a window.
func (h *hints) push(e markup.Element, c cue) {
	if e == 0 || h.opens == maxOpen {
		return
	}
	until := h.off + cueReaches
	if c == asideCue {
		until = 1 << 40
	}
	h.open[h.opens] = window{element: e, cue: c, until: until}
	h.opens++
}

// end is told of an end tag.
func (h *hints) end(e markup.Element) {
	if e == 0 {
		return
	}
	if parts[e] == heading {
		h.head = false
	}
	kept := 0
	for i := range h.opens {
		w := h.open[i]
		if w.element == e {
			w.nested--
		}
		if w.nested >= 0 && h.off <= w.until {
			h.open[kept] = w
			kept++
		}
	}
	h.opens = kept
}

// cue returns what the open elements say of the text here: that it is about others, or else what the innermost says.
func (h *hints) cue() (c cue) {
	for i := h.opens - 1; i >= 0; i-- {
		switch w := &h.open[i]; {
		case w.cue == asideCue:
			return asideCue
		case h.off <= w.until && (c == noCue || c == bylineCue):
			c = w.cue
		}
	}
	return c
}

// title is told of the title of the page.
func (h *hints) title(data []byte) {
	if !h.sure {
		h.search(data, nil, inTitle, false)
	}
}

// text is told of a run of text. tail is what stands before it.
func (h *hints) text(data, tail []byte) {
	if !h.sure {
		c := h.cue()
		p := inText
		switch {
		case h.head:
			p = inTitle
		case c == dateCue:
			p = inDated
		case c == timeCue:
			p = inTime
		case c == bylineCue:
			p = inByline
		case c == modifiedCue:
			p = inModified
		}
		h.search(data, tail, p, c == asideCue)
		h.foreign(data, p, c == asideCue)
	}
	h.off += len(bytes.TrimSpace(data))
}

// search looks for years in a run of text, four digits or two behind two others and their signs, and reads the dates that they are in.
func (h *hints) search(data, tail []byte, p place, aside bool) {
	start := len(data) - len(bytes.TrimLeft(data, " \t\r\n"))
	short := len(bytes.TrimSpace(data)) < shortRun
	for i := start; i < len(data); i++ {
		if c := data[i]; c < '0' || c > '9' {
			continue
		}
		from := i
		for i < len(data) && data[i] >= '0' && data[i] <= '9' {
			i++
		}
		switch n := i - from; {
		case n == 4 && (data[from] == '2' || data[from] == '1' && data[from+1] == '9'):
		case n == 2 && short && from >= 4 && isSign(data[from-1]) && bytes.Count(data[max(0, from-6):from], data[from-1:from]) == 2:
		default:
			continue
		}
		if h.tries >= maxTries {
			return
		}
		h.tries++
		pre := tail[max(0, len(tail)-2*before):]
		if from >= before {
			pre = nil
		}
		text := plain(pre, data[max(0, from-before):from])
		year := len(text)
		text += plain(data[from:min(len(data), i+behind)])
		if n, ok := copyright(text, year); ok {
			h.year = max(h.year, n)
			continue
		}
		for m := range h.hand().dates(text) {
			if m.from <= year && year < m.to {
				h.add(hint{span: m.span, place: labelled(text[:m.from], p), aside: aside, inside: !short && from-start > before, off: h.off + from - start})
				break
			}
		}
	}
}

// foreign reads a date in the digits of another script, where one is likely: in all of a short run of text.
func (h *hints) foreign(data []byte, p place, aside bool) {
	if p == inText || len(data) > shortRun || h.tries >= maxTries || bytes.IndexFunc(data, func(r rune) bool { return r >= 0x80 && digit(r) >= 0 }) < 0 {
		return
	}
	h.tries++
	text := plain(data)
	for m := range h.hand().dates(text) {
		h.add(hint{span: m.span, place: labelled(text[:m.from], p), aside: aside, off: h.off})
		return
	}
}

// plain joins pieces of text with single spaces, references decoded.
func plain(pieces ...[]byte) string {
	var b strings.Builder
	for _, p := range pieces {
		for w := range strings.FieldsSeq(html.UnescapeString(string(p))) {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w)
		}
	}
	return b.String()
}

// copyright reads the year of a copyright: © 2006, Copyright 2001-2006.
func copyright(text string, at int) (year int, ok bool) {
	label := strings.ToLower(text[max(0, at-24):at])
	if !strings.Contains(label, "©") && !strings.Contains(label, "copyright") && !strings.Contains(label, "(c)") {
		return 0, false
	}
	f := fieldsOf(text[at:], 1)
	return f[0].num, f[0].len == 4
}

// labels are words before a date that say of what it is. They are looked for in lower case.
var labels = []struct {
	place place
	words string
}{
	{inModified, `updated modified changed revised edited aktualisier änderung geändert bearbeitet stand mise|à|jour mis|à|jour actualiza modifica aggiornat atualiza
		gewijzigd bijgewerkt uppdaterad ändrad oppdatert opdateret aktualizacj modyfikacj změn upraveno обнов измен päivitetty güncelle módosít diubah diperbarui
		更新`},
	{inLabelled, `published posted created erschienen veröffentlicht erstellt eingestellt publié publica pubblicat gepubliceerd publicerad publisert udgivet opublikowan publikov опубликова дата julkaistu
		yayın megjelen közzét diterbitkan released issued 发布 公開 掲載`},
}

// labelled returns the place of a date behind a label.
func labelled(label string, p place) place {
	label = strings.ToLower(label[max(0, len(label)-32):])
	for _, l := range labels {
		for w := range strings.FieldsSeq(l.words) {
			if strings.Contains(label, strings.ReplaceAll(w, "|", " ")) {
				if l.place == inModified || p > inDated {
					return l.place
				}
			}
		}
	}
	return p
}
