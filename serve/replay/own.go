package replay

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"time"

	"varve/serve/message"
	"varve/serve/replay/address"
	"varve/serve/replay/shim"
	"varve/serve/strip"
)

//go:embed assets/*.css assets/*.js assets/*.html
var assets embed.FS

// pages are our own pages, by language. They do not change.
var pages = loadPages()

func loadPages() map[*message.Language]*template.Template {
	out := map[*message.Language]*template.Template{}
	for _, l := range message.All() {
		out[l] = template.Must(template.New("").Funcs(template.FuncMap{
			"t": l.HTML, "lang": l.Tag, "script": l.Script, "date": l.Stamp, "strip": strip.Strip.Draw,
			"day": func(t, beside time.Time) string { return day(l, t, beside) },
			"iso": func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		}).ParseFS(assets, "assets/*.html"))
	}
	return out
}

// day writes a date, without the year where that is plain from another.
func day(l *message.Language, t, beside time.Time) string {
	switch {
	case t.UTC().Format("20060102") == beside.UTC().Format("20060102"):
		return t.UTC().Format("15:04:05")
	case t.UTC().Year() == beside.UTC().Year():
		return l.Near(t)
	}
	return l.Near(t) + t.UTC().Format(" 2006")
}

// own answers for our own files.
func (h *Handler) own(w http.ResponseWriter, r *http.Request) {
	switch name := strings.TrimPrefix(r.URL.Path, ownPath); name {
	case "shim.js":
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		http.ServeContent(w, r, "shim.js", time.Time{}, strings.NewReader(shim.Source()))
	case "frame.js", "missing.js", "replay.css", "player.js", "player.css":
		h.asset(w, r, name)
	case "leak":
		h.leak(w, r)
	case "go":
		h.goTo(w, r)
	case "scripts":
		h.scripts(w, r)
	case "view":
		h.view(w, r)
	case "play":
		h.play(w, r)
	default:
		if strings.HasPrefix(name, "pwid/") {
			h.pwid(w, r)
			return
		}
		h.problem(w, r, http.StatusNotFound, "There is nothing here", "This part of the address belongs to Varve itself.")
	}
}

// asset sends one of our files.
func (h *Handler) asset(w http.ResponseWriter, r *http.Request, name string) {
	text, err := assets.ReadFile("assets/" + name)
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
}

// file answers for the files that browsers and robots ask every host for.
func (h *Handler) file(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Write([]byte("User-agent: *\nDisallow: /\n"))
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Write([]byte(logo))
}

const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="22" height="22"><rect y="1" width="22" height="4" rx="1" fill="#0f5c63"/><rect y="7" width="22" height="3" rx="1" fill="#d9a21b"/><rect y="12" width="22" height="5" rx="1" fill="#2a8c82"/><rect y="19" width="22" height="2" rx="1" fill="#c8502b"/></svg>`

// goTo leads from the field in the banner to an address.
func (h *Handler) goTo(w http.ResponseWriter, r *http.Request) {
	v := r.URL.Query()
	a := address.Address{Collection: url.PathEscape(v.Get("collection")), Kind: address.Capture, Time: v.Get("time"), URL: address.Repair(v.Get("url"))}
	if a.Time == "" {
		a.Kind = address.TimeGate
	}
	if a.Collection == "" || a.URL == "" {
		h.problem(w, r, http.StatusBadRequest, "Where to?", "Give a collection and an address.")
		return
	}
	h.redirect(w, a)
}

// page writes one of our pages.
func (h *Handler) page(w http.ResponseWriter, r *http.Request, status int, name string, data any) {
	var b bytes.Buffer
	if err := pages[message.Of(r)].ExecuteTemplate(&b, name, data); err != nil {
		h.log.Error("page not written", "page", name, "err", err)
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	origin := h.cfg.Base
	if h.IsContent(r.Host) {
		origin = h.scheme + "://" + strings.ToLower(r.Host)
	}
	frames, kept := "'none'", "no-cache"
	if b, ok := data.(banner); ok {
		if b.View != "" {
			kept = "private, no-cache" // it is of one reader
		}
		frames = h.contentOrigin(b.Collection) + " " + h.cfg.Base // which leads on from a link that needs another key
	}
	w.Header().Set("Content-Security-Policy", h.ownPolicy(origin, frames))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Add("Vary", "Accept-Language, Cookie")
	w.Header().Set("Cache-Control", kept)
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(b.Bytes())
	}
}

// problem shows people what went wrong.
func (h *Handler) problem(w http.ResponseWriter, r *http.Request, status int, title, text string) {
	for _, name := range []string{"Memento-Datetime", "Link", "Vary", "Location"} {
		w.Header().Del(name)
	}
	h.page(w, r, status, "problem.html", map[string]any{"Title": title, "Text": h.cfg.Tell(text), "UI": h.cfg.UI})
}

// start is the start page of the host.
func (h *Handler) start(w http.ResponseWriter, r *http.Request) {
	var names []string
	if h.cfg.List != nil {
		all, err := h.cfg.List(r.Context())
		if err != nil {
			h.refuse(w, r, err)
			return
		}
		for _, name := range all {
			if h.may(r, name, "", h.cfg.Now()) == nil {
				names = append(names, name)
			}
		}
	}
	h.page(w, r, http.StatusOK, "start.html", map[string]any{"Title": "Replay", "Collections": names, "UI": h.cfg.UI})
}

// home is the page of a collection.
func (h *Handler) home(w http.ResponseWriter, r *http.Request, a address.Address) {
	h.page(w, r, http.StatusOK, "start.html", map[string]any{"Title": a.Collection, "Collection": a.Collection, "UI": h.cfg.UI})
}
