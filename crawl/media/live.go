package media

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// A live list is asked for again after its target duration, or half of it where nothing was new (RFC 8216,
// 6.3.4). One that stands still for longer than stillLimit times, or fails as often, has ended.
const stillLimit = 12

// minPoll keeps lists of tiny segments from being asked for all the time.
const minPoll = 500 * time.Millisecond

// live takes segments as they come, until the set time is over, all lists have ended, or a limit is reached.
func (s *stream) live(ctx context.Context, tracks []*track) error {
	s.note("media-live", "yes")
	if s.cfg.Live < 0 {
		s.cut = "live streams are not taken"
		return nil
	}
	until := s.began.Add(s.cfg.Live)
	for _, t := range tracks {
		t.next = s.cfg.Clock.Now().Add(t.pause())
	}
	for {
		t := due(tracks)
		if t == nil {
			return nil
		}
		if t.next.After(until) {
			s.cut = fmt.Sprintf("live streams are taken for %v", s.cfg.Live)
			return nil
		}
		if err := s.sleep(ctx, t.next); err != nil {
			return err
		}
		if err := s.spent(ctx); err != nil {
			return err
		}
		if err := s.again(ctx, t); err != nil {
			return err
		}
	}
}

// due gives the live track that is to be asked for next; nil: all have ended.
func due(tracks []*track) (out *track) {
	for _, t := range tracks {
		if !t.list.Ended && t.still < stillLimit && (out == nil || t.next.Before(out.next)) {
			out = t
		}
	}
	return out
}

// pause is how long the server wants its list to be left alone.
func (t *track) pause() time.Duration {
	d := t.list.Target
	if d == 0 {
		d = 5 * time.Second
	}
	if t.still > 0 {
		d /= 2
	}
	return max(d, minPoll)
}

func (s *stream) sleep(ctx context.Context, until time.Time) error {
	err := s.cfg.Clock.Sleep(ctx, max(0, until.Sub(s.cfg.Clock.Now())))
	if err != nil {
		s.cut = "stopped"
	}
	return err
}

// again asks for a live list and takes what is new in it. A failure is like a list that stands still: servers
// of live streams stumble.
func (s *stream) again(ctx context.Context, t *track) error {
	asked := s.cfg.Clock.Now()
	before := len(t.taken)
	text, at, err := s.text(ctx, t.at, true)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		if err := s.renewed(ctx, t, text, at.url); err != nil {
			return err
		}
	}
	t.still++
	if len(t.taken) > before {
		t.still = 0
	}
	t.next = asked.Add(t.pause())
	return nil
}

// renewed takes what is new in a list. One that cannot be read changes nothing.
func (s *stream) renewed(ctx context.Context, t *track, text []byte, url string) error {
	p, err := s.parseHLS(text, url)
	if err != nil || p.Multivariant() {
		return nil //nolint:nilerr // the next one may be whole again
	}
	if p.Target == 0 {
		p.Target = t.list.Target
	}
	t.list = p
	return s.listed(ctx, t)
}

// record writes the recordings of live tracks.
func (s *stream) record(tracks []*track) {
	var length time.Duration
	for _, t := range tracks {
		if len(t.taken) == 0 {
			continue
		}
		p := *t.list
		p.Segments = slices.Clone(t.taken)
		p.Sequence, p.Discontinuity, p.Parts = p.Segments[0].Sequence, 0, nil
		length = max(length, p.Duration())
		s.recording(t.url, mimeHLS, p.Append(nil), len(p.Segments))
	}
	s.note("media-duration", seconds(length))
}
