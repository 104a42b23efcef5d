package browser

import (
	"context"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/cdproto/target"

	"varve/crawl/browser/devtools"
	"varve/crawl/browser/proxy"
)

// tab is a browser context with one page in it and a proxy of its own. Pages use it one after another:
// a new one costs six times as much as going on in an old one. In between, the scripts of the last page
// are stopped and what it stored is removed; what it has cached stays for a while, as the crawl has it,
// too.
type tab struct {
	c       *Collector
	m       *member
	proxy   *proxy.Proxy
	context cdp.BrowserContextID
	target  target.ID
	session *devtools.Session
	made    time.Time
	used    int
	page    atomic.Pointer[page] // that has it

	// Of the member, while the tab is idle.
	since  time.Time
	parked bool
}

// parkAfter is how long a tab shows its last page while it waits for the next: an empty page costs
// nothing, but going there does.
const parkAfter = 500 * time.Millisecond

// park shows an empty page.
func (t *tab) park() {
	t.parked = true
	devtools.Send(t.session, cdppage.Navigate, cdppage.NavigateParams{URL: "about:blank"})
}

// tabAge is how old a tab may get: its cache must not hide for long that something has changed.
const tabAge = 5 * time.Minute

// openTime is what opening a tab may take.
const openTime = 20 * time.Second

// closeTime is what closing a tab may take; a browser that needs longer is replaced.
const closeTime = 3 * time.Second

// world is the name of the world in which our script runs.
const world = "varve"

// openTab makes a tab: a proxy, a browser context that uses it, a page with our scripts.
func openTab(ctx context.Context, c *Collector, m *member) (*tab, error) {
	t := &tab{c: c, m: m, made: time.Now()}
	var err error
	if t.proxy, err = proxy.Listen(c.pool.authority, c.cfg.Proxy); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	if err := t.create(ctx); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

func (t *tab) create(ctx context.Context) error {
	root := t.m.proc.Conn.Root()
	made, err := devtools.Call(ctx, root, target.CreateBrowserContext, target.CreateBrowserContextParams{ProxyServer: "http://" + t.proxy.Addr(), ProxyBypassList: "<-loopback>"})
	if err != nil {
		return err
	}
	t.context = made.BrowserContextID
	devtools.Send(root, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: t.context})
	created, err := devtools.Call(ctx, root, target.CreateTarget, target.CreateTargetParams{URL: "about:blank", BrowserContextID: t.context})
	if err != nil {
		return err
	}
	t.target = created.TargetID
	flat := true
	attached, err := devtools.Call(ctx, root, target.AttachToTarget, target.AttachToTargetParams{TargetID: t.target, Flatten: &flat})
	if err != nil {
		return err
	}
	t.session = t.m.proc.Conn.Attach(string(attached.SessionID), t.event)
	return t.prepare(ctx)
}

// prepare sets the tab up. The commands are answered in order, so only the last is waited for.
func (t *tab) prepare(ctx context.Context) error {
	s := t.session
	devtools.Send(s, inspector.Enable, cdp.Empty{})
	devtools.Send(s, cdppage.Enable, cdppage.EnableParams{})
	devtools.Send(s, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*", ResourceType: "Document", RequestStage: fetch.RequestStageRequest}}})
	agent := t.c.cfg.UserAgent
	if agent == "" {
		agent = t.m.proc.Agent
	}
	devtools.Send(s, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: agent})
	devtools.Send(s, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: t.c.scripts.Hook})
	_, err := devtools.Call(ctx, s, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: t.c.scripts.Behave, WorldName: world})
	return err
}

// event hands an event to the page that has the tab.
func (t *tab) event(method string, params []byte) {
	if p := t.page.Load(); p != nil {
		p.event(method, params)
		return
	}
	if method == fetch.RequestPaused.Method { // nobody wants to go anywhere
		if e, err := devtools.Decode(fetch.RequestPaused, params); err == nil {
			devtools.Send(t.session, fetch.FailRequest, fetch.FailRequestParams{RequestID: e.RequestID, ErrorReason: aborted})
		}
	}
}

// rest leaves the tab as the next page should find it. It tells whether the tab can be used again.
func (t *tab) rest(last string) bool {
	if t.used >= t.c.cfg.Reuse || time.Since(t.made) > tabAge {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	if u, err := url.Parse(last); err == nil {
		devtools.Send(t.session, storage.ClearDataForOrigin, storage.ClearDataForOriginParams{Origin: u.Scheme + "://" + u.Host, StorageTypes: "local_storage,indexeddb,service_workers,cache_storage,file_systems,websql"})
	}
	_, err := devtools.Call(ctx, t.m.proc.Conn.Root(), storage.ClearCookies, storage.ClearCookiesParams{BrowserContextID: t.context})
	return err == nil
}

// close gives everything back, also when the page in it hangs or has crashed. It tells whether the
// browser did as it was told.
func (t *tab) close() bool {
	ok := true
	if t.session != nil {
		t.session.Detach()
	}
	if t.context != "" && !t.m.gone() {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		_, err := devtools.Call(ctx, t.m.proc.Conn.Root(), target.DisposeBrowserContext, target.DisposeBrowserContextParams{BrowserContextID: t.context})
		ok = err == nil
	}
	t.proxy.Close()
	return ok
}
