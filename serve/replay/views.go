package replay

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"varve/serve/replay/address"
)

// A view is one frame page in a browser whose content runs no scripts, or only with the reader's leave. Without the shim
// nobody in the frame can tell the banner where the reader went and which parts there are, but the server knows: the
// addresses of the content carry the name of the view (/news~~VIEW/...), and the banner asks for it (/_varve/view?id=).
//
// The name is a number that cannot be guessed, known to the frame page and to the content that it shows. It gives no right
// but to run scripts, if the reader chose that.

// view is what the server knows of one.
type view struct {
	collection string
	leave      string // the page whose scripts may run, as pageID; everyPage: those of all pages; "": of none
	page       string // the one that is shown, as pageID
	said       viewReport
	size       int // of said, about
	used       int64
}

const everyPage = "*"

// viewReport is what the banner is told.
type viewReport struct {
	Page    *viewPage    `json:"page,omitempty"`    // what is shown
	Gone    *viewPage    `json:"gone,omitempty"`    // what was to be shown and is not there
	Parts   []viewPart   `json:"parts"`             // of the page, as the shim tells them
	Cut     int          `json:"cut,omitempty"`     // parts that are not listed
	Refresh *viewRefresh `json:"refresh,omitempty"` // where the page leads by itself; browsers do not where there are no scripts
	Leaks   []string     `json:"leaks,omitempty"`
}

type viewPage struct {
	URL  string `json:"url"`
	Time string `json:"time,omitempty"`
}

type viewRefresh struct {
	After int    `json:"after"` // seconds
	To    string `json:"to"`    // path in the archive
}

// viewPart is a part of a page: URL, time of its capture, how it fits, status.
type viewPart [4]any

// Bounds of views.
const (
	maxViews     = 2000
	maxViewParts = 1000
	maxViewSize  = 32 << 20 // of all together
	maxViewURL   = 2000
)

type views struct {
	mu   sync.Mutex
	all  map[string]*view
	size int
	use  int64
}

// begin makes a view and returns its name.
func (v *views) begin(collection, leave string) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	id := rand.Text()
	v.use++
	v.all[id] = &view{collection: collection, leave: leave, used: v.use}
	v.makeRoom()
	return id
}

// makeRoom forgets the views used longest ago.
func (v *views) makeRoom() {
	for len(v.all) > maxViews || v.size > maxViewSize && len(v.all) > 1 {
		oldest := ""
		for id, one := range v.all {
			if oldest == "" || one.used < v.all[oldest].used {
				oldest = id
			}
		}
		v.size -= v.all[oldest].size
		delete(v.all, oldest)
	}
}

// of returns the view of an address; nil if there is none of its collection.
func (v *views) of(a address.Address) *view {
	one := v.all[a.View]
	if one == nil || one.collection != a.Collection {
		return nil
	}
	v.use++
	one.used = v.use
	return one
}

// allows reports whether the reader lets the scripts of a capture run in its view.
func (v *views) allows(a address.Address, at time.Time, url string) bool {
	if a.View == "" {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	one := v.of(a)
	switch {
	case one == nil || one.leave == "":
		return false
	case one.leave == everyPage:
		return true
	case a.Mod == address.Page:
		return one.leave == pageID(at, url)
	}
	return one.leave == one.page // a frame of the page
}

// change does something to what is known of a view.
func (v *views) change(a address.Address, do func(*view)) {
	if a.View == "" {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	one := v.of(a)
	if one == nil {
		return
	}
	v.size -= one.size
	do(one)
	v.size += one.size
	v.makeRoom()
}

// shown notes the page that is shown now.
func (v *views) shown(a address.Address, at time.Time, url string) {
	v.change(a, func(one *view) {
		one.page = pageID(at, url)
		one.said, one.size = viewReport{Page: &viewPage{URL: url, Time: address.Stamp(at)}}, len(url)
	})
}

// gone notes that the page which was to be shown is not there.
func (v *views) gone(a address.Address) {
	v.change(a, func(one *view) {
		one.page = ""
		one.said, one.size = viewReport{Gone: &viewPage{URL: a.URL}}, len(a.URL)
	})
}

// part notes a part of the page that is shown.
func (v *views) part(a address.Address, url, stamp, fit string, status int) {
	url = url[:min(len(url), maxViewURL)]
	v.change(a, func(one *view) {
		if len(one.said.Parts) >= maxViewParts {
			one.said.Cut++
			return
		}
		one.said.Parts = append(one.said.Parts, viewPart{url, stamp, fit, status})
		one.size += len(url) + 100
	})
}

// leak notes what the page tried to reach.
func (v *views) leak(a address.Address, blocked string) {
	blocked = blocked[:min(len(blocked), maxViewURL)]
	v.change(a, func(one *view) {
		if len(one.said.Leaks) < maxViewParts {
			one.said.Leaks = append(one.said.Leaks, blocked)
			one.size += len(blocked)
		}
	})
}

// refresh notes where the page leads by itself.
func (v *views) refresh(a address.Address, after int, to string) {
	v.change(a, func(one *view) {
		if one.said.Refresh == nil {
			one.said.Refresh = &viewRefresh{after, to}
			one.size += len(to)
		}
	})
}

// report returns what the banner is told of a view, and whether the scripts of its page run.
func (v *views) report(id string) (text []byte, scripts scriptState, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	one := v.all[id]
	if one == nil {
		return nil, scriptsOff, false
	}
	switch {
	case one.leave == everyPage:
		scripts = scriptsCollection
	case one.leave != "" && one.leave == one.page:
		scripts = scriptsPage
	default:
		scripts = scriptsOff
	}
	text, err := json.Marshal(&one.said)
	return text, scripts, err == nil
}

// view tells the banner what its frame shows.
func (h *Handler) view(w http.ResponseWriter, r *http.Request) {
	text, _, ok := h.views.report(r.URL.Query().Get("id"))
	if !ok {
		http.Error(w, "there is no such view: open the page again", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(text)
}

// fits says of an answer how well its capture fits the page: in a header, from which the shim tells the banner, and to
// the view that it was asked for by.
func (h *Handler) fits(w http.ResponseWriter, r *http.Request, a address.Address, url, stamp, fit string, status int) {
	w.Header().Set("Server-Timing", fmt.Sprintf(`varve;desc="%s %s"`, stamp, fit))
	if !isPage(r, a) {
		h.views.part(a, url, stamp, fit, status)
	}
}

// isPage reports whether a request is for the page in the frame, not for a part of it.
func isPage(r *http.Request, a address.Address) bool {
	dest := r.Header.Get("Sec-Fetch-Dest")
	return a.Mod == address.Page && (dest == "iframe" || dest == "")
}
