package route

import (
	"bytes"
	"strings"
)

// roots are the ids of elements in which applications show themselves.
var roots = map[string]bool{
	"root": true, "app": true, "__next": true, "__nuxt": true, "___gatsby": true, "svelte": true, "react-root": true, "main-app": true,
	"q-app": true, "ember-app": true, "application": true, "app-root": true, "spa": true, "react": true, "mount": true, "app-mount": true,
}

// attrs are what matters of the attributes of a tag.
type attrs struct {
	src, href, id, class, typ, method []byte
	hasSrc, hasSrcset, hasLazy        bool
}

// tag reads the attributes of a tag and what they show; of some elements also the content.
func (r *reader) tag() {
	a := r.attributes()
	if bytes.IndexByte(r.name, '-') > 0 {
		r.custom(&a)
		return
	}
	if len(r.name) > 8 {
		return
	}
	var lower [8]byte
	name := lower[:copy(lower[:], r.name)]
	for i := range name {
		name[i] |= 0x20
	}
	switch string(name) {
	case "script":
		r.script(&a)
	case "noscript":
		if bytes.Contains(bytes.ToLower(clip(r.raw("noscript"), 4096)), []byte("javascript")) {
			r.page.Signs |= NeedsScript
		}
	case "template":
		r.page.Signs |= Template
	case "a", "button", "div", "span", "main", "section", "li", "td":
		r.clickable(string(name), &a)
	case "img":
		if !a.hasSrcset && !a.hasLazy && (!a.hasSrc || bytes.HasPrefix(a.src, []byte("data:"))) {
			r.page.Signs |= BareImages
		}
	case "iframe":
		if len(a.src) == 0 || bytes.HasPrefix(a.src, []byte("about:")) {
			r.page.Signs |= BareFrames
		}
		if isPlayerFrame(a.src) {
			r.page.Signs |= HasMedia
		}
	case "video", "audio":
		r.page.Signs |= HasMedia
		if !a.hasSrc && !bytes.Contains(bytes.ToLower(clip(r.b[r.at:], 2048)), []byte("<source")) {
			r.page.Signs |= Player
		}
	case "select":
		r.page.Signs |= Choices
	case "form":
		if strings.EqualFold(string(a.method), "post") {
			r.page.Signs |= PostForm
		}
	}
}

// attributes reads the attributes of a tag. Those that any element can have are looked at here.
func (r *reader) attributes() (a attrs) {
	for {
		name, value, ok := r.attribute()
		if !ok {
			return a
		}
		switch name[0] | 0x20 {
		case 's':
			if isName(name, "src") {
				a.src, a.hasSrc = value, true
			} else if isName(name, "srcset") {
				a.hasSrcset = true
			}
		case 'h':
			if isName(name, "href") {
				a.href = value
			} else {
				r.special(name)
			}
		case 'i':
			if isName(name, "id") {
				a.id = value
			}
		case 'c':
			if isName(name, "class") {
				a.class = value
			}
		case 't':
			if isName(name, "type") {
				a.typ = value
			}
		case 'm':
			if isName(name, "method") {
				a.method = value
			}
		case 'o':
			if len(name) > 4 && name[1]|0x20 == 'n' && isCode(name, value) {
				r.handlers++
				r.page.Scripted = true
			}
		case 'd', 'n', 'x', 'v', 'q':
			a.hasLazy = a.hasLazy || isLazy(name, value)
			r.special(name)
		}
	}
}

// special looks at attributes that scripts read.
func (r *reader) special(name []byte) {
	if len(name) < 5 {
		return
	}
	n := strings.ToLower(string(clip(name, 40)))
	switch n {
	case "data-api", "data-url", "data-endpoint", "data-source", "data-fetch", "data-load", "data-remote", "data-ajax", "data-feed", "data-json",
		"data-next", "data-more", "data-page-url", "data-graphql", "data-query", "hx-post", "hx-trigger", "data-infinite-scroll", "data-load-more":
		r.page.Signs |= DataAPI
	case "data-reactroot", "data-reactid", "ng-version", "ng-app", "data-server-rendered", "data-v-app", "x-data", "v-cloak", "data-controller",
		"data-svelte-h", "q:container", "data-turbo", "data-astro-cid":
		r.page.Signs |= Framework
	case "data-video", "data-player", "data-hls", "data-stream", "data-video-id", "data-playlist":
		r.page.Signs |= Player
	}
}

// custom looks at an element whose name has a hyphen.
func (r *reader) custom(a *attrs) {
	r.page.Signs |= Custom
	if strings.EqualFold(string(r.name), "app-root") || roots[string(a.id)] {
		r.root()
	}
}

// root looks at the root element of an application: the tag has just ended.
func (r *reader) root() {
	rest := bytes.TrimLeft(clip(r.b[r.at:], 200), " \r\n\t")
	if bytes.HasPrefix(rest, []byte("</")) || bytes.HasPrefix(rest, []byte("<!--")) || bytes.HasPrefix(bytes.ToLower(rest), []byte("loading")) {
		r.page.Signs |= EmptyRoot
	} else {
		r.page.Signs |= Framework
	}
}

// script looks at a script, in the page or in a file.
func (r *reader) script(a *attrs) {
	body := r.raw("script")
	typ := strings.ToLower(string(a.typ))
	switch {
	case typ == "module":
		r.page.Signs |= Module
	case typ == "" || strings.Contains(typ, "javascript") || strings.Contains(typ, "ecmascript"):
	default: // data
		if string(a.id) == "__NEXT_DATA__" || string(a.id) == "__NUXT_DATA__" {
			r.page.Signs |= Framework
		}
		return
	}
	r.page.Scripted = true
	if len(a.src) > 0 {
		if len(r.page.Scripts) < maxScripts {
			r.page.Scripts = append(r.page.Scripts, string(a.src))
		}
		return
	}
	r.page.ScriptBytes += len(body)
	r.page.Signs |= ScriptSigns(body)
}

// clickable looks at an element that may do something when it is clicked, or hold an application.
func (r *reader) clickable(name string, a *attrs) {
	switch {
	case bytes.HasPrefix(a.href, []byte("#/")), bytes.HasPrefix(a.href, []byte("#!")):
		r.page.Signs |= HashRoutes
	case string(a.href) == "#", len(a.href) > 10 && strings.EqualFold(string(a.href[:11]), "javascript:"):
		r.idle++
		r.page.Scripted = r.page.Scripted || len(a.href) > 1
	}
	if len(a.id) > 0 && name != "a" && name != "button" && roots[string(a.id)] {
		r.root()
	}
	if r.page.Signs&LoadMore == 0 && (isMore(a.class) || isMore(a.id) || (name == "button" || name == "a") && saysMore(r.b[r.at:])) {
		r.page.Signs |= LoadMore
	}
	if name == "div" && isPlayer(a.class) {
		r.page.Signs |= Player
	}
}
