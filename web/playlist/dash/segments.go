package dash

import (
	"strconv"
	"strings"
	"time"

	"varve/web/canon"
)

// Init gives what comes before all segments; ok is false where there is none.
func (r *Representation) Init() (Resource, bool) {
	switch {
	case r.plan.scheme == byTemplate && r.plan.initialization != "":
		return r.file(Resource{URL: r.fill(r.plan.initialization, 0, 0)})
	case r.plan.init != nil:
		return r.file(*r.plan.init)
	}
	return Resource{}, false
}

// Whole tells whether the representation is one file that its base names, and where in it the index is.
func (r *Representation) Whole() (index Resource, whole bool) {
	if r.plan.scheme == byTemplate || r.plan.scheme == byList {
		return Resource{}, false
	}
	index = Resource{URL: r.Base}
	if from, to, ok := parseRange(r.plan.index); ok {
		index.Offset, index.Length = from, to-from
	}
	return index, true
}

// file makes an address absolute; an empty one is the base itself.
func (r *Representation) file(x Resource) (Resource, bool) {
	if x.URL == "" {
		x.URL = r.Base
		return x, true
	}
	base, err := canon.Parse(r.Base)
	if err != nil {
		return x, false
	}
	u, ok := resolve(base, x.URL)
	x.URL = u.WithoutFragment().String()
	return x, ok
}

// Segments gives the segments that are there at an instant, at most limit of them; all of them for
// what is not live. cut tells that there are more.
func (r *Representation) Segments(now time.Time, limit int) (out []Segment, cut bool) {
	c := collector{r: r, limit: limit}
	base, err := canon.Parse(r.Base)
	if err != nil {
		return nil, false
	}
	c.base = base
	switch {
	case r.plan.scheme == byList:
		c.list()
	case r.plan.scheme != byTemplate || r.plan.media == "":
	case len(r.plan.timeline) > 0:
		c.timeline(now)
	default:
		c.numbered(now)
	}
	return c.out, c.cut
}

// collector makes segments until there are enough.
type collector struct {
	r     *Representation
	base  canon.URL
	limit int
	out   []Segment
	cut   bool
}

// add adds one; false: enough.
func (c *collector) add(s Segment) bool {
	if len(c.out) >= c.limit {
		c.cut = true
		return false
	}
	u, ok := resolve(c.base, s.URL)
	if ok {
		s.URL = u.WithoutFragment().String()
		s.Duration = c.r.plan.ticks(s.Ticks)
		c.out = append(c.out, s)
	}
	return true
}

// list gives the segments of a SegmentList.
func (c *collector) list() {
	p := &c.r.plan
	at := int64(0)
	for i, x := range p.list {
		if x.URL == "" {
			x.URL = c.r.Base
		}
		ticks := p.duration
		if i < len(p.timeline) && ticks == 0 {
			ticks = p.timeline[i].d
		}
		if !c.add(Segment{Resource: x, Number: p.start + int64(i), Time: at, Ticks: ticks}) {
			return
		}
		at += ticks
	}
}

// timeline gives a segment for each run of S.
func (c *collector) timeline(now time.Time) {
	p := &c.r.plan
	at, n := int64(0), p.start
	for i, run := range p.timeline {
		if run.hasT {
			at = run.t
		}
		if run.hasN {
			n = run.n
		}
		repeat := run.repeat
		if repeat < 0 {
			repeat = c.until(i, at, now)
		}
		for ; repeat >= 0; repeat-- {
			if !c.add(Segment{Resource: Resource{URL: c.r.fill(p.media, n, at)}, Number: n, Time: at, Ticks: run.d}) {
				return
			}
			n++
			at += run.d
		}
	}
}

// until gives how often run i repeats where the manifest says "until the next", or the end, or now.
func (c *collector) until(i int, at int64, now time.Time) int64 {
	p := &c.r.plan
	d := p.timeline[i].d
	if d <= 0 {
		return 0
	}
	end := int64(0)
	switch {
	case i+1 < len(p.timeline) && p.timeline[i+1].hasT:
		end = p.timeline[i+1].t
	case c.r.period.duration > 0:
		end = p.offset + int64(c.r.period.duration.Seconds()*float64(p.timescale))
	case c.r.live.on:
		passed := now.Sub(c.r.live.start) - c.r.period.start
		end = p.offset + int64(passed.Seconds()*float64(p.timescale)) - d + 1
	}
	return min(max(0, (end-at+d-1)/d-1), int64(c.limit))
}

// numbered gives segments of equal length: of live ones those of the window, else of the whole period.
func (c *collector) numbered(now time.Time) {
	p := &c.r.plan
	first, last := p.start, p.end
	if p.duration <= 0 {
		if p.end < p.start {
			c.add(Segment{Resource: Resource{URL: c.r.fill(p.media, p.start, 0)}, Number: p.start})
			return
		}
	} else {
		d := float64(p.duration) / float64(p.timescale)
		if c.r.period.duration > 0 && last < 0 {
			last = p.start + count(c.r.period.duration.Seconds()/d, true) - 1
		}
		if c.r.live.on {
			first, last = c.window(now, d, first, last)
		}
	}
	for n := first; n <= last; n++ {
		i := n - p.start
		if !c.add(Segment{Resource: Resource{URL: c.r.fill(p.media, n, i*p.duration+p.offset)}, Number: n, Time: i*p.duration + p.offset, Ticks: p.duration}) {
			return
		}
	}
}

// window gives the numbers that are there now.
func (c *collector) window(now time.Time, d float64, first, last int64) (int64, int64) {
	passed := (now.Sub(c.r.live.start) - c.r.period.start).Seconds() + c.r.plan.early
	if passed < d {
		return first, first - 1
	}
	newest := first + count(passed/d, false) - 1
	if c.r.live.window > 0 {
		first = max(first, newest-count(c.r.live.window.Seconds()/d, true))
	}
	if last < 0 || newest < last {
		last = newest
	}
	return first, last
}

// count makes a number of segments of a quotient that floating point may have missed by a hair.
func count(f float64, up bool) int64 {
	const hair = 1e-6
	f = min(f, 1<<40)
	if up {
		n := int64(f)
		if f-float64(n) > hair {
			n++
		}
		return n
	}
	return int64(f + hair)
}

// fill puts the values into a template: $Number$, $Number%05d$, $Time$, $RepresentationID$, $Bandwidth$, $$.
func (r *Representation) fill(template string, number, at int64) string {
	if !strings.Contains(template, "$") {
		return template
	}
	var b strings.Builder
	for b.Len() <= canon.MaxLength {
		head, rest, ok := strings.Cut(template, "$")
		b.WriteString(head)
		if !ok {
			break
		}
		name, tail, ok := strings.Cut(rest, "$")
		if !ok {
			b.WriteString("$" + rest)
			break
		}
		template = tail
		name, format, _ := strings.Cut(name, "%")
		switch name {
		case "":
			b.WriteByte('$')
		case "RepresentationID":
			b.WriteString(r.ID)
		case "Bandwidth":
			b.WriteString(padded(r.Bandwidth, format))
		case "Number":
			b.WriteString(padded(number, format))
		case "Time":
			b.WriteString(padded(at, format))
		case "SubNumber":
			b.WriteString(padded(1, format))
		default:
			b.WriteString("$" + name + "$")
		}
	}
	return b.String()
}

// padded writes a number in the width of a format such as 05d.
func padded(n int64, format string) string {
	digits := strconv.FormatInt(n, 10)
	width, err := strconv.Atoi(strings.TrimSuffix(format, "d"))
	if err != nil || width > 32 || width <= len(digits) {
		return digits
	}
	return strings.Repeat("0", width-len(digits)) + digits
}
