package ui

import (
	"net/url"

	"varve/serve/access"
	"varve/serve/holdings"
)

// screens lists all page actions: one line each, its function in a file of its own.
func (u *UI) screens() []screen {
	return []screen{
		{"GET /{$}", access.Viewer, u.collections},
	}
}

// crawlPath is the address of the page of a crawl.
func crawlPath(k *holdings.Crawl) string {
	return "/c/" + url.PathEscape(k.Collection) + "/crawls/" + url.PathEscape(k.ID)
}

// replayURL is where a capture is shown again: on the other host.
func (u *UI) replayURL(collection, timestamp, target string) string {
	if u.cfg.Replay == "" {
		return ""
	}
	return u.cfg.Replay + "/" + url.PathEscape(collection) + "/" + timestamp + "/" + target
}
