package media

import (
	"bytes"
	"context"
	"path"
	"strings"

	"varve/crawl/collect"
	"varve/web/playlist/dash"
	"varve/web/playlist/hls"
	"varve/web/wire"
)

// Name is what routes call this collector.
const Name = "media"

// Collector takes streams and files. It is a collect.Collector.
type Collector struct{ cfg Config }

var _ collect.Collector = (*Collector)(nil)

// New makes a collector.
func New(cfg Config) *Collector { return &Collector{cfg.withDefaults()} }

// Format is what an answer is to this package.
type Format uint8

// The formats.
const (
	Other Format = iota
	Page         // HTML
	HLS          // a play list
	DASH         // a manifest
	File         // pictures that move, or sound
)

// FormatOf tells what an answer is, by its type and how it begins; servers often call lists text.
func FormatOf(mime, url string, content []byte) Format {
	head := content[:min(len(content), 512)]
	switch mime {
	case "application/vnd.apple.mpegurl", "application/x-mpegurl", "audio/mpegurl", "audio/x-mpegurl":
		return HLS
	case "application/dash+xml":
		return DASH
	case "text/html", "application/xhtml+xml":
		return Page
	}
	switch {
	case bytes.HasPrefix(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), []byte("#EXTM3U")):
		return HLS
	case bytes.Contains(head, []byte("<MPD")) && bytes.Contains(content[:min(len(content), 4096)], []byte("urn:mpeg:dash")):
		return DASH
	case strings.HasPrefix(mime, "video/"), strings.HasPrefix(mime, "audio/"), extension(url) != "":
		return File
	}
	return Other
}

// extension gives the ending of an address if it is one of films or sounds.
func extension(url string) string {
	p, _, _ := strings.Cut(url, "?")
	switch e := strings.ToLower(path.Ext(p)); e {
	case ".mp4", ".m4v", ".m4a", ".webm", ".ogv", ".ogg", ".oga", ".opus", ".mp3", ".aac", ".flac", ".wav", ".mov", ".mkv", ".avi", ".wmv", ".flv", ".3gp", ".mpg", ".mpeg", ".ts":
		return e
	}
	return ""
}

// Collect goes further with an answer: a page, a list, a manifest or a file.
func (c *Collector) Collect(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error) {
	s := newStream(c.cfg, a, net)
	var err error
	switch f := FormatOf(a.MIME, a.URL, a.Content); {
	case f == File:
		err = s.file(ctx)
	case a.Status/100 != 2:
		return s.finish(), nil
	case f == Page:
		err = s.page()
	case f == HLS:
		err = s.hls(ctx, a.Content, a.URL)
	case f == DASH:
		err = s.dash(ctx, a.Content, a.URL, a.Header)
	}
	return s.finish(), err
}

// parseHLS and parseDASH read lists within the limits of the stream.
func (s *stream) parseHLS(text []byte, url string) (*hls.Playlist, error) {
	p, err := hls.Parse(text, url, hls.Limits{})
	if err == nil && p.Cut {
		s.left = max(s.left, 1)
	}
	return p, err
}

func (s *stream) parseDASH(text []byte, url string) (*dash.Manifest, error) {
	return dash.Parse(text, url, dash.Limits{})
}

// headerTime gives when the server says its answer was made.
func headerTime(h wire.Header) string { return h.Get("Date") }
