package links

import "varve/web/markup"

// tag is an element that matters here.
type tag uint8

const (
	tagOther  tag = iota
	tagBlock      // any element that begins a line of its own
	tagCustom     // a name with a hyphen
	tagAmp        // a name that begins with amp-
	tagA
	tagApplet
	tagArea
	tagAudio
	tagBase
	tagBgsound
	tagBlockquote
	tagBody
	tagButton
	tagDel
	tagEmbed
	tagForm
	tagFrame
	tagHead
	tagHTML
	tagIframe
	tagImg
	tagImage
	tagInput
	tagLink
	tagMath
	tagMenuitem
	tagMeta
	tagNoembed
	tagNoscript
	tagObject
	tagOption
	tagParam
	tagQ
	tagScript
	tagSelect
	tagSource
	tagStyle
	tagSvg
	tagTable
	tagTemplate
	tagTextarea
	tagTitle
	tagTrack
	tagUse
	tagVideo
	tagXmp
	tagPlaintext
	tagFeImage
	tagAnimate // animate, set
	tagSVGRef  // SVG elements that refer to others: mpath, pattern, gradients
	numTags
)

// tagOf looks a name up, whatever its case.
func tagOf(name []byte) tag {
	var low [16]byte
	if len(name) > len(low) {
		return customTag(name)
	}
	for i, c := range name {
		low[i] = lowerByte(c)
	}
	switch string(low[:len(name)]) {
	case "a":
		return tagA
	case "div", "p", "li", "ul", "ol", "tr", "br", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "header", "footer", "nav", "main",
		"aside", "dl", "dt", "dd", "hr", "pre", "figure", "figcaption", "fieldset", "address", "center", "details", "summary", "caption",
		"legend", "menu", "dialog", "tbody", "thead", "tfoot", "search", "hgroup":
		return tagBlock
	case "td", "th", "table":
		return tagTable
	case "span", "b", "i", "em", "strong", "small", "u", "s", "sup", "sub", "code", "font", "label", "time", "path", "g", "picture":
		return tagOther
	case "img":
		return tagImg
	case "script":
		return tagScript
	case "link":
		return tagLink
	case "meta":
		return tagMeta
	case "option":
		return tagOption
	case "input":
		return tagInput
	case "style":
		return tagStyle
	case "svg":
		return tagSvg
	case "use":
		return tagUse
	}
	if t, ok := rareTags[string(low[:len(name)])]; ok {
		return t
	}
	return customTag(name)
}

// byElement is tagOf for the elements that have a number.
var byElement = func() (t [markup.NumElements]tag) {
	for e := range t {
		if name := markup.Element(e).String(); name != "" {
			t[e] = tagOf([]byte(name))
		}
	}
	return t
}()

// rareTags are seldom on a page; SVG and MathML are among them.
var rareTags = map[string]tag{
	"html": tagHTML, "head": tagHead, "body": tagBody, "title": tagTitle, "base": tagBase, "form": tagForm, "button": tagButton, "select": tagSelect,
	"textarea": tagTextarea, "iframe": tagIframe, "portal": tagIframe, "fencedframe": tagIframe, "turbo-frame": tagIframe, "video": tagVideo,
	"audio": tagAudio, "source": tagSource, "track": tagTrack, "noscript": tagNoscript, "noembed": tagNoembed, "noframes": tagNoembed,
	"template": tagTemplate, "blockquote": tagBlockquote, "q": tagQ, "ins": tagDel, "del": tagDel, "area": tagArea, "embed": tagEmbed,
	"object": tagObject, "applet": tagApplet, "param": tagParam, "frame": tagFrame, "bgsound": tagBgsound, "menuitem": tagMenuitem,
	"command": tagMenuitem, "xmp": tagXmp, "plaintext": tagPlaintext,
	"math": tagMath, "animate": tagAnimate, "set": tagAnimate, "image": tagImage, "feimage": tagFeImage, "mpath": tagSVGRef, "pattern": tagSVGRef, "lineargradient": tagSVGRef,
	"radialgradient": tagSVGRef, "tref": tagSVGRef, "cursor": tagSVGRef, "font-face-uri": tagSVGRef, "color-profile": tagSVGRef,
	"textpath": tagSVGRef, "filter": tagSVGRef, "altglyph": tagSVGRef, "glyphref": tagSVGRef,
}

// customTag tells custom elements from unknown ones.
func customTag(name []byte) tag {
	if hasFold(name, "amp-") {
		return tagAmp
	}
	for _, c := range name {
		if c == '-' {
			return tagCustom
		}
	}
	return tagOther
}
