package media

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"varve/web/playlist/dash"
	"varve/web/wire"
)

const mimeDASH = "application/dash+xml"

// manifest is a DASH stream that is taken.
type manifest struct {
	url   string // as it was asked for
	next  string // where it is asked for again
	m     *dash.Manifest
	skew  time.Duration // of the server's clock against ours
	order []string      // keys of tracks, as they came
	kept  map[string]*dash.Track
	had   map[dash.Resource]struct{}
}

// dash takes a stream that a manifest describes.
func (s *stream) dash(ctx context.Context, text []byte, url string, h wire.Header) error {
	m, err := s.parseDASH(text, url)
	if err != nil {
		return err
	}
	s.note("media-stream", "dash")
	t := &manifest{url: s.answer.URL, next: url, m: m, kept: map[string]*dash.Track{}, had: map[dash.Resource]struct{}{}}
	t.heard(h, s.cfg.Clock.Now())
	for _, u := range m.Remote {
		if _, err := s.take(ctx, u); err != nil {
			return s.ended(err)
		}
	}
	if err := s.present(ctx, t); err != nil || !m.Live {
		s.note("media-duration", seconds(m.Duration))
		return s.ended(err)
	}
	err = s.liveDASH(ctx, t)
	s.recordDASH(t)
	return s.ended(err)
}

// heard takes the server's time from its answer: which segments are there depends on it.
func (t *manifest) heard(h wire.Header, now time.Time) {
	if at, err := http.ParseTime(headerTime(h)); err == nil {
		t.skew = at.Sub(now)
		if t.skew.Abs() < 2*time.Second { // the header has no fractions
			t.skew = 0
		}
	}
	for _, u := range t.m.Locations {
		t.next = u
		return
	}
}

// present takes the segments that the manifest names now and that were not taken before.
func (s *stream) present(ctx context.Context, t *manifest) error {
	now := s.cfg.Clock.Now().Add(t.skew)
	for i := range t.m.Periods {
		for _, set := range s.cfg.sets(&t.m.Periods[i]) {
			for _, r := range s.cfg.representations(&set) {
				if err := s.representation(ctx, t, i, &set, &r, now); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// representation takes what is there of one representation.
func (s *stream) representation(ctx context.Context, t *manifest, period int, set *dash.Set, r *dash.Representation, now time.Time) error {
	if init, ok := r.Init(); ok {
		if _, err := s.take(ctx, init.URL); err != nil {
			return err
		}
	}
	if file, whole := r.Whole(); whole {
		_, err := s.segment(ctx, file.URL)
		return err
	}
	key := t.m.Periods[period].ID + " " + set.ID + " " + r.ID
	list, cut := r.Segments(now, s.cfg.Segments)
	if cut {
		s.cut = fmt.Sprintf("limit of %d segments", s.cfg.Segments)
		s.left = max(s.left, 1)
	}
	for i, g := range list {
		if _, before := t.had[g.Resource]; before {
			continue
		}
		ok, err := s.segment(ctx, g.URL)
		if err != nil {
			s.left = max(s.left, len(list)-i)
			return err
		}
		if ok {
			t.had[g.Resource] = struct{}{}
			t.keep(key, set, r, g)
		}
	}
	return nil
}

// keep remembers a segment of a live track.
func (t *manifest) keep(key string, set *dash.Set, r *dash.Representation, g dash.Segment) {
	if !t.m.Live {
		return
	}
	k := t.kept[key]
	if k == nil {
		k = &dash.Track{Set: *set, Rep: *r}
		t.kept[key] = k
		t.order = append(t.order, key)
	}
	k.Segments = append(k.Segments, g)
}

// liveDASH asks for the manifest again as it wishes, and takes what is new.
func (s *stream) liveDASH(ctx context.Context, t *manifest) error {
	s.note("media-live", "yes")
	if s.cfg.Live < 0 {
		s.cut = "live streams are not taken"
		return nil
	}
	until := s.began.Add(s.cfg.Live)
	still := 0
	for t.m.Live && still < stillLimit {
		next := s.cfg.Clock.Now().Add(t.pause(still))
		if next.After(until) {
			s.cut = fmt.Sprintf("live streams are taken for %v", s.cfg.Live)
			return nil
		}
		if err := s.sleep(ctx, next); err != nil {
			return err
		}
		if err := s.spent(ctx); err != nil {
			return err
		}
		before := len(t.had)
		if t.m.Refreshed {
			s.refresh(ctx, t)
		}
		if err := s.present(ctx, t); err != nil {
			return err
		}
		if still++; len(t.had) > before {
			still = 0
		}
	}
	return nil
}

// refresh asks for the manifest again; where that fails the old one goes on.
func (s *stream) refresh(ctx context.Context, t *manifest) {
	text, at, err := s.text(ctx, t.next, true)
	if err != nil {
		return
	}
	m, err := s.parseDASH(text, at.url)
	if err != nil {
		return
	}
	t.m = m
	t.heard(at.Header, s.cfg.Clock.Now())
}

// pause is how long to wait for new segments.
func (t *manifest) pause(still int) time.Duration {
	d := t.m.Refresh
	if !t.m.Refreshed || d == 0 {
		d = t.segment()
	}
	if still > 0 {
		d /= 2
	}
	return min(max(d, minPoll), time.Minute)
}

// segment is how long a segment is.
func (t *manifest) segment() time.Duration {
	for _, k := range t.kept {
		if n := len(k.Segments); n > 0 && k.Segments[n-1].Duration > 0 {
			return k.Segments[n-1].Duration
		}
	}
	return 2 * time.Second
}

// recordDASH writes the recording of a live manifest.
func (s *stream) recordDASH(t *manifest) {
	var rec dash.Recording
	n := 0
	for _, key := range t.order {
		rec.Tracks = append(rec.Tracks, *t.kept[key])
		n += len(t.kept[key].Segments)
	}
	if n > 0 {
		s.recording(t.url, mimeDASH, rec.Append(nil), n)
		s.note("media-tracks", strconv.Itoa(len(rec.Tracks)))
	}
}
