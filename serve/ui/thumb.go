package ui

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strings"
	"time"

	"varve"
	"varve/serve/access"
	"varve/serve/holdings"
)

// thumb sends the small picture of a capture.
func (u *UI) thumb(w http.ResponseWriter, r *http.Request) {
	picture, err := u.thumbOf(r)
	if err != nil {
		status := varve.HTTPStatus(err)
		if status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", "5")
		}
		http.Error(w, http.StatusText(status), status)
		return
	}
	sum := sha256.Sum256(picture)
	w.Header().Set("Content-Type", "image/jpeg")
	w.Header().Set("Cache-Control", "no-cache, private") // a rule that comes holds at once
	w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:12])+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(picture))
}

// thumbOf asks for the picture that a request names. Only what is a capture for who asks is drawn.
func (u *UI) thumbOf(r *http.Request) ([]byte, error) {
	none := &varve.Error{Kind: varve.NotFound, Op: "show a picture", Msg: "there is none"}
	if u.cfg.Thumbs == nil || u.cfg.Index == nil || !access.From(r.Context()).Can(access.Viewer) {
		return nil, none
	}
	collection, target := r.PathValue("collection"), r.URL.Query().Get("url")
	at, err := time.Parse(time.RFC3339, r.URL.Query().Get("at"))
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "show a picture", Err: err, Hint: "at is a time as in RFC 3339"}
	}
	if target == "" || !drawn(target) {
		return nil, none
	}
	q := holdings.Query{Collection: collection, URL: target, From: at, To: at}
	if r.URL.Query().Has("near") {
		q.From, q.To, q.Limit = time.Time{}, time.Time{}, maxCaptures
	}
	var list []holdings.IndexedCapture
	for c, err := range u.cfg.Index.Captures(r.Context(), q) {
		if err != nil {
			return nil, err
		}
		if c.URL == target && (c.Revisit || c.Status == http.StatusOK && holdings.IsPage(c.MIME)) { // a revisit is drawn as what it refers to
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return nil, none
	}
	return u.cfg.Thumbs.Picture(r.Context(), collection, target, closest(list, at).Time)
}

// drawn reports whether a browser would show an address.
func drawn(target string) bool {
	return strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://")
}

// thumbNear is where the small picture of the capture nearest to an instant is.
func (u *UI) thumbNear(collection, target string, at time.Time) string {
	if path := u.thumbPath(collection, target, at); path != "" {
		return path + "&near=yes"
	}
	return ""
}

// thumbPath is where the small picture of a capture is; empty if pages are not drawn.
func (u *UI) thumbPath(collection, target string, at time.Time) string {
	if u.cfg.Thumbs == nil || at.IsZero() || !drawn(target) {
		return ""
	}
	return collectionPath(collection) + "/thumb?" + url.Values{"url": {target}, "at": {at.UTC().Format(time.RFC3339)}}.Encode()
}
