package links

// place says for an element and an attribute which kind of link its value is.
type placeRule struct {
	tag  tag
	attr attrID
	kind Kind
}

// placeRules are the plain cases; elements that need more than one attribute have code of their own.
var placeRules = []placeRule{
	{tagA, attrHref, kindAHref},
	{tagA, attrPing, kindAPing},
	{tagArea, attrHref, kindAreaHref},
	{tagArea, attrPing, kindAPing},
	{tagIframe, attrSrc, kindIframeSrc},
	{tagIframe, attrLongdesc, kindLongdesc},
	{tagFrame, attrSrc, kindFrameSrc},
	{tagFrame, attrLongdesc, kindLongdesc},
	{tagImg, attrSrc, kindImgSrc},
	{tagImg, attrSrcset, kindImgSrcset},
	{tagImg, attrLowsrc, kindImgLowsrc},
	{tagImg, attrDynsrc, kindImgLowsrc},
	{tagImg, attrLongdesc, kindLongdesc},
	{tagImage, attrSrc, kindImgSrc},
	{tagImage, attrHref, kindSVGImage},
	{tagFeImage, attrHref, kindSVGImage},
	{tagUse, attrHref, kindSVGUse},
	{tagSVGRef, attrHref, kindSVGRef},
	{tagInput, attrSrc, kindInputSrc},
	{tagInput, attrFormaction, kindFormaction},
	{tagButton, attrFormaction, kindFormaction},
	{tagScript, attrSrc, kindScriptSrc},
	{tagScript, attrHref, kindSVGScript},
	{tagSource, attrSrc, kindSourceSrc},
	{tagSource, attrSrcset, kindSourceSrcset},
	{tagVideo, attrSrc, kindVideoSrc},
	{tagVideo, attrPoster, kindVideoPoster},
	{tagAudio, attrSrc, kindAudioSrc},
	{tagBgsound, attrSrc, kindAudioSrc},
	{tagTrack, attrSrc, kindTrackSrc},
	{tagEmbed, attrSrc, kindEmbedSrc},
	{tagEmbed, attrPluginspage, kindEmbedPage},
	{tagBlockquote, attrCite, kindCite},
	{tagQ, attrCite, kindCite},
	{tagDel, attrCite, kindCite},
	{tagHead, attrProfile, kindHeadProfile},
	{tagHTML, attrManifest, kindHTMLManifest},
	{tagMenuitem, attrIcon, kindIcon},
	{tagAmp, attrSrc, kindAmpSrc},
	{tagAmp, attrSrcset, kindAmpSrc},
	{tagAmp, attrPoster, kindAmpSrc},
	{tagAmp, attrHref, kindCustomHref},
}

// anyRules hold for every element that placeRules does not name with the attribute.
var anyRules = []placeRule{
	{attr: attrBackground, kind: kindBackground},
	{attr: attrHref, kind: kindCustomHref},
	{attr: attrSrc, kind: kindCustomSrc},
	{attr: attrSrcset, kind: kindCustomSrc},
	{attr: attrPoster, kind: kindCustomSrc},
	{attr: attrFormaction, kind: kindFormaction},
	{attr: attrCite, kind: kindCite},
	{attr: attrHx, kind: kindHxGet},
}

var placeTable = buildPlaces()

func buildPlaces() (t [numTags][numAttrs]Kind) {
	for i := range t {
		for _, r := range anyRules {
			t[i][r.attr] = r.kind
		}
	}
	for _, r := range placeRules {
		t[r.tag][r.attr] = r.kind
	}
	return t
}

// placed are the kinds that stand in the text, so that the words around them say something about them.
var placed = buildPlaced()

func buildPlaced() (t [numKinds]bool) {
	for _, k := range []Kind{
		kindAHref, kindAreaHref, kindIframeSrc, kindImgSrc, kindImgSrcset, kindVideoSrc, kindAudioSrc, kindSourceSrc, kindSourceSrcset, kindEmbedSrc,
		kindObjectData, kindCite, kindLongdesc, kindFormAction, kindFormGet, kindFormPost, kindLazySrc, kindLazySrcset, kindDataHref, kindHxGet,
		kindCustomHref, kindCustomSrc, kindAmpSrc, kindSVGA, kindMathHref, kindTextURL, kindOptionValue, kindVideoPoster,
	} {
		t[k] = true
	}
	return t
}
