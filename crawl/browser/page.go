package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"

	"varve/crawl/browser/devtools"
	"varve/crawl/browser/proxy"
	"varve/crawl/collect"
)

// page is one execution of a page.
type page struct {
	c     *Collector
	m     *member
	url   string
	began time.Time
	stuck bool // its tab did not close: the browser is not to be trusted any more

	tab         *tab
	turn        *proxy.Turn
	session     *devtools.Session
	steps       steps
	interrupted int
	slow        float64     // how many times longer than usual the page takes to answer; at least 1 once measured
	inside      cdp.FrameID // the frame that is played, where it is not the main one

	loaded  chan struct{} // closed at the load event
	left    chan struct{} // closed when the page sends its reader on before it has loaded
	crashed chan struct{} // closed when the page's process is gone

	mu sync.Mutex
	trail
}

// run executes the page: open, load, behave, take, close. What was found until an error is given with
// it.
func (p *page) run(ctx context.Context, net collect.Net) (*collect.Result, error) {
	p.loaded, p.left, p.crashed = make(chan struct{}), make(chan struct{}), make(chan struct{})
	if err := p.open(ctx, net); err != nil {
		return nil, fmt.Errorf("execute %s: %w", p.url, err)
	}
	live, stop := p.living(ctx)
	defer stop()
	healthy := false
	defer func() { p.close(healthy) }()
	err := p.load(live)
	if err == nil && !p.c.cfg.Still {
		err = p.behave(live)
	}
	r, takeErr := p.take(ctx, live)
	healthy = err == nil && takeErr == nil && p.interrupted == 0
	if err == nil || errors.Is(err, errSoft) {
		err = takeErr
	}
	if err != nil {
		err = fmt.Errorf("execute %s: %w", p.url, err)
	}
	return r, err
}

// living gives a context that ends with the page's process, and some time before the whole: what is
// there must be taken, too.
func (p *page) living(ctx context.Context) (context.Context, context.CancelFunc) {
	live, cancel := context.WithCancelCause(ctx)
	reserve := min(p.c.cfg.Budget.Wall/5, takeTime)
	timer := time.NewTimer(max(p.c.cfg.Budget.Wall-time.Since(p.began)-reserve, 0))
	go func() {
		defer timer.Stop()
		select {
		case <-p.crashed:
			cancel(errCrashed)
		case <-p.m.proc.Conn.Done():
			cancel(devtools.ErrClosed)
		case <-timer.C:
			cancel(ErrBudget)
		case <-live.Done():
		}
	}()
	return live, func() { cancel(context.Canceled) }
}

// takeTime is kept for taking what is there when the time for behaviours is over.
const takeTime = 8 * time.Second

// open takes a tab and its proxy.
func (p *page) open(ctx context.Context, net collect.Net) error {
	t, err := p.m.take(ctx, p.c)
	if err != nil {
		return err
	}
	if p.turn, err = t.proxy.Begin(ctx, p.url, net); err != nil {
		t.close()
		return err
	}
	p.tab, p.session = t, t.session
	t.used++
	t.page.Store(p)
	return nil
}

// close gives the tab back. One in which something went wrong is not used again.
func (p *page) close(healthy bool) {
	if healthy {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		healthy = p.call(ctx, "varve.end()", nil) == nil
	}
	p.turn.End()
	p.tab.page.Store(nil)
	if healthy && p.tab.rest(p.url) {
		p.m.put(p.tab)
		return
	}
	p.stuck = !p.tab.close()
}
