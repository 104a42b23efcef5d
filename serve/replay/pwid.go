package replay

import (
	"net/http"
	"strings"
	"time"

	"varve/serve/memento"
	"varve/serve/replay/address"
	"varve/web/canon"
)

// pwid leads from a citation to the capture it names, in whichever collection that is: /_varve/pwid/urn:pwid:...
func (h *Handler) pwid(w http.ResponseWriter, r *http.Request) {
	text := strings.TrimPrefix(r.URL.EscapedPath(), ownPath+"pwid/")
	if r.URL.RawQuery != "" {
		text += "?" + r.URL.RawQuery
	}
	p, err := memento.ParsePWID(text)
	if err != nil {
		h.problem(w, r, http.StatusBadRequest, "This citation cannot be read", err.Error())
		return
	}
	if h.cfg.List == nil {
		h.problem(w, r, http.StatusNotFound, "Citations cannot be looked up here", "The collections of this host are not listed.")
		return
	}
	names, err := h.cfg.List(r.Context())
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	key := canon.SURT(p.URL)
	for _, name := range names {
		captures, err := h.cfg.Index.Closest(r.Context(), name, key, p.Time, 1)
		if err != nil || len(captures) == 0 || !captures[0].Time.Truncate(time.Second).Equal(p.Time) || h.may(r, name, p.URL, p.Time) != nil {
			continue
		}
		mod := address.Framed
		if p.Coverage == memento.CoversPart {
			mod = address.Identity
		}
		h.redirect(w, address.Address{Collection: name, Kind: address.Capture, Time: address.Stamp(p.Time), Mod: mod, URL: captures[0].URL})
		return
	}
	h.problem(w, r, http.StatusNotFound, "This capture is not in the archive", "No collection has "+p.URL+" at "+p.Time.Format(time.RFC3339)+".")
}
