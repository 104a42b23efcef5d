package replay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"varve"
	"varve/serve/memento"
	"varve/serve/replay/address"
)

// ownPath is where our own things lie; no collection may have this name.
const ownPath = "/_varve/"

// ServeHTTP answers a request to the replay host.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	content := h.IsContent(r.Host)
	if !content && !strings.EqualFold(r.Host, h.host) {
		h.otherHost(w, r)
		return
	}
	h.policy(w.Header(), content)
	switch {
	case content && h.elsewhere(r):
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Location", h.cfg.Base+r.URL.RequestURI())
		w.WriteHeader(http.StatusTemporaryRedirect)
	case r.Header.Get("Service-Worker") == "script":
		// It would outlive the page and answer for all others.
		h.problem(w, r, http.StatusForbidden, "Archived service workers are not run", "Pages are shown without theirs.")
	case strings.HasPrefix(r.URL.Path, ownPath):
		h.own(w, r)
	case r.URL.Path == "/":
		h.start(w, r)
	case r.URL.Path == "/robots.txt" || r.URL.Path == "/favicon.ico":
		h.file(w, r)
	case h.cfg.CDX != nil && isCDX(r.URL.Path):
		h.cfg.CDX.ServeHTTP(w, r)
	default:
		h.archived(w, r)
	}
}

// isCDX tells the addresses of the CDX server: /name/cdx and /name-cdx.
func isCDX(path string) bool {
	name, rest, ok := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return ok && (rest == "cdx" || strings.HasPrefix(rest, "cdx/")) || strings.HasSuffix(name, "-cdx") && rest == ""
}

// elsewhere reports whether a request to an origin of content is for what is on the other one.
func (h *Handler) elsewhere(r *http.Request) bool {
	if isCDX(r.URL.Path) || r.URL.Path == "/" && !h.fromContent(r) {
		return true
	}
	return strings.HasPrefix(r.URL.Path, ownPath) && !IsOwnFile(r)
}

// IsOwnFile reports whether a request is for one of our files, which every origin of content has and everybody may
// get, or a report about a leak.
func IsOwnFile(r *http.Request) bool {
	switch r.URL.Path {
	case ownPath + "shim.js", ownPath + "missing.js", ownPath + "replay.css", ownPath + "player.js", ownPath + "player.css", "/favicon.ico", "/robots.txt":
		return true
	case ownPath + "leak":
		return r.Method == http.MethodPost
	}
	return false
}

// fromContent reports whether a page of the same origin made the request.
func (h *Handler) fromContent(r *http.Request) bool {
	_, ok := strings.CutPrefix(r.Header.Get("Referer"), h.scheme+"://"+strings.ToLower(r.Host)+"/")
	return ok && h.IsContent(r.Host)
}

// otherHost sends people to the right host and refuses everything else: content must never run under another name.
func (h *Handler) otherHost(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Dest") != "empty" {
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, h.cfg.Base+r.URL.RequestURI(), http.StatusTemporaryRedirect)
		return
	}
	http.Error(w, "this host shows the archive at "+h.cfg.Base+" only", http.StatusMisdirectedRequest)
}

// archived answers for a collection.
func (h *Handler) archived(w http.ResponseWriter, r *http.Request) {
	a, err := address.Parse(r.URL.EscapedPath(), r.URL.RawQuery)
	if err != nil {
		h.problem(w, r, http.StatusBadRequest, "This address cannot be read", err.Error())
		return
	}
	if h.stray(w, r, a) || h.misplaced(w, r, a) {
		return
	}
	if a.Kind != address.Capture && r.Method != http.MethodGet && r.Method != http.MethodHead {
		// Such as lines for OutbackCDX. Captures are asked for by other methods too: forms.
		w.Header().Set("Allow", "GET, HEAD")
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(http.StatusMethodNotAllowed)
		fmt.Fprintf(w, "Nothing is stored here: this host only shows the archive. To add index lines to a collection, run on the machine of the archive: varve cdx import --collection %s FILE; to add WARC files: varve import\n", a.Collection)
		return
	}
	switch a.Kind {
	case address.Home:
		h.home(w, r, a)
	case address.TimeMap:
		h.timeMap(w, r, a)
	case address.TimeGate:
		h.timeGate(w, r, a)
	case address.Listing:
		h.listing(w, r, a)
	default:
		h.capture(w, r, a)
	}
}

// stray catches references of a replayed page that were not rewritten ("/style.css"): the page they came from says
// where they belong. A path that is an address of its own is none.
func (h *Handler) stray(w http.ResponseWriter, r *http.Request, a address.Address) bool {
	from, ok := strings.CutPrefix(r.Header.Get("Referer"), h.scheme+"://"+strings.ToLower(r.Host))
	if !ok || !h.IsContent(r.Host) || a.Kind == address.Capture || a.Kind == address.TimeMap || a.Kind == address.Listing {
		return false
	}
	path, query, _ := strings.Cut(from, "?")
	page, err := address.Parse(path, query)
	if err != nil || page.Kind != address.Capture || page.Mod == address.Framed {
		return false
	}
	if a.Collection == page.Collection && (a.Kind == address.Home || strings.Contains(r.URL.Path, "/http:") || strings.Contains(r.URL.Path, "/https:") || strings.HasPrefix(r.URL.Path, "/"+a.Collection+"/timegate/")) {
		return false
	}
	scheme, rest, ok := strings.Cut(page.URL, "://")
	if !ok {
		return false
	}
	host, _, _ := strings.Cut(rest, "/")
	page.URL = scheme + "://" + host + r.URL.RequestURI()
	page.Mod = destination(r.Header.Get("Sec-Fetch-Dest"))
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Location", page.String())
	w.WriteHeader(http.StatusTemporaryRedirect)
	return true
}

// misplaced leads browsers to the right origin: content must not run where the frame page is, nor where content of
// another collection is. Only browsers say what they want something for, and scripts cannot make them say otherwise.
func (h *Handler) misplaced(w http.ResponseWriter, r *http.Request, a address.Address) bool {
	content := a.Kind == address.Capture && a.Mod != address.Framed
	origin := h.contentOrigin(a.Collection)
	inner := h.IsContent(r.Host)
	dest := r.Header.Get("Sec-Fetch-Dest")
	switch {
	case !inner && content && dest != "" && !(dest == "document" && a.Mod == address.Page):
		at, err := h.instant(a)
		if err != nil {
			return false
		}
		w.Header().Set("Location", origin+h.keyed(r, a, a.URL, at).String())
	case inner && (!content || dest == "document" && a.Mod == address.Page):
		w.Header().Set("Location", h.cfg.Base+a.Plain().String())
	case inner && !strings.EqualFold(h.scheme+"://"+r.Host, origin):
		w.Header().Set("Location", h.cfg.Base+a.Plain().String())
	default:
		return false
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusTemporaryRedirect)
	return true
}

// destination gives the modifier for what a browser says it wants something for.
func destination(dest string) address.Mod {
	switch dest {
	case "script":
		return address.Script
	case "style":
		return address.Style
	case "image":
		return address.Image
	case "iframe":
		return address.Inner
	case "frame":
		return address.Frame
	case "worker", "sharedworker":
		return address.Worker
	case "font", "audio", "video", "track", "object", "embed":
		return address.Object
	}
	return address.Page
}

// site gives the Memento addresses of a collection.
func (h *Handler) site(collection string) memento.Site {
	return memento.Site{Base: h.cfg.Base, Collection: collection}
}

// instant gives the time that an address asks for; none means now.
func (h *Handler) instant(a address.Address) (time.Time, error) {
	if a.Time == "" {
		return h.cfg.Now().UTC(), nil
	}
	return address.Latest(a.Time)
}

// may asks the guard.
func (h *Handler) may(r *http.Request, collection, url string, t time.Time) error {
	if h.cfg.Guard == nil {
		return nil
	}
	return h.cfg.Guard.May(r, collection, url, t)
}

// refuse shows an error to people.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	status := varve.HTTPStatus(err)
	title := "This could not be shown"
	switch varve.KindOf(err) {
	case varve.Forbidden:
		title = "This may not be shown here"
	case varve.NotFound:
		title = "This is not in the archive"
	case varve.Internal:
		h.log.Error("replay failed", "url", r.URL.Path, "err", err)
	}
	text := err.Error()
	if hint := varve.HintOf(err); hint != "" {
		text += ". " + hint
	}
	h.problem(w, r, status, title, text)
}
