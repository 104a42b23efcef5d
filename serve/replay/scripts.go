package replay

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"varve"
	"varve/serve/replay/address"
)

// Whose scripts run. A script that runs can get hold of RTCPeerConnection: it looks at one of its frames while that goes
// to another document, and sees the new window before the shim is in it. Only the browser can stop what it does there, and
// only Chromium does, told by Connection-Allowlist. So in every other browser archived documents run no scripts, their own
// or ours: `script-src 'none'` and a sandbox without allow-scripts, which every realm below inherits.
//
// What the server goes by is Sec-CH-UA. A script cannot set a header that begins with Sec- (it can set User-Agent in
// Firefox), and no browser but Chromium has it (some call themselves Chrome in User-Agent). Over plain HTTP
// Chromium says so to localhost only; elsewhere it is a browser like any other.
//
// The reader may let scripts run all the same: of one page as it is shown once, or of a collection until the browser is
// closed. That is chosen in the banner, on the origin of the frame page, by a request that must come from there. The
// choice reaches content by its address: the view (views.go) that the frame page made for it.

// Scripts is the archive owner's word on scripts of archived pages.
type Scripts uint8

// The settings of scripts.
const (
	ScriptsAuto   Scripts = iota // in browsers that are known to keep them from the live network, else where the reader says so
	ScriptsNever                 // nowhere
	ScriptsAlways                // everywhere
)

// ParseScripts reads a setting: auto, never or always.
func ParseScripts(s string) (Scripts, error) {
	switch s {
	case "auto":
		return ScriptsAuto, nil
	case "never":
		return ScriptsNever, nil
	case "always":
		return ScriptsAlways, nil
	}
	return ScriptsAuto, &varve.Error{Kind: varve.Invalid, Op: "scripts of archived pages", Msg: strconv.Quote(s) + " is no setting", Hint: "auto, never or always"}
}

// confines is the first Chromium that was seen to stop WebRTC by Connection-Allowlist in every realm (TestDrillRealms).
const confines = 156

// confined reports whether a browser is known to stop what archived scripts do about the live network.
func confined(header http.Header) bool {
	known := false
	rest := strings.Join(header.Values("Sec-Ch-Ua"), ",")
	for rest != "" {
		brand, version, after, ok := nextBrand(rest)
		if !ok {
			return false
		}
		if rest = after; brand != "Chromium" {
			continue
		}
		n, err := strconv.Atoi(version)
		if err != nil || n < confines {
			return false
		}
		known = true
	}
	return known
}

// nextBrand reads one member of Sec-CH-UA: "Chromium";v="156". Brands may be written to confuse readers like this one:
// whatever has another form is not understood.
func nextBrand(s string) (brand, version, rest string, ok bool) {
	s = strings.TrimLeft(s, " \t,")
	if brand, s, ok = quoted(s); !ok {
		return "", "", "", false
	}
	if s, ok = strings.CutPrefix(strings.TrimLeft(s, " "), ";v="); !ok {
		return "", "", "", false
	}
	if version, s, ok = quoted(s); !ok {
		return "", "", "", false
	}
	s = strings.TrimLeft(s, " \t")
	return brand, version, s, s == "" || s[0] == ','
}

// quoted reads a string of a structured header (RFC 9651) from the start of s.
func quoted(s string) (text, rest string, ok bool) {
	if s == "" || s[0] != '"' {
		return "", "", false
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), s[i+1:], true
		case '\\':
			if i++; i == len(s) {
				return "", "", false
			}
		}
		b.WriteByte(s[i])
	}
	return "", "", false
}

// runs reports whether the scripts of a capture may run where it is asked for.
func (h *Handler) runs(r *http.Request, a address.Address, f *found) bool {
	switch h.cfg.Scripts {
	case ScriptsNever:
		return false
	case ScriptsAlways:
		return true
	}
	if confined(r.Header) {
		return true
	}
	// A choice counts below the banner that tells of it, not for an address that somebody sent.
	return r.Header.Get("Sec-Fetch-Dest") != "document" && h.views.allows(a, f.Time, f.URL)
}

// byBrowser says that an answer is for browsers of this kind only.
func (h *Handler) byBrowser(header http.Header) {
	if h.cfg.Scripts == ScriptsAuto {
		header.Add("Vary", "Sec-CH-UA")
	}
}

// scriptState is what the banner says about scripts.
type scriptState string

const (
	scriptsRun        scriptState = ""           // nothing: they run
	scriptsOff        scriptState = "off"        // they do not, but could
	scriptsNever      scriptState = "never"      // they do not
	scriptsPage       scriptState = "page"       // the reader lets those of the page run
	scriptsCollection scriptState = "collection" // the reader lets those of the collection run
)

// chosen returns what the reader chose for a page that is to be shown; a choice for one view is used up by it.
func (h *Handler) chosen(r *http.Request, collection, page string) scriptState {
	switch {
	case h.cfg.Scripts == ScriptsNever:
		return scriptsNever
	case h.cfg.Scripts == ScriptsAlways || confined(r.Header):
		return scriptsRun
	}
	c, err := r.Cookie(consentCookie)
	if err != nil {
		return scriptsOff
	}
	return h.consents.of(c.Value, collection, page, h.cfg.Now())
}

// scripts takes the choice of a reader and leads back to the page.
func (h *Handler) scripts(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		h.problem(w, r, http.StatusMethodNotAllowed, "Scripts are chosen in the banner of a page", "Open the page and choose there.")
		return
	}
	// Only the frame page may ask, as a window of its own: archived content has another origin, or none.
	site, dest := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Sec-Fetch-Dest")
	if !strings.EqualFold(r.Header.Get("Origin"), h.cfg.Base) || site != "" && site != "same-origin" || dest != "" && dest != "document" {
		h.problem(w, r, http.StatusForbidden, "Only you can let scripts run", "This was not asked for by the banner of a page, so nothing was changed.")
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxRequest)
	if err := r.ParseForm(); err != nil {
		h.problem(w, r, http.StatusBadRequest, "This cannot be read", err.Error())
		return
	}
	path, query, _ := strings.Cut(r.PostForm.Get("page"), "?")
	a, err := address.Parse(path, query)
	if err != nil || a.Kind != address.Capture || a.Mod != address.Framed {
		h.problem(w, r, http.StatusBadRequest, "Of which page?", "Open the page and choose there.")
		return
	}
	at, err := h.instant(a)
	name, bad := url.PathUnescape(a.Collection)
	if err != nil || bad != nil {
		h.problem(w, r, http.StatusBadRequest, "Of which page?", "Open the page and choose there.")
		return
	}
	a = a.Plain()
	a.Collection = url.PathEscape(name) // it begins the path that is led to
	id := ""
	if c, err := r.Cookie(consentCookie); err == nil {
		id = c.Value
	}
	id = h.consents.set(id, a.Collection, pageID(at, a.URL), scriptState(r.PostForm.Get("for")), h.cfg.Now())
	http.SetCookie(w, &http.Cookie{Name: consentCookie, Value: id, Path: "/", HttpOnly: true, Secure: h.scheme == "https", SameSite: http.SameSiteLaxMode})
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Location", a.String())
	w.WriteHeader(http.StatusSeeOther)
}

// consentCookie names a reader's choices on the host of the frame page. It is of that host alone: content, below it or
// beside it, does not get it, and what content might write in its place is a number that nobody gave out.
const consentCookie = "varve-scripts"

// pageID names one capture of a page.
func pageID(at time.Time, url string) string { return address.Stamp(at) + " " + url }

// consents are the choices of readers about scripts. They are kept in memory only: after a restart nothing is chosen.
type consents struct {
	mu  sync.Mutex
	all map[string]*consent
}

type consent struct {
	collections map[string]bool
	once        string // collection and page of the next view
	till        time.Time
}

// Bounds of consents.
const (
	maxConsents  = 10_000
	maxConsented = 100 // collections
	consentLasts = 12 * time.Hour
)

// of returns what a reader chose for a page, and forgets what was for one view.
func (c *consents) of(id, collection, page string, now time.Time) scriptState {
	c.mu.Lock()
	defer c.mu.Unlock()
	one := c.all[id]
	switch {
	case one == nil || now.After(one.till):
		return scriptsOff
	case one.collections[collection]:
		return scriptsCollection
	case one.once == collection+" "+page:
		one.once = ""
		return scriptsPage
	}
	return scriptsOff
}

// set keeps a choice and returns the name of the reader's choices, a new one if id is none of ours.
func (c *consents) set(id, collection, page string, what scriptState, now time.Time) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	one := c.all[id]
	if one == nil || now.After(one.till) {
		delete(c.all, id)
		id, one = rand.Text(), &consent{collections: map[string]bool{}}
		c.makeRoom(now)
		c.all[id] = one
	}
	one.till, one.once = now.Add(consentLasts), ""
	delete(one.collections, collection)
	switch what {
	case scriptsPage:
		one.once = collection + " " + page
	case scriptsCollection:
		if len(one.collections) < maxConsented {
			one.collections[collection] = true
		}
	}
	return id
}

// makeRoom forgets choices that are over, and the oldest if there are too many.
func (c *consents) makeRoom(now time.Time) {
	if len(c.all) < maxConsents {
		return
	}
	oldest := ""
	for id, one := range c.all {
		if now.After(one.till) {
			delete(c.all, id)
		} else if oldest == "" || one.till.Before(c.all[oldest].till) {
			oldest = id
		}
	}
	if len(c.all) >= maxConsents {
		delete(c.all, oldest)
	}
}
