package browser

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"varve/crawl/browser/chromium"
)

// member is a running browser.
type member struct {
	proc  *chromium.Process
	meter *meter
	heavy atomic.Bool // it has grown too large
	stop  chan struct{}
	tasks sync.WaitGroup

	idling sync.Mutex
	idle   []*tab // that no page has

	// Of the pool, under its lock.
	active  int
	served  int
	leaving bool // takes no more pages
}

// watchEvery is how often the memory of a browser is looked at.
const watchEvery = time.Second

func newMember(proc *chromium.Process, cfg Config) *member {
	m := &member{proc: proc, stop: make(chan struct{}), meter: newMeter(func() time.Duration { return proc.Usage().CPU })}
	m.tasks.Go(func() { m.watch(cfg) })
	return m
}

// gone tells whether the browser has ended.
func (m *member) gone() bool {
	select {
	case <-m.proc.Conn.Done():
		return true
	case <-m.proc.Exited():
		return true
	default:
		return false
	}
}

// take gives a tab, one that is idle if there is one.
func (m *member) take(ctx context.Context, c *Collector) (*tab, error) {
	m.idling.Lock()
	var t *tab
	if n := len(m.idle); n > 0 {
		t, m.idle = m.idle[n-1], m.idle[:n-1]
	}
	m.idling.Unlock()
	if t != nil && time.Since(t.made) <= tabAge {
		return t, nil
	}
	if t != nil {
		t.close()
	}
	return openTab(ctx, c, m)
}

// put keeps a tab for the next page.
func (m *member) put(t *tab) {
	m.idling.Lock()
	defer m.idling.Unlock()
	t.since, t.parked = time.Now(), false
	m.idle = append(m.idle, t)
}

// park empties the tabs that have been waiting.
func (m *member) park() {
	m.idling.Lock()
	defer m.idling.Unlock()
	for _, t := range m.idle {
		if !t.parked && time.Since(t.since) > parkAfter {
			t.park()
		}
	}
}

// watch keeps the memory of the browser in bounds: beyond the limit the largest of its processes is
// killed, which is a page that crashes; and the browser is replaced when its pages are done. Tabs that wait
// for pages are emptied.
func (m *member) watch(cfg Config) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-m.stop:
			return
		case <-m.proc.Exited():
			return
		case <-tick.C:
		}
		m.park()
		if !m.meter.busy() {
			continue
		}
		u := m.proc.Usage()
		if u.Memory <= cfg.Memory {
			continue
		}
		m.heavy.Store(true)
		cfg.Log.Warn("browser uses too much memory", "pid", m.proc.PID(), "bytes", u.Memory, "limit", cfg.Memory, "largest", u.Heaviest)
		if p, err := os.FindProcess(u.Largest); err == nil && u.Largest != 0 && u.Heaviest > cfg.Memory/4 {
			p.Kill()
		}
	}
}

func (m *member) close() error {
	close(m.stop)
	m.tasks.Wait()
	err := m.proc.Close()
	m.idling.Lock()
	defer m.idling.Unlock()
	for _, t := range m.idle {
		t.close()
	}
	m.idle = nil
	return err
}

// meter shares the processor time of a browser out among the pages that were open when it was used.
type meter struct {
	read func() time.Duration

	mu   sync.Mutex
	last time.Duration
	open map[*page]time.Duration
}

func newMeter(read func() time.Duration) *meter {
	return &meter{read: read, open: map[*page]time.Duration{}}
}

func (m *meter) busy() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.open) > 0
}

func (m *meter) begin(p *page) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.share()
	m.open[p] = 0
}

// end gives what a page has used.
func (m *meter) end(p *page) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.share()
	used := m.open[p]
	delete(m.open, p)
	return used
}

// share gives what was used since the last time to the open pages, in equal parts. A browser whose
// processes ended may seem to have used less than before.
func (m *meter) share() {
	now := m.read()
	if n := len(m.open); n > 0 && now > m.last {
		part := (now - m.last) / time.Duration(n)
		for p := range m.open {
			m.open[p] += part
		}
	}
	m.last = max(m.last, now)
}
