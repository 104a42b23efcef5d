package replay

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"

	"varve/serve/message"
	"varve/serve/replay/address"
)

// PlayPath is the page that plays one film or sound by itself, for lists of them: ?collection=&time=&url=.
const PlayPath = ownPath + "play"

// Play gives the address of the page that plays a film, on the replay host.
func Play(collection, time, target string) string {
	return PlayPath + "?" + url.Values{"collection": {collection}, "time": {time}, "url": {target}}.Encode()
}

// play shows a film: what an external program got, else the file or list itself. The page is ours and has no
// scripts; the film is content, so it comes from the other origin.
func (h *Handler) play(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	a := address.Address{Collection: url.PathEscape(q.Get("collection")), Kind: address.Capture, Time: q.Get("time"), Mod: address.Object, URL: address.Repair(q.Get("url"))}
	at, err := h.instant(a)
	if err != nil || a.Collection == "" || a.URL == "" {
		h.problem(w, r, http.StatusBadRequest, "What is to be played?", "Give collection, time and url.")
		return
	}
	if err := h.may(r, a.Collection, a.URL, at); err != nil {
		h.refuse(w, r, err)
		return
	}
	data := map[string]any{"URL": a.URL, "Time": at}
	origin := h.contentOrigin(a.Collection)
	film, ok := h.filmOf(r.Context(), a.Collection, a.URL, at)
	if ok {
		about := h.about(r.Context(), a.Collection, film)
		data["Title"], data["Program"], data["Time"] = about.Get("title"), about.Get("program"), film.Time
		data["Address"], data["Sound"] = origin+film.address(h.keyed(r, a, film.URL, film.Time)), strings.HasPrefix(film.Type, "audio/")
	} else {
		data["Address"] = origin + h.keyed(r, a, a.URL, at).String()
	}
	data["Got"] = ok
	var b bytes.Buffer
	if err := pages[message.Of(r)].ExecuteTemplate(&b, "player.html", data); err != nil {
		h.refuse(w, r, err)
		return
	}
	head := w.Header()
	head.Set("Content-Security-Policy", "default-src 'none'; media-src "+origin+"; style-src 'self'; sandbox; base-uri 'none'; form-action 'none'"+h.ancestors(false))
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Cache-Control", "private, no-cache")
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		w.Write(b.Bytes())
	}
}
