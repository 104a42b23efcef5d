package hls

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"varve/web/canon"
)

// ErrNoPlaylist is returned for what does not begin like an HLS play list.
var ErrNoPlaylist = errors.New("no HLS play list: the first line is not #EXTM3U")

// Parse reads the play list that a URL answered with.
func Parse(text []byte, from string, limits Limits) (*Playlist, error) {
	base, err := canon.Parse(from)
	if err != nil {
		return nil, fmt.Errorf("play list at %q: %w", from, err)
	}
	p := &parser{base: base, limits: limits.withDefaults(), list: &Playlist{URL: from}}
	first, _, _ := bytes.Cut(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), []byte("\n"))
	if string(bytes.TrimRight(first, " \t\r")) != "#EXTM3U" {
		return nil, ErrNoPlaylist
	}
	for l := range Lines(text) {
		p.line = l.Number
		switch {
		case l.Length > p.limits.Line:
			p.problem("the line is longer than %d bytes", p.limits.Line)
			p.list.Cut = true
		case l.Name == nil:
			p.keysSet = false
			p.address(string(l.Value))
		default:
			if string(l.Name) != "#EXT-X-KEY" {
				p.keysSet = false
			}
			p.tag(l)
		}
	}
	p.finish()
	return p.list, nil
}

// parser is the state that lines leave for those after them.
type parser struct {
	base   canon.URL
	limits Limits
	list   *Playlist
	line   int
	vars   Variables

	variant *Variant // the next address is its list
	next    Segment  // what tags have told of the next segment
	timed   bool     // it has a duration
	ranged  bool     // it is a range
	at      int64    // where the range begins; -1: behind the last one
	seq     uint64
	counted bool // a segment has come, so that the sequence is fixed
	keys    []Key
	keysSet bool // the last line was a key, too: they add up
	start   *Resource
	last    Resource // the segment before, for ranges that go on
}

func (p *parser) problem(format string, args ...any) {
	if len(p.list.Problems) < p.limits.Problems {
		p.list.Problems = append(p.list.Problems, Problem{p.line, fmt.Sprintf(format, args...)})
	}
}

// resolve makes an address absolute; "" where it cannot be.
func (p *parser) resolve(ref string) string {
	ref = p.substitute(ref)
	if ref == "" {
		return ""
	}
	u, err := p.base.Resolve(ref)
	if err != nil {
		p.problem("the address %.80q cannot be read: %v", ref, err)
		return ""
	}
	return strings.Map(printable, strings.TrimSpace(u.WithoutFragment().String()))
}

// printable leaves out what a line or a quoted value cannot hold; only addresses of strange schemes have it.
func printable(r rune) rune {
	if r < ' ' || r == '"' {
		return -1
	}
	return r
}

// address takes a line that is an address.
func (p *parser) address(s string) {
	u := p.resolve(s)
	if v := p.variant; v != nil {
		p.variant = nil
		if v.URL = u; u != "" {
			p.addVariant(&p.list.Variants, *v)
		}
		return
	}
	p.segment(u)
}

func (p *parser) addVariant(to *[]Variant, v Variant) {
	if len(p.list.Variants)+len(p.list.Renditions)+len(p.list.Trick) >= p.limits.Variants {
		p.list.Cut = true
		return
	}
	*to = append(*to, v)
}

// segment ends what tags have told of a segment.
func (p *parser) segment(u string) {
	s := p.next
	s.URL, s.Sequence, s.Map, s.Keys = u, p.seq, p.start, p.keys
	if !p.timed {
		p.problem("a segment without #EXTINF")
	}
	if p.ranged {
		s.Offset = p.at
		if p.at < 0 {
			s.Offset = 0
			if p.last.URL == u && p.last.Length > 0 {
				s.Offset = p.last.Offset + p.last.Length
			}
		}
	}
	p.next, p.timed, p.ranged = Segment{}, false, false
	p.seq++
	p.counted = true
	p.last = s.Resource
	switch {
	case u == "":
	case len(p.list.Segments) >= p.limits.Segments:
		p.list.Cut = true
	default:
		p.list.Segments = append(p.list.Segments, s)
	}
}

// finish completes the list.
func (p *parser) finish() {
	if len(p.list.Segments) > 0 {
		p.list.Sequence = p.list.Segments[0].Sequence
	}
	if p.list.Target == 0 {
		for i := range p.list.Segments {
			p.list.Target = max(p.list.Target, p.list.Segments[i].Duration.Round(time.Second))
		}
	}
	if p.list.Kind == "VOD" {
		p.list.Ended = true // some leave the end tag out
	}
}

// substitute puts variables in.
func (p *parser) substitute(s string) string {
	out, err := p.vars.Substitute(s)
	if err != nil {
		p.problem("%v", err)
	}
	return out
}

// define sets a variable.
func (p *parser) define(l Line) {
	if err := p.vars.Define(l, p.base.Query(), p.limits.Variables); err != nil {
		p.problem("%v", err)
		p.list.Cut = true // addresses with it cannot be told
	}
}

// parseRange reads length[@offset].
func parseRange(s string) (length, offset int64, ok bool) {
	n, at, has := strings.Cut(strings.TrimSpace(s), "@")
	length, err := strconv.ParseInt(n, 10, 64)
	if err != nil || length <= 0 {
		return 0, 0, false
	}
	offset = -1
	if has {
		if offset, err = strconv.ParseInt(at, 10, 64); err != nil || offset < 0 || offset > 1<<62-length {
			return 0, 0, false
		}
	}
	return length, offset, length < 1<<62
}
