package replay

import (
	"net/http"
	"net/url"
	"time"

	"varve/serve/memento"
	"varve/serve/replay/address"
	"varve/serve/replay/rewrite"
)

// banner is what the frame page shows.
type banner struct {
	Collection, URL, Stamp string
	Time                   time.Time
	Content                string // address of the page
	Prev, Next             *step
	Bands                  []band
	Versions, Captures     int
	Cut                    bool
	Fit                    string
	Status                 int
	Asked                  string // the time that was asked for, where it is another
	Substituted            string // another URL is shown than asked for
	Cite                   memento.Citation
	Compare, Text, All     string
	TimeMap                string
	Sandbox, FrameName, UI string
	Scripts                scriptState
	View, Here             string // of this frame page: its name, where content runs without scripts of its own right; its path
}

// step leads to a neighbour in time.
type step struct {
	Time time.Time
	Href string
}

// band is one version on the strip.
type band struct {
	X, W  float64
	Class string
	Href  string
	First time.Time
	Last  time.Time
	Count int
	Here  bool
}

// frame sends the frame page around a capture.
func (h *Handler) frame(w http.ResponseWriter, r *http.Request, a address.Address, f *found) {
	line, err := h.timeline(r.Context(), a.Collection, f.key())
	if err != nil {
		h.refuse(w, r, err)
		return
	}
	site := h.site(a.Collection)
	scripts := h.scriptsOf(r, &a, f)
	b := banner{
		Collection: a.Collection, URL: f.URL, Stamp: address.Stamp(f.Time), Time: f.Time, Status: f.record.head.Status,
		Content: h.contentOrigin(a.Collection) + h.keyed(r, a, f.URL, f.Time).Sibling(f.Time, address.Page, f.URL), Fit: f.fit.String(), Substituted: f.fuzzy,
		Cite: memento.Citation{URL: f.URL, Time: f.Time, Archive: h.cfg.Archive, Memento: site.Memento(f.Time, f.URL)}, TimeMap: site.TimeMap("link", 1, f.URL),
		All:     address.Address{Collection: a.Collection, Kind: address.Listing, URL: f.URL}.String(),
		Sandbox: sandbox(h.shared(), scripts != scriptsOff && scripts != scriptsNever), FrameName: rewrite.PageFrame, UI: h.cfg.UI,
		Scripts: scripts, View: a.View, Here: target(a.Collection, f.Time, address.Framed, f.URL),
	}
	b.Asked = h.asked(w, r, f.Time)
	h.byBrowser(w.Header())
	h.history(&b, line, f)
	if h.cfg.UI != "" {
		h.screens(&b, line)
	}
	site.SetMemento(w.Header(), h.place(r, a, f))
	h.page(w, r, http.StatusOK, "frame.html", b)
}

// scriptsOf decides whether the scripts of a page run below its banner, and makes the view for it where its browser does
// not keep them in. A banner that follows its frame to another page (frame.js) names its view and gets no other.
func (h *Handler) scriptsOf(r *http.Request, a *address.Address, f *found) scriptState {
	a.View = ""
	if id := r.Header.Get("Varve-View"); id != "" && r.Header.Get("Sec-Fetch-Dest") != "document" && h.cfg.Scripts == ScriptsAuto && !confined(r.Header) {
		_, scripts, _ := h.views.report(id)
		return scripts
	}
	page := pageID(f.Time, f.URL)
	scripts := h.chosen(r, a.Collection, page)
	leave := map[scriptState]string{scriptsPage: page, scriptsCollection: everyPage}[scripts]
	if scripts != scriptsRun {
		a.View = h.views.begin(a.Collection, leave)
	}
	return scripts
}

// screens adds links to the screens. The paths are those of serve/ui.
func (h *Handler) screens(b *banner, line *timeline) {
	base := h.cfg.UI + "/collections/" + url.PathEscape(b.Collection)
	q := url.Values{"url": {b.URL}}
	b.All = base + "/calendar?" + q.Encode()
	if prev, _ := line.around(b.Time); prev != nil {
		b.Compare = base + "/compare?" + url.Values{"url": {b.URL}, "a": {address.Stamp(prev.time)}, "b": {b.Stamp}}.Encode()
	}
}

// history fills in the neighbours and the strip of versions.
func (h *Handler) history(b *banner, line *timeline, f *found) {
	at := func(t time.Time) *step {
		return &step{t, target(b.Collection, t, address.Framed, b.URL)}
	}
	prev, next := line.around(f.Time)
	if prev != nil {
		b.Prev = at(prev.time)
	}
	if next != nil {
		b.Next = at(next.time)
	}
	versions := line.versions()
	b.Versions, b.Captures, b.Cut = len(versions), len(line.points), line.cut
	b.Bands = bands(b.Collection, b.URL, versions, f.Time)
}

// stripWidth is the width of the strip in its own units; maxBands the number of bands that can be told apart.
const (
	stripWidth = 1200.0
	maxBands   = 300
)

// bands lays versions out in a row, wider for more captures; the newest are shown where there are too many.
func bands(collection, url string, versions []version, here time.Time) []band {
	if len(versions) > maxBands {
		versions = window(versions, here)
	}
	total := 0.0
	for _, v := range versions {
		total += weight(v)
	}
	out := make([]band, 0, len(versions))
	x := 0.0
	for _, v := range versions {
		w := weight(v) / total * stripWidth
		out = append(out, band{
			X: x, W: max(w-1.5, 0.8), Class: class(v.status), Href: target(collection, v.first, address.Framed, url),
			First: v.first, Last: v.last, Count: v.count, Here: !here.Before(v.first) && !here.After(v.last),
		})
		x += w
	}
	return out
}

// window gives the versions around an instant.
func window(versions []version, here time.Time) []version {
	i := 0
	for i < len(versions) && versions[i].last.Before(here) {
		i++
	}
	from := min(max(i-maxBands/2, 0), len(versions)-maxBands)
	return versions[from : from+maxBands]
}

// weight grows slowly with the captures of a version, so that one quiet year does not hide a busy day.
func weight(v version) float64 {
	w := 1.0
	for n := v.count; n > 1; n /= 2 {
		w += 0.6
	}
	return w
}

// class is the colour of a version: by what the server answered.
func class(status int) string {
	switch {
	case status >= 400:
		return "missing"
	case status >= 300:
		return "content"
	case status == 0:
		return "unknown"
	}
	return "coh"
}
