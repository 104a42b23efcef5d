package nodes

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"varve/clock"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/nodes/engine"
)

// Timing is the arithmetic of leases. All of it is measured on each node's own monotonic clock; no instant ever travels.
//
//	owner:  renewal sent at s, acknowledged     ->  may fetch until s + TTL - Margin
//	other:  saw the renewal at o >= s           ->  may end the session at o + TTL, by a delete at the revision that it saw
//
// The delete fails where a later renewal came. So between the last request of the owner and the first of another lie at least Margin, and
// clocks that differ change nothing. Margin covers clocks that run at different speeds, and requests that are cancelled late.
type Timing struct {
	TTL    time.Duration // 10 s; above the 7 s that NATS may take for a new leader
	Renew  time.Duration // 1 s
	Margin time.Duration // 1 s
}

// WithDefaults fills unset fields.
func (t Timing) WithDefaults() Timing {
	if t.TTL <= 0 {
		t.TTL = 10 * time.Second
	}
	if t.Renew <= 0 {
		t.Renew = t.TTL / 10
	}
	if t.Margin <= 0 {
		t.Margin = t.TTL / 10
	}
	return t
}

const nodePrefix = "node."

// Session is a node's right to own something, as long as it renews it.
type Session struct {
	ID    string
	table engine.Table
	clock clock.Clock
	time  Timing
	value func() []byte // what is told of the node with each renewal
	ended func([]byte)  // told what was known of another node whose session was ended here; may be nil
	wake  func()        // something changed: a peer came or went, the fence fell or rose, the session is lost

	kick chan struct{}

	mu      sync.Mutex
	rev     uint64
	until   time.Time // may fetch until then
	live    context.Context
	fence   context.CancelFunc
	lost    bool
	outage  bool // the last renewal did not come through
	peers   map[string]*peer
	renewed uint64 // renewals so far
}

// peer is another session as this one sees it.
type peer struct {
	rev   uint64
	seen  time.Time
	value []byte
}

func newSession(id string, table engine.Table, c clock.Clock, t Timing, value func() []byte, wake func()) *Session {
	s := &Session{
		ID: id, table: table, clock: c, time: t.WithDefaults(), value: value, wake: wake,
		kick: make(chan struct{}, 1), peers: map[string]*peer{},
	}
	s.live, s.fence = context.WithCancel(context.Background())
	return s
}

// begin makes the session known. It is live when it returns nil.
func (s *Session) begin(ctx context.Context) error {
	sent := s.clock.Now()
	rev, err := s.table.Put(ctx, nodePrefix+s.ID, s.value(), 0)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rev, s.until, s.renewed = rev, sent.Add(s.time.TTL-s.time.Margin), 1
	return nil
}

// keep renews the session, watches the others, and ends those that do not renew theirs, until ctx ends or the session is lost.
func (s *Session) keep(ctx context.Context) {
	var all sync.WaitGroup
	ctx, end := context.WithCancel(ctx)
	all.Go(func() { s.watch(ctx) })
	all.Go(func() { s.guard(ctx) })
	for ctx.Err() == nil && !s.Lost() {
		s.pause(ctx, s.time.Renew, s.kick)
		if ctx.Err() == nil {
			s.renew(ctx)
			s.reap(ctx)
		}
	}
	end()
	all.Wait()
}

// pause waits, or until it is cut short.
func (s *Session) pause(ctx context.Context, d time.Duration, cut <-chan struct{}) {
	timer := s.clock.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-cut:
	case <-ctx.Done():
	}
}

// Tell renews now: what is told of the node has changed.
func (s *Session) Tell() {
	select {
	case s.kick <- struct{}{}:
	default:
	}
}

func (s *Session) renew(ctx context.Context) {
	s.mu.Lock()
	last := s.rev
	s.mu.Unlock()
	bounded, end := clock.WithTimeout(ctx, s.clock, s.time.TTL/4)
	defer end()
	sent := s.clock.Now()
	rev, err := s.table.Put(bounded, nodePrefix+s.ID, s.value(), last)
	switch {
	case err == nil:
		s.prolong(rev, sent)
	case errors.Is(err, engine.ErrConflict):
		s.check(bounded)
	default:
		s.mu.Lock()
		s.outage = true
		s.mu.Unlock()
	}
}

// prolong notes a renewal that was sent then.
func (s *Session) prolong(rev uint64, sent time.Time) {
	s.mu.Lock()
	s.rev, s.until = rev, sent.Add(s.time.TTL-s.time.Margin)
	s.renewed++
	if s.outage { // perhaps nobody could renew: all get their time anew
		s.outage = false
		now := s.clock.Now()
		for _, p := range s.peers {
			p.seen = now
		}
	}
	risen := s.live.Err() != nil
	if risen {
		s.live, s.fence = context.WithCancel(context.Background())
	}
	s.mu.Unlock()
	if risen {
		s.wake()
	}
}

// check finds out why a renewal came too late: the one before was made without our knowing, or the session was ended.
func (s *Session) check(ctx context.Context) {
	e, err := s.table.Get(ctx, nodePrefix+s.ID)
	for range 3 { // a copy that is behind may not have it yet
		if !errors.Is(err, engine.ErrNotFound) {
			break
		}
		s.pause(ctx, s.time.Renew/8, nil)
		e, err = s.table.Get(ctx, nodePrefix+s.ID)
	}
	s.mu.Lock()
	switch {
	case err == nil:
		s.rev = e.Revision // nobody else writes it
	case errors.Is(err, engine.ErrNotFound):
		s.lost = true
		s.fence()
	}
	lost := s.lost
	s.mu.Unlock()
	if lost {
		s.wake()
	} else {
		s.Tell()
	}
}

// guard lets the fence fall when the time is over.
func (s *Session) guard(ctx context.Context) {
	for ctx.Err() == nil {
		s.mu.Lock()
		left := s.until.Sub(s.clock.Now())
		fallen := s.live.Err() != nil
		if left <= 0 && !fallen {
			s.fence()
		}
		s.mu.Unlock()
		switch {
		case left > 0:
			s.pause(ctx, left, nil)
		case !fallen:
			s.wake()
		default:
			s.pause(ctx, s.time.Renew/4, nil)
		}
	}
}

// Live returns a context that ends when the node must stop to fetch; false when it must not even begin.
func (s *Session) Live() (context.Context, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live, s.live.Err() == nil && s.clock.Now().Before(s.until)
}

// Lost reports whether the session was ended by another node.
func (s *Session) Lost() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lost
}

// watch keeps the list of the others.
func (s *Session) watch(ctx context.Context) {
	for ctx.Err() == nil {
		_ = s.table.Watch(ctx, nodePrefix, s.saw) // begun again where it broke
		s.pause(ctx, s.time.Renew/4, nil)
	}
}

func (s *Session) saw(e engine.Entry) {
	id := strings.TrimPrefix(e.Key, nodePrefix)
	s.mu.Lock()
	old := s.peers[id]
	changed := (old == nil) != (e.Value == nil) || old != nil && string(old.value) != string(e.Value)
	switch {
	case e.Value == nil:
		delete(s.peers, id)
	case old == nil:
		s.peers[id] = &peer{rev: e.Revision, seen: s.clock.Now(), value: e.Value}
	case e.Revision > old.rev:
		old.rev, old.seen, old.value = e.Revision, s.clock.Now(), e.Value
	}
	s.mu.Unlock()
	if changed {
		s.wake()
	}
}

// reap ends the sessions of others that were not renewed for TTL.
func (s *Session) reap(ctx context.Context) {
	s.mu.Lock()
	var over []engine.Entry
	now := s.clock.Now()
	if !s.outage && !s.lost && now.Before(s.until) {
		for id, p := range s.peers {
			if id != s.ID && now.Sub(p.seen) >= s.time.TTL {
				over = append(over, engine.Entry{Key: nodePrefix + id, Revision: p.rev, Value: p.value})
			}
		}
	}
	s.mu.Unlock()
	for _, e := range over {
		err := s.table.Delete(ctx, e.Key, e.Revision) // too late if it was renewed; the watch tells
		if err == nil && s.ended != nil {
			s.ended(e.Value)
		}
	}
}

// others returns what is told of all sessions that there are, by id, this one included.
func (s *Session) others() map[string][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make(map[string][]byte, len(s.peers))
	for id, p := range s.peers {
		out[id] = p.value
	}
	return out
}

// end gives the session up.
func (s *Session) end(ctx context.Context) error {
	s.mu.Lock()
	s.fence()
	rev, lost := s.rev, s.lost
	s.mu.Unlock()
	if lost {
		return nil
	}
	err := s.table.Delete(ctx, nodePrefix+s.ID, rev)
	if errors.Is(err, engine.ErrConflict) { // a renewal that came through unheard, or it was ended
		e, gerr := s.table.Get(ctx, nodePrefix+s.ID)
		if gerr != nil {
			return nil //nolint:nilerr // others end it in time
		}
		err = s.table.Delete(ctx, nodePrefix+s.ID, e.Revision)
	}
	return err
}

// fenced is a Fetcher that makes requests only while the node may.
type fenced struct {
	crawl.Fetcher
	live func() (context.Context, bool)
}

// Fetch is part of crawl.Fetcher.
func (f fenced) Fetch(ctx context.Context, r *fetch.Request) (*fetch.Exchange, error) {
	live, ok := f.live()
	if !ok {
		return new(fetch.Exchange), crawl.ErrWithdrawn
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	stop := context.AfterFunc(live, end)
	defer stop()
	x, err := f.Fetcher.Fetch(ctx, r)
	if err != nil && live.Err() != nil {
		err = errors.Join(crawl.ErrWithdrawn, err)
	}
	return x, err
}
