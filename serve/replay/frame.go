package replay

import (
	"net/http"
	"net/url"
	"time"

	"varve/serve/memento"
	"varve/serve/message"
	"varve/serve/replay/address"
	"varve/serve/replay/rewrite"
	"varve/serve/strip"
)

// banner is what the frame page shows.
type banner struct {
	Collection, URL, Stamp string
	Time                   time.Time
	Content                string // address of the page
	Prev, Next             *step
	Strip                  strip.Strip
	Captures               int
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
	h.history(message.Of(r), &b, line, f)
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
func (h *Handler) history(l *message.Language, b *banner, line *timeline, f *found) {
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
	b.Captures, b.Cut = len(line.points), line.cut
	b.Strip = layers(l, b.Collection, b.URL, versions, f.Time)
	b.Strip.Label = l.Text("{0} in {1}", l.Count(len(versions), "version"), l.Count(b.Captures, "capture"))
}

// layers are the versions of a page on their axis, pale where a version was not captured any more.
func layers(l *message.Language, collection, url string, versions []version, here time.Time) strip.Strip {
	s := strip.Strip{Axis: strip.Axis{Dates: strip.Dates{Month: l.Dates.Month, Day: l.Dates.Day, Clock: l.Dates.Clock}}, Height: 10, Several: func(n int, from, to time.Time) string {
		return l.Count(n, "version") + ", " + l.Text("{0} to {1}", l.Stamp(from), l.Stamp(to))
	}}
	for i, v := range versions {
		b := strip.Band{
			From: v.first, Seen: v.last, Parts: []strip.Part{{Class: class(v.status), Share: 1}}, Href: target(collection, v.first, address.Framed, url), Title: l.Stamp(v.first),
		}
		if i+1 < len(versions) {
			b.To = versions[i+1].first
			b.Here = !here.Before(v.first) && here.Before(b.To)
		} else {
			b.Here = !here.Before(v.first)
		}
		if v.count > 1 {
			b.Title = l.Text("{0} to {1}", l.Stamp(v.first), l.Stamp(v.last)) + ", " + l.Count(v.count, "capture")
		}
		s.Bands = append(s.Bands, b)
	}
	return s
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
	return "coherent"
}
