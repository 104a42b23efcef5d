package links

import (
	"strconv"
	"strings"
)

// effective joins the templates of the levels, the inner one winning attribute by attribute.
func (d *dash) effective() segmentTemplate {
	out := segmentTemplate{start: -1, end: -1}
	for _, t := range d.templates {
		if !t.set {
			continue
		}
		out.set = true
		for _, f := range []struct{ to, from *string }{{&out.media, &t.media}, {&out.initialization, &t.initialization}, {&out.index, &t.index}} {
			if *f.from != "" {
				*f.to = *f.from
			}
		}
		if t.timescale > 0 {
			out.timescale = t.timescale
		}
		if t.duration > 0 {
			out.duration = t.duration
		}
		if t.start >= 0 {
			out.start = t.start
		}
		if t.end >= 0 {
			out.end = t.end
		}
		if len(t.timeline) > 0 {
			out.timeline = t.timeline
		}
	}
	if out.timescale == 0 {
		out.timescale = 1
	}
	if out.start < 0 {
		out.start = 1
	}
	return out
}

// expand adds the segments of the representation that ends.
func (d *dash) expand(s *xmlScan) {
	t := d.effective()
	if !t.set {
		if d.based && !d.listed {
			s.e.addSelf(kindDashSegment)
		}
		return
	}
	if t.initialization != "" {
		d.emit(s, kindDashInit, t.initialization, 0, 0)
	}
	switch {
	case t.media == "":
	case len(t.timeline) > 0:
		d.timeline(s, &t)
	default:
		d.numbered(s, &t)
	}
}

// numbered expands a template of segments of equal length.
func (d *dash) numbered(s *xmlScan, t *segmentTemplate) {
	count := 0
	if t.duration > 0 && d.period > 0 {
		per := t.duration / t.timescale
		n := d.period / per
		count = int(min(n, float64(s.e.limits.Expand)))
		if n > float64(count) {
			count++
		}
	}
	if t.end >= t.start {
		count = t.end - t.start + 1
	}
	for i := range count {
		if !d.emit(s, kindDashSegment, t.media, t.start+i, int64(float64(i)*t.duration)) {
			return
		}
	}
}

// timeline expands a template over its timeline.
func (d *dash) timeline(s *xmlScan, t *segmentTemplate) {
	at, n := int64(0), t.start
	for i, r := range t.timeline {
		if r.hasT {
			at = r.t
		}
		repeat := r.repeat
		if repeat < 0 { // until the next run, or the end of the period
			repeat = d.fill(t, i, at)
		}
		for ; repeat >= 0; repeat-- {
			if !d.emit(s, kindDashSegment, t.media, n, at) {
				return
			}
			n++
			at += r.d
		}
	}
}

// fill gives how often run i repeats when its manifest says "until the next".
func (d *dash) fill(t *segmentTemplate, i int, at int64) int64 {
	r := t.timeline[i]
	if r.d <= 0 {
		return 0
	}
	end := int64(min(d.period*t.timescale, 1<<52))
	if i+1 < len(t.timeline) && t.timeline[i+1].hasT {
		end = t.timeline[i+1].t
	}
	return max(0, (end-at+r.d-1)/r.d-1)
}

// emit adds one expanded URL; it gives false when the manifest has had its share.
func (d *dash) emit(s *xmlScan, k Kind, template string, n int, at int64) bool {
	if d.expanded >= s.e.limits.Expand {
		return false
	}
	d.expanded++
	if url, ok := d.fillIn(template, n, at); ok {
		s.e.link(k, url)
	}
	return true
}

// fillIn replaces $Name$ and $Name%05d$ in a template.
func (d *dash) fillIn(template string, n int, at int64) ([]byte, bool) {
	var out []byte
	for {
		head, rest, ok := strings.Cut(template, "$")
		out = append(out, head...)
		if !ok {
			return out, true
		}
		name, tail, ok := strings.Cut(rest, "$")
		if !ok || len(out) > maxGuess {
			return nil, false
		}
		template = tail
		name, format, _ := strings.Cut(name, "%")
		switch name {
		case "":
			out = append(out, '$')
		case "RepresentationID":
			out = append(out, d.id...)
		case "Bandwidth":
			out = append(out, padded(d.bandwidth, format)...)
		case "Number":
			out = append(out, padded(strconv.Itoa(n), format)...)
		case "Time":
			out = append(out, padded(strconv.FormatInt(at, 10), format)...)
		case "SubNumber":
			out = append(out, padded("1", format)...)
		default:
			return nil, false
		}
	}
}

// padded writes digits in the width of a format such as 05d.
func padded(digits, format string) string {
	width, err := strconv.Atoi(strings.TrimSuffix(format, "d"))
	if err != nil || width > 32 || width <= len(digits) {
		return digits
	}
	return strings.Repeat("0", width-len(digits)) + digits
}

// isoSeconds reads an ISO 8601 duration such as PT1H2M3.5S; what is none is 0.
func isoSeconds(s string) float64 {
	rest, ok := strings.CutPrefix(s, "P")
	if !ok {
		return 0
	}
	total, inTime := 0.0, false
	for rest != "" {
		if rest[0] == 'T' {
			inTime = true
			rest = rest[1:]
			continue
		}
		n := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
		if n <= 0 {
			return 0
		}
		f, err := strconv.ParseFloat(rest[:n], 64)
		if err != nil || f > 1e9 {
			return 0
		}
		total += f * isoUnit(rest[n], inTime)
		rest = rest[n+1:]
	}
	return total
}

// isoUnit is the length of a unit in seconds; months and years do not occur in media.
func isoUnit(c byte, inTime bool) float64 {
	switch {
	case c == 'D':
		return 86400
	case c == 'H' && inTime:
		return 3600
	case c == 'M' && inTime:
		return 60
	case c == 'S' && inTime:
		return 1
	}
	return 0
}
