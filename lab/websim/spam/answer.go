package spam

import (
	"strconv"
	"strings"
	"time"

	"varve/lab/websim"
	"varve/lab/websim/asset"
	"varve/lab/websim/dice"
)

var _ websim.Handler = (*World)(nil)

// Answer gives what a host says at an instant. A host that is not there yet answers 404 to everything.
func (w *World) Answer(r *websim.Request, at time.Time) *websim.Answer {
	h := w.host(r.Host)
	if h == nil {
		return nil
	}
	since := at.Sub(w.epoch)
	if since < h.born {
		return answer(404, "text/plain", []byte("nothing here\n"))
	}
	path, _, _ := strings.Cut(r.Target, "?")
	switch {
	case path == "/robots.txt":
		return h.robots()
	case path == "/style.css":
		return answer(200, "text/css", []byte("body{font-family:sans-serif;margin:2em}nav a{padding:.2em}aside{float:right;width:20%}\n"))
	case strings.HasPrefix(path, "/img/"):
		return h.picture(path)
	}
	i, ok := h.lookup(r.Target)
	if !ok {
		return answer(404, "text/html; charset=utf-8", []byte("<!DOCTYPE html>\n<title>Not found</title>\n<p>The page is not here. <a href=\"/\">Home</a></p>\n"))
	}
	version := h.version(i, since)
	if h.turns > 0 && since >= h.turns {
		version += expiredVersion
	}
	p := h.newPage(i, version, strings.HasPrefix(r.Get("User-Agent"), "Mozilla/"))
	p.compose(h.kind)
	return answer(200, "text/html; charset=utf-8", p.render())
}

func (h *host) robots() *websim.Answer {
	if h.trick%3 == 0 {
		return answer(404, "text/plain", []byte("no robots.txt\n"))
	}
	return answer(200, "text/plain", []byte("User-agent: *\nDisallow: /cart\n"))
}

func (h *host) picture(path string) *websim.Answer {
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(path, "/img/"), ".jpg"))
	if err != nil || n < 0 || n >= 5 {
		return answer(404, "text/plain", []byte("no such picture\n"))
	}
	s := dice.New(h.key, uint64(n), forPicture)
	return answer(200, "image/jpeg", asset.JPEG(nil, s.Uint64(), 3000+s.IntN(12000)))
}

func answer(status int, typ string, body []byte) *websim.Answer {
	return &websim.Answer{
		Status: status, Header: []websim.Field{{Name: "Content-Type", Value: typ}}, Body: body, Page: websim.NoPage,
		VersionID: "d" + strconv.FormatUint(dice.String(string(body)), 16),
	}
}
