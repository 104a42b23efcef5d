package dash

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Timescale is the number of ticks in a second by which its segments are timed.
func (r *Representation) Timescale() int64 { return r.plan.timescale }

// Recording is what was kept of a live presentation.
type Recording struct{ Tracks []Track }

// Track is what was kept of one representation. Segments are in order of time and of one timescale.
type Track struct {
	Set      Set // without its representations
	Rep      Representation
	Segments []Segment
}

// Append writes a manifest that is not live: every segment with its address and its time, so that holes
// stay holes. The first segment of all is where the presentation begins.
func (r *Recording) Append(dst []byte) []byte {
	begin, end := r.span()
	dst = append(dst, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" profiles=\"urn:mpeg:dash:profile:full:2011\" type=\"static\" minBufferTime=\"PT2S\""...)
	dst = fmt.Appendf(dst, " mediaPresentationDuration=\"PT%.3fS\">\n  <Period id=\"recording\" start=\"PT0S\">\n", (end - begin).Seconds())
	for i := range r.Tracks {
		dst = r.Tracks[i].append(dst, begin)
	}
	return append(dst, "  </Period>\n</MPD>\n"...)
}

// span gives when the recording begins and ends, by the times of its segments.
func (r *Recording) span() (begin, end time.Duration) {
	first := true
	for i := range r.Tracks {
		t := &r.Tracks[i]
		for j := range t.Segments {
			from, to := t.Rep.plan.ticks(t.Segments[j].Time), t.Rep.plan.ticks(t.Segments[j].Time+t.Segments[j].Ticks)
			if first || from < begin {
				begin = from
			}
			if first || to > end {
				end = to
			}
			first = false
		}
	}
	return begin, end
}

func (t *Track) append(dst []byte, begin time.Duration) []byte {
	dst = append(dst, "    <AdaptationSet"...)
	dst = attribute(dst, "contentType", t.Set.Kind)
	dst = attribute(dst, "mimeType", t.Rep.MIME)
	dst = attribute(dst, "lang", t.Set.Language)
	dst = append(dst, ">\n      <Representation"...)
	dst = attribute(dst, "id", t.Rep.ID)
	dst = attribute(dst, "codecs", t.Rep.Codecs)
	dst = number(dst, "bandwidth", t.Rep.Bandwidth)
	dst = number(dst, "width", int64(t.Rep.Width))
	dst = number(dst, "height", int64(t.Rep.Height))
	dst = append(dst, ">\n        <SegmentList"...)
	dst = number(dst, "timescale", t.Rep.plan.timescale)
	dst = number(dst, "presentationTimeOffset", int64(math.Round(begin.Seconds()*float64(t.Rep.plan.timescale))))
	dst = append(dst, ">\n"...)
	if init, ok := t.Rep.Init(); ok {
		dst = append(append(dst, "          <Initialization"...), ranged("sourceURL", "range", init)...)
		dst = append(dst, "/>\n"...)
	}
	dst = append(dst, "          <SegmentTimeline>\n"...)
	for _, s := range t.Segments {
		dst = fmt.Appendf(dst, "            <S t=\"%d\" d=\"%d\"/>\n", s.Time, s.Ticks)
	}
	dst = append(dst, "          </SegmentTimeline>\n"...)
	for _, s := range t.Segments {
		dst = append(append(dst, "          <SegmentURL"...), ranged("media", "mediaRange", s.Resource)...)
		dst = append(dst, "/>\n"...)
	}
	return append(dst, "        </SegmentList>\n      </Representation>\n    </AdaptationSet>\n"...)
}

func ranged(ref, bytes string, r Resource) []byte {
	b := attribute(nil, ref, r.URL)
	if r.Length > 0 {
		b = attribute(b, bytes, fmt.Sprintf("%d-%d", r.Offset, r.Offset+r.Length-1))
	}
	return b
}

var escaper = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;", "\n", " ", "\r", " ", "\t", " ")

// attribute writes an attribute that has a value.
func attribute(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	dst = append(append(append(dst, ' '), name...), `="`...)
	return append(append(dst, escaper.Replace(value)...), '"')
}

func number(dst []byte, name string, n int64) []byte {
	if n <= 0 {
		return dst
	}
	return attribute(dst, name, fmt.Sprint(n))
}
