package dash

import "time"

// scheme is how the segments of a representation are named.
type scheme uint8

const (
	unset scheme = iota
	byTemplate
	byList
	byBase
)

// plan is the segment information of one level, or of several that are joined.
type plan struct {
	scheme         scheme
	media          string
	initialization string
	init           *Resource // of SegmentList and SegmentBase, relative still
	timescale      int64
	duration       int64
	offset         int64 // presentationTimeOffset
	start          int64 // startNumber; -1: not told
	end            int64 // endNumber; -1: not told
	early          float64
	timeline       []run
	list           []Resource // relative still
	index          string     // indexRange
}

// run is one S element: repeat+1 segments of length d from t, or from where the last one ended.
type run struct {
	t, d, repeat int64
	hasT         bool
	n            int64 // number, of S with n
	hasN         bool
}

// join gives the plan of an inner level completed by that of the outer one.
func (p plan) join(outer plan) plan {
	if p.scheme == unset {
		return outer
	}
	if outer.scheme != p.scheme {
		return p
	}
	if p.media == "" {
		p.media = outer.media
	}
	if p.initialization == "" {
		p.initialization = outer.initialization
	}
	if p.init == nil {
		p.init = outer.init
	}
	if p.timescale == 0 {
		p.timescale = outer.timescale
	}
	if p.duration == 0 {
		p.duration = outer.duration
	}
	if p.offset == 0 {
		p.offset = outer.offset
	}
	if p.start < 0 {
		p.start = outer.start
	}
	if p.end < 0 {
		p.end = outer.end
	}
	if p.early == 0 {
		p.early = outer.early
	}
	if len(p.timeline) == 0 {
		p.timeline = outer.timeline
	}
	if len(p.list) == 0 {
		p.list = outer.list
	}
	if p.index == "" {
		p.index = outer.index
	}
	return p
}

// settled puts in what the standard says of what is not told.
func (p plan) settled() plan {
	if p.timescale <= 0 {
		p.timescale = 1
	}
	if p.start < 0 {
		p.start = 1
	}
	return p
}

// ticks gives a number of ticks as time, without overflow.
func (p *plan) ticks(n int64) time.Duration {
	const most = 250 * 365 * 86400 // times may count from 1970
	s := min(float64(n)/float64(p.timescale), most)
	return time.Duration(s * float64(time.Second))
}
