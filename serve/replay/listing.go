package replay

import (
	"net/http"
	"time"

	"varve/serve/replay/address"
	"varve/web/canon"
)

// listed is a line of a listing: a capture, or a URL with its captures.
type listed struct {
	nearby
	Last    time.Time
	Count   int
	Changed bool // other content than the line before
}

// maxListed bounds the lines of a listing.
const maxListed = 1000

// listing shows what there is of a URL, or below it. It works without scripts; serve/ui has the calendar.
func (h *Handler) listing(w http.ResponseWriter, r *http.Request, a address.Address) {
	q := Query{Key: canon.SURT(a.URL), Prefix: a.Prefix}
	var err error
	if a.From != "" {
		q.From, err = address.Earliest(a.From)
	}
	if a.To != "" && err == nil {
		q.To, err = address.Latest(a.To)
	}
	if err == nil {
		err = h.may(r, a.Collection, a.URL, h.cfg.Now())
	}
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	lines, more, err := h.lines(r, a, q)
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	status := http.StatusOK
	if len(lines) == 0 {
		status = http.StatusNotFound
	}
	h.page(w, r, status, "listing.html", map[string]any{"Title": "What there is of " + a.URL, "Collection": a.Collection, "URL": a.URL, "Lines": lines, "More": more, "Prefix": a.Prefix, "UI": h.cfg.UI})
}

// lines reads the captures of a listing; below a URL one line stands for all captures of one page.
func (h *Handler) lines(r *http.Request, a address.Address, q Query) (out []listed, more bool, err error) {
	last, digest := "", ""
	for c, err := range h.cfg.Index.Captures(r.Context(), a.Collection, q) {
		if err != nil {
			return nil, false, err
		}
		if n := len(out); a.Prefix && n > 0 && c.key() == last {
			out[n-1].Count++
			out[n-1].Last = c.Time
			continue
		}
		if len(out) == maxListed {
			return out, true, nil
		}
		out = append(out, listed{
			nearby: nearby{Time: c.Time, Href: target(a.Collection, c.Time, address.Framed, c.URL), URL: c.URL, Status: c.Status},
			Last:   c.Time, Count: 1, Changed: c.Digest != digest,
		})
		last, digest = c.key(), c.Digest
	}
	return out, false, nil
}
