package searchspeed

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"varve/archive/catalog"
	"varve/archive/warc"
	"varve/derive"
)

// writeWARC dresses n documents up as pages of a site and writes them as responses into one file. It gives the bytes of HTML.
func writeWARC(dir string, n int, seed uint64) (_ []catalog.File, size int64, err error) {
	path := filepath.Join(dir, "pages.warc.gz")
	f, err := os.Create(path)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		return nil, 0, err
	}
	l := newLibrary(seed)
	for i := range n {
		var v derive.VersionRow
		l.page(i, &v)
		html := l.dress(&v)
		size += int64(len(html))
		block := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html
		e := warc.New(warc.TypeResponse, fmt.Sprintf("<urn:uuid:%032x>", i), v.From, warc.Bytes(block)).
			With(warc.FieldTargetURI, v.URL).With(warc.FieldContentType, warc.ContentTypeResponse)
		if err := enc.Encode(f, e); err != nil {
			return nil, size, err
		}
	}
	return []catalog.File{{Name: filepath.Base(path), Path: path, Kind: catalog.KindWARC}}, size, nil
}

// dress gives the HTML of a page: head, menu, article in paragraphs with links, list of other articles, scripts, foot.
func (l *library) dress(v *derive.VersionRow) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"%s\"><head><meta charset=\"utf-8\"><title>%s</title>\n<meta property=\"og:title\" content=\"%s\">\n<link rel=\"stylesheet\" href=\"/style.css\">\n", v.Language, v.Title, v.Title)
	fmt.Fprintf(&b, "<script>window.config={%s}</script>\n<style>%s</style></head><body>\n<nav><ul>\n", strings.Repeat(`"key":"value",`, 100), strings.Repeat(".menu>li{margin:0 1em}\n", 60))
	for range 40 {
		fmt.Fprintf(&b, "<li class=\"menu-item\"><a href=\"/%s/\">%s</a></li>\n", l.words[l.rng.IntN(500)], l.text(1))
	}
	fmt.Fprintf(&b, "</ul></nav>\n<main><article><h1>%s</h1>\n", v.Title)
	for text := v.Text; text != ""; {
		cut := strings.Index(text[min(len(text), 300):], ". ")
		p := text
		if cut >= 0 {
			p = text[:min(len(text), 300)+cut+1]
		}
		text = strings.TrimSpace(text[len(p):])
		fmt.Fprintf(&b, "<p class=\"body\">%s <a href=\"/%s/%d.html\">%s</a></p>\n", p, l.words[l.rng.IntN(2000)], l.rng.IntN(1000), l.text(2))
	}
	b.WriteString("</article></main>\n<aside><h2>More</h2><ul>\n")
	for range 25 {
		fmt.Fprintf(&b, "<li><a href=\"/%s/%d.html\"><img src=\"/i/%d.jpg\" alt=\"\"><span>%s</span></a></li>\n", l.words[l.rng.IntN(2000)], l.rng.IntN(10000), l.rng.IntN(10000), l.text(6))
	}
	b.WriteString("</ul></aside>\n<footer>All rights reserved. <a href=\"/imprint\">Imprint</a></footer>\n<script src=\"/app.js\"></script></body></html>\n")
	return b.String()
}
