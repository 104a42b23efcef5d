package links

import "bytes"

// feedItem is the item or entry that is open: its title and date come in any order, and name its links.
type feedItem struct {
	from  int // its first waiting link, or -1 outside of items
	title string
	entry *Entry
}

// feedElement handles the attributes of RSS and Atom; it tells whether nothing else is to be done with them.
func (s *xmlScan) feedElement(name []byte) bool {
	switch string(name) {
	case "item", "entry":
		s.endItem()
		s.item = feedItem{from: len(s.e.pending)}
	case "link":
		s.feedLink()
	case "enclosure":
		s.e.link(kindFeedEnclosure, s.get("url"))
	case "content":
		s.e.link(kindFeedMedia, s.first("url", "src"))
		s.markType()
	case "summary", "title", "subtitle", "rights":
		s.markType()
	case "thumbnail", "player", "peerLink":
		s.e.link(kindFeedMedia, s.first("url", "href"))
	case "image":
		if v := s.first("href", "resource"); v != nil {
			s.e.link(kindFeedImage, v)
		}
	case "source":
		s.e.link(kindFeedAuthor, s.get("url"))
	case "generator":
		s.e.link(kindFeedID, s.get("uri"))
	case "li":
		s.e.link(kindFeedItem, s.get("resource"))
	default:
		return false
	}
	return true
}

// markType notes that an Atom text is markup.
func (s *xmlScan) markType() {
	s.stack[len(s.stack)-1].html = equalFold(s.get("type"), "html")
}

// feedLink handles an Atom link, in feeds of any sort.
func (s *xmlScan) feedLink() {
	rel := s.e.arena.lower(s.get("rel"))
	href := s.get("href")
	if len(href) == 0 {
		return
	}
	k := kindFeedAuthor
	switch rel {
	case "", "alternate":
		k = kindFeedItem
		if s.item.from < 0 {
			k = kindFeedHome
		}
	case "self", "next", "previous", "prev", "first", "last", "current", "next-archive", "prev-archive", "edit", "service":
		k = kindFeedSelf
	case "enclosure":
		k = kindFeedEnclosure
	case "replies":
		k = kindFeedComments
	case "hub":
		k = kindLinkPingback
	}
	s.e.add(found{kind: k, from: noPlace, rel: rel}, href)
}

// feedLeaf handles the texts of RSS and Atom.
func (s *xmlScan) feedLeaf(el *xmlElement, text []byte) {
	switch string(el.name) {
	case "item", "entry":
		s.endItem()
		return
	case "channel", "rss", "feed", "RDF":
		return
	}
	if len(text) == 0 {
		return
	}
	if s.feedDates(el.name, text) {
		return
	}
	if k := s.feedTextKind(el.name, text); k != kindNone {
		s.e.link(k, text)
		return
	}
	if string(el.name) == "title" && !el.child {
		s.feedTitle(text)
		return
	}
	if (el.html || markupShape(text)) && bytes.IndexByte(text, '<') >= 0 {
		e := s.e
		e.within(InFeed, func() { e.walk(text, false, false) })
	}
}

// feedTextKind says what the text of an element is.
func (s *xmlScan) feedTextKind(name, text []byte) Kind {
	parent := string(s.parent(0))
	url := absolute(text) && cleanURL(text)
	switch string(name) {
	case "link", "origLink":
		if parent == "item" || parent == "entry" {
			return kindFeedItem
		}
		return kindFeedHome
	case "url":
		if parent == "image" {
			return kindFeedImage
		}
	case "guid", "id", "docs":
		if url {
			return kindFeedID
		}
	case "comments", "commentRss", "commentRSS":
		if url || parent == "item" && pathShape(text) {
			return kindFeedComments
		}
	case "uri":
		return kindFeedAuthor
	case "icon", "logo":
		return kindFeedImage
	}
	if url && !vocabulary(text) {
		return kindXMLText
	}
	return kindNone
}

// feedTitle keeps the title of the feed or of its item.
func (s *xmlScan) feedTitle(text []byte) {
	switch parent := string(s.parent(0)); {
	case (parent == "item" || parent == "entry") && s.item.title == "":
		s.item.title = s.e.arena.str(text[:min(len(text), s.e.limits.Anchor)])
	case (parent == "channel" || parent == "feed") && s.e.info.Title == "":
		s.e.info.Title = s.e.arena.str(text[:min(len(text), 4096)])
	}
}

// feedDates keeps the date of an item, the last change rather than the publication.
func (s *xmlScan) feedDates(name, text []byte) bool {
	switch string(name) {
	case "pubDate", "updated", "published", "date", "modified", "issued":
	default:
		return false
	}
	t, ok := parseTime(string(text))
	if !ok || s.item.from < 0 {
		return true
	}
	if s.item.entry == nil {
		s.item.entry = &Entry{}
	}
	if t.After(s.item.entry.Lastmod) {
		s.item.entry.Lastmod = t
	}
	return true
}

// endItem gives the item's links their title and date.
func (s *xmlScan) endItem() {
	if s.item.from < 0 {
		return
	}
	for i := s.item.from; i < len(s.e.pending); i++ {
		f := &s.e.pending[i]
		if f.kind == kindFeedItem || f.kind == kindFeedEnclosure {
			f.entry = s.item.entry
			if f.anchor == "" {
				f.anchor = s.item.title
			}
		}
	}
	s.item = feedItem{from: -1}
	if len(s.e.pending) >= flushAt {
		s.e.flush("")
	}
}
