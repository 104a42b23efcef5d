package links

// Shown says whether a browser needs what a link names to show the document.
type Shown uint8

// The answers.
const (
	NotShown Shown = iota // a link to follow, or something for others: icons, previews, meta data
	MayShow               // one of several pictures or formats, or a rule of a style sheet that may not apply
	MustShow              // a picture, style sheet, script or frame of its own
)

// Shown says whether a browser that shows the document asks for what the link names. What stands where only some browsers
// look (noscript, templates, conditional comments) may be asked for.
func (l *Link) Shown() Shown {
	if l.Hop != HopEmbed || l.Header {
		return NotShown
	}
	s := NotShown
	switch l.Kind {
	case kindIframeSrc, kindFrameSrc, kindLinkStylesheet, kindImgSrc, kindInputSrc, kindScriptSrc, kindEmbedSrc, kindObjectData, kindVideoPoster,
		kindBackground, kindSVGImage, kindSVGScript, kindCSSImport, kindXMLStylesheet, kindStyleAttr:
		s = MustShow
	case kindImgSrcset, kindSourceSrc, kindSourceSrcset, kindVideoSrc, kindAudioSrc, kindLazySrc, kindLazySrcset, kindAmpSrc, kindSVGUse, kindSVGRef, kindSVGPaint,
		kindCSSURL, kindCSSFont, kindCSSImageSet, kindJSImport, kindLinkModulepreload:
		s = MayShow
	}
	if l.In != 0 {
		s = min(s, MayShow)
	}
	return s
}
