package hls

import (
	"bytes"
	"iter"
)

// Line is a line of a play list: a tag or an address. Comments and empty lines are none.
type Line struct {
	Number int    // from 1
	Name   []byte // of a tag, with its #: #EXT-X-KEY; nil for an address
	Value  []byte // of a tag, what follows its colon; else the address
	From   int    // place of Value in the list
	Length int    // of the whole line in bytes
}

// Lines goes through the lines of a list, white space around them taken off.
func Lines(text []byte) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		at := 0
		if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
			at = 3
		}
		for n := 1; at < len(text); n++ {
			end := len(text)
			if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
				end = at + i + 1
			}
			l := Line{Number: n, Value: text[at:end], From: at, Length: end - at}
			at = end
			if l.trim(); len(l.Value) == 0 {
				continue
			}
			if l.Value[0] == '#' {
				if !bytes.HasPrefix(l.Value, []byte("#EXT")) {
					continue
				}
				l.Name = l.Value
				if i := bytes.IndexByte(l.Value, ':'); i >= 0 {
					l.Name, l.Value, l.From = l.Value[:i], l.Value[i+1:], l.From+i+1
				} else {
					l.Value, l.From = nil, l.From+len(l.Value)
				}
			}
			if !yield(l) {
				return
			}
		}
	}
}

// trim takes white space off both ends of the value.
func (l *Line) trim() {
	n := len(l.Value)
	l.Value = bytes.TrimLeft(l.Value, " \t\r\n")
	l.From += n - len(l.Value)
	l.Value = bytes.TrimRight(l.Value, " \t\r\n")
}

// Attribute is NAME=value or NAME="value" of a tag, quotes taken off.
type Attribute struct {
	Name, Value []byte
	Quoted      bool
	From        int // place of Value in the list
}

// maxAttributes bounds the attributes of one tag.
const maxAttributes = 64

// Attributes goes through the attributes of a tag, up to what is none.
func (l Line) Attributes() iter.Seq[Attribute] {
	return func(yield func(Attribute) bool) { l.attributes(yield) }
}

// attributes reports whether all of the value was read.
func (l Line) attributes(yield func(Attribute) bool) bool {
	s, from := l.Value, l.From
	skip := func(n int) { s, from = s[n:], from+n }
	for n := 0; ; n++ {
		skip(len(s) - len(bytes.TrimLeft(s, " \t")))
		if len(s) == 0 {
			return true
		}
		eq := bytes.IndexByte(s, '=')
		if eq < 0 || n == maxAttributes {
			return false
		}
		a := Attribute{Name: bytes.TrimSpace(s[:eq])}
		if len(a.Name) == 0 || bytes.ContainsAny(a.Name, `",`) {
			return false
		}
		skip(eq + 1)
		whole := true
		if a.Quoted = len(s) > 0 && s[0] == '"'; a.Quoted {
			skip(1)
			end := bytes.IndexByte(s, '"')
			if whole = end >= 0; !whole {
				end = len(s)
			}
			a.Value, a.From = s[:end], from
			skip(end)
		}
		end := bytes.IndexByte(s, ',')
		if end < 0 {
			end = len(s)
		}
		if !a.Quoted {
			a.Value = bytes.TrimSpace(s[:end])
			a.From = from + max(bytes.Index(s[:end], a.Value), 0)
		}
		skip(min(end+1, len(s)))
		if !yield(a) || !whole {
			return false
		}
	}
}

// Use is what a list names an address for.
type Use uint8

// The uses.
const (
	AsPlaylist Use = iota + 1 // another list
	AsSegment                 // a segment, a part of one, or what comes before it
	AsKey                     // keys, data of the session, where to steer
	AsOther                   // of a tag that the standard does not know
)

// UseOf says what an attribute of a tag names an address for, 0 if it names none.
func UseOf(tag, attribute []byte) Use {
	switch string(attribute) {
	case "URI":
		switch string(tag) {
		case "#EXT-X-MEDIA", "#EXT-X-I-FRAME-STREAM-INF", "#EXT-X-IMAGE-STREAM-INF", "#EXT-X-RENDITION-REPORT":
			return AsPlaylist
		case "#EXT-X-MAP", "#EXT-X-PART", "#EXT-X-PRELOAD-HINT":
			return AsSegment
		case "#EXT-X-KEY", "#EXT-X-SESSION-KEY", "#EXT-X-SESSION-DATA":
			return AsKey
		}
		return AsOther
	case "SERVER-URI":
		return AsKey
	case "X-ASSET-URI", "X-ASSET-LIST":
		return AsPlaylist
	}
	return 0
}
