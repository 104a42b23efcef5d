// Package modern is a small site that uses what sites of today use: style sheets with imports, scripts that build
// links and fetch JSON, modules and an import map, frames that talk, a worker, a service worker, forms, video,
// storage, addresses of every form, redirects and two encodings.
//
// Its home page runs checks and writes what it found to window.results, so that a browser on the live site and a
// browser on an archive of it can be compared word for word. The site never changes.
//
// It is a websim.Handler for two hosts, Host and CDN:
//
//	spec, err := websim.Load("modern", []byte(modern.Spec))
//	web, err := websim.New(spec, 1, modern.Options()...)
package modern

import (
	"embed"
	"io/fs"
	"mime"
	"path"
	"strconv"
	"strings"
	"time"

	"varve/lab/websim"
)

// The hosts of the site.
const (
	Host = "modern.sim.test"
	CDN  = "cdn.sim.test"
)

// Spec describes the hosts to websim; all pages come from the handlers.
const Spec = `
[[site]]
host = "modern.sim.test"
pages = 1
[[site]]
host = "cdn.sim.test"
pages = 1
`

//go:embed site
var files embed.FS

// Options puts the handlers in place.
func Options() []websim.Option {
	return []websim.Option{websim.WithHandler(Host, Handler("main")), websim.WithHandler(CDN, Handler("cdn"))}
}

// Extra lists addresses that only a running script asks for, which a crawler without a browser cannot know.
func Extra() []string {
	return []string{
		"http://" + Host + "/api/item-1.json", "http://" + Host + "/api/item-2.json", "http://" + Host + "/img/made.svg", "http://" + Host + "/js/late.js",
		"http://" + Host + "/search?q=varve", "http://" + Host + "/js/worker.js", "http://" + Host + "/api/worker.json", "http://" + Host + "/img/style.svg",
		"http://" + Host + "/img/inner.svg", "http://" + Host + "/img/written.svg", "http://" + Host + "/api/xhr.json", "http://" + Host + "/js/dynamic.js",
	}
}

// Handler serves the files of one host: the name of its folder.
type Handler string

// Answer gives a file, a redirect or a search.
func (h Handler) Answer(r *websim.Request, _ time.Time) *websim.Answer {
	p, query, _ := strings.Cut(r.Target, "?")
	switch p {
	case "/old":
		return &websim.Answer{Status: 302, Header: []websim.Field{{Name: "Location", Value: "/new.html"}, {Name: "Content-Length", Value: "0"}}, Page: websim.NoPage, VersionID: "old"}
	case "/search":
		q := strings.TrimPrefix(query, "q=")
		return answer(r, "text/html; charset=utf-8", []byte("<!doctype html><title>Search</title><h1>Found: "+strings.NewReplacer("<", "", "&", "").Replace(q)+"</h1>"))
	case "/":
		p = "/index.html"
	}
	data, err := fs.ReadFile(files, "site/"+string(h)+path.Clean(p))
	if err != nil {
		return &websim.Answer{Status: 404, Header: []websim.Field{{Name: "Content-Type", Value: "text/plain"}, {Name: "Content-Length", Value: "10"}}, Body: []byte("not found\n"), Page: websim.NoPage, VersionID: "none"}
	}
	return answer(r, typeOf(p), data)
}

// typeOf gives the Content-Type of a file; two pages are in older encodings.
func typeOf(p string) string {
	switch {
	case p == "/latin.html":
		return "text/html; charset=iso-8859-1"
	case p == "/sjis.html":
		return "text/html" // says its encoding itself
	case strings.HasSuffix(p, ".webm"):
		return "video/webm"
	case strings.HasSuffix(p, ".js"):
		return "text/javascript"
	}
	if t := mime.TypeByExtension(path.Ext(p)); t != "" {
		return t
	}
	return "application/octet-stream"
}

// answer sends bytes, or the part of them that was asked for.
func answer(r *websim.Request, typ string, body []byte) *websim.Answer {
	a := &websim.Answer{Status: 200, Page: websim.NoPage, VersionID: r.Target, Body: body}
	a.Header = append(a.Header, websim.Field{Name: "Content-Type", Value: typ}, websim.Field{Name: "Access-Control-Allow-Origin", Value: "*"}, websim.Field{Name: "Accept-Ranges", Value: "bytes"})
	if spec, ok := strings.CutPrefix(r.Get("Range"), "bytes="); ok {
		first, last, _ := strings.Cut(spec, "-")
		from, err := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if err2 != nil || to >= len(body) {
			to = len(body) - 1
		}
		if err == nil && from <= to {
			a.Status, a.Body = 206, body[from:to+1]
			a.Header = append(a.Header, websim.Field{Name: "Content-Range", Value: "bytes " + strconv.Itoa(from) + "-" + strconv.Itoa(to) + "/" + strconv.Itoa(len(body))})
		}
	}
	a.Header = append(a.Header, websim.Field{Name: "Content-Length", Value: strconv.Itoa(len(a.Body))})
	return a
}
