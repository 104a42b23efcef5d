package links

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
	tagSvgRef // SVG elements that refer to others: mpath, pattern, gradients
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
	return rareTag(low[:len(name)])
}

// rareTag looks up what is seldom on a page.
func rareTag(low []byte) tag {
	switch string(low) {
	case "html":
		return tagHTML
	case "head":
		return tagHead
	case "body":
		return tagBody
	case "title":
		return tagTitle
	case "base":
		return tagBase
	case "form":
		return tagForm
	case "button":
		return tagButton
	case "select":
		return tagSelect
	case "textarea":
		return tagTextarea
	case "iframe", "portal", "fencedframe", "turbo-frame":
		return tagIframe
	case "video":
		return tagVideo
	case "audio":
		return tagAudio
	case "source":
		return tagSource
	case "track":
		return tagTrack
	case "noscript":
		return tagNoscript
	case "noembed", "noframes":
		return tagNoembed
	case "template":
		return tagTemplate
	case "blockquote":
		return tagBlockquote
	case "q":
		return tagQ
	case "ins", "del":
		return tagDel
	case "area":
		return tagArea
	case "embed":
		return tagEmbed
	case "object":
		return tagObject
	case "applet":
		return tagApplet
	case "param":
		return tagParam
	case "frame":
		return tagFrame
	case "bgsound":
		return tagBgsound
	case "menuitem", "command":
		return tagMenuitem
	case "xmp":
		return tagXmp
	case "plaintext":
		return tagPlaintext
	}
	return foreignTag(low)
}

// foreignTag looks up SVG and MathML.
func foreignTag(low []byte) tag {
	switch string(low) {
	case "math":
		return tagMath
	case "image":
		return tagImage
	case "feimage":
		return tagFeImage
	case "mpath", "pattern", "lineargradient", "radialgradient", "tref", "cursor", "font-face-uri", "color-profile", "textpath", "filter", "altglyph", "glyphref":
		return tagSvgRef
	}
	return customTag(low)
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
