package links

import "bytes"

// dataWords are the words in the name of a data attribute that say that it holds a URL, and of what sort.
var dataWords = map[string]Kind{
	"src": kindLazySrc, "original": kindLazySrc, "lazy": kindLazySrc, "lazyload": kindLazySrc, "bg": kindLazySrc, "background": kindLazySrc,
	"image": kindLazySrc, "img": kindLazySrc, "poster": kindLazySrc, "thumb": kindLazySrc, "thumbnail": kindLazySrc, "full": kindLazySrc,
	"large": kindLazySrc, "zoom": kindLazySrc, "hires": kindLazySrc, "retina": kindLazySrc, "echo": kindLazySrc, "video": kindLazySrc,
	"audio": kindLazySrc, "mp4": kindLazySrc, "webm": kindLazySrc, "mp3": kindLazySrc, "hls": kindLazySrc, "dash": kindLazySrc,
	"srcset": kindLazySrcset, "bgset": kindLazySrcset,
	"href": kindDataHref, "url": kindDataHref, "uri": kindDataHref, "link": kindDataHref, "permalink": kindDataHref, "path": kindDataHref,
	"endpoint": kindDataHref, "remote": kindDataHref, "page": kindDataHref, "canonical": kindDataHref,
}

// dataAttr handles data-*: names that say so hold a URL, a srcset or CSS; any may hold JSON or something plausible.
func (p *page) dataAttr(a *attribute) {
	val := a.val
	if len(val) < 3 || !bytes.ContainsAny(val, "/.") {
		return
	}
	v := trim(p.decoded(val))
	if len(v) < 3 {
		return
	}
	switch {
	case v[0] == '{' || v[0] == '[':
		p.e.within(InJSON, func() { p.e.jsonAttr(v) })
		return
	case bytes.Contains(v, []byte("url(")):
		p.e.css(v, cssAttr)
		return
	}
	k := dataKind(a.key)
	switch {
	case k == kindLazySrcset || k == kindLazySrc && bytes.Contains(v, []byte(", ")):
		srcset(v, func(url []byte) {
			if locatorShape(url) {
				p.here(kindLazySrcset, url)
			}
		})
	case k != kindNone && (absolute(v) || plausible(v) || v[0] == '/' && locatorShape(v)):
		p.here(k, v)
	case plausible(v):
		p.here(kindDataAttr, v)
	}
}

// dataKind judges by the last telling word of a name such as data-lazy-src.
func dataKind(name []byte) Kind {
	k := kindNone
	var low [32]byte
	for rest := name[len("data-"):]; len(rest) > 0; {
		word := rest
		if i := bytes.IndexByte(rest, '-'); i >= 0 {
			word, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		if len(word) > len(low) {
			continue
		}
		for i, c := range word {
			low[i] = lowerByte(c)
		}
		if w := dataWords[string(low[:len(word)])]; w != kindNone {
			k = w
		}
	}
	return k
}

// bound handles attributes that a framework evaluates: a constant string in them is a URL.
func (p *page) bound(val []byte) {
	v := trim(p.decoded(val))
	if n := len(v); n > 2 && (v[0] == '\'' || v[0] == '"' || v[0] == '`') && v[n-1] == v[0] && bytes.IndexByte(v[1:n-1], v[0]) < 0 {
		v = v[1 : n-1]
	}
	if plausible(v) {
		p.here(kindNgSrc, v)
	}
}
