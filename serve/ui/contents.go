package ui

import (
	"context"
	"crypto/sha256"
	"sync"

	"varve/serve/compare"
	"varve/serve/holdings"
)

// maxContent is how much of a capture is looked at for comparing.
const maxContent = 4 << 20

// textSums remembers the hash of the visible text of payloads, by digest. It is bounded: when it is
// full it begins anew.
type textSums struct {
	mu sync.Mutex
	by map[string][32]byte
}

const (
	maxSums   = 50_000
	maxLooked = 60 // contents read for one page
)

func (s *textSums) get(digest string) ([32]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum, ok := s.by[digest]
	return sum, ok
}

func (s *textSums) put(digest string, sum [32]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by == nil || len(s.by) >= maxSums {
		s.by = map[string][32]byte{}
	}
	s.by[digest] = sum
}

// sameText gives a function that tells whether two pages say the same, by their visible text. It
// reads no more than maxLooked contents; beyond them only bytes are compared.
func (u *UI) sameText(ctx context.Context, collection string) func(a, b holdings.IndexedCapture) bool {
	if u.cfg.Contents == nil {
		return nil
	}
	looked := 0
	sum := func(c holdings.IndexedCapture) ([32]byte, bool) {
		if s, ok := u.sums.get(c.Digest); ok {
			return s, s != [32]byte{}
		}
		if looked >= maxLooked || ctx.Err() != nil {
			return [32]byte{}, false
		}
		looked++
		var s [32]byte
		if got, err := u.cfg.Contents.Content(ctx, collection, c, maxContent); err == nil && !got.Truncated {
			text, err := compare.Text(compare.Document{URL: c.URL, MIME: got.MIME, Body: got.Body})
			if err == nil && text != "" {
				s = sha256.Sum256([]byte(text))
			}
		}
		u.sums.put(c.Digest, s)
		return s, s != [32]byte{}
	}
	return func(a, b holdings.IndexedCapture) bool {
		if a.Status != 200 || b.Status != 200 {
			return false
		}
		x, okX := sum(a)
		y, okY := sum(b)
		return okX && okY && x == y
	}
}
