package object

import (
	"encoding/json"
	"html"
	"slices"
	"strings"
	"time"

	"varve/web/markup/tree"
)

// structured reads JSON-LD.
func (x *extractor) structured(root *tree.Node) {
	for n := range root.Descendants() {
		if n.Element != elScript || !strings.Contains(strings.ToLower(n.Attr("type")), "ld+json") || n.First == nil {
			continue
		}
		var v any
		if json.Unmarshal([]byte(strings.TrimSpace(n.First.Data)), &v) == nil {
			x.value(v, 0)
		}
	}
}

// maxNesting bounds values inside each other.
const maxNesting = 30

// value looks for objects of films and sounds, wherever they stand.
func (x *extractor) value(v any, depth int) {
	if depth > maxNesting {
		switch v.(type) {
		case []any, map[string]any:
			x.beyond++
		}
		return
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			x.value(e, depth+1)
		}
	case map[string]any:
		if is(v["@type"], "VideoObject", "AudioObject", "MusicVideoObject", "Clip", "PodcastEpisode", "MediaObject") {
			x.described(v)
		}
		for _, e := range sorted(v) {
			x.value(e, depth+1)
		}
	}
}

// described reads one VideoObject.
func (x *extractor) described(m map[string]any) {
	o := Object{
		Title: html.UnescapeString(str(m["name"])), Description: html.UnescapeString(str(m["description"])), Poster: str(m["thumbnailUrl"]), Date: firstOf(str(m["uploadDate"]), str(m["datePublished"])),
		Seconds: isoSeconds(str(m["duration"])), MIME: str(m["encodingFormat"]), Sound: is(m["@type"], "AudioObject", "PodcastEpisode"), From: []string{"json-ld"},
	}
	if o.Poster == "" {
		o.Poster = str(m["thumbnail"])
	}
	if u := firstOf(str(m["contentUrl"]), str(m["contentURL"])); u != "" {
		file := o
		file.URL = u
		x.add(file)
	}
	if u := firstOf(str(m["embedUrl"]), str(m["embedURL"])); u != "" {
		o.URL, o.Kind, o.MIME = u, Player, ""
		x.add(o)
	}
}

// is tells whether a type is one of some; it may be a list.
func is(v any, names ...string) bool {
	switch v := v.(type) {
	case string:
		name := v[strings.LastIndexByte(v, '/')+1:]
		return contains(names, name)
	case []any:
		for _, e := range v {
			if s, ok := e.(string); ok && is(s, names...) {
				return true
			}
		}
	}
	return false
}

// str gives a text: itself, the first of a list, the url of an object.
func str(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		for _, e := range v {
			if s := str(e); s != "" {
				return s
			}
		}
	case map[string]any:
		for _, key := range []string{"url", "@id", "contentUrl", "@value"} {
			if s, ok := v[key].(string); ok {
				return s
			}
		}
	}
	return ""
}

// sorted gives the values of an object in a fixed order: that of their keys.
func sorted(m map[string]any) []any {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	out := make([]any, 0, len(keys))
	for _, k := range keys {
		out = append(out, m[k])
	}
	return out
}

// isoSeconds reads PT1H2M3S, or 1:02:03, or plain seconds; what is none is 0.
func isoSeconds(s string) float64 {
	s = strings.ToUpper(strings.TrimSpace(s))
	if rest, ok := strings.CutPrefix(s, "PT"); ok {
		d, err := time.ParseDuration(strings.ToLower(rest))
		if err != nil || d < 0 {
			return 0
		}
		return d.Seconds()
	}
	sum := 0.0
	parts := strings.Split(s, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0
	}
	for _, p := range parts {
		n := 0.0
		for _, c := range p {
			if c < '0' || c > '9' || len(p) > 4 {
				return 0
			}
			n = n*10 + float64(c-'0')
		}
		sum = sum*60 + n
	}
	return sum
}
