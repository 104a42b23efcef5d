package replay

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"varve/serve/replay/address"
)

// nearby is a capture that is shown where the one asked for is not there.
type nearby struct {
	Time   time.Time
	Href   string
	URL    string
	Status int
	Away   string // how far from the time asked for
}

// maxNearby bounds the captures on a 404 page.
const maxNearby = 12

// missing answers where nothing can be shown: people get what there is near, in time and in place.
func (h *Handler) missing(w http.ResponseWriter, r *http.Request, a address.Address, q ask, nothing *errNothing) {
	for _, name := range []string{"Memento-Datetime", "Link", "Vary"} {
		w.Header().Del(name)
	}
	if len(nothing.near) > 0 {
		w.Header().Set("Varve-Nearest", address.Stamp(nothing.near[0].Time))
	}
	h.fits(w, r, a, a.URL, "-", "missing", http.StatusNotFound)
	if isPage(r, a) {
		h.views.gone(a)
	}
	if a.Mod.Embedded() && !a.Mod.Document() || r.Header.Get("Sec-Fetch-Dest") == "empty" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprintf(w, "varve: %s\n", h.cfg.Tell(nothing.Error()))
		return
	}
	data := map[string]any{
		"Title": "This page is not in the archive", "URL": a.URL, "Asked": q.at, "HasTime": a.Time != "", "Collection": a.Collection, "UI": h.cfg.UI, "Top": h.cfg.Base,
		"Why": h.cfg.Tell(why(nothing)), "Near": h.nearby(a, q, nothing.near), "Below": h.below(r, a, q),
		"All":    address.Address{Collection: a.Collection, Kind: address.Listing, URL: a.URL}.String(),
		"Framed": a.Mod == address.Framed,
	}
	if len(nothing.near) > 0 {
		data["Title"] = "No capture of this page can be shown"
	}
	h.page(w, r, http.StatusNotFound, "missing.html", data)
}

// why says in a sentence what is the matter.
func why(e *errNothing) string {
	switch {
	case errors.Is(e.cause, errCircular):
		return "The captures of this address only redirect to each other, so there is no content to show."
	case e.cause != nil:
		return "There are captures, but none could be read: " + e.cause.Error() + "."
	case e.far:
		return "There are captures, but all of them are too far from the time of the page that asks for it."
	}
	return "Nobody captured this address, under this or any similar name. It may have been out of the scope of the crawls, or it was never linked."
}

// nearby lists captures of the same page, in order of time.
func (h *Handler) nearby(a address.Address, q ask, near []Found) (out []nearby) {
	for _, c := range near[:min(len(near), maxNearby)] {
		out = append(out, nearby{c.Time, a.Sibling(c.Time, a.Mod, c.URL), c.URL, c.Status, away(c.Time.Sub(q.at))})
	}
	slices.SortFunc(out, func(a, b nearby) int { return a.Time.Compare(b.Time) })
	return out
}

// below lists captures of other pages of the same folder, one per URL.
func (h *Handler) below(r *http.Request, a address.Address, q ask) (out []nearby) {
	key := q.key()
	path, _, _ := strings.Cut(key, "?")
	i := strings.LastIndexByte(path, '/')
	if i < 0 || q.method != http.MethodGet {
		return nil
	}
	last := ""
	for c, err := range h.cfg.Index.Captures(r.Context(), a.Collection, Query{Key: path[:i+1], Prefix: true, Limit: 500}) {
		if err != nil || len(out) == maxNearby {
			break
		}
		if k := c.key(); k == last || k == key || !page(c) {
			continue
		}
		last = c.key()
		out = append(out, nearby{c.Time, a.Sibling(c.Time, a.Mod, c.URL), c.URL, c.Status, away(c.Time.Sub(q.at))})
	}
	return out
}

// page tells captures that people would look at by themselves.
func page(c Found) bool {
	return (c.Status == 0 || c.Status == 200) && (c.MIME == "" || strings.Contains(c.MIME, "html") || c.MIME == "warc/revisit")
}

// away writes a distance in time for people.
func away(d time.Duration) string {
	side := "later"
	if d < 0 {
		side, d = "earlier", -d
	}
	switch {
	case d < time.Second:
		return "at this time"
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s %s", int(d.Seconds()), side)
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min %s", int(d.Minutes()), side)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %s", int(d.Hours()), side)
	case d < 2*365*24*time.Hour:
		return fmt.Sprintf("%d days %s", int(d.Hours()/24), side)
	}
	return fmt.Sprintf("%.1f years %s", d.Hours()/24/365.25, side)
}
