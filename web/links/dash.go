package links

import (
	"math"
	"strconv"
)

// A DASH manifest names its segments by lists or by templates:
//
//	MPD > Period > AdaptationSet > Representation, each may have BaseURL and SegmentTemplate; the inner one completes
//	the outer one, attribute by attribute
//
// Templates are expanded when their Representation ends: over the SegmentTimeline, or by duration. The number of
// segments of a manifest is bounded by Limits.Expand.

// dash is the state of a manifest.
type dash struct {
	total     float64 // seconds of the whole presentation, 0 if it is live
	period    float64 // seconds of the current period
	templates [3]segmentTemplate
	level     int // 0 period, 1 adaptation set, 2 representation
	id        string
	bandwidth string
	listed    bool // the representation has segments of its own
	based     bool // the representation has a BaseURL
	expanded  int
}

// segmentTemplate is a SegmentTemplate as far as it is known at one level.
type segmentTemplate struct {
	media, initialization, index string
	timescale, duration          float64
	start, end                   int
	timeline                     []timelineRun
	set                          bool
}

// timelineRun is one S element: repeat+1 segments of length d from time t (or where the last one ended).
type timelineRun struct {
	t, d   int64
	hasT   bool
	repeat int64
}

// maxRuns bounds the S elements of one timeline.
const maxRuns = 10_000

// start handles a start tag of a manifest.
func (d *dash) start(s *xmlScan, name []byte) {
	switch string(name) {
	case "MPD":
		d.total = isoSeconds(string(s.get("mediaPresentationDuration")))
	case "Period":
		*d = dash{total: d.total, period: d.total, expanded: d.expanded}
		if v := isoSeconds(string(s.get("duration"))); v > 0 {
			d.period = v
		}
		d.remote(s)
	case "AdaptationSet":
		d.level = 1
		d.templates[1], d.templates[2] = segmentTemplate{}, segmentTemplate{}
		d.remote(s)
	case "Representation":
		d.level = 2
		d.templates[2] = segmentTemplate{}
		d.id, d.bandwidth = string(s.get("id")), string(s.get("bandwidth"))
		d.listed, d.based = false, false
	case "SegmentTemplate":
		d.template(s)
	case "S":
		d.run(s)
	case "SegmentURL":
		d.listed = true
		s.e.link(kindDashSegment, s.get("media"))
		s.e.link(kindDashInit, s.get("index"))
	case "Initialization", "RepresentationIndex", "BitstreamSwitching":
		s.e.link(kindDashInit, s.get("sourceURL"))
	case "SegmentList", "SegmentTimeline":
		d.remote(s)
	}
}

// remote adds the address of an element that is to be fetched.
func (d *dash) remote(s *xmlScan) {
	if v := s.get("xlink:href"); len(v) > 0 && !hasFold(v, "urn:") {
		s.e.link(kindDashLocation, v)
	}
}

// template reads the attributes of a SegmentTemplate.
func (d *dash) template(s *xmlScan) {
	t := &d.templates[d.level]
	t.set = true
	t.media, t.initialization, t.index = string(s.get("media")), string(s.get("initialization")), string(s.get("index"))
	t.timescale, t.duration = number(s.get("timescale")), number(s.get("duration"))
	t.start, t.end = -1, -1
	if v := s.get("startNumber"); len(v) > 0 {
		t.start = int(number(v))
	}
	if v := s.get("endNumber"); len(v) > 0 {
		t.end = int(number(v))
	}
}

// run reads an S element.
func (d *dash) run(s *xmlScan) {
	t := &d.templates[d.level]
	if len(t.timeline) >= maxRuns {
		s.e.cut()
		return
	}
	r := timelineRun{d: int64(number(s.get("d"))), repeat: int64(number(s.get("r")))}
	if v := s.get("t"); len(v) > 0 {
		r.t, r.hasT = int64(number(v)), true
	}
	t.timeline = append(t.timeline, r)
}

// number reads a number of a manifest; what is none is 0.
func number(v []byte) float64 {
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil || math.Abs(f) > 1<<53 || math.IsNaN(f) {
		return 0
	}
	return f
}

// end handles an end tag of a manifest.
func (d *dash) end(s *xmlScan, el *xmlElement, text []byte) {
	switch string(el.name) {
	case "BaseURL":
		d.base(s, el, text)
	case "Location", "PatchLocation":
		s.e.link(kindDashLocation, text)
	case "Representation":
		d.expand(s)
		d.level = 1
		d.templates[2] = segmentTemplate{}
	case "AdaptationSet":
		d.level = 0
	}
}

// base makes the first BaseURL of an element hold until the element ends; the others are alternatives.
func (d *dash) base(s *xmlScan, el *xmlElement, text []byte) {
	n := len(s.stack)
	if n == 0 || s.stack[n-1].based || len(text) == 0 {
		return
	}
	s.stack[n-1].based = true
	el.base = s.e.addBase(text, s.e.base)
	d.based = d.based || d.level == 2
}

// finish is called at the end of the document.
func (d *dash) finish(s *xmlScan) {
	if d.expanded >= s.e.limits.Expand {
		s.e.info.Truncated = true
	}
}
