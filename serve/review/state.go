package review

import (
	"slices"
	"time"

	"varve/derive/job"
	"varve/index/renew"
	"varve/serve/holdings"
)

// State is what alerts are computed from.
type State struct {
	Now         time.Time
	Disk        Disk
	Collections []Collection
}

// Disk is the room of the file system that the archive lies on.
type Disk struct {
	Free int64 `json:"free"`
	Size int64 `json:"size"` // 0: not known
}

// Collection is what is known of a collection.
type Collection struct {
	*holdings.Collection
	Planned  time.Time // when its plan was last written; zero: there is none
	Findings []Finding // of audits, that nobody settled
	Behind   []File    // that no index has
	Problems []Problem // what could not be read
	Renewing []renew.Work

	Failures  []job.Failure // captures that tables lack something for
	Questions []Question    // that are open
}

// Finding is a file whose last look was bad.
type Finding struct {
	File    string
	Outcome string
	Why     string
	Since   time.Time // of the first bad look since it was right
}

// File is a finished file of a collection.
type File struct {
	Name string
	At   time.Time // it was finished
}

// Problem is something of a collection that cannot be read.
type Problem struct {
	Subject string
	Why     string
	Command string // that helps
}

// Alerts computes what somebody has to look at, worst first.
func Alerts(s State) []Alert {
	out := s.disk()
	for i := range s.Collections {
		out = append(out, shorten(s.Collections[i].alerts(&moment{now: s.Now}))...)
	}
	slices.SortFunc(out, worse)
	return out
}

func (c *Collection) alerts(now *moment) []Alert {
	out := append(c.findings(), c.behind(now)...)
	out = append(out, c.unreadable(now)...)
	out = append(out, c.renewed(now)...)
	out = append(out, c.underived(now)...)
	out = append(out, c.asked()...)
	plans := now
	if c.Simulated() {
		plans = &moment{now: c.Now(now.now)} // which moves with the crawls alone
	}
	out = append(out, c.overdue(plans)...)
	for _, s := range seriesOf(c.Crawls) {
		out = append(out, s.alerts()...)
	}
	for i := range out {
		out[i].Collection = c.Name
	}
	return out
}
