package links

import "fmt"

// Kind says where a link was written. Kinds are named element-attribute or format-part; docs/links.md lists them all.
type Kind uint8

const (
	kindNone Kind = iota

	// HTML: pages and frames.
	kindAHref
	kindAreaHref
	kindAPing
	kindIframeSrc
	kindFrameSrc
	kindLongdesc
	kindCite
	kindHeadProfile
	kindHTMLManifest

	// HTML: link elements, by rel.
	kindLinkStylesheet
	kindLinkIcon
	kindLinkPreload
	kindLinkModulepreload
	kindLinkImagesrcset
	kindLinkPrefetch
	kindLinkPrerender
	kindLinkManifest
	kindLinkImport
	kindLinkImageSrc
	kindLinkAlternate
	kindLinkFeed
	kindLinkSitemap
	kindLinkOembed
	kindLinkCanonical
	kindLinkShortlink
	kindLinkAmphtml
	kindLinkNext
	kindLinkPrev
	kindLinkSearch
	kindLinkPingback
	kindLinkRel

	// HTML: meta elements.
	kindMetaRefresh
	kindMetaImage
	kindMetaMedia
	kindMetaURL
	kindMetaCitation
	kindMetaTile
	kindMetaTask
	kindMetaContent

	// HTML: images, media, plug-ins, scripts.
	kindImgSrc
	kindImgSrcset
	kindImgLowsrc
	kindInputSrc
	kindScriptSrc
	kindSourceSrc
	kindSourceSrcset
	kindVideoSrc
	kindVideoPoster
	kindAudioSrc
	kindTrackSrc
	kindEmbedSrc
	kindEmbedPage
	kindObjectData
	kindObjectArchive
	kindObjectClassid
	kindObjectCodebase
	kindAppletCode
	kindParamValue
	kindBackground
	kindIcon

	// HTML: forms.
	kindFormAction
	kindFormGet
	kindFormPost
	kindFormaction
	kindOptionValue

	// HTML: attributes of any element.
	kindLazySrc
	kindLazySrcset
	kindDataHref
	kindDataAttr
	kindDataJSON
	kindHxGet
	kindNgSrc
	kindCustomHref
	kindCustomSrc
	kindAmpSrc
	kindItemid
	kindRdfaResource
	kindTextURL
	kindTitleURL

	// SVG and MathML.
	kindSVGA
	kindSVGImage
	kindSVGUse
	kindSVGScript
	kindSVGRef
	kindSVGPaint
	kindMathHref
	kindSVGAnimate
	kindMathImage
	kindMathDefinition

	// Style sheets.
	kindCSSURL
	kindCSSImport
	kindCSSFont
	kindCSSImageSet
	kindCSSFilter
	kindCSSSourcemap
	kindStyleAttr

	// Scripts.
	kindJSImport
	kindJSDynamic
	kindJSWorker
	kindJSFetch
	kindJSLocation
	kindJSOpen
	kindJSHistory
	kindJSProperty
	kindJSHref
	kindJSLiteral
	kindJSSourcemap

	// JSON.
	kindJSONURL
	kindJSONEmbed
	kindJSONGuess
	kindJSONLDURL
	kindJSONLDMedia
	kindImportmapURL
	kindSpeculationURL
	kindBundle
	kindManifestStart
	kindManifestIcon

	// XML.
	kindXMLAttr
	kindXMLText
	kindXMLGuess
	kindXMLStylesheet
	kindXMLInclude
	kindXMLSchema
	kindXMLDTD
	kindBrowserTile
	kindBrowserPoll
	kindOpensearchURL
	kindPlaylistEntry

	// Feeds and sitemaps.
	kindFeedItem
	kindFeedHome
	kindFeedSelf
	kindFeedEnclosure
	kindFeedMedia
	kindFeedImage
	kindFeedComments
	kindFeedAuthor
	kindFeedID
	kindOPMLFeed
	kindOPMLPage
	kindSitemapLoc
	kindSitemapIndex
	kindSitemapAlternate
	kindSitemapImage
	kindSitemapVideo
	kindSitemapText
	RobotsSitemap // named by a robots.txt

	// HTTP headers.
	kindHeaderLink
	kindHeaderEmbed
	kindHeaderFeed
	kindHeaderRefresh
	kindHeaderLocation
	kindHeaderContent
	kindHeaderSourcemap
	kindHeaderPingback
	kindHeaderSpeculation

	// Other formats.
	kindPDFURI
	kindPDFFile
	kindHLSPlaylist
	kindHLSSegment
	kindHLSKey
	kindDashSegment
	kindDashInit
	kindDashLocation
	kindVTTImage
	kindPlainURL

	// What collectors find; no reader of a format gives these.
	DOMLink     // of the executed page
	DOMEmbed    // a part that the executed page shows
	DOMRoute    // an address that a script gave the page
	DOMRequest  // asked for by the executed page
	APIItem     // an item of an interface
	APINext     // the next part of a list of an interface
	MediaPart   // of a stream
	MediaObject // a stream or file that a player was given

	numKinds
)

// kindInfo describes one kind; kindTable is the list that docs/links.md is made from.
type kindInfo struct {
	name  string
	hop   Hop
	where string // Markdown
}

// String gives the kind's name.
func (k Kind) String() string {
	if k > kindNone && k < numKinds {
		return kindTable[k].name
	}
	return "unknown"
}

// Hop is what following a link of this kind means, where nothing demotes it.
func (k Kind) Hop() Hop {
	if k > kindNone && k < numKinds {
		return kindTable[k].hop
	}
	return HopSpeculative
}

// MarshalText gives the kind's name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a kind's name.
func (k *Kind) UnmarshalText(p []byte) error {
	for i := kindNone + 1; i < numKinds; i++ {
		if kindTable[i].name == string(p) {
			*k = i
			return nil
		}
	}
	return fmt.Errorf("unknown kind of link %q", p)
}

// Kinds lists all kinds in the order of docs/links.md.
func Kinds() []Kind {
	all := make([]Kind, 0, numKinds)
	for k := kindNone + 1; k < numKinds; k++ {
		all = append(all, k)
	}
	return all
}

// OfStream tells the parts of a stream that a play list or manifest names. A crawl that captures streams
// chooses among them.
func (k Kind) OfStream() bool { return k >= kindHLSPlaylist && k <= kindDashLocation }
