package api

import (
	"net/http"
	"time"

	"varve/serve/access"
	"varve/serve/review"
)

// TrayDecision is what somebody says about an alert.
type TrayDecision struct {
	Do    string    `json:"do"`             // done, snooze, open
	Until time.Time `json:"until,omitzero"` // of a snooze
	Why   string    `json:"why,omitempty"`
}

func (a *API) desk() *review.Desk {
	return &review.Desk{Archive: a.cfg.Archive, Holdings: a.cfg.Holdings, Now: a.cfg.Now, Disk: review.DiskOf}
}

// tray gives what somebody has to look at.
func (a *API) tray(r *http.Request) (any, error) { return a.desk().Tray(r.Context()) }

// decideTray puts an alert aside, or back.
func (a *API) decideTray(r *http.Request) (any, error) {
	var d TrayDecision
	if err := readBody(r, &d, `{"do":"snooze","until":"2026-12-01T00:00:00Z","why":"the owner was asked"}`); err != nil {
		return nil, err
	}
	return a.desk().Decide(r.Context(), review.Decision{
		ID: r.PathValue("alert"), Do: d.Do, Until: d.Until, Why: d.Why, By: access.From(r.Context()).Label(),
	})
}
