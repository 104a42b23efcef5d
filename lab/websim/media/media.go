package media

import (
	"embed"
	"fmt"
	"io/fs"
	"mime"
	"path"
	"strconv"
	"strings"
	"time"

	"varve/lab/websim"
)

// The hosts: the broadcaster, and whose player it embeds.
const (
	Host   = "media.sim.test"
	Player = "player.sim.test"
)

// Spec describes the hosts to websim; all pages come from the handlers.
const Spec = `
[[site]]
host = "media.sim.test"
pages = 1
[[site]]
host = "player.sim.test"
pages = 1
`

//go:embed testdata/*.mp4 testdata/*.m4s testdata/*.webm
var streams embed.FS

//go:embed site
var pages embed.FS

// Segment is how long the segments of all streams are.
const Segment = 2 * time.Second

// Sizes are the renditions of the recording, best first.
var Sizes = [...]string{"160x90", "128x72", "64x36"}

// recorded is the number of segments of a recording.
const recorded = 4

// chunk is the most that the host gives of a file that it serves in ranges only.
const chunk = 4096

// Options puts the handlers in place.
func Options() []websim.Option {
	return []websim.Option{websim.WithHandler(Host, handler{}), websim.WithHandler(Player, handler{player: true})}
}

// File gives one of the files that the streams are made of, such as v160x90-0.m4s or clip.webm.
func File(name string) []byte {
	b, err := fs.ReadFile(streams, "testdata/"+name)
	if err != nil {
		panic(fmt.Sprintf("websim/media: %v", err)) // the name is written in this program
	}
	return b
}

type handler struct{ player bool }

// Answer gives a page, a list or a segment.
func (h handler) Answer(r *websim.Request, at time.Time) *websim.Answer {
	p, _, _ := strings.Cut(r.Target, "?")
	if h.player {
		return h.embedded(r, p)
	}
	dir, name := path.Split(p)
	switch dir {
	case "/vod/":
		return h.vod(r, name)
	case "/live/":
		return h.live(r, name, at)
	case "/dash/":
		return h.dash(r, name, at)
	case "/enc/":
		return h.encrypted(r, name)
	case "/ranges/":
		return h.ranges(r, name)
	}
	switch p {
	case "/clip.mp4", "/clip.webm":
		return answer(r, typeOf(name), File(name))
	case "/ranged.mp4":
		return ranged(r, File("clip.mp4"))
	case "/":
		name = "index.html"
	}
	return page(r, "site/main/"+name)
}

// embedded answers for the host of the player: its page, and the file that only a downloader knows how to ask for.
func (h handler) embedded(r *websim.Request, p string) *websim.Answer {
	switch {
	case p == "/secret/7.webm":
		if r.Get("X-Player") != "downloader" {
			return text(r, 403, "no")
		}
		return answer(r, "video/webm", File("clip.webm"))
	case strings.HasPrefix(p, "/embed/"):
		return page(r, "site/player/embed.html")
	}
	return page(r, "site/player"+path.Clean(p))
}

func page(r *websim.Request, name string) *websim.Answer {
	b, err := fs.ReadFile(pages, name)
	if err != nil {
		return text(r, 404, "not found")
	}
	return answer(r, typeOf(name), b)
}

func typeOf(name string) string {
	switch path.Ext(name) {
	case ".m4s", ".mp4":
		return "video/mp4"
	case ".webm":
		return "video/webm"
	case ".m3u8":
		return "application/vnd.apple.mpegurl"
	case ".mpd":
		return "application/dash+xml"
	case ".vtt":
		return "text/vtt"
	case ".js":
		return "text/javascript"
	case ".html":
		return "text/html; charset=utf-8"
	}
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return "application/octet-stream"
}

func text(r *websim.Request, status int, s string) *websim.Answer {
	return &websim.Answer{
		Status: status, Page: websim.NoPage, VersionID: r.Target, Body: []byte(s + "\n"),
		Header: []websim.Field{{Name: "Content-Type", Value: "text/plain"}, {Name: "Content-Length", Value: strconv.Itoa(len(s) + 1)}},
	}
}

// answer sends bytes, or the part of them that was asked for.
func answer(r *websim.Request, typ string, body []byte) *websim.Answer {
	a := &websim.Answer{Status: 200, Page: websim.NoPage, VersionID: r.Target, Body: body}
	a.Header = []websim.Field{{Name: "Content-Type", Value: typ}, {Name: "Access-Control-Allow-Origin", Value: "*"}, {Name: "Accept-Ranges", Value: "bytes"}}
	if from, to, ok := asked(r, len(body)); ok {
		a.Status, a.Body = 206, body[from:to]
		a.Header = append(a.Header, websim.Field{Name: "Content-Range", Value: fmt.Sprintf("bytes %d-%d/%d", from, to-1, len(body))})
	}
	a.Header = append(a.Header, websim.Field{Name: "Content-Length", Value: strconv.Itoa(len(a.Body))})
	return a
}

// ranged gives a file in small pieces, and nothing to those who ask for all of it.
func ranged(r *websim.Request, body []byte) *websim.Answer {
	from, to, ok := asked(r, len(body))
	if !ok {
		return text(r, 403, "ask for a range")
	}
	to = min(to, from+chunk)
	part := *r
	part.Header = []websim.Field{{Name: "Range", Value: fmt.Sprintf("bytes=%d-%d", from, to-1)}}
	return answer(&part, "video/mp4", body)
}

// asked reads the Range of a request.
func asked(r *websim.Request, size int) (from, to int, ok bool) {
	spec, ok := strings.CutPrefix(r.Get("Range"), "bytes=")
	first, last, _ := strings.Cut(spec, "-")
	from, err := strconv.Atoi(first)
	if !ok || err != nil || from < 0 || from >= size {
		return 0, 0, false
	}
	to = size
	if n, err := strconv.Atoi(last); err == nil && n >= from && n < size {
		to = n + 1
	}
	return from, to, true
}
