package links

import (
	"bytes"
	"strings"
)

// plain reads text: a robots.txt, a text sitemap, or prose with URLs in it.
func (e *Extractor) plain(body []byte) {
	switch {
	case isRobots(e.path):
		for _, url := range Sitemaps(body) {
			e.link(RobotsSitemap, []byte(url))
		}
	case isTextSitemap(e.path, body):
		for line := range bytes.Lines(body) {
			if line = trim(line); absolute(line) {
				e.link(kindSitemapText, line)
			}
		}
	default:
		scanText(body, func(url []byte) {
			if absolute(url) {
				e.link(kindPlainURL, url)
			}
		})
	}
}

// pls reads a play list of the form File1=http://...
func (e *Extractor) pls(body []byte) {
	for line := range bytes.Lines(body) {
		key, value, ok := bytes.Cut(line, []byte("="))
		if ok && hasFold(trim(key), "file") {
			e.link(kindPlaylistEntry, value)
		}
	}
}

// vtt reads WebVTT: cues of thumbnails are names of images with #xywh; URLs in other cues are text.
func (e *Extractor) vtt(body []byte) {
	var style []byte // what a block of styles says, up to its blank line
	inStyle := false
	defer func() { e.css(style, cssSheet) }()
	for line := range bytes.Lines(body) {
		line = trim(line)
		if string(line) == "STYLE" {
			inStyle = true
			continue
		}
		if inStyle = inStyle && len(line) > 0; inStyle {
			style = append(append(style, line...), '\n')
			continue
		}
		path, _ := cutQuery(line)
		switch {
		case bytes.Contains(line, []byte("#xywh=")), !bytes.ContainsAny(line, " <>") && knownFile(path) && !absolute(line):
			e.link(kindVTTImage, line)
		case bytes.Contains(line, []byte("://")):
			scanText(line, func(url []byte) {
				if plausible(url) {
					e.link(kindTextURL, url)
				}
			})
		}
	}
}

// isRobots tells whether a path is that of a robots.txt; it is read as text whatever its type.
func isRobots(path string) bool { return strings.TrimRight(path, "/") == "/robots.txt" }
