package dash

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
	"time"
)

// attrs are the attributes of an element, by local name.
type attrs []xml.Attr

func (a attrs) get(name string) string {
	for i := range a {
		if a[i].Name.Local == name {
			return strings.TrimSpace(a[i].Value)
		}
	}
	return ""
}

// integer reads a number; missing and broken ones are the other.
func (a attrs) integer(name string, other int64) int64 {
	n, err := strconv.ParseInt(a.get(name), 10, 64)
	if err != nil || n < 0 || n > 1<<53 {
		return other
	}
	return n
}

// element takes a start tag. Its level is open already; outer is that around it.
func (p *parser) element(name string, a attrs, outer *level) {
	switch name {
	case "MPD":
		p.mpd(a)
	case "Period":
		p.period(a)
	case "AdaptationSet":
		p.set(a)
	case "Representation":
		p.representation(a)
	case "SegmentTemplate", "SegmentList", "SegmentBase":
		p.top().plan = planOf(name, a)
	case "SegmentTimeline":
		p.top().plan = plan{}
	case "S":
		p.run1(a, outer)
	case "SegmentURL":
		if len(outer.plan.list) < p.limits.Segments {
			outer.plan.list = append(outer.plan.list, resource(a.get("media"), a.get("mediaRange")))
		} else {
			p.leave(true)
		}
		p.other(a.get("index"), outer)
	case "Initialization", "Initialisation":
		r := resource(a.get("sourceURL"), a.get("range"))
		outer.plan.init = &r
	case "RepresentationIndex", "BitstreamSwitching":
		p.other(a.get("sourceURL"), outer)
	case "ContentProtection":
		if s := p.lastSet(); s != nil {
			s.Protected = true
		}
	}
	if href := a.get("href"); href != "" && !strings.HasPrefix(href, "urn:") && len(p.m.Remote) < 100 {
		if u, ok := resolve(outer.base, href); ok {
			p.m.Remote = append(p.m.Remote, u.String())
		}
	}
}

// leave counts what a limit leaves out.
func (p *parser) leave(out bool) {
	if out {
		p.m.Cut = true
		p.m.Lost++
	}
}

// other notes a further file.
func (p *parser) other(ref string, outer *level) {
	u, ok := resolve(outer.base, ref)
	switch {
	case !ok:
	case len(p.m.Others) >= p.limits.Reps:
		p.leave(true)
	default:
		p.m.Others = append(p.m.Others, u.String())
	}
}

func (p *parser) mpd(a attrs) {
	m := p.m
	m.Live = a.get("type") == "dynamic"
	m.Duration = isoDuration(a.get("mediaPresentationDuration"))
	m.Refresh, m.Refreshed = isoDuration(a.get("minimumUpdatePeriod")), a.get("minimumUpdatePeriod") != ""
	m.Window = isoDuration(a.get("timeShiftBufferDepth"))
	m.Start, m.End = isoTime(a.get("availabilityStartTime")), isoTime(a.get("availabilityEndTime"))
}

func (p *parser) period(a attrs) {
	if len(p.m.Periods) >= p.limits.Reps {
		p.leave(true)
		return
	}
	start := time.Duration(-1)
	if s := a.get("start"); s != "" {
		start = isoDuration(s)
	}
	p.m.Periods = append(p.m.Periods, Period{ID: a.get("id"), Start: start, Duration: isoDuration(a.get("duration"))})
}

func (p *parser) set(a attrs) {
	n := len(p.m.Periods)
	if n == 0 || len(p.m.Periods[n-1].Sets) >= p.limits.Reps {
		p.leave(n > 0)
		return
	}
	d := &p.m.Periods[n-1]
	s := Set{ID: a.get("id"), Kind: a.get("contentType"), MIME: a.get("mimeType"), Codecs: a.get("codecs"), Language: a.get("lang")}
	s.Kind = kindOf(s.Kind, s.MIME)
	d.Sets = append(d.Sets, s)
}

// lastSet is the set that is open, if one is.
func (p *parser) lastSet() *Set {
	n := len(p.m.Periods)
	if n == 0 || len(p.m.Periods[n-1].Sets) == 0 {
		return nil
	}
	sets := p.m.Periods[n-1].Sets
	return &sets[len(sets)-1]
}

// kindOf tells what a set shows by what it says or by its type.
func kindOf(kind, mime string) string {
	if kind != "" {
		return kind
	}
	switch major, _, _ := strings.Cut(mime, "/"); major {
	case "video", "audio", "text", "image":
		return major
	}
	if mime == "application/ttml+xml" {
		return "text"
	}
	return ""
}

func (p *parser) representation(a attrs) {
	s := p.lastSet()
	if s == nil || p.reps >= p.limits.Reps {
		p.leave(s != nil)
		return
	}
	p.reps++
	r := Representation{
		ID: a.get("id"), Bandwidth: a.integer("bandwidth", 0), MIME: a.get("mimeType"), Codecs: a.get("codecs"),
		Width: int(a.integer("width", 0)), Height: int(a.integer("height", 0)),
	}
	if r.MIME == "" {
		r.MIME = s.MIME
	}
	if r.Codecs == "" {
		r.Codecs = s.Codecs
	}
	s.Kind = kindOf(s.Kind, r.MIME)
	s.Reps = append(s.Reps, r)
}

// finishRep gives a representation its addresses when all of it is read.
func (p *parser) finishRep(done *level) {
	s := p.lastSet()
	if s == nil || len(s.Reps) == 0 {
		return
	}
	if r := &s.Reps[len(s.Reps)-1]; r.Base == "" {
		r.Base, r.Named, r.plan = done.base.String(), done.based, done.plan
	}
}

// finishSet gives the representations of a set what stood behind them: the order of elements is often another than that
// of the standard.
func (p *parser) finishSet(s *Set, outer plan) {
	for i := range s.Reps {
		s.Reps[i].plan = s.Reps[i].plan.join(outer)
	}
}

// planOf reads the attributes of SegmentTemplate, SegmentList and SegmentBase.
func planOf(name string, a attrs) plan {
	pl := plan{
		media: a.get("media"), initialization: a.get("initialization"), timescale: a.integer("timescale", 0), duration: a.integer("duration", 0),
		offset: a.integer("presentationTimeOffset", 0), start: a.integer("startNumber", -1), end: a.integer("endNumber", -1), index: a.get("indexRange"),
	}
	if f, err := strconv.ParseFloat(a.get("availabilityTimeOffset"), 64); err == nil && f > 0 && f < maxSeconds {
		pl.early = f
	}
	pl.scheme = map[string]scheme{"SegmentTemplate": byTemplate, "SegmentList": byList, "SegmentBase": byBase}[name]
	return pl
}

// run1 reads an S element into the timeline that is open.
func (p *parser) run1(a attrs, outer *level) {
	if len(outer.plan.timeline) >= p.limits.Runs {
		p.leave(true)
		return
	}
	r := run{d: a.integer("d", 0), repeat: a.integer("r", 0), t: a.integer("t", 0), n: a.integer("n", 0)}
	r.hasT, r.hasN = a.get("t") != "", a.get("n") != ""
	if strings.HasPrefix(a.get("r"), "-") {
		r.repeat = -1
	}
	outer.plan.timeline = append(outer.plan.timeline, r)
}

// resource reads an address with a range first-last.
func resource(ref, bytes string) Resource {
	r := Resource{URL: ref}
	if from, to, ok := parseRange(bytes); ok {
		r.Offset, r.Length = from, to-from
	}
	return r
}

// parseRange reads first-last as from and to.
func parseRange(s string) (from, to int64, ok bool) {
	a, b, ok := strings.Cut(s, "-")
	from, err := strconv.ParseInt(strings.TrimSpace(a), 10, 62)
	last, err2 := strconv.ParseInt(strings.TrimSpace(b), 10, 62)
	if !ok || err != nil || err2 != nil || from < 0 || last < from {
		return 0, 0, false
	}
	return from, last + 1, true
}

// maxSeconds bounds durations: what is longer than ten years is a mistake.
const maxSeconds = 10 * 365 * 86400

// isoDuration reads an ISO 8601 duration such as P1DT2H3M4.5S; what is none is 0.
func isoDuration(s string) time.Duration {
	rest, ok := strings.CutPrefix(s, "P")
	if !ok {
		return 0
	}
	units := map[byte]float64{'Y': 365 * 86400, 'M': 30 * 86400, 'W': 7 * 86400, 'D': 86400}
	sum := 0.0
	for rest != "" {
		if rest[0] == 'T' {
			units, rest = map[byte]float64{'H': 3600, 'M': 60, 'S': 1}, rest[1:]
			continue
		}
		n := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
		if n <= 0 || units[rest[n]] == 0 {
			return 0
		}
		f, err := strconv.ParseFloat(rest[:n], 64)
		if err != nil {
			return 0
		}
		sum += f * units[rest[n]]
		rest = rest[n+1:]
	}
	if sum > maxSeconds {
		return 0
	}
	return time.Duration(math.Round(sum * 1e9))
}

// isoTime reads an instant; one without a zone is UTC.
func isoTime(s string) time.Time {
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04:05.999999999Z0700"} {
		if t, err := time.Parse(form, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
