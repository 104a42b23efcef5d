package api

import (
	"context"
	"net/http"

	"varve"
	"varve/serve/pulse"
)

// Pulse tells what the archive holds at a glance; *pulse.Desk is one.
type Pulse interface {
	Of(ctx context.Context, ask pulse.Ask) (*pulse.Pulse, error)
}

var pulseParams = []param{
	{"collection", "string", "only of this collection", false},
	{"from", "string", "crawls, changes and words from this time on: 4 to 14 digits, or RFC 3339", false},
	{"to", "string", "until this time, exclusive; now if not given", false},
	{"limit", "integer", "collections of a page, 1 to 1000; 1000 if not given", false},
	{"cursor", "string", "next of the page before", false},
}

// pulse gives what the archive holds at a glance.
func (a *API) pulse(r *http.Request) (any, error) {
	if a.cfg.Pulse == nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "take the pulse", Msg: "this server takes none"}
	}
	ask := pulse.Ask{Collection: r.URL.Query().Get("collection"), After: r.URL.Query().Get("cursor")}
	var err error
	if ask.Limit, err = limitOf(r, maxLimit, maxLimit); err != nil {
		return nil, err
	}
	if ask.From, err = timeOf(r, "from", false); err != nil {
		return nil, err
	}
	if ask.To, err = timeOf(r, "to", false); err != nil {
		return nil, err
	}
	return a.cfg.Pulse.Of(r.Context(), ask)
}
