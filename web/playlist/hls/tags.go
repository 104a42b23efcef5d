package hls

import (
	"strconv"
	"strings"
)

// tag takes one tag.
func (p *parser) tag(l Line) {
	name, value := string(l.Name), string(l.Value)
	switch name {
	case "#EXTINF":
		p.extinf(value)
	case "#EXT-X-BYTERANGE":
		n, at, ok := parseRange(value)
		if !ok {
			p.problem("the range %.40q cannot be read", value)
			return
		}
		p.next.Length, p.at, p.ranged = n, at, true
	case "#EXT-X-DISCONTINUITY":
		p.next.Discontinuity = true
	case "#EXT-X-GAP":
		p.next.Gap = true
	case "#EXT-X-PROGRAM-DATE-TIME":
		t, ok := parseDate(value)
		if !ok {
			p.problem("the date %.40q cannot be read", value)
		}
		p.next.Date = t
	case "#EXT-X-ENDLIST":
		p.list.Ended = true
	case "#EXT-X-VERSION", "#EXT-X-TARGETDURATION", "#EXT-X-MEDIA-SEQUENCE", "#EXT-X-DISCONTINUITY-SEQUENCE", "#EXT-X-PLAYLIST-TYPE":
		p.header(name, strings.TrimSpace(value))
	default:
		p.listTag(name, l)
	}
}

// extinf reads duration,title.
func (p *parser) extinf(value string) {
	seconds, title, _ := strings.Cut(value, ",")
	d, ok := parseSeconds(seconds)
	if !ok {
		p.problem("the duration %.40q cannot be read", seconds)
	}
	p.next.Duration, p.next.Title, p.timed = d, strings.TrimSpace(title), true
}

// header takes the tags that are about the list itself.
func (p *parser) header(name, value string) {
	n, err := strconv.ParseUint(value, 10, 63)
	if err != nil && name != "#EXT-X-PLAYLIST-TYPE" {
		d, ok := parseSeconds(value) // some write a fraction
		if !ok || name != "#EXT-X-TARGETDURATION" {
			p.problem("%s: %.40q is no number", name[1:], value)
			return
		}
		p.list.Target = d
		return
	}
	switch name {
	case "#EXT-X-VERSION":
		p.list.Version = int(min(n, 1000))
	case "#EXT-X-TARGETDURATION":
		p.list.Target, _ = parseSeconds(value)
	case "#EXT-X-MEDIA-SEQUENCE":
		if p.counted {
			p.problem("EXT-X-MEDIA-SEQUENCE behind the first segment")
			return
		}
		p.seq = n
	case "#EXT-X-DISCONTINUITY-SEQUENCE":
		p.list.Discontinuity = n
	case "#EXT-X-PLAYLIST-TYPE":
		p.list.Kind = value
	}
}

// listTag takes the tags that have attributes.
func (p *parser) listTag(name string, l Line) {
	switch name {
	case "#EXT-X-KEY", "#EXT-X-MAP", "#EXT-X-STREAM-INF", "#EXT-X-I-FRAME-STREAM-INF", "#EXT-X-IMAGE-STREAM-INF", "#EXT-X-MEDIA",
		"#EXT-X-SESSION-KEY", "#EXT-X-SESSION-DATA", "#EXT-X-DEFINE", "#EXT-X-PART":
	default:
		return
	}
	a, ok := parseAttributes(l)
	if !ok {
		p.problem("%s: the attributes cannot all be read", name[1:])
	}
	switch name {
	case "#EXT-X-KEY":
		p.key(a)
	case "#EXT-X-MAP":
		p.start = p.ranges(a)
	case "#EXT-X-PART":
		switch r := p.ranges(a); {
		case r == nil:
		case len(p.list.Parts) >= p.limits.Segments:
			p.list.Cut = true
		default:
			p.list.Parts = append(p.list.Parts, *r)
		}
	case "#EXT-X-STREAM-INF":
		v := p.variantOf(a)
		p.variant = &v
	case "#EXT-X-I-FRAME-STREAM-INF", "#EXT-X-IMAGE-STREAM-INF":
		v := p.variantOf(a)
		if v.URL = p.resolve(a.get("URI")); v.URL != "" {
			p.addVariant(&p.list.Trick, v)
		}
	case "#EXT-X-MEDIA":
		p.rendition(a)
	case "#EXT-X-SESSION-KEY", "#EXT-X-SESSION-DATA":
		switch u := p.resolve(a.get("URI")); {
		case u == "":
		case len(p.list.Others) >= p.limits.Variants:
			p.list.Cut = true
		default:
			p.list.Others = append(p.list.Others, u)
		}
	case "#EXT-X-DEFINE":
		p.define(l)
	}
}

// key makes a key hold from here on. Keys in a row, of several key systems, hold together.
func (p *parser) key(a attributes) {
	for i := range a {
		a[i].value = p.substitute(a[i].value)
	}
	k := Key{Method: a.get("METHOD"), IV: a.get("IV"), Format: a.get("KEYFORMAT")}
	if k.Method != "NONE" {
		k.URL = p.resolve(a.get("URI"))
	}
	for i := range a {
		if a[i].name == "URI" && k.URL != "" {
			a[i].value = k.URL
		}
	}
	k.raw = a.String()
	switch {
	case k.Method == "" || k.Method == "NONE":
		p.keys = nil
	case p.keysSet && len(p.keys) < 16:
		p.keys = append(p.keys[:len(p.keys):len(p.keys)], k)
	default:
		p.keys = []Key{k}
	}
	p.keysSet = true
}

// ranges reads URI and BYTERANGE; nil without an address.
func (p *parser) ranges(a attributes) *Resource {
	u := p.resolve(a.get("URI"))
	if u == "" {
		return nil
	}
	r := &Resource{URL: u}
	if s := a.get("BYTERANGE"); s != "" {
		n, at, ok := parseRange(s)
		if !ok {
			p.problem("the range %.40q cannot be read", s)
			return r
		}
		r.Length, r.Offset = n, max(at, 0)
	}
	return r
}

func (p *parser) variantOf(a attributes) Variant {
	v := Variant{
		Bandwidth: a.integer("BANDWIDTH"), Average: a.integer("AVERAGE-BANDWIDTH"), Codecs: a.get("CODECS"), Audio: a.get("AUDIO"), Video: a.get("VIDEO"),
		Subtitles: a.get("SUBTITLES"), Captions: a.get("CLOSED-CAPTIONS"), PathwayID: a.get("PATHWAY-ID"), Line: p.line,
		Resolution: a.get("RESOLUTION"),
	}
	v.Width, v.Height = a.size("RESOLUTION")
	if f, err := strconv.ParseFloat(a.get("FRAME-RATE"), 64); err == nil && f > 0 && f < 10_000 {
		v.FrameRate = f
	}
	if v.Bandwidth == 0 {
		p.problem("a variant without BANDWIDTH")
	}
	return v
}

func (p *parser) rendition(a attributes) {
	if len(p.list.Variants)+len(p.list.Renditions) >= p.limits.Variants {
		p.list.Cut = true
		return
	}
	p.list.Renditions = append(p.list.Renditions, Rendition{
		Kind: a.get("TYPE"), URL: p.resolve(a.get("URI")), Group: a.get("GROUP-ID"), Language: a.get("LANGUAGE"), Name: p.substitute(a.get("NAME")),
		Default: a.is("DEFAULT"), Auto: a.is("AUTOSELECT"), Forced: a.is("FORCED"), Line: p.line,
	})
}
