package browser

import (
	"strings"

	"varve/crawl/browser/proxy"
	"varve/web/links"
)

// kinds are the kinds of links that execution finds, beside those in the document.
var kinds = struct {
	location, history, open, formGet                                              links.Kind
	image, script, style, font, video, audio, track, frame, worker, manifest, any links.Kind
}{
	location: kind("js-location"), history: kind("js-history"), open: kind("js-open"), formGet: kind("form-get"),
	image: kind("img-src"), script: kind("script-src"), style: kind("link-stylesheet"), font: kind("css-font"), video: kind("video-src"), audio: kind("audio-src"),
	track: kind("track-src"), frame: kind("iframe-src"), worker: kind("js-worker"), manifest: kind("link-manifest"), any: kind("js-fetch"),
}

// kind finds a kind by its name, which web/links has, as a test shows.
func kind(name string) links.Kind {
	var k links.Kind
	if k.UnmarshalText([]byte(name)) != nil {
		return links.Kinds()[0]
	}
	return k
}

// kindOf says what a request was for, by what the browser said, else by what came.
func kindOf(x *proxy.Exchange) links.Kind {
	switch x.Dest {
	case "image":
		return kinds.image
	case "script":
		return kinds.script
	case "style":
		return kinds.style
	case "font":
		return kinds.font
	case "video":
		return kinds.video
	case "audio":
		return kinds.audio
	case "track":
		return kinds.track
	case "iframe", "frame", "embed", "object":
		return kinds.frame
	case "worker", "sharedworker", "serviceworker", "audioworklet", "paintworklet":
		return kinds.worker
	case "manifest":
		return kinds.manifest
	case "empty":
		return kinds.any
	}
	return kindOfMIME(x.MIME)
}

func kindOfMIME(mime string) links.Kind {
	top, sub, _ := strings.Cut(mime, "/")
	switch {
	case top == "image":
		return kinds.image
	case strings.HasSuffix(sub, "javascript"):
		return kinds.script
	case sub == "css":
		return kinds.style
	case top == "font":
		return kinds.font
	case top == "video":
		return kinds.video
	case top == "audio":
		return kinds.audio
	case sub == "vtt":
		return kinds.track
	case sub == "html":
		return kinds.frame
	}
	return kinds.any
}
