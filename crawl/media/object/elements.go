package object

import "varve/web/markup"

var (
	elHead       = markup.Named("head")
	elArticle    = markup.Named("article")
	elAudio      = markup.Named("audio")
	elBase       = markup.Named("base")
	elBody       = markup.Named("body")
	elEmbed      = markup.Named("embed")
	elFigcaption = markup.Named("figcaption")
	elFigure     = markup.Named("figure")
	elIframe     = markup.Named("iframe")
	elImg        = markup.Named("img")
	elLink       = markup.Named("link")
	elMain       = markup.Named("main")
	elMeta       = markup.Named("meta")
	elObject     = markup.Named("object")
	elScript     = markup.Named("script")
	elSection    = markup.Named("section")
	elSource     = markup.Named("source")
	elTrack      = markup.Named("track")
	elVideo      = markup.Named("video")
	elTitle      = markup.Named("title")
)

func set(names string) [markup.NumElements]bool { return markup.Table(map[string]bool{names: true}) }
