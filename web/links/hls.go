package links

import (
	"bytes"
	"net/url"
)

// hls reads an M3U8 play list (RFC 8216 and its successor), or a plain M3U.
//
//	a line that is no comment is a URI: a play list behind EXT-X-STREAM-INF, else a segment
//	tags name further URIs in attributes; EXT-X-DEFINE sets variables that URIs may use
type hls struct {
	e        *Extractor
	extended bool // it has tags of HLS
	variant  bool // the next URI is a play list
	title    string
	last     []byte
	vars     map[string]string
}

// playlist reads an M3U or M3U8 document.
func (e *Extractor) playlist(body []byte) {
	h := hls{e: e, extended: bytes.Contains(body[:min(len(body), 16*headSize)], []byte("#EXT-X-"))}
	for line := range bytes.Lines(body) {
		line = trim(line)
		switch {
		case len(line) == 0:
		case line[0] == '#':
			h.tag(line)
		default:
			h.uri(h.substitute(line))
			h.variant, h.title = false, ""
		}
	}
}

// uri adds a line that is a URI. Segments that are ranges of one file repeat it.
func (h *hls) uri(line []byte) {
	if bytes.Equal(line, h.last) {
		return
	}
	h.last = append(h.last[:0], line...)
	path, _ := cutQuery(line)
	k := kindHLSSegment
	switch {
	case !h.extended:
		k = kindPlaylistEntry
	case h.variant, bytes.HasSuffix(path, []byte(".m3u8")):
		k = kindHLSPlaylist
	}
	h.e.add(found{kind: k, from: noPlace, anchor: h.title}, line)
}

// tag handles a line that begins with #.
func (h *hls) tag(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	switch string(name) {
	case "#EXTINF":
		if _, title, ok := bytes.Cut(value, []byte(",")); ok {
			h.title = h.e.arena.str(title[:min(len(title), h.e.limits.Anchor)])
		}
	case "#EXT-X-STREAM-INF":
		h.variant = true
	case "#EXT-X-MEDIA", "#EXT-X-I-FRAME-STREAM-INF", "#EXT-X-IMAGE-STREAM-INF", "#EXT-X-RENDITION-REPORT":
		h.attribute(kindHLSPlaylist, value, "URI")
	case "#EXT-X-MAP", "#EXT-X-PART", "#EXT-X-PRELOAD-HINT":
		h.attribute(kindHLSSegment, value, "URI")
	case "#EXT-X-KEY", "#EXT-X-SESSION-KEY", "#EXT-X-SESSION-DATA":
		h.attribute(kindHLSKey, value, "URI")
	case "#EXT-X-CONTENT-STEERING":
		h.attribute(kindHLSKey, value, "SERVER-URI")
	case "#EXT-X-DATERANGE":
		h.attribute(kindHLSPlaylist, value, "X-ASSET-URI")
		h.attribute(kindHLSPlaylist, value, "X-ASSET-LIST")
	case "#EXT-X-DEFINE":
		h.define(value)
	}
}

// attribute adds the URI in an attribute of a tag.
func (h *hls) attribute(k Kind, list []byte, name string) {
	if v := attributeOf(list, name); len(v) > 0 {
		h.e.link(k, h.substitute(v))
	}
}

// define sets a variable.
func (h *hls) define(list []byte) {
	name, value := attributeOf(list, "NAME"), attributeOf(list, "VALUE")
	if p := attributeOf(list, "QUERYPARAM"); len(p) > 0 {
		q, _ := url.ParseQuery(h.e.doc.Query())
		name, value = p, []byte(q.Get(string(p)))
	}
	if len(name) == 0 {
		return
	}
	if len(h.vars) >= 64 || len(value) > maxGuess {
		h.e.cut() // addresses with it are not what they should be
		return
	}
	if h.vars == nil {
		h.vars = make(map[string]string)
	}
	h.vars[string(name)] = string(value)
}

// substitute replaces {$name}.
func (h *hls) substitute(p []byte) []byte {
	if len(h.vars) == 0 || !bytes.Contains(p, []byte("{$")) {
		return p
	}
	var out []byte
	for len(out) <= h.e.limits.URL { // what is longer is counted as cut
		head, rest, ok := bytes.Cut(p, []byte("{$"))
		out = append(out, head...)
		if !ok {
			break
		}
		name, tail, ok := bytes.Cut(rest, []byte("}"))
		if !ok {
			break
		}
		out = append(out, h.vars[string(name)]...)
		p = tail
	}
	return out
}

// attributeOf gives the value of NAME=value or NAME="value" in an attribute list.
func attributeOf(list []byte, name string) []byte {
	for len(list) > 0 {
		key, rest, ok := bytes.Cut(list, []byte("="))
		if !ok {
			return nil
		}
		var value []byte
		if len(rest) > 0 && rest[0] == '"' {
			value, rest, _ = bytes.Cut(rest[1:], []byte(`"`))
			_, rest, _ = bytes.Cut(rest, []byte(","))
		} else {
			value, rest, _ = bytes.Cut(rest, []byte(","))
		}
		if string(trim(key)) == name {
			return value
		}
		list = rest
	}
	return nil
}
