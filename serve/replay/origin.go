package replay

import (
	"crypto/sha256"
	"encoding/base32"
	"net/http"
	"net/url"
	"strings"
	"time"

	"varve/serve/replay/address"
)

// Where things run. Our own pages (frame page, lists) are on Base. Archived content has an origin of its own for each
// collection, so that the browser keeps the scripts of one collection from the content of another:
//
//	http://localhost:8081        frame page, lists, CDX, Memento     rights of the visitor (login, loopback)
//	http://news.localhost:8081   content of the collection "news"    what everybody may see, or what its key says
//
// A request to an origin of content carries no right of the visitor: neither cookie nor loopback counts there. What
// may be asked for beyond that which everybody may see stands as a key in the address (/news~KEY/...), which the frame
// page writes for the page that it shows, if the visitor may see it: a page that is open gets a key for what is open.
//
// Where there are no names below that of the host (Config.Wildcard), all content is on one other name, and if some may
// see what others may not (Rights.Differ), each document gets an origin of its own, which is nobody else's: the policy
// `sandbox` without allow-same-origin. Replay is poorer so: frames cannot see each other, nothing is kept.

// Rights decide what archived content may ask for by itself.
type Rights interface {
	// Key returns the key for the content of a capture that the visitor who asks may see; empty where the visitor
	// needs none for it: everybody who reaches this host may see it. With always there is one in any case. A key that
	// begins with KeyWithheld is good for what the visitor may see of the collection around t, any other for what everybody may.
	Key(r *http.Request, collection, url string, t time.Time, always bool) string
	// Covers reports whether what a key of KeyWithheld allows counts for captures of an instant.
	Covers(r *http.Request, t time.Time) bool
	// Differ reports whether some visitors may see what others may not.
	Differ() bool
}

// KeyWithheld begins the keys for pages that not everybody may see.
const KeyWithheld = "w"

// label returns the name of a collection as one label of a host name; different collections have different labels. A
// name that is such a label stands for itself, others are encoded; the longest, which do not fit, by their SHA-256.
func label(collection string) string {
	if isLabel(collection) {
		return collection
	}
	enc := base32.HexEncoding.WithPadding(base32.NoPadding)
	if s := "x--" + strings.ToLower(enc.EncodeToString([]byte(collection))); len(s) <= 63 {
		return s
	}
	sum := sha256.Sum256([]byte(collection))
	return "y--" + strings.ToLower(enc.EncodeToString(sum[:])) // 52 characters
}

// isLabel reports whether a name is a label in the form that browsers give it, and none of those made by label.
func isLabel(s string) bool {
	if s == "" || len(s) > 63 || s[0] == '-' || s[len(s)-1] == '-' || strings.Contains(s, "--") {
		return false
	}
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// loopbackName reports whether browsers find all names below a host on the machine itself (RFC 6761).
func loopbackName(host string) bool {
	host = strings.ToLower(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// contentOrigin returns the origin of the content of a collection.
func (h *Handler) contentOrigin(collection string) string {
	if h.wild {
		if name, err := url.PathUnescape(collection); err == nil {
			collection = name
		}
		return h.scheme + "://" + label(collection) + "." + h.host
	}
	return h.cfg.Content
}

// IsContent reports whether a Host header names an origin of content.
func (h *Handler) IsContent(host string) bool {
	host = strings.ToLower(host)
	if h.wild {
		first, rest, ok := strings.Cut(host, ".")
		return ok && rest == h.host && first != ""
	}
	return host == h.inner
}

// contentSource is how policies name the origins of content, all of them.
func (h *Handler) contentSource() string {
	if h.wild {
		return h.scheme + "://*." + h.host
	}
	return h.cfg.Content
}

// shared reports whether content of different rights has one host, so that its documents must not share an origin.
func (h *Handler) shared() bool { return !h.wild && h.cfg.Rights != nil && h.cfg.Rights.Differ() }

// keyed returns the address of a capture as the content's own requests may use it, for the visitor who asks.
func (h *Handler) keyed(r *http.Request, a address.Address, url string, t time.Time) address.Address {
	a.Key = "" // the view stays
	if h.cfg.Rights != nil {
		a.Key = h.cfg.Rights.Key(r, a.Collection, url, t, h.shared())
	}
	return a
}

// RequestKey returns the collection and the key in the path of a request.
func RequestKey(r *http.Request) (collection, key string) {
	name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
	collection, key, _ = address.SplitLead(name)
	if plain, err := url.PathUnescape(collection); err == nil {
		collection = plain
	}
	return collection, key
}
