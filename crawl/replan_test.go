package crawl_test

import (
	"testing"
	"time"

	"varve/coherence"
	"varve/crawl/scope"
)

// Revisits whose plan is off while all that is left of them is under way, by their pace or by their time,
// come to an end: nothing can be planned then, and the committer must not try for ever.
func TestReplanningEnds(t *testing.T) {
	t.Parallel()
	s := simulateSpec(t, flatSite(t, 300), 5)
	for name, limit := range map[string]time.Duration{"pace": 0, "time": 80 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 3 {
				def := hostScope(s.Seeds()...)
				def.Revisit, def.RevisitTime, def.Workers = coherence.Plan, scope.Duration(limit), 16
				rep := complete(t, newEngine(t, s, noDelay()), placeIn(t.TempDir()), def)
				for _, g := range rep.Groups {
					if g.Replans > 200 {
						t.Errorf("%d plans", g.Replans)
					}
				}
			}
		})
	}
}
