package links

// attrID is an attribute that matters here.
type attrID uint8

const (
	attrNone       attrID = iota
	attrOther             // looked at only if its value begins like an absolute URL
	attrData              // data-*
	attrOn                // on*: an event handler
	attrHx                // hx-get and kin
	attrBound             // ng-src, :src, v-bind:href
	attrPaint             // SVG presentation attributes that may hold url()
	attrLazy              // lazysrc and kin
	attrLazySet           // lazysrcset and kin
	attrAnimated          // values, from, to, by
	attrDefinition        // definitionURL, cdgroup; the following are there once or not at all
	attrAbout
	attrAction
	attrAlt
	attrAltimg
	attrArchive
	attrAttributename
	attrBackground
	attrCharset
	attrChecked
	attrCite
	attrClassid
	attrCode
	attrCodebase
	attrContent
	attrDataURL // <object data>
	attrDisabled
	attrDynsrc
	attrFormaction
	attrHref
	attrHTTPEquiv
	attrIcon
	attrImagesrcset
	attrItemid
	attrItemprop
	attrLang
	attrLongdesc
	attrLowsrc
	attrManifest
	attrMethod
	attrName
	attrPing
	attrPluginspage
	attrPoster
	attrProfile
	attrProperty
	attrRel
	attrResource
	attrRev
	attrSelected
	attrSrc
	attrSrcdoc
	attrSrcset
	attrStyle
	attrTitle
	attrType
	attrUsemap
	attrValue
	numAttrs
)

// attrOf looks a name in lower case up.
func attrOf(name []byte) attrID {
	if len(name) > 16 {
		return longAttr(name)
	}
	switch string(name) {
	case "class", "id", "width", "height", "target", "style-src", "role", "for", "tabindex", "border", "align", "valign", "d", "x", "y", "xmlns",
		"itemtype", "itemscope", "vocab", "typeof", "prefix", "loading", "decoding", "sizes", "media", "integrity", "crossorigin", "nonce":
		return attrNone
	case "href", "xlink:href":
		return attrHref
	case "src":
		return attrSrc
	case "title", "aria-label":
		return attrTitle
	case "alt":
		return attrAlt
	case "rel":
		return attrRel
	case "style":
		return attrStyle
	case "srcset":
		return attrSrcset
	case "name":
		return attrName
	case "content":
		return attrContent
	case "value":
		return attrValue
	case "type":
		return attrType
	case "property":
		return attrProperty
	default:
		return rareAttr(name)
	}
}

// attrNamed looks a name up, whatever its case.
func attrNamed(name []byte) attrID {
	var low [16]byte
	if len(name) > len(low) {
		return longAttr(name)
	}
	for i, c := range name {
		low[i] = lowerByte(c)
	}
	return attrOf(low[:len(name)])
}

// rareAttr looks up what is seldom on a page.
func rareAttr(low []byte) attrID {
	switch string(low) {
	case "lang", "xml:lang":
		return attrLang
	case "action":
		return attrAction
	case "method":
		return attrMethod
	case "formaction":
		return attrFormaction
	case "selected":
		return attrSelected
	case "checked":
		return attrChecked
	case "disabled":
		return attrDisabled
	case "poster":
		return attrPoster
	case "imagesrcset":
		return attrImagesrcset
	case "charset":
		return attrCharset
	case "http-equiv":
		return attrHTTPEquiv
	case "itemprop":
		return attrItemprop
	case "srcdoc":
		return attrSrcdoc
	case "background":
		return attrBackground
	case "cite":
		return attrCite
	case "ping":
		return attrPing
	case "longdesc":
		return attrLongdesc
	case "usemap":
		return attrUsemap
	case "manifest":
		return attrManifest
	case "rev":
		return attrRev
	}
	return oldAttr(low)
}

// oldAttr looks up plug-ins, RDFa, SVG and the rest.
func oldAttr(low []byte) attrID {
	switch string(low) {
	case "values", "from", "to", "by":
		return attrAnimated
	case "attributename":
		return attrAttributename
	case "altimg":
		return attrAltimg
	case "definitionurl", "cdgroup":
		return attrDefinition
	case "data":
		return attrDataURL
	case "code":
		return attrCode
	case "codebase":
		return attrCodebase
	case "archive":
		return attrArchive
	case "classid":
		return attrClassid
	case "lowsrc":
		return attrLowsrc
	case "dynsrc":
		return attrDynsrc
	case "pluginspage", "pluginurl":
		return attrPluginspage
	case "profile":
		return attrProfile
	case "icon":
		return attrIcon
	case "itemid":
		return attrItemid
	case "resource":
		return attrResource
	case "about":
		return attrAbout
	case "fill", "stroke", "filter", "mask", "clip-path", "marker", "marker-start", "marker-mid", "marker-end", "cursor":
		return attrPaint
	case "hx-get", "up-href", "ic-get-from", "data-hx-get", "hx-push-url":
		return attrHx
	case ":src", ":href", ":srcset", ":poster", "ng-src", "ng-href", "ng-srcset", "[src]", "[href]", "v-bind:src", "v-bind:href", "bind:src", "x-bind:src", "x-bind:href":
		return attrBound
	}
	return longAttr(low)
}

// longAttr judges names by how they begin.
func longAttr(name []byte) attrID {
	switch {
	case hasFold(name, "data-"):
		return attrData
	case hasFold(name, "on") && len(name) > 3:
		return attrOn
	case hasFold(name, "xmlns"), hasFold(name, "xsi:"):
		return attrNone
	}
	return lazyAttr(name)
}

// lazyAttrs are the attributes, other than data-*, that scripts and custom elements load images from.
var lazyAttrs = map[string]attrID{
	"lazysrc": attrLazy, "lazy-src": attrLazy, "lazyload-src": attrLazy, "nitro-lazy-src": attrLazy, "pagespeed_lazy_src": attrLazy, "original-src": attrLazy,
	"orig-src": attrLazy, "full-src": attrLazy, "retina-src": attrLazy, "bg-src": attrLazy, "ios-src": attrLazy, "environment-image": attrLazy, "skybox-image": attrLazy,
	"lazysrcset": attrLazySet, "lazy-srcset": attrLazySet, "nitro-lazy-srcset": attrLazySet, "src-set": attrLazySet,
}

// lazyAttr looks up attributes of lazy loading.
func lazyAttr(name []byte) attrID {
	var low [20]byte
	if len(name) < len("bg-src") || len(name) > len(low) {
		return attrOther
	}
	for i, c := range name {
		low[i] = lowerByte(c)
	}
	if id, ok := lazyAttrs[string(low[:len(name)])]; ok {
		return id
	}
	return attrOther
}

// The set of attributes seen on a tag is kept in one word.
var _ = [1]struct{}{}[numAttrs/64]
