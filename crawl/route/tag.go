package route

import (
	"bytes"
	"strings"

	"varve/web/markup"
)

// roots are the ids of elements in which applications show themselves.
var roots = map[string]bool{
	"root": true, "app": true, "__next": true, "__nuxt": true, "___gatsby": true, "svelte": true, "react-root": true, "main-app": true,
	"q-app": true, "ember-app": true, "application": true, "app-root": true, "spa": true, "react": true, "mount": true, "app-mount": true,
}

// attrs are what matters of the attributes of a tag.
type attrs struct {
	src, href, id, class, typ, method, data []byte
	hasSrc, hasSrcset, hasLazy              bool
}

// part is what an element may show.
type part uint8

const (
	scriptPart part = iota + 1
	noscriptPart
	templatePart
	clickPart // something to click, or the root of an application
	imagePart
	framePart
	playerPart
	plugPart
	choicePart
	formPart
)

var (
	parts = markup.Table(map[string]part{
		"script": scriptPart, "noscript": noscriptPart, "template": templatePart, "a button div span main section li td": clickPart, "img": imagePart,
		"iframe": framePart, "video audio": playerPart, "object embed": plugPart, "select": choicePart, "form": formPart,
	})
	elNoscript, elA, elButton, elDiv = markup.Named("noscript"), markup.Named("a"), markup.Named("button"), markup.Named("div")
)

// tag reads the attributes of a tag and what they show.
func (r *Reader) tag(t *markup.Token) {
	var a attrs
	r.attributes(t, &a)
	if bytes.IndexByte(t.Name, '-') > 0 {
		r.custom(t, &a)
		return
	}
	switch parts[t.Element] {
	case scriptPart:
		r.script(&a)
	case noscriptPart:
		r.noscript = t.To
	case templatePart:
		r.page.Signs |= Template
	case clickPart:
		r.clickable(t, &a)
	case imagePart:
		if !a.hasSrcset && !a.hasLazy && (!a.hasSrc || bytes.HasPrefix(a.src, []byte("data:"))) {
			r.page.Signs |= BareImages
		}
	case framePart:
		if len(a.src) == 0 || bytes.HasPrefix(a.src, []byte("about:")) {
			r.page.Signs |= BareFrames
		}
		if isPlayerFrame(a.src) {
			r.page.Signs |= HasMedia
		}
	case playerPart:
		r.page.Signs |= HasMedia
		if !a.hasSrc && !bytes.Contains(bytes.ToLower(clip(r.src[t.To:], 2048)), []byte("<source")) {
			r.page.Signs |= Player
		}
	case plugPart:
		if plays(a.typ) || plays(a.src) || plays(a.data) {
			r.page.Signs |= HasMedia
		}
	case choicePart:
		r.page.Signs |= Choices
	case formPart:
		if strings.EqualFold(string(a.method), "post") {
			r.page.Signs |= PostForm
		}
	}
}

// attributes reads the attributes of a tag. Those that any element can have are looked at here.
func (r *Reader) attributes(t *markup.Token, a *attrs) {
	for i := range t.Attrs {
		name, value := t.Attrs[i].Key, t.Attrs[i].Val
		switch string(name) {
		case "src":
			a.src, a.hasSrc = value, true
		case "srcset":
			a.hasSrcset = true
		case "href":
			a.href = value
		case "id":
			a.id = value
		case "class":
			a.class = value
		case "type":
			a.typ = value
		case "method":
			a.method = value
		case "data":
			a.data = value
		default:
			r.other(name, value, a)
		}
	}
}

// other looks at attributes that few elements have.
func (r *Reader) other(name, value []byte, a *attrs) {
	switch name[0] {
	case 'h':
		r.special(name)
	case 'o':
		if len(name) > 4 && name[1] == 'n' && isCode(name, value) {
			r.handlers++
			r.page.Scripted = true
		}
	case 'd', 'n', 'x', 'v', 'q':
		a.hasLazy = a.hasLazy || isLazy(name, value)
		r.special(name)
	}
}

// plays reports whether the type of a plug-in, or the address it is given, is that of a film, a sound or a stream.
func plays(v []byte) bool {
	s := strings.ToLower(string(clip(bytes.TrimSpace(v), 8)))
	for _, lead := range []string{"video/", "audio/", "rtmp", "rtsp", "mms:", "mmsh:", "srt:"} {
		if strings.HasPrefix(s, lead) {
			return true
		}
	}
	return false
}

// special looks at attributes that scripts read.
func (r *Reader) special(name []byte) {
	if len(name) < 5 {
		return
	}
	switch string(name) {
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
func (r *Reader) custom(t *markup.Token, a *attrs) {
	r.page.Signs |= Custom
	if string(t.Name) == "app-root" || roots[string(a.id)] {
		r.root(t)
	}
}

// root looks at the root element of an application: the tag has just ended.
func (r *Reader) root(t *markup.Token) {
	rest := bytes.TrimLeft(clip(r.src[t.To:], 200), " \r\n\t")
	if bytes.HasPrefix(rest, []byte("</")) || bytes.HasPrefix(rest, []byte("<!--")) || bytes.HasPrefix(bytes.ToLower(rest), []byte("loading")) {
		r.page.Signs |= EmptyRoot
	} else {
		r.page.Signs |= Framework
	}
}

// script looks at a script, in the page or in a file.
func (r *Reader) script(a *attrs) {
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
			r.page.Scripts = append(r.page.Scripts, markup.Value(a.src))
		}
		return
	}
	r.inline = true
}

// clickable looks at an element that may do something when it is clicked, or hold an application.
func (r *Reader) clickable(t *markup.Token, a *attrs) {
	switch {
	case bytes.HasPrefix(a.href, []byte("#/")), bytes.HasPrefix(a.href, []byte("#!")):
		r.page.Signs |= HashRoutes
	case string(a.href) == "#", len(a.href) > 10 && strings.EqualFold(string(a.href[:11]), "javascript:"):
		r.idle++
		r.page.Scripted = r.page.Scripted || len(a.href) > 1
	}
	name := t.Element
	if len(a.id) > 0 && name != elA && name != elButton && roots[string(a.id)] {
		r.root(t)
	}
	tells := mayTell(a.class)
	if r.page.Signs&LoadMore == 0 && (tells && isMore(a.class) || mayTell(a.id) && isMore(a.id) || (name == elButton || name == elA) && saysMore(r.src[t.To:])) {
		r.page.Signs |= LoadMore
	}
	if tells && name == elDiv && isPlayer(a.class) {
		r.page.Signs |= Player
	}
}
