package api

import "net/http"

// health answers how nodes and uploads stand.
func (a *API) health(r *http.Request) (any, error) { return a.cfg.Health.Look(r.Context()), nil }
