package rewrite

import (
	"strings"

	"varve/serve/replay/address"
	"varve/web/markup"
)

// carriers says for an attribute what its address is used as; elements that differ are in special.
// A test holds it against what web/links finds on pages.
var carriers = map[string]address.Mod{
	"href": address.Page, "xlink:href": address.Image, "src": address.Object, "action": address.Page, "formaction": address.Page,
	"background": address.Image, "poster": address.Image, "data": address.Object, "cite": address.Page, "longdesc": address.Page,
	"manifest": address.Identity, "profile": address.Page, "codebase": address.Object, "classid": address.Object, "lowsrc": address.Image,
	"dynsrc": address.Object, "icon": address.Image, "pluginspage": address.Page, "pluginurl": address.Page, "code": address.Object,
	"hx-get": address.Page, "hx-post": address.Page, "hx-put": address.Page, "hx-patch": address.Page, "hx-delete": address.Page,
	"data-hx-get": address.Page, "data-hx-post": address.Page,
}

// special are the elements with a use of their own for an attribute.
var special = map[string]address.Mod{
	"img src": address.Image, "image src": address.Image, "input src": address.Image, "script src": address.Script, "iframe src": address.Inner,
	"frame src": address.Frame, "fencedframe src": address.Inner, "script href": address.Script, "script xlink:href": address.Script,
	"image href": address.Image, "use href": address.Image, "feimage href": address.Image, "a xlink:href": address.Page,
	"pattern href": address.Image, "mpath href": address.Image, "lineargradient href": address.Image, "radialgradient href": address.Image,
	"textpath href": address.Image, "filter href": address.Image, "html manifest": address.Identity,
}

// only names the elements for attributes whose name is too common to mean an address everywhere.
var only = map[string]string{
	"data": "object", "code": "applet embed", "icon": "menuitem command", "profile": "head", "manifest": "html", "codebase": "object applet",
	"classid": "object", "background": "body table td th tr tbody thead tfoot", "cite": "blockquote q ins del",
}

// carrier tells whether an attribute holds an address, and what that is used as.
func carrier(e markup.Element, key []byte) (address.Mod, bool) {
	mod, ok := carriers[string(key)]
	if !ok {
		return "", false
	}
	element, attribute := e.String(), string(key)
	if names, limited := only[attribute]; limited && !hasWord(names, element) {
		return "", false
	}
	if attribute == "src" || attribute == "href" || attribute == "xlink:href" {
		if m, ok := special[element+" "+attribute]; ok {
			return m, true
		}
	}
	return mod, true
}

func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// linkMod tells what a <link> is used as.
func (h *htmlScan) linkMod() address.Mod {
	rel := strings.ToLower(h.value("rel"))
	switch {
	case hasWord(rel, "stylesheet"):
		return address.Style
	case hasWord(rel, "modulepreload"):
		return address.Script
	case strings.Contains(rel, "icon"), strings.Contains(rel, "image"):
		return address.Image
	case hasWord(rel, "manifest"):
		return address.Identity
	case hasWord(rel, "preload"), hasWord(rel, "prefetch"), hasWord(rel, "subresource"):
		return As(strings.ToLower(h.value("as")))
	}
	return address.Page
}

// As tells the modifier for the destination of a preload.
func As(destination string) address.Mod {
	switch destination {
	case "script":
		return address.Script
	case "style":
		return address.Style
	case "image":
		return address.Image
	case "document", "iframe":
		return address.Inner
	case "worker", "sharedworker":
		return address.Worker
	case "font", "audio", "video", "track", "object", "embed":
		return address.Object
	}
	return address.Page
}
