package media

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"varve/web/playlist/hls"
)

const mimeHLS = "application/vnd.apple.mpegurl"

// track is a media list that is taken.
type track struct {
	url   string // as it was asked for; recordings stand in for this address
	at    string // where it answers after redirects
	list  *hls.Playlist
	live  bool          // it had not ended when it was opened
	taken []hls.Segment // of a live list, in order
	had   map[hls.Resource]struct{}
	next  time.Time // when it is asked for again
	still int       // how often in a row nothing had changed
}

// hls takes a stream that a play list describes.
func (s *stream) hls(ctx context.Context, text []byte, url string) error {
	p, err := s.parseHLS(text, url)
	if err != nil {
		return err
	}
	s.note("media-stream", "hls")
	for _, problem := range p.Problems[:min(len(p.Problems), 5)] {
		s.note("media-problem", problem.String())
	}
	tracks, err := s.tracks(ctx, p)
	if err != nil {
		return err
	}
	live := false
	for i, t := range tracks {
		if err := s.listed(ctx, t); err != nil {
			n := 0
			for _, t := range tracks[i:] {
				n += t.missing()
			}
			s.left = max(s.left, n)
			return s.ended(err)
		}
		live = live || t.live
	}
	if !live {
		s.note("media-duration", seconds(longest(tracks)))
		return nil
	}
	err = s.live(ctx, tracks)
	s.record(tracks)
	return s.ended(err)
}

// ended makes an end by our own limits no error.
func (s *stream) ended(err error) error {
	if errors.Is(err, errLimit) {
		return nil
	}
	return err
}

// tracks gives the media lists that are taken of what a list describes: itself, or those it names.
func (s *stream) tracks(ctx context.Context, p *hls.Playlist) ([]*track, error) {
	if !p.Multivariant() {
		return []*track{newTrack(s.answer.URL, p.URL, p)}, nil
	}
	for _, u := range p.Others {
		if _, err := s.take(ctx, u); err != nil {
			return nil, s.ended(err)
		}
	}
	s.note("media-variants", strconv.Itoa(len(p.Variants)))
	var out []*track
	for _, u := range s.cfg.variants(p) {
		if err := s.spent(ctx); err != nil {
			return out, s.ended(err)
		}
		t, err := s.open(ctx, u)
		if err != nil {
			if ctx.Err() != nil {
				return out, ctx.Err()
			}
			s.note("media-missed", err.Error())
			continue
		}
		s.note("media-rendition", u)
		out = append(out, t)
	}
	return out, nil
}

// open asks for a media list.
func (s *stream) open(ctx context.Context, url string) (*track, error) {
	text, at, err := s.text(ctx, url, false)
	if err != nil {
		return nil, err
	}
	p, err := s.parseHLS(text, at.url)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	if p.Multivariant() {
		return nil, fmt.Errorf("%s: a list of lists inside a list of lists", url)
	}
	return newTrack(url, at.url, p), nil
}

func newTrack(url, at string, p *hls.Playlist) *track {
	return &track{url: url, at: at, list: p, live: !p.Ended, had: map[hls.Resource]struct{}{}}
}

// listed takes the segments that a track lists and that were not taken before, with their maps and keys.
func (s *stream) listed(ctx context.Context, t *track) error {
	for i := range t.list.Segments {
		seg := &t.list.Segments[i]
		if _, before := t.had[seg.Resource]; before || seg.Gap {
			continue
		}
		if seg.Map != nil {
			if _, err := s.take(ctx, seg.Map.URL); err != nil {
				return err
			}
		}
		for _, k := range seg.Keys {
			if !fetchable(k.URL) {
				continue
			}
			if _, err := s.take(ctx, k.URL); err != nil {
				return err
			}
		}
		ok, err := s.segment(ctx, seg.URL)
		if err != nil {
			return err
		}
		if ok {
			t.had[seg.Resource] = struct{}{}
			if t.live {
				t.taken = append(t.taken, *seg)
			}
		}
	}
	return nil
}

// missing counts the segments of a track that were not taken.
func (t *track) missing() (n int) {
	for i := range t.list.Segments {
		if _, had := t.had[t.list.Segments[i].Resource]; !had && !t.list.Segments[i].Gap {
			n++
		}
	}
	return n
}

// fetchable tells keys that are files from those of key systems.
func fetchable(url string) bool {
	return len(url) > 8 && (url[:7] == "http://" || url[:8] == "https://")
}

func longest(tracks []*track) (d time.Duration) {
	for _, t := range tracks {
		d = max(d, t.list.Duration())
	}
	return d
}

func seconds(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return strconv.FormatFloat(d.Seconds(), 'f', 3, 64)
}
