package links

import (
	"time"

	"varve/web/playlist/dash"
)

// maxRuns bounds the S elements of one timeline.
const maxRuns = 10_000

// manifest reads a DASH manifest. What one that is live names depends on the time, which is not known here: it is taken
// as it was when the stream began, and the collector of streams asks again and again.
func (e *Extractor) manifest(body []byte) error {
	m, err := dash.Parse(body, e.doc.String(), dash.Limits{Runs: maxRuns})
	if m == nil {
		return err
	}
	all := func(k Kind, urls []string) {
		for _, u := range urls {
			e.link(k, []byte(u))
		}
	}
	all(kindDashLocation, m.Locations)
	all(kindDashLocation, m.Patches)
	all(kindDashLocation, m.Remote)
	all(kindDashInit, m.Others)
	left := e.limits.Expand
	for i := range m.Periods {
		for j := range m.Periods[i].Sets {
			reps := m.Periods[i].Sets[j].Reps
			for k := range reps {
				left -= e.representation(&reps[k], m.Start, left)
			}
		}
	}
	for range m.Lost {
		e.cut()
	}
	return err
}

// representation adds what a representation is made of, at most so many segments, and gives their number.
func (e *Extractor) representation(r *dash.Representation, now time.Time, most int) int {
	if init, ok := r.Init(); ok && init.URL != r.Base {
		e.link(kindDashInit, []byte(init.URL))
	}
	if file, whole := r.Whole(); whole {
		if r.Named {
			e.link(kindDashSegment, []byte(file.URL))
		}
		return 0
	}
	list, cut := r.Segments(now, most)
	if cut {
		e.cut()
	}
	last := ""
	for i := range list {
		if list[i].URL != last { // ranges of one file repeat it
			e.link(kindDashSegment, []byte(list[i].URL))
		}
		last = list[i].URL
	}
	return len(list)
}
