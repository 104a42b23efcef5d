package nodes

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"varve/clock"
	"varve/crawl"
	"varve/crawl/fetch"
	"varve/crawl/nodes/engine"
)

// skewed is a clock that shows another time of day. Its instants carry no monotonic part that others could agree with.
type skewed struct {
	clock.Clock
	by time.Duration
}

func (s skewed) Now() time.Time { return s.Clock.Now().Add(s.by) }

func keepSession(t *testing.T, id string, h *engine.Handle, c clock.Clock) *Session {
	t.Helper()
	s := newSession(id, h, c, Timing{TTL: 400 * time.Millisecond, Renew: 20 * time.Millisecond, Margin: 100 * time.Millisecond}, func() []byte { return []byte(`{"node":"` + id + `"}`) }, func() {})
	if err := s.begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() { s.keep(ctx); close(over) }()
	t.Cleanup(func() { end(); <-over })
	return s
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 2000 {
		if ok() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("never: " + what)
}

// A node that is cut off stops fetching before another can find its session over, though their clocks are two minutes apart; when
// it comes back it learns that it lost it.
func TestFence(t *testing.T) {
	for _, skew := range []time.Duration{0, 2 * time.Minute, -2 * time.Minute} {
		m := engine.NewMemory()
		ha, hb := m.Join(), m.Join()
		a := keepSession(t, "a", ha, clock.Real())
		b := keepSession(t, "b", hb, skewed{clock.Real(), skew})
		eventually(t, "b sees a", func() bool { return len(b.others()) == 2 })
		live, ok := a.Live()
		if !ok {
			t.Fatal("a is not live")
		}
		var stopped, ended atomic.Int64
		context.AfterFunc(live, func() { stopped.Store(time.Now().UnixNano()) })
		ctx, end := context.WithCancel(t.Context())
		go func() {
			_ = m.Join().Watch(ctx, nodePrefix+"a", func(e engine.Entry) {
				if e.Value == nil {
					ended.CompareAndSwap(0, time.Now().UnixNano())
				}
			})
		}()
		ha.Cut(true)
		eventually(t, "a's session is ended", func() bool { return ended.Load() > 0 })
		if s := stopped.Load(); s == 0 || s > ended.Load() {
			t.Errorf("skew %v: a stopped %v after its session was ended", skew, time.Duration(s-ended.Load()))
		}
		if _, ok := a.Live(); ok {
			t.Error("a may fetch")
		}
		f := a.fencedFetcher(never{t})
		if _, err := f.Fetch(t.Context(), nil); !errors.Is(err, crawl.ErrWithdrawn) {
			t.Errorf("a fetches: %v", err)
		}
		ha.Cut(false)
		eventually(t, "a learns of it", a.Lost)
		end()
	}
}

func (s *Session) fencedFetcher(f crawl.Fetcher) crawl.Fetcher { return fenced{f, s.Live} }

type never struct{ t *testing.T }

func (n never) Fetch(context.Context, *fetch.Request) (*fetch.Exchange, error) {
	n.t.Error("a request was made without the right to")
	return new(fetch.Exchange), nil
}

func (n never) Resolve(context.Context, string) (*fetch.Answer, error) { return nil, nil }

// When the engine itself is away for longer than a lease, nobody loses its session: all stop, and all go on.
func TestOutage(t *testing.T) {
	m := engine.NewMemory()
	ha, hb := m.Join(), m.Join()
	a, b := keepSession(t, "a", ha, clock.Real()), keepSession(t, "b", hb, clock.Real())
	eventually(t, "they see each other", func() bool { return len(a.others()) == 2 && len(b.others()) == 2 })
	ha.Cut(true)
	hb.Cut(true)
	stopped := func(s *Session) bool { _, ok := s.Live(); return !ok }
	eventually(t, "both stop", func() bool { return stopped(a) && stopped(b) })
	ha.Cut(false)
	eventually(t, "a goes on", func() bool { return !stopped(a) })
	hb.Cut(false)
	eventually(t, "b goes on", func() bool { return !stopped(b) || b.Lost() })
	if a.Lost() {
		t.Error("a lost its session")
	}
}

// What is in flight when the fence falls is withdrawn.
func TestWithdrawn(t *testing.T) {
	m := engine.NewMemory()
	h := m.Join()
	s := keepSession(t, "a", h, clock.Real())
	h.Cut(true)
	x, err := s.fencedFetcher(hanging{}).Fetch(t.Context(), nil)
	if x == nil || !errors.Is(err, crawl.ErrWithdrawn) {
		t.Errorf("%v %v", x, err)
	}
}

type hanging struct{ never }

func (hanging) Fetch(ctx context.Context, _ *fetch.Request) (*fetch.Exchange, error) {
	<-ctx.Done()
	return new(fetch.Exchange), ctx.Err()
}
