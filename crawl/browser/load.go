package browser

import (
	"context"
	"errors"
	"fmt"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/chromedp/cdproto/cdp"

	"varve/crawl/browser/devtools"
)

// errTab is wrapped when a tab that was used before did not go on to the page: another may.
var errTab = errors.New("the tab does not go on")

// errSoft is wrapped by errors that do not keep us from taking what is there.
var errSoft = errors.New("the page did not come to rest")

// load goes to the page and waits until it has loaded and is quiet, or its time for that is over.
func (p *page) load(ctx context.Context) error {
	limit, cancel := context.WithTimeout(ctx, p.c.cfg.Budget.Load)
	defer cancel()
	nav, err := devtools.Call(limit, p.session, cdppage.Navigate, cdppage.NavigateParams{URL: p.url})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case limit.Err() != nil && p.tab.used > 1 && !p.committedNow():
		return errTab
	case limit.Err() != nil:
		return fmt.Errorf("%w: no document after %s", ErrBudget, p.c.cfg.Budget.Load)
	case err != nil:
		return err
	case nav.ErrorText != "":
		return fmt.Errorf("the browser could not show it: %s", nav.ErrorText)
	}
	if err := p.awaitLoad(ctx, limit); err != nil {
		return err
	}
	if err := p.settle(ctx, p.c.cfg.Budget.Patience); err != nil {
		return err
	}
	return p.hurry(ctx)
}

// leftTime is how long the load event is waited for in a page that has sent its reader on: it may never
// come.
const leftTime = 300 * time.Millisecond

// awaitLoad waits for the load event. When it does not come in time, what is there is looked at all the
// same.
func (p *page) awaitLoad(ctx, limit context.Context) error {
	select {
	case <-p.loaded:
	case <-p.left:
		timer := time.NewTimer(leftTime)
		defer timer.Stop()
		select {
		case <-p.loaded:
		case <-timer.C:
		case <-limit.Done():
		}
	case <-limit.Done():
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// hurries is how often a page gets its timers run: one that sets a timer in each gets no further.
const hurries = 5

// hurry lets the page do what it means to do in some seconds, instead of waiting for it.
func (p *page) hurry(ctx context.Context) error {
	for range hurries {
		var n int
		if err := p.evaluatePlain(ctx, p.c.scripts.Hurry, &n); err != nil || n == 0 {
			return nil // a page that hides the hook from us waits in vain
		}
		if err := p.settle(ctx, p.c.cfg.Budget.Brief); err != nil {
			return err
		}
	}
	return nil
}

// A page on a busy machine is not quiet because nothing came for a moment. What the shortest of calls takes
// tells how busy: all waits grow with it, up to a bound.
const (
	usualCall = 12 * time.Millisecond
	slowest   = 6
)

// measure finds how slow the page is, and lets its script know.
func (p *page) measure(ctx context.Context) float64 {
	began := time.Now()
	if err := p.call(ctx, fmt.Sprintf("varve.pace(%.2f)", max(p.slow, 1)), nil); err != nil {
		return max(p.slow, 1) // whatever it was will show in the next call
	}
	now := float64(time.Since(began)) / float64(usualCall)
	p.slow = min(max((p.slow+now)/2, 1), slowest)
	return p.slow
}

// settle waits until the page is quiet, at most for the given time.
func (p *page) settle(ctx context.Context, limit time.Duration) error {
	b := p.c.cfg.Budget
	slow := p.measure(ctx)
	b.Quiet, limit = time.Duration(slow*float64(b.Quiet)), time.Duration(slow*float64(limit))
	end := time.Now().Add(max(limit, b.Quiet))
	for {
		// As long as requests are under way the page may still get what it needs: these are waited for
		// beyond the limit, up to the age at which they are stale.
		if err := p.turn.Wait(ctx, b.Quiet/3, b.Stale); err != nil {
			return err
		}
		asked, _ := p.turn.Counts()
		rest := time.Until(end)
		if rest <= 0 {
			return nil
		}
		if err := p.callFor(ctx, rest, fmt.Sprintf("varve.quiet(%d, %d)", b.Quiet.Milliseconds(), rest.Milliseconds()), nil); err != nil {
			return err
		}
		if now, _ := p.turn.Counts(); now == asked {
			return nil
		}
	}
}

// call evaluates an expression in our world of the frame that is played.
func (p *page) call(ctx context.Context, expr string, out any) error {
	return p.callFor(ctx, 0, expr, out)
}

// maxInterrupts is how often a page that hangs in a script of its own is interrupted.
const maxInterrupts = 3

// callFor is call with a script that may take its time. A page that hangs is interrupted, and asked once
// more.
func (p *page) callFor(ctx context.Context, may time.Duration, expr string, out any) error {
	err := p.refind(ctx, func() error { return p.evaluate(ctx, p.frame(), may, expr, out) })
	if err == nil || ctx.Err() != nil || !errors.Is(err, errHangs) || p.interrupted >= maxInterrupts {
		return err
	}
	p.interrupted++
	limit, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	devtools.Call(limit, p.session, runtime.TerminateExecution, cdp.Empty{})
	return p.evaluate(ctx, p.frame(), may, expr, out)
}

// errHangs is wrapped when the page does not let our script run.
var errHangs = errors.New("a script of the page does not end")
