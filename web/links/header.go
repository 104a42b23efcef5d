package links

import "strings"

// headers reads the response headers that hold links or say something about the page.
func (e *Extractor) headers(hs []Header) {
	base := e.base
	e.base = baseURL
	for _, h := range hs {
		switch strings.ToLower(h.Name) {
		case "link":
			e.headerLink(h.Value)
		case "location":
			e.link(kindHeaderLocation, []byte(h.Value))
		case "refresh":
			if url := refresh([]byte(h.Value)); url != nil {
				e.link(kindHeaderRefresh, url)
			}
		case "content-location":
			e.link(kindHeaderContent, []byte(h.Value))
		case "sourcemap", "x-sourcemap":
			e.link(kindHeaderSourcemap, []byte(h.Value))
		case "x-pingback":
			e.link(kindHeaderPingback, []byte(h.Value))
		case "speculation-rules":
			for part := range strings.SplitSeq(h.Value, ",") {
				e.link(kindHeaderSpeculation, []byte(strings.Trim(strings.TrimSpace(part), `"`)))
			}
		case "x-robots-tag":
			e.robots(h.Value)
		case "content-language":
			e.headerLang = strings.TrimSpace(h.Value)
		}
	}
	e.base = base
}

// headerValue gives the first header of a name, which is in lower case.
func headerValue(hs []Header, name string) string {
	for _, h := range hs {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

// headerLink reads a Link header (RFC 8288): <url>; param=value; ..., <url> ...
func (e *Extractor) headerLink(v string) {
	for v != "" {
		open := strings.IndexByte(v, '<')
		if open < 0 {
			return
		}
		v = v[open+1:]
		end := strings.IndexByte(v, '>')
		if end < 0 {
			return
		}
		url := v[:end]
		var p linkParams
		v = p.read(v[end+1:])
		e.headerTarget(url, p)
	}
}

// linkParams are the parameters of one link of a Link header that matter.
type linkParams struct {
	rel, typ, title, anchor, imagesrcset string
}

// read takes the parameters up to the comma that ends the link and gives the rest.
func (p *linkParams) read(s string) string {
	for {
		s = strings.TrimLeft(s, " \t")
		if s == "" || s[0] != ';' {
			return strings.TrimPrefix(s, ",")
		}
		s = strings.TrimLeft(s[1:], " \t")
		n := strings.IndexAny(s, "=;,")
		if n < 0 {
			return ""
		}
		name := strings.ToLower(strings.TrimSpace(s[:n]))
		if s[n] != '=' {
			s = s[n:]
			continue
		}
		var value string
		value, s = paramValue(strings.TrimLeft(s[n+1:], " \t"))
		p.set(name, value)
	}
}

// set keeps the first value of a parameter, as the standard says of rel.
func (p *linkParams) set(name, value string) {
	for _, f := range []struct {
		name string
		to   *string
	}{{"rel", &p.rel}, {"type", &p.typ}, {"title", &p.title}, {"anchor", &p.anchor}, {"imagesrcset", &p.imagesrcset}} {
		if f.name == name && *f.to == "" {
			*f.to = value
		}
	}
}

// paramValue reads a token or quoted string.
func paramValue(s string) (value, rest string) {
	if s == "" || s[0] != '"' {
		n := strings.IndexAny(s, ";,")
		if n < 0 {
			n = len(s)
		}
		return strings.TrimSpace(s[:n]), s[n:]
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case c == '"':
			return b.String(), s[i+1:]
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), ""
}

// headerTarget adds one link of a Link header.
func (e *Extractor) headerTarget(url string, p linkParams) {
	rel := strings.ToLower(p.rel)
	k := linkKind(rel, essence(p.typ))
	if k == kindNone {
		return
	}
	at := kindHeaderLink
	switch k.Hop() {
	case HopEmbed:
		at = kindHeaderEmbed
	case HopFeed:
		at = kindHeaderFeed
	case HopSpeculative:
		at = kindHeaderPingback
	}
	i := e.add(found{kind: at, from: noPlace, rel: rel, anchor: p.title}, []byte(url))
	srcset([]byte(p.imagesrcset), func(image []byte) { e.link(kindHeaderEmbed, image) })
	if i >= 0 && k == kindLinkCanonical && p.anchor == "" && e.info.Canonical == "" {
		if abs, ok := e.resolve(baseURL, e.pending[i].raw); ok {
			e.info.Canonical = abs
		}
	}
}
