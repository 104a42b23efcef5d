package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"varve/serve/memento"
	"varve/serve/replay/address"
)

// maxRequest bounds the body of a request that is looked up.
const maxRequest = 1 << 20

// capture answers for one capture.
func (h *Handler) capture(w http.ResponseWriter, r *http.Request, a address.Address) {
	at, err := h.instant(a)
	if err != nil {
		h.problem(w, r, http.StatusBadRequest, "This time cannot be read", err.Error())
		return
	}
	if wanted := r.Header.Get("Accept-Datetime"); a.Time == "" {
		w.Header().Set("Vary", "accept-datetime") // an address without a time is a time gate
		if wanted != "" {
			if at, err = memento.ParseAcceptDatetime(wanted); err != nil {
				h.problem(w, r, http.StatusBadRequest, "This time cannot be read", err.Error())
				return
			}
		}
	}
	if err := h.may(r, a.Collection, a.URL, at); err != nil {
		if !h.askVisitor(w, r, a, at) {
			h.refuse(w, r, err)
		}
		return
	}
	if a.Mod == address.Page && r.Header.Get("Sec-Fetch-Dest") == "document" {
		// Only inside the frame can the browser be kept from leaving, so that is where people see pages.
		a.Mod = address.Framed
		h.redirect(w, a)
		return
	}
	if h.inPlace(w, r, a, at) {
		return
	}
	q, err := question(r, a, at)
	if err != nil {
		h.problem(w, r, http.StatusRequestEntityTooLarge, "This request is too large to be looked up", err.Error())
		return
	}
	f, err := h.find(r.Context(), q)
	if err != nil {
		h.notFound(w, r, a, q, err)
		return
	}
	defer f.record.Close()
	if err := h.may(r, a.Collection, f.URL, f.Time); err != nil {
		a.Time, a.URL = address.Stamp(f.Time), f.URL
		if !h.askVisitor(w, r, a, f.Time) {
			h.refuse(w, r, err)
		}
		return
	}
	exact := address.Stamp(f.Time)
	if !a.Mod.Embedded() && !strings.HasPrefix(a.Time, exact) && q.method == http.MethodGet {
		h.exact(w, r, a, f)
		return
	}
	if a.Mod == address.Framed {
		h.frame(w, r, a, f)
		return
	}
	h.content(w, r, a, f)
}

// askVisitor leads a page that the content may not ask for by itself to the host where the visitor's own rights count:
// a link from an open page to one that only curators see. What the visitor then gets has a key of its own; the page
// that led here, another origin or another window, sees none of it.
func (h *Handler) askVisitor(w http.ResponseWriter, r *http.Request, a address.Address, at time.Time) bool {
	if !h.IsContent(r.Host) || a.Mod != address.Page || r.Header.Get("Sec-Fetch-Dest") != "iframe" {
		return false
	}
	if strings.HasPrefix(a.Key, KeyWithheld) && (h.cfg.Rights == nil || h.cfg.Rights.Covers(r, at)) {
		return false // it was asked already
	}
	a.Key = ""
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Location", h.cfg.Base+a.String())
	w.WriteHeader(http.StatusTemporaryRedirect)
	return true
}

// question makes the lookup for a request.
func question(r *http.Request, a address.Address, at time.Time) (ask, error) {
	q := ask{collection: a.Collection, method: r.Method, url: a.URL, at: at, mod: a.Mod}
	if r.Method == http.MethodHead {
		q.method = http.MethodGet
	}
	if q.method == http.MethodGet {
		return q, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest+1))
	if err != nil {
		return q, fmt.Errorf("read the request: %w", err)
	}
	if len(body) > maxRequest {
		return q, fmt.Errorf("its body is longer than %d bytes", maxRequest)
	}
	q.body, q.typ = body, r.Header.Get("Content-Type")
	return q, nil
}

// redirect leads to another address of ours.
func (h *Handler) redirect(w http.ResponseWriter, a address.Address) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Location", a.String())
	w.WriteHeader(http.StatusFound)
}

// exact leads from a time that was asked for to that of the capture.
func (h *Handler) exact(w http.ResponseWriter, r *http.Request, a address.Address, f *found) {
	h.letRead(w.Header(), r, a)
	w.Header().Set("Link", h.site(a.Collection).Link(memento.Place{URL: f.URL, This: f.Time}))
	if a.Mod == address.Framed {
		h.tellAsked(w, a.Time, f.Time)
	}
	a.Time = h.stamp(r.Context(), a.Collection, f.Found)
	if f.fuzzy != "" {
		a.URL = f.URL
	}
	h.redirect(w, a)
}

// stamp returns the time stamp that leads to a capture: its second, or more digits if that leads to an earlier capture of the same second.
func (h *Handler) stamp(ctx context.Context, collection string, c Found) string {
	if c.Within != "" {
		for first, err := range h.cfg.Index.Captures(ctx, collection, Query{Key: c.key(), From: c.Time, To: c.Time, Limit: 1}) {
			if err == nil && first.Location != c.Location {
				return address.StampWithin(c.Time, c.Within)
			}
		}
	}
	return address.Stamp(c.Time)
}

// place tells where a capture stands among its like. Embedded parts are not told: it would cost more than it is worth.
func (h *Handler) place(r *http.Request, a address.Address, f *found) memento.Place {
	p := memento.Place{URL: f.URL, This: f.Time}
	if a.Mod.Embedded() {
		return p
	}
	line, err := h.timeline(r.Context(), a.Collection, f.key())
	if err != nil || len(line.points) == 0 {
		return p
	}
	p.First, p.Last = line.points[0].time, line.points[len(line.points)-1].time
	if prev, next := line.around(f.Time); prev != nil || next != nil {
		if prev != nil {
			p.Prev = prev.time
		}
		if next != nil {
			p.Next = next.time
		}
	}
	return p
}

// notFound answers where nothing can be shown.
func (h *Handler) notFound(w http.ResponseWriter, r *http.Request, a address.Address, q ask, err error) {
	var nothing *errNothing
	if !errors.As(err, &nothing) {
		h.refuse(w, r, err)
		return
	}
	h.missing(w, r, a, q, nothing)
}
