package ui

import (
	"net/url"
	"strings"
	"time"

	"varve/archive/cdxj"
	"varve/serve/memento"
)

// citation is how a capture is cited; nil for what has no address on the web, and where there is no replay to lead to.
func (u *UI) citation(collection, title, target string, at time.Time) *memento.Citation {
	origin, err := url.Parse(u.cfg.Replay)
	if u.cfg.Replay == "" || err != nil || !strings.HasPrefix(target, "http://") && !strings.HasPrefix(target, "https://") {
		return nil
	}
	name := u.cfg.PublicName
	if name == "" {
		name = origin.Hostname()
	}
	return &memento.Citation{Title: title, URL: target, Time: at, Archive: name, Memento: u.cfg.Replay + "/" + url.PathEscape(collection) + "/" + cdxj.Timestamp(at) + "/" + target}
}
