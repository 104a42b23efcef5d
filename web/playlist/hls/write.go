package hls

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// Append writes a media list that has ended: what was recorded of a stream, as a recording. Addresses
// are absolute. Numbers that are missing between two segments become a discontinuity, so that a player
// goes on behind the hole.
func (p *Playlist) Append(dst []byte) []byte {
	target := p.Target
	for i := range p.Segments {
		target = max(target, p.Segments[i].Duration)
	}
	dst = append(dst, "#EXTM3U\n"...)
	dst = fmt.Appendf(dst, "#EXT-X-VERSION:%d\n", max(p.Version, 3))
	dst = fmt.Appendf(dst, "#EXT-X-TARGETDURATION:%d\n", int64((target+time.Second-1)/time.Second))
	dst = fmt.Appendf(dst, "#EXT-X-MEDIA-SEQUENCE:%d\n", p.Sequence)
	if p.Discontinuity > 0 {
		dst = fmt.Appendf(dst, "#EXT-X-DISCONTINUITY-SEQUENCE:%d\n", p.Discontinuity)
	}
	dst = append(dst, "#EXT-X-PLAYLIST-TYPE:VOD\n"...)
	var before Segment
	for i := range p.Segments {
		s := &p.Segments[i]
		dst = s.append(dst, &before, i == 0)
		before = *s
	}
	return append(dst, "#EXT-X-ENDLIST\n"...)
}

// append writes a segment with what has changed since the one before.
func (s *Segment) append(dst []byte, before *Segment, first bool) []byte {
	if s.Discontinuity || !first && s.Sequence != before.Sequence+1 {
		dst = append(dst, "#EXT-X-DISCONTINUITY\n"...)
	}
	if !slices.Equal(s.Keys, before.Keys) || s.numbered() {
		if len(s.Keys) == 0 {
			dst = append(dst, "#EXT-X-KEY:METHOD=NONE\n"...)
		}
		for _, k := range s.Keys {
			dst = append(append(append(dst, "#EXT-X-KEY:"...), s.keyed(k)...), '\n')
		}
	}
	if m := s.Map; m != nil && (before.Map == nil || *m != *before.Map) {
		dst = fmt.Appendf(dst, `#EXT-X-MAP:URI="%s"`, m.URL) // not %q: play lists have no escapes
		if m.Length > 0 {
			dst = fmt.Appendf(dst, `,BYTERANGE="%d@%d"`, m.Length, m.Offset)
		}
		dst = append(dst, '\n')
	}
	if !s.Date.IsZero() {
		dst = append(append(append(dst, "#EXT-X-PROGRAM-DATE-TIME:"...), s.Date.UTC().Format("2006-01-02T15:04:05.000Z")...), '\n')
	}
	if s.Gap {
		dst = append(dst, "#EXT-X-GAP\n"...)
	}
	dst = append(dst, "#EXTINF:"...)
	dst = strconv.AppendFloat(dst, s.Duration.Seconds(), 'f', 3, 64)
	dst = append(append(append(dst, ','), s.Title...), '\n')
	if s.Length > 0 {
		dst = fmt.Appendf(dst, "#EXT-X-BYTERANGE:%d@%d\n", s.Length, s.Offset)
	}
	return append(append(dst, s.URL...), '\n')
}

// numbered tells whether the number of the segment is the IV of its key.
func (s *Segment) numbered() bool {
	return slices.ContainsFunc(s.Keys, Key.numbered)
}

func (k Key) numbered() bool { return k.IV == "" && k.Method == "AES-128" }

// keyed writes a key. Numbers of a recording with holes are no longer those of the stream; so an IV
// that is the number is written out.
func (s *Segment) keyed(k Key) string {
	if !k.numbered() {
		return k.raw
	}
	return k.raw + fmt.Sprintf(",IV=0x%032X", s.Sequence)
}
