package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

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

	proxy       *proxy.Proxy
	turn        *proxy.Turn
	context     cdp.BrowserContextID
	target      target.ID
	session     *devtools.Session
	steps       steps
	interrupted int

	loaded  chan struct{} // closed at the load event
	crashed chan struct{} // closed when the page's process is gone

	mu sync.Mutex
	trail
}

// run executes the page: open, load, behave, take, close. What was found until an error is given with
// it.
func (p *page) run(ctx context.Context, net collect.Net) (*collect.Result, error) {
	p.loaded, p.crashed = make(chan struct{}), make(chan struct{})
	defer p.close()
	if err := p.open(ctx, net); err != nil {
		return nil, fmt.Errorf("execute %s: %w", p.url, err)
	}
	live, stop := p.living(ctx)
	defer stop()
	err := p.load(live)
	if err == nil && !p.c.cfg.Still {
		err = p.behave(live)
	}
	r, takeErr := p.take(ctx, live)
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
		case <-timer.C:
			cancel(ErrBudget)
		case <-live.Done():
		}
	}()
	return live, func() { cancel(context.Canceled) }
}

// takeTime is kept for taking what is there when the time for behaviours is over.
const takeTime = 8 * time.Second

// open makes the page: a proxy, a browser context that uses it, a tab with our scripts.
func (p *page) open(ctx context.Context, net collect.Net) error {
	var err error
	if p.proxy, err = proxy.Listen(p.c.pool.authority, p.c.cfg.Proxy); err != nil {
		return err
	}
	if p.turn, err = p.proxy.Begin(ctx, p.url, net); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	root := p.m.proc.Conn.Root()
	made, err := devtools.Call(ctx, root, target.CreateBrowserContext, target.CreateBrowserContextParams{ProxyServer: "http://" + p.proxy.Addr(), ProxyBypassList: "<-loopback>"})
	if err != nil {
		return err
	}
	p.context = made.BrowserContextID
	devtools.Send(root, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: p.context})
	tab, err := devtools.Call(ctx, root, target.CreateTarget, target.CreateTargetParams{URL: "about:blank", BrowserContextID: p.context})
	if err != nil {
		return err
	}
	p.target = tab.TargetID
	flat := true
	attached, err := devtools.Call(ctx, root, target.AttachToTarget, target.AttachToTargetParams{TargetID: p.target, Flatten: &flat})
	if err != nil {
		return err
	}
	p.session = p.m.proc.Conn.Attach(string(attached.SessionID), p.event)
	return p.prepare(ctx)
}

// openTime is what opening a tab may take.
const openTime = 20 * time.Second

// prepare sets the tab up. The commands are answered in order, so only the last is waited for.
func (p *page) prepare(ctx context.Context) error {
	s := p.session
	devtools.Send(s, inspector.Enable, cdp.Empty{})
	devtools.Send(s, cdppage.Enable, cdppage.EnableParams{})
	devtools.Send(s, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*", ResourceType: "Document", RequestStage: fetch.RequestStageRequest}}})
	agent := p.c.cfg.UserAgent
	if agent == "" {
		agent = p.m.proc.Agent
	}
	devtools.Send(s, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: agent})
	devtools.Send(s, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: p.c.scripts.Hook})
	_, err := devtools.Call(ctx, s, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: p.c.scripts.Behave, WorldName: world})
	return err
}

// world is the name of the world in which our script runs.
const world = "varve"

// closeTime is what closing a tab may take; a browser that needs longer is replaced.
const closeTime = 3 * time.Second

// close gives everything back. It works on a page that hangs or has crashed, too.
func (p *page) close() {
	if p.turn != nil {
		p.turn.End()
	}
	if p.session != nil {
		p.session.Detach()
	}
	if p.context != "" && !p.m.gone() {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		if _, err := devtools.Call(ctx, p.m.proc.Conn.Root(), target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: p.context}); err != nil {
			p.stuck = true
		}
	}
	if p.proxy != nil {
		p.proxy.Close()
	}
}
