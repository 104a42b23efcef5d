package serve

import (
	"maps"
	"net/http"
	"slices"
)

// Handlers gives the handlers of both hosts, for tests that ask from other addresses than this machine's.
func (s *Server) Handlers() (main, replay http.Handler) {
	return s.parts.mainHandler(), s.parts.replayHandler()
}

// Screens lists what the screens answer, as http.ServeMux has it.
func (s *Server) Screens() []string { return s.parts.ui.Patterns() }

// Patterns lists what the host of screens and API answers, as http.ServeMux has it; of the API only that it is there.
func (s *Server) Patterns() []string {
	return append(slices.Sorted(maps.Keys(s.parts.mainRoutes())), s.parts.ui.Patterns()...)
}
