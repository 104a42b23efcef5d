package links

import (
	"bytes"
	"strings"
)

// value judges a string value by its key and shape.
func (s *jsonScan) value(v []byte) {
	key := s.key(0)
	switch string(key) {
	case "@context", "$schema", "xmlns", "sourcesContent", "mappings", "@vocab":
		return
	}
	v = trim(v)
	if len(v) < 2 || s.inside(v) {
		return
	}
	if k := s.kind(key, v); k != kindNone {
		s.e.link(k, v)
	}
}

// kind says what sort of link a value is, kindNone if none.
func (s *jsonScan) kind(key, v []byte) Kind {
	abs := absolute(v) && cleanURL(v) && !vocabulary(v)
	asked := urlKey(key)
	switch s.mode {
	case jsonImportmap:
		if abs || v[0] == '/' || v[0] == '.' {
			return kindImportmapURL
		}
		return kindNone
	case jsonSpeculation:
		if string(key) == "urls" && askedShape(v) {
			return kindSpeculationURL
		}
		return kindNone
	case jsonBundle:
		if (string(key) == "source" || string(key) == "resources") && askedShape(v) {
			return kindBundle
		}
		return kindNone
	case jsonSourceMap:
		return s.sourceMapKind(key, v)
	case jsonManifest:
		return s.manifestKind(key, v)
	case jsonFeed:
		if k := s.feedKind(key, v, abs); k != kindNone || string(key) == "version" {
			return k
		}
	}
	fits := abs || asked != kindNone && afterSlashes(v) == nil && pathShape(v)
	switch {
	case s.mode == jsonAttribute:
		if fits || plausible(v) {
			return kindDataJSON
		}
	case s.mode == jsonLD && (fits || string(key) == "@id" && pathShape(v)):
		if ldMedia(key) {
			return kindJSONLDMedia
		}
		return kindJSONLDURL
	case fits && asked == kindJSONEmbed:
		return kindJSONEmbed
	case fits:
		return kindJSONURL
	case plausible(v):
		return kindJSONGuess
	}
	return kindNone
}

// cleanURL tells whether an absolute URL has nothing in it that data would have encoded; URI templates fail here.
func cleanURL(v []byte) bool {
	for _, c := range v {
		if c <= ' ' || c == 0x7f {
			return false
		}
	}
	return len(v) <= maxGuess && !bytes.ContainsAny(v, "<>{}|^`\"\\")
}

// pathShape tells whether a value under a key that asks for a URL is a relative one.
func pathShape(v []byte) bool {
	if !askedShape(v) || mediaType(v) || schemeLen(v) > 0 || bytes.ContainsAny(v, "*\\$,;") {
		return false
	}
	switch {
	case len(v) > 1 && v[0] == '/':
		return !bytes.Contains(v, []byte("/:"))
	case v[0] == '?':
		return queryShape(v[1:])
	case bytes.HasPrefix(v, []byte("./")), bytes.HasPrefix(v, []byte("../")):
		return true
	}
	path, _ := cutQuery(v)
	return knownFile(path) || bytes.IndexByte(v, '/') > 0 && segments(path) && isAlnum(v[0]) && letterIn(path)
}

// letterIn tells whether a path has a word of three letters, so that 1/2 and a/b are none.
func letterIn(path []byte) bool {
	run := 0
	for _, c := range path {
		if isAlpha(c) {
			if run++; run == 3 {
				return true
			}
			continue
		}
		run = 0
	}
	return false
}

// ldMedia tells the properties of JSON-LD that hold media.
func ldMedia(key []byte) bool {
	switch string(key) {
	case "image", "logo", "contentUrl", "thumbnailUrl", "embedUrl", "thumbnail", "photo", "primaryImageOfPage", "screenshot":
		return true
	}
	return false
}

// manifestKind judges the members of a web application manifest.
func (s *jsonScan) manifestKind(key, v []byte) Kind {
	if !askedShape(v) {
		return kindNone
	}
	switch string(key) {
	case "src", "ms_ac_template", "data":
		return kindManifestIcon
	case "start_url", "scope", "url", "action", "new_note_url":
		if bytes.Contains(v, []byte("%s")) {
			return kindNone
		}
		return kindManifestStart
	}
	return kindNone
}

// sourceMapKind judges the members of a source map. The root comes before the sources in every map that is written by a
// tool; one that comes after them is not waited for.
func (s *jsonScan) sourceMapKind(key, v []byte) Kind {
	switch string(key) {
	case "sourceRoot":
		if askedShape(v) {
			s.e.base = s.e.addBase(append(bytes.TrimRight(bytes.Clone(v), "/"), '/'), s.e.base)
		}
	case "file", "sources", "url":
		if askedShape(v) {
			return kindJSSourcemap
		}
	}
	return kindNone
}

// feedKind judges the members of a JSON Feed.
func (s *jsonScan) feedKind(key, v []byte, abs bool) Kind {
	switch string(key) {
	case "home_page_url":
		return kindFeedHome
	case "feed_url", "next_page_url":
		return kindFeedSelf
	case "url":
		switch parent := string(s.key(1)); parent {
		case "items":
			return kindFeedItem
		case "attachments":
			return kindFeedEnclosure
		default:
			return kindFeedAuthor
		}
	case "external_url":
		return kindFeedAuthor
	case "image", "banner_image", "icon", "favicon", "avatar":
		return kindFeedImage
	case "id":
		if abs {
			return kindFeedID
		}
	}
	return kindNone
}

// inside looks for documents in a string: markup, JSON, prose with URLs. It tells whether it was one of these.
func (s *jsonScan) inside(v []byte) bool {
	if len(v) < 8 {
		return false
	}
	e := s.e
	c := InJSON
	if s.mode == jsonFeed {
		c = InFeed
	}
	switch {
	case markupShape(v):
		v = bytes.Clone(v)
		e.within(c, func() { e.walk(v, false, false) })
	case v[0] == '{' && v[len(v)-1] == '}', v[0] == '[' && v[len(v)-1] == ']':
		v = bytes.Clone(v)
		e.within(c, func() { e.jsonText(v) })
	case bytes.IndexByte(v, ' ') >= 0:
		scanText(v, func(url []byte) {
			if plausible(url) {
				e.link(kindJSONGuess, url)
			}
		})
	default:
		return false
	}
	return true
}

// jsonModeOf tells what a JSON document is by its type, path and first bytes.
func jsonModeOf(mime, path string, body []byte) jsonMode {
	head := body[:min(len(body), headSize)]
	switch mime = essence(mime); {
	case mime == "application/manifest+json", strings.HasSuffix(path, ".webmanifest"),
		strings.HasSuffix(path, "manifest.json") && bytes.Contains(body[:min(len(body), 8*headSize)], []byte(`"icons"`)):
		return jsonManifest
	case strings.HasSuffix(path, ".map"),
		bytes.Contains(head, []byte(`"version"`)) && bytes.Contains(body, []byte(`"sources"`)) && bytes.Contains(body, []byte(`"mappings"`)):
		return jsonSourceMap
	case mime == "application/ld+json":
		return jsonLD
	case mime == "application/feed+json", bytes.Contains(head, []byte("jsonfeed.org/version")), bytes.Contains(head, []byte(`jsonfeed.org\/version`)):
		return jsonFeed
	case mime == "application/importmap+json":
		return jsonImportmap
	case mime == "application/speculationrules+json":
		return jsonSpeculation
	}
	return jsonPlain
}
