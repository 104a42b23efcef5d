package links

import "bytes"

// element handles a start tag by the dialect, then its plain attributes.
func (s *xmlScan) element(name []byte) {
	switch s.dialect {
	case xmlFeed:
		if s.feedElement(name) {
			return
		}
	case xmlSitemap:
		if s.sitemapElement(name) {
			return
		}
	case xmlOPML:
		s.outline()
		return
	case xmlDASH:
		return
	case xmlBrowserconfig:
		s.tile(name)
		return
	case xmlOpenSearch:
		if v := s.get("template"); len(v) > 0 && bytes.IndexByte(v, '{') < 0 {
			s.e.link(kindOpensearchURL, v)
		}
		return
	case xmlPlaylist:
		if v := s.first("href", "src"); v != nil {
			s.e.link(kindPlaylistEntry, v)
		}
		return
	}
	s.attributes(name)
}

// first gives the first of several attributes.
func (s *xmlScan) first(names ...string) []byte {
	for _, n := range names {
		if v := s.get(n); len(v) > 0 {
			return v
		}
	}
	return nil
}

// outline handles OPML.
func (s *xmlScan) outline() {
	title := s.e.arena.str(s.first("title", "text"))
	for _, a := range []struct {
		name string
		kind Kind
	}{{"xmlUrl", kindOPMLFeed}, {"htmlUrl", kindOPMLPage}, {"url", kindOPMLPage}} {
		for i := range s.attrs {
			if bytes.EqualFold(s.attrs[i].key, []byte(a.name)) {
				v, _ := unescape(nil, s.attrs[i].val)
				s.e.add(found{kind: a.kind, from: noPlace, anchor: title}, v)
			}
		}
	}
}

// tile handles browserconfig.xml.
func (s *xmlScan) tile(name []byte) {
	v := s.get("src")
	if len(v) == 0 {
		return
	}
	if hasFold(name, "polling-uri") {
		s.e.link(kindBrowserPoll, v)
		return
	}
	s.e.link(kindBrowserTile, v)
}

// attributes handles the attributes of any element: inclusions, markup of HTML inside XML, names that ask for a URL.
func (s *xmlScan) attributes(name []byte) {
	t := tagOf(name)
	for i := range s.attrs {
		a := &s.attrs[i]
		key := local(a.key)
		if hasFold(a.key, "xmlns") || hasFold(a.key, "xml:") {
			continue
		}
		v, buf := unescape(s.buf, a.val)
		s.buf = buf
		v = trim(v)
		if k := s.attributeKind(t, name, key, v); k != kindNone {
			s.e.link(k, v)
		}
	}
}

// attributeKind says what an attribute holds.
func (s *xmlScan) attributeKind(t tag, name, key, v []byte) Kind {
	if len(v) == 0 {
		return kindNone
	}
	id := attrNamed(key)
	switch {
	case equalFold(key, "schemalocation") || equalFold(key, "nonamespaceschemalocation"):
		return s.schema(name, v)
	case id == attrHref && (equalFold(name, "include") || equalFold(name, "import")):
		return kindXMLInclude
	case t != tagOther && t != tagBlock && t != tagLink && t != tagCustom && placeTable[t][id] != kindNone && id != attrSrcset:
		return placeTable[t][id]
	case id == attrHref || id == attrSrc || urlKey(key) != kindNone && (absolute(v) || pathShape(v)) || equalFold(key, "backgroundimage"):
		if vocabulary(v) {
			return kindNone
		}
		return kindXMLAttr
	case absolute(v) && plausible(v):
		return kindXMLGuess
	}
	return kindNone
}

// schema handles the places of schemas: one address, or pairs of a name and an address.
func (s *xmlScan) schema(name, v []byte) Kind {
	if equalFold(name, "import") || equalFold(name, "include") || equalFold(name, "redefine") {
		return kindXMLInclude
	}
	words := bytes.Fields(v)
	for i, w := range words {
		if (len(words) == 1 || i%2 == 1) && !vocabulary(w) {
			s.e.link(kindXMLSchema, w)
		}
	}
	return kindNone
}

// leaf handles an element at its end, text being what it directly holds.
func (s *xmlScan) leaf(el *xmlElement, text []byte) {
	switch s.dialect {
	case xmlFeed:
		s.feedLeaf(el, text)
		return
	case xmlSitemap:
		s.sitemapLeaf(el, text)
		return
	case xmlOpenSearch:
		if !el.child && (equalFold(el.name, "image") || equalFold(el.name, "searchform")) {
			s.e.link(kindOpensearchURL, text)
		}
		return
	case xmlPlaylist:
		switch {
		case el.child:
		case equalFold(el.name, "location"):
			s.e.link(kindPlaylistEntry, text)
		case equalFold(el.name, "image") || equalFold(el.name, "info") || equalFold(el.name, "identifier"):
			if absolute(text) || pathShape(text) {
				s.e.link(kindXMLText, text)
			}
		}
		return
	}
	if len(text) < 4 || el.child {
		return
	}
	s.plainText(el, text)
}

// plainText looks at the text of an element whose meaning is unknown.
func (s *xmlScan) plainText(el *xmlElement, text []byte) {
	e := s.e
	switch {
	case absolute(text) && cleanURL(text):
		if !vocabulary(text) {
			e.link(kindXMLText, text)
		}
	case urlKey(el.name) != kindNone && pathShape(text):
		e.link(kindXMLText, text)
	case markupShape(text):
		e.within(InFeed, func() { e.walk(text, false, false) })
	default:
		scanText(text, func(url []byte) {
			if plausible(url) {
				e.link(kindXMLGuess, url)
			}
		})
	}
}

// doctype takes the system identifiers of a DOCTYPE and of the entities in its internal subset.
func (s *xmlScan) doctype(data []byte) {
	for i := 0; i+6 < len(data); {
		skip := 0
		switch string(data[i : i+6]) {
		case "PUBLIC":
			skip = 1
		case "SYSTEM":
		default:
			i++
			continue
		}
		rest := data[i+6:]
		for ; skip >= 0; skip-- {
			var v []byte
			v, rest = quotedLiteral(rest)
			if skip == 0 && len(v) > 0 && !vocabulary(v) && !bytes.Contains(v, []byte("w3.org/")) {
				s.e.link(kindXMLDTD, v)
			}
		}
		i = len(data) - len(rest)
	}
}

// quotedLiteral cuts a quoted literal off p; without one p is given back.
func quotedLiteral(p []byte) (v, rest []byte) {
	t := bytes.TrimLeft(p, " \t\r\n")
	if len(t) == 0 || t[0] != '"' && t[0] != '\'' {
		return nil, p
	}
	n := bytes.IndexByte(t[1:], t[0])
	if n < 0 {
		return nil, nil
	}
	return t[1 : 1+n], t[n+2:]
}
