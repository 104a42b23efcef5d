package replay

import (
	"cmp"
	"slices"
	"time"
)

// nearest orders choices by distance in time alone: a page is shown as it was captured nearest to the time asked
// for, whatever it answered then.
func nearest(choices []choice, at time.Time) {
	slices.SortStableFunc(choices, func(a, b choice) int {
		return cmp.Compare(distance(a.Time, at), distance(b.Time, at))
	})
}
