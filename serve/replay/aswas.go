package replay

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"varve/serve/memento"
	"varve/serve/replay/address"
)

// ServeAsWas answers as the server of then did: same status, headers and content, nothing rewritten. It is for
// browsers that use the archive as their proxy and so can reach nothing else. Every address is a time gate of its own.
func (h *Handler) ServeAsWas(w http.ResponseWriter, r *http.Request, collection, url string, at time.Time) {
	if err := h.may(r, collection, url, at); err != nil {
		h.refuse(w, r, err)
		return
	}
	a := address.Address{Collection: collection, Kind: address.Capture, Time: address.Stamp(at), Mod: destination(r.Header.Get("Sec-Fetch-Dest")), URL: url}
	q, err := question(r, a, at)
	if err != nil {
		h.problem(w, r, http.StatusRequestEntityTooLarge, "This request is too large to be looked up", err.Error())
		return
	}
	q.asWas = true
	f, err := h.find(r.Context(), q)
	if err != nil {
		a.Mod = address.Object // links into the archive would not work here
		h.notFound(w, r, a, q, err)
		return
	}
	defer f.record.Close()
	if err := h.may(r, collection, f.URL, f.Time); err != nil {
		h.refuse(w, r, err)
		return
	}
	h.sendAsWas(w, r, collection, f)
}

// sendAsWas sends a capture with its own headers.
func (h *Handler) sendAsWas(w http.ResponseWriter, r *http.Request, collection string, f *found) {
	head := w.Header()
	for _, field := range f.record.head.Header {
		if name := strings.ToLower(field.Name); !keptBack[name] && validName(field.Name) {
			head.Add(field.Name, clean(field.Value))
		}
	}
	head.Add("Vary", "accept-datetime")
	head.Set("Memento-Datetime", memento.Date(f.Time))
	head.Add("Link", h.site(collection).Link(memento.Place{URL: f.URL, This: f.Time}))
	status := f.record.head.Status
	if status < 200 || status > 599 {
		status = http.StatusOK
	}
	codings := f.record.body.Codings()
	if len(codings) == 0 {
		h.stream(w, r, status, f.record.payload, f.record.length, total(&f.record.head))
		return
	}
	if accepts(r, codings) && r.Header.Get("Range") == "" {
		head.Set("Content-Encoding", strings.Join(codings, ", "))
		h.stream(w, r, status, f.record.payload, f.record.length, false)
		return
	}
	content, err := f.record.content()
	if err != nil {
		h.problem(w, r, http.StatusBadGateway, "This capture cannot be unpacked", err.Error())
		return
	}
	defer content.Close()
	h.stream(w, r, status, content, h.measure(r, collection, f), false)
}

// keptBack are the headers of then that must not reach a browser of now: framing, and orders that outlive the page.
var keptBack = map[string]bool{
	"connection": true, "keep-alive": true, "proxy-connection": true, "te": true, "trailer": true, "upgrade": true, "transfer-encoding": true,
	"content-length": true, "content-encoding": true, "strict-transport-security": true, "public-key-pins": true, "alt-svc": true, "expect-ct": true,
	"clear-site-data": true, "nel": true, "report-to": true, "memento-datetime": true,
}

// accepts tells whether a client reads all codings.
func accepts(r *http.Request, codings []string) bool {
	var have []string
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, _, _ := strings.Cut(part, ";")
		have = append(have, strings.ToLower(strings.TrimSpace(name)))
	}
	for _, c := range codings {
		if !slices.Contains(have, c) {
			return false
		}
	}
	return true
}
