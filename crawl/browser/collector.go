package browser

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"varve/crawl/browser/behave"
	"varve/crawl/browser/devtools"
	"varve/crawl/collect"
)

// Collector executes pages. It is safe for concurrent use; browsers are started when the first page
// comes.
type Collector struct {
	cfg     Config
	rules   *behave.Rules
	scripts behave.Scripts
	pool    *pool
}

var _ collect.Collector = (*Collector)(nil)

// New makes a collector. Nothing is started, so a machine without Chromium is no error yet.
func New(cfg Config) (*Collector, error) {
	cfg.withDefaults()
	c := &Collector{cfg: cfg, rules: cfg.Rules}
	var err error
	if c.rules == nil {
		if c.rules, err = behave.Builtin(); err != nil {
			return nil, err
		}
	}
	if c.scripts, err = c.rules.Scripts(cfg.Limits, cfg.Seed); err != nil {
		return nil, err
	}
	if c.pool, err = newPool(cfg); err != nil {
		return nil, err
	}
	return c, nil
}

// Close ends all browsers, and with them the pages under way.
func (c *Collector) Close() error { return c.pool.close() }

// errCrashed is why a page ends when its process did.
var errCrashed = errors.New("the page crashed")

// ErrBudget is wrapped when a page was still at it when its time was over.
var ErrBudget = errors.New("the page's time is over")

// Collect executes the page. When its browser dies under it, or its tab does not go on, it is tried once
// more.
func (c *Collector) Collect(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error) {
	began := time.Now()
	if u, err := url.Parse(a.URL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("execute %.200q: only pages of the web are", a.URL)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.cfg.Budget.Wall+startTime, ErrBudget)
	defer cancel()
	var total collect.Cost
	for try := 1; ; try++ {
		r, err := c.once(ctx, a, net)
		if r != nil {
			total.CPU += r.Cost.CPU
			total.Requests += r.Cost.Requests
			total.Wall = time.Since(began)
			r.Cost = total
		}
		if err == nil || try == 2 || ctx.Err() != nil || errors.Is(err, ErrBudget) || !errors.Is(err, errLost) && !errors.Is(err, errTab) {
			return r, err
		}
		c.cfg.Log.Info("page is tried again", "url", a.URL, "cause", err)
	}
}

// startTime is what starting a browser may take beside a page's time.
const startTime = 30 * time.Second

// errLost is wrapped when a page ended because its browser did.
var errLost = errors.New("the browser was lost")

// once executes the page in one browser.
func (c *Collector) once(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error) {
	m, err := c.pool.acquire(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.cfg.Budget.Wall, ErrBudget)
	defer cancel()
	p := &page{c: c, m: m, url: a.URL, began: time.Now()}
	m.meter.begin(p)
	r, err := p.run(ctx, net)
	if r != nil {
		r.Cost.CPU = m.meter.end(p)
	} else {
		m.meter.end(p)
	}
	sick := p.stuck || m.gone()
	c.pool.release(m, sick)
	if err != nil && (m.gone() || errors.Is(err, devtools.ErrClosed)) {
		err = fmt.Errorf("%w: %w", errLost, err)
	}
	return r, err
}
