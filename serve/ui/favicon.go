package ui

import "net/http"

// icon is the mark of Varve: four layers.
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 22 22"><rect y="1" width="22" height="4" rx="1" fill="#0f5c63"/><rect y="7" width="22" height="3" rx="1" fill="#d9a21b"/><rect y="12" width="22" height="5" rx="1" fill="#2a8c82"/><rect y="19" width="22" height="2" rx="1" fill="#c8502b"/></svg>`

func favicon(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	_, _ = w.Write([]byte(icon)) // a closed connection is the reader's business
}
