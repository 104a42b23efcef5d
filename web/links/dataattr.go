package links

import "bytes"

// dataWords are the words in the name of a data attribute that say that it holds a URL, and of what sort.
var dataWords = map[string]Kind{
	"src": kindLazySrc, "original": kindLazySrc, "lazy": kindLazySrc, "lazyload": kindLazySrc, "bg": kindLazySrc, "background": kindLazySrc,
	"image": kindLazySrc, "img": kindLazySrc, "poster": kindLazySrc, "thumb": kindLazySrc, "thumbnail": kindLazySrc, "full": kindLazySrc,
	"large": kindLazySrc, "zoom": kindLazySrc, "hires": kindLazySrc, "retina": kindLazySrc, "echo": kindLazySrc, "video": kindLazySrc,
	"audio": kindLazySrc, "mp4": kindLazySrc, "webm": kindLazySrc, "mp3": kindLazySrc, "hls": kindLazySrc, "dash": kindLazySrc,
	"cfsrc": kindLazySrc, "lazysrc": kindLazySrc, "srcset": kindLazySrcset, "lazysrcset": kindLazySrcset, "bgset": kindLazySrcset,
	"href": kindDataHref, "url": kindDataHref, "uri": kindDataHref, "link": kindDataHref, "permalink": kindDataHref, "path": kindDataHref,
	"endpoint": kindDataHref, "remote": kindDataHref, "page": kindDataHref, "canonical": kindDataHref,
}

// dataAttr handles data-*: names that say so hold a URL, a srcset or CSS; any may hold JSON or something plausible.
func (p *page) dataAttr(a *attribute) {
	val := a.val
	asked := loader(p.tag) && loaded(a.key)
	if !asked && (len(val) < 3 || !bytes.ContainsAny(val, "/.(")) {
		return
	}
	v := trim(p.decoded(val))
	if !asked && len(v) < 3 || len(v) == 0 {
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
	case p.tag == tagScript && equalFold(a.key, "data-main"):
		p.here(kindScriptSrc, moduleFile(v))
	case k == kindLazySrcset || k == kindLazySrc && bytes.Contains(v, []byte(", ")):
		srcset(v, func(url []byte) {
			if locatorShape(url) || asked && lazyShape(url) {
				p.here(kindLazySrcset, url)
			}
		})
	case asked && k == kindLazySrc && lazyShape(v):
		p.here(k, v)
	case k != kindNone && (absolute(v) || plausible(v) || v[0] == '/' && locatorShape(v)):
		p.here(k, v)
	case plausible(v):
		p.here(kindDataAttr, v)
	}
}

// loader tells the elements that load something, so that their data-src is an address whatever it looks like.
func loader(t tag) bool {
	switch t {
	case tagImg, tagIframe, tagVideo, tagAudio, tagSource, tagEmbed, tagTrack, tagFrame, tagScript, tagAmp:
		return true
	}
	return false
}

// loaded tells the names of data attributes that stand for src, srcset or poster, or for RequireJS's main module.
func loaded(name []byte) bool {
	last, _ := lastWord(name)
	return equalFold(last, "src") || equalFold(last, "srcset") || equalFold(last, "poster") || equalFold(name, "data-main")
}

// lazyShape tells whether a value where an address is expected is one, not a switch: true, lazy, 1.
func lazyShape(v []byte) bool {
	switch string(v) {
	case "true", "false", "none", "null", "auto", "lazy", "eager", "undefined", "yes", "no":
		return false
	}
	return askedShape(v) && bytes.ContainsFunc(v, func(r rune) bool { return r < '0' || r > '9' })
}

// moduleFile is the file of a module that a loader of scripts names without its ending.
func moduleFile(v []byte) []byte {
	if absolute(v) || v[0] == '/' || bytes.HasSuffix(v, []byte(".js")) || bytes.IndexByte(v, '?') >= 0 {
		return v
	}
	return append(bytes.Clone(v), ".js"...)
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
