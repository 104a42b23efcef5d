package route

import (
	"encoding/json"
	"fmt"
)

// state is what a router keeps with its crawl.
type state struct {
	Version  int                `json:"version"`
	Sections map[string]*Record `json:"sections"`
	Hosts    map[string]*Record `json:"hosts"`
	All      Record             `json:"all"`
	Scripts  map[string]Sign    `json:"scripts,omitempty"`
}

// State gives what was learned, for Restore.
func (r *Router) State() ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return json.Marshal(state{Version, r.sections, r.hosts, r.all, r.scripts})
}

// Restore takes what State gave, of an earlier run of the crawl.
func (r *Router) Restore(b []byte) error {
	var s state
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("state of the routes: %w", err)
	}
	if s.Version != Version {
		return fmt.Errorf("state of the routes: version %d, not %d", s.Version, Version)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = s.All
	restore(r.sections, s.Sections)
	restore(r.hosts, s.Hosts)
	for k, v := range s.Scripts {
		r.scripts[k] = v
	}
	return nil
}

func restore(into, from map[string]*Record) {
	for k, rec := range from {
		if rec != nil {
			into[k] = rec
		}
	}
}
