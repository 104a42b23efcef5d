package replay

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"varve"
	"varve/serve/memento"
	"varve/serve/replay/address"
	"varve/web/canon"
)

// timeGate leads to the capture nearest to Accept-Datetime, or to the newest. Programs are led to the content,
// people, whose browsers send no such header, to the frame.
func (h *Handler) timeGate(w http.ResponseWriter, r *http.Request, a address.Address) {
	at := h.cfg.Now().UTC()
	wanted := r.Header.Get("Accept-Datetime")
	if wanted != "" {
		t, err := memento.ParseAcceptDatetime(wanted)
		if err != nil {
			h.problem(w, r, http.StatusBadRequest, "This time cannot be read", err.Error())
			return
		}
		at = t
	}
	if err := h.may(r, a.Collection, a.URL, at); err != nil {
		h.refuse(w, r, err)
		return
	}
	captures, _, err := h.candidates(r.Context(), &ask{collection: a.Collection, url: a.URL, at: at, mod: address.Page})
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	if len(captures) == 0 {
		h.missing(w, r, address.Address{Collection: a.Collection, Kind: address.Capture, URL: a.URL}, ask{collection: a.Collection, method: http.MethodGet, url: a.URL, at: at}, &errNothing{})
		return
	}
	c := captures[0]
	f := &found{choice: choice{Found: c}}
	h.site(a.Collection).SetGate(w.Header(), h.place(r, address.Address{Collection: a.Collection, Mod: address.Page}, f))
	mod := address.Page
	switch prefer := strings.ToLower(strings.TrimSpace(r.Header.Get("Prefer"))); {
	case prefer == "raw" || prefer == "rewritten" || prefer == "banner-only":
		mod = map[string]address.Mod{"raw": address.Identity, "rewritten": address.Page, "banner-only": address.Framed}[prefer]
		w.Header().Set("Vary", "accept-datetime, prefer")
		w.Header().Set("Preference-Applied", prefer)
	case wanted == "" && r.Header.Get("Sec-Fetch-Dest") == "document":
		mod = address.Framed
	}
	h.redirect(w, address.Address{Collection: a.Collection, Kind: address.Capture, Time: h.stamp(r.Context(), a.Collection, c), Mod: mod, URL: c.URL})
}

// timeMap lists all captures of a URL for programs, a page at a time.
func (h *Handler) timeMap(w http.ResponseWriter, r *http.Request, a address.Address) {
	typ, err := memento.ContentType(a.Format)
	if err != nil {
		h.problem(w, r, http.StatusBadRequest, "There is no time map of this kind", err.Error())
		return
	}
	if err := h.may(r, a.Collection, a.URL, h.cfg.Now()); err != nil {
		h.refuse(w, r, err)
		return
	}
	m, err := h.readMap(r, a)
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	w.Header().Set("Content-Type", typ)
	w.Header().Set("Cache-Control", "no-cache")
	if r.Method == http.MethodHead {
		return
	}
	if err := m.Write(w, a.Format); err != nil {
		h.log.Debug("answer cut short", "err", err)
	}
}

// readMap reads one page of a time map, and the bounds of all, in one pass.
func (h *Handler) readMap(r *http.Request, a address.Address) (*memento.Map, error) {
	m := &memento.Map{Site: h.site(a.Collection), URL: a.URL, Page: a.Page}
	n := 0
	var first, last, before time.Time
	for c, err := range h.cfg.Index.Captures(r.Context(), a.Collection, Query{Key: canon.SURT(a.URL)}) {
		if err != nil {
			return nil, err
		}
		if n%memento.PageSize == 0 {
			if n > 0 {
				m.Pages = append(m.Pages, memento.Span{Page: len(m.Pages) + 1, From: first, Until: last})
			}
			first = c.Time
		}
		last = c.Time
		if n/memento.PageSize+1 == a.Page {
			m.Captures = append(m.Captures, c.Capture)
			m.Later = append(m.Later, n > 0 && c.Time.Equal(before) && c.Within != "")
		}
		before = c.Time
		n++
	}
	if n > 0 {
		m.Pages = append(m.Pages, memento.Span{Page: len(m.Pages) + 1, From: first, Until: last})
	}
	if len(m.Captures) == 0 {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "time map of " + a.URL, Msg: "no captures", Err: errNoPage(n, a.Page)}
	}
	return m, nil
}

func errNoPage(n, page int) error {
	if n == 0 {
		return errors.New("this address was not captured")
	}
	return errors.New("the time map has fewer pages")
}
