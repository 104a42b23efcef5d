package ui

import (
	"net/http"
	"time"

	"varve/archive/catalog"
	"varve/serve/health"
	"varve/serve/message"
)

// healthData is what the screen of health shows.
type healthData struct {
	*health.Health
	Lines []string // findings, in sentences
}

// health shows administrators how nodes and uploads stand.
func (u *UI) health(r *http.Request) (*view, error) {
	l := message.From(r.Context())
	d := &healthData{Health: u.cfg.Health.Look(r.Context())}
	for _, f := range d.Findings {
		d.Lines = append(d.Lines, findingText(l, f))
	}
	return &view{template: "health", title: l.Text("Nodes and uploads"), section: "access", data: d, said: true, wide: true}, nil
}

// findingText is a finding as a sentence.
func findingText(l *message.Language, f health.Finding) string {
	switch f.Kind {
	case health.Unreachable:
		return l.Text("The cluster cannot be reached: {0}", f.Why)
	case health.NoNode:
		return l.Text("Crawl {0} is not complete, and no node runs.", f.What)
	case health.Orphans:
		return l.Text("Crawl {0}: {1} partitions belong to nodes that are gone, and wait for a new owner.", f.What, l.Number(f.Count))
	case health.Waits:
		return l.Text("{0} waits: {1}", f.What, f.Why)
	case health.Lags:
		return l.Text("{0} has {1} messages to read.", f.What, l.Number(f.Count))
	case health.Uploading:
		return l.Text("Collection {0}: {1} files wait to be sent to the store, the oldest for {2}.", f.What, l.Number(f.Count), f.Why)
	}
	return l.Text("Collection {0} cannot be read: {1}", f.What, f.Why)
}

// ownHealth is the health of an archive without engine, as tests of screens have it.
func (u *UI) ownHealth() *health.Desk {
	now := u.cfg.Now
	if now == nil {
		now = time.Now
	}
	return &health.Desk{Archive: catalog.Open(u.cfg.Archive), Store: "directory", Now: now}
}
