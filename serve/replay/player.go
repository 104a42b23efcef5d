package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"html"
	"io"
	"net/http"
	"strings"
	"time"

	"varve/archive/warc"
	"varve/crawl/media"
	"varve/serve/message"
	"varve/serve/replay/address"
	"varve/serve/replay/rewrite"
	"varve/web/canon"
	"varve/web/wire"
)

// A film behind a player of somebody else was got by an external program (crawl/media/external) and lies under
// urn:media:URL. The player itself is dead: its script asks for what nobody recorded. So the film is shown in
// its place:
//
//	frame, embed, object whose address has a film  -> our player instead of the document
//	video, audio whose address has a film          -> the film instead of the file
//	a page that has a film of its own              -> a script of ours puts it where the dead player is
//
// Content and player share an origin and its policy, so hostile content gains nothing. Only what is film or
// sound is ever shown so.

// film is a media object of an external program.
type film struct {
	Found
	Type string
}

// address returns that of the film in the archive, with the key of another address.
func (f film) address(a address.Address) string { return a.Sibling(f.Time, address.Object, f.URL) }

// filmOf finds the film of an address near an instant.
func (h *Handler) filmOf(ctx context.Context, collection, url string, at time.Time) (film, bool) {
	if strings.HasPrefix(url, "urn:") {
		return film{}, false
	}
	urn := media.ObjectPrefix + withoutFragment(url)
	found, err := h.cfg.Index.Closest(ctx, collection, canon.SURT(urn), at, 1)
	if err != nil || len(found) == 0 || h.cfg.Span >= 0 && distance(found[0].Time, at) > h.cfg.Span {
		return film{}, false
	}
	typ := wire.MediaType(found[0].MIME)
	if !strings.HasPrefix(typ, "video/") && !strings.HasPrefix(typ, "audio/") {
		return film{}, false
	}
	return film{found[0], typ}, true
}

func withoutFragment(url string) string {
	url, _, _ = strings.Cut(url, "#")
	return url
}

// inPlace answers with a film where the page wants its player or its file; false where there is none.
func (h *Handler) inPlace(w http.ResponseWriter, r *http.Request, a address.Address, at time.Time) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	dest := r.Header.Get("Sec-Fetch-Dest")
	switch dest {
	case "iframe", "frame", "embed", "object", "video", "audio":
	default:
		return false
	}
	if a.Mod != address.Inner && a.Mod != address.Frame && a.Mod != address.Object {
		return false
	}
	f, ok := h.filmOf(r.Context(), a.Collection, a.URL, at)
	if !ok || h.may(r, a.Collection, a.URL, f.Time) != nil {
		return false
	}
	if dest == "video" || dest == "audio" {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Location", f.address(a))
		w.WriteHeader(http.StatusTemporaryRedirect)
		return true
	}
	h.player(w, r, a, f)
	return true
}

// playerPolicy lets the player's page show a film of this host, and nothing else.
func (h *Handler) playerPolicy() string {
	return "default-src 'none'; media-src 'self'; img-src 'self'; style-src 'self'; sandbox; base-uri 'none'; form-action 'none'" + h.ancestors(true)
}

// player sends the page that stands in for the document of a player.
func (h *Handler) player(w http.ResponseWriter, r *http.Request, a address.Address, f film) {
	about := h.about(r.Context(), a.Collection, f)
	var b bytes.Buffer
	if err := pages[message.Of(r)].ExecuteTemplate(&b, "player.html", map[string]any{
		"Title": about.Get("title"), "Program": about.Get("program"), "Address": f.address(a), "Sound": strings.HasPrefix(f.Type, "audio/"), "Time": f.Time, "URL": a.URL, "Got": true,
	}); err != nil {
		h.refuse(w, r, err)
		return
	}
	head := w.Header()
	head.Set("Content-Security-Policy", h.playerPolicy())
	head.Set("Content-Type", "text/html; charset=utf-8")
	head.Set("Cache-Control", "private, max-age=300")
	h.fits(w, r, a, a.URL, address.Stamp(f.Time), "possible", http.StatusOK)
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		w.Write(b.Bytes())
	}
}

// about gives what was recorded about a film: the metadata record that stands behind it.
func (h *Handler) about(ctx context.Context, collection string, f film) wire.Header {
	rec, closer, err := h.cfg.Records.Record(ctx, collection, f.File, warc.PlaceOf(f.Found.Capture))
	if err != nil {
		return nil
	}
	id, size := rec.ID(), f.Length
	if size <= 0 { // the index does not tell
		size, err = rec.Finish()
	}
	closer.Close()
	if err != nil || size <= 0 {
		return nil
	}
	meta, closer, err := h.cfg.Records.Record(ctx, collection, f.File, warc.Place{Offset: f.Offset + size, Type: warc.TypeMetadata})
	if err != nil {
		return nil
	}
	defer closer.Close()
	if meta.Header.Get(warc.FieldConcurrentTo) != id {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(meta.Block, 64<<10))
	if err != nil {
		return nil
	}
	fields, _ := wire.ParseFields(nil, string(text), 1)
	return fields
}

// ownFilm is the markup of the script that puts the film of a page where its dead player is; "" without one.
func (h *Handler) ownFilm(ctx context.Context, d *rewrite.Document, f *found) string {
	m, ok := h.filmOf(ctx, d.Collection(), f.URL, f.Time)
	if !ok {
		return ""
	}
	text, err := json.Marshal(map[string]any{"address": d.Prefix + address.Stamp(m.Time) + string(address.Object) + "/" + address.Escape(m.URL), "sound": strings.HasPrefix(m.Type, "audio/"), "time": m.Time.UTC().Format("2006-01-02 15:04:05")})
	if err != nil {
		return ""
	}
	return `<script src="` + ownPath + `player.js" data-varve-film="` + html.EscapeString(string(text)) + `"></script>`
}
