package report

import (
	"time"

	"varve/coherence/evidence"
)

// Frame is when the pages of a group were captured.
type Frame struct {
	Group     string    `json:"group,omitempty"`
	Start     time.Time `json:"start"`     // first visit
	Visited   time.Time `json:"visited"`   // last visit
	End       time.Time `json:"end"`       // last capture
	Pages     int       `json:"pages"`     // visited, and there
	Revisited int       `json:"revisited"` // of Pages

	twice bool // something was asked for twice, be it there or not
}

// Reference is the instant that the capture stands for: the end of the visits if pages were
// revisited, else the start.
func (f *Frame) Reference() time.Time {
	if f.twice {
		return f.Visited
	}
	return f.Start
}

// add takes a page into the frame.
func (f *Frame) add(visit, revisit *evidence.Observation) {
	absent := absent(visit, revisit) || visit.IsData() // neither is a page
	if !absent {
		f.Pages++
	}
	if f.Start.IsZero() || visit.Time.Before(f.Start) {
		f.Start = visit.Time
	}
	if visit.Time.After(f.Visited) {
		f.Visited = visit.Time
	}
	last := visit.Time
	if revisit != nil {
		if f.twice = true; !absent {
			f.Revisited++
		}
		last = revisit.Time
	}
	if last.After(f.End) {
		f.End = last
	}
}

// Frames finds the frames of a crawl's groups, in one pass without comparing anything.
func Frames(set *evidence.Set, crawl string) (map[string]*Frame, error) {
	frames := map[string]*Frame{}
	for page, err := range set.Pages() {
		if err != nil {
			return nil, err
		}
		visit, revisit := choose(page, crawl)
		if visit == nil {
			continue
		}
		f := frames[visit.Group]
		if f == nil {
			f = &Frame{Group: visit.Group}
			frames[visit.Group] = f
		}
		f.add(visit, revisit)
	}
	return frames, nil
}
