package browser

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"varve/crawl/browser/chromium"
	"varve/crawl/browser/proxy"
	"varve/web/ca"
)

// pool holds the running browsers.
type pool struct {
	cfg       Config
	authority *ca.Authority
	nowhere   *proxy.Proxy // for all that belongs to no page: it never has a turn
	slots     chan struct{}
	starting  sync.Mutex
	ending    sync.WaitGroup

	mu      sync.Mutex
	path    string
	members []*member
	closed  bool
}

var errClosed = errors.New("the collector is closed")

func newPool(cfg Config) (*pool, error) {
	authority, err := ca.New("Varve crawl", time.Now)
	if err != nil {
		return nil, err
	}
	return &pool{cfg: cfg, authority: authority, slots: make(chan struct{}, cfg.Browsers*cfg.Tabs)}, nil
}

// acquire gives a browser with room for a page. It must be released.
func (p *pool) acquire(ctx context.Context) (*member, error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	m, err := p.member(ctx)
	if err != nil {
		<-p.slots
	}
	return m, err
}

// member finds or starts a browser.
func (p *pool) member(ctx context.Context) (*member, error) {
	if m, err := p.pick(); m != nil || err != nil {
		return m, err
	}
	p.starting.Lock()
	defer p.starting.Unlock()
	if m, err := p.pick(); m != nil || err != nil { // somebody has started one meanwhile
		return m, err
	}
	if err := p.prepare(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	proc, err := chromium.Start(ctx, chromium.Config{
		Path: p.path, Dir: p.cfg.Dir, Proxy: p.nowhere.Addr(), SPKI: p.authority.SPKI(), Language: p.cfg.Language, NoSandbox: p.cfg.NoSandbox, Heap: 768,
	})
	if err != nil {
		return nil, err
	}
	m := newMember(proc, p.cfg)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.members = append(p.members, m)
	if p.closed {
		p.end(m)
		return nil, errClosed
	}
	m.active, m.served = 1, 1
	p.cfg.Log.Info("browser started", "pid", proc.PID(), "version", proc.Version)
	return m, nil
}

// prepare does what is done before the first browser.
func (p *pool) prepare() error {
	if p.path == "" {
		path, err := chromium.Find(p.cfg.Path)
		if err != nil {
			return err
		}
		chromium.Sweep(p.cfg.Dir, time.Now())
		p.path = path
	}
	if p.nowhere == nil {
		var err error
		if p.nowhere, err = proxy.Listen(p.authority, p.cfg.Proxy); err != nil {
			return err
		}
	}
	return nil
}

// pick gives the browser with the fewest pages among those that take more, or nil when another is to
// be started.
func (p *pool) pick() (*member, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errClosed
	}
	var best *member
	n := 0
	for _, m := range slices.Clone(p.members) {
		if m.gone() && m.active == 0 {
			p.end(m) // it died while it had nothing to do
		}
		if m.leaving || m.gone() {
			continue
		}
		n++
		if m.active < p.cfg.Tabs && (best == nil || m.active < best.active) {
			best = m
		}
	}
	if best == nil || best.active > 0 && n < p.cfg.Browsers {
		return nil, nil
	}
	best.active++
	best.served++
	if best.served >= p.cfg.Pages {
		best.leaving = true
	}
	return best, nil
}

// release gives a browser back. One that is sick takes no more pages.
func (p *pool) release(m *member, sick bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m.active--
	if sick || m.heavy.Load() {
		m.leaving = true
	}
	if m.active == 0 && (m.leaving || m.gone()) {
		p.end(m)
	}
	<-p.slots
}

// end takes a browser out of the pool. The lock is held.
func (p *pool) end(m *member) {
	i := slices.Index(p.members, m)
	if i < 0 {
		return // somebody has done so
	}
	p.members = slices.Delete(p.members, i, i+1)
	p.ending.Go(func() {
		if err := m.close(); err != nil {
			p.cfg.Log.Warn("profile of a browser not removed", "error", err)
		}
		p.cfg.Log.Info("browser ended", "pid", m.proc.PID(), "pages", m.served)
	})
}

func (p *pool) close() error {
	p.mu.Lock()
	p.closed = true
	for len(p.members) > 0 {
		p.end(p.members[0])
	}
	p.mu.Unlock()
	p.ending.Wait()
	p.starting.Lock() // nobody is in prepare
	defer p.starting.Unlock()
	if p.nowhere == nil {
		return nil
	}
	nowhere := p.nowhere
	p.nowhere = nil
	return nowhere.Close()
}
