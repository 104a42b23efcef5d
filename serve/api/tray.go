package api

import (
	"cmp"
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

// TrayPage is a page of the in-tray: as many of what is open and of what was put aside.
type TrayPage struct {
	*review.Tray
	Next       string `json:"next,omitempty"` // cursor of the next page; empty at the end
	OpenTotal  int    `json:"openTotal"`
	AsideTotal int    `json:"asideTotal"`
}

var trayParams = []param{
	{"limit", "integer", "alerts of a page, open and put aside each, 1 to 1000; 1000 if not given", false},
	{"cursor", "string", "next of the page before", false},
}

// tray gives what somebody has to look at.
func (a *API) tray(r *http.Request) (any, error) {
	t, err := a.cfg.Tray.Tray(r.Context())
	if err != nil {
		return nil, err
	}
	open, err := paged(r, t.Open, maxLimit)
	if err != nil {
		return nil, err
	}
	aside, err := paged(r, t.Aside, maxLimit)
	out := TrayPage{t, cmp.Or(open.Next, aside.Next), len(t.Open), len(t.Aside)}
	t.Open, t.Aside = open.Items, aside.Items
	return out, err
}

// decideTray puts an alert aside, or back.
func (a *API) decideTray(r *http.Request) (any, error) {
	var d TrayDecision
	if err := readBody(r, &d, `{"do":"snooze","until":"2026-12-01T00:00:00Z","why":"the owner was asked"}`); err != nil {
		return nil, err
	}
	return a.cfg.Tray.Decide(r.Context(), review.Decision{
		ID: r.PathValue("alert"), Do: d.Do, Until: d.Until, Why: d.Why, By: access.From(r.Context()).Label(),
	})
}
