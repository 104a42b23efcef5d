package fetch

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Client fetches. One per process is enough: it is safe for concurrent use and crawls share its
// connections and DNS answers; what belongs to one crawl comes with the Request.
type Client struct {
	cfg     Config
	basics  basics
	guard   guard
	dns     *resolver
	tls     tlsSettings
	pool    *pool
	h2      h2Hosts
	buffers bufferPool
	pieces  sync.Pool
}

// New makes a Client. The error tells all that is wrong with the configuration.
func New(cfg Config) (*Client, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	return &Client{
		cfg:    cfg,
		basics: newBasics(&cfg),
		guard:  guard{allowPrivate: cfg.AllowPrivate},
		dns:    newResolver(&cfg),
		tls:    newTLSSettings(&cfg.TLS),
		pool:   newPool(cfg.Pool),
	}, nil
}

// Close closes the kept connections. Fetches under way end by themselves.
func (c *Client) Close() error {
	c.dns.close()
	c.pool.close()
	return nil
}

// Resolve gives the addresses of a host as Fetch would find them: overrides first, then the
// cache, then DNS. A new lookup gives a new Answer. Proxies and the guard have no part in it.
func (c *Client) Resolve(ctx context.Context, host string) (*Answer, error) {
	return c.dns.lookup(ctx, host)
}

// Fetch sends the request and reads the answer. The Exchange is never nil and must be released.
// The error is nil when the whole answer is there, whatever its status; else it is an *Error, and
// if the head did come, Exchange.Truncated says why the body is not whole.
func (c *Client) Fetch(ctx context.Context, r *Request) (*Exchange, error) {
	x := c.newExchange()
	k := call{client: c, ctx: ctx, req: r, x: x}
	k.begin()
	err := k.run()
	x.Timings.Total = c.cfg.Clock.Now().Sub(x.Timings.Start)
	x.pieces.tally.sum(&x.Digests)
	x.PayloadSize = x.pieces.tally.size
	if err == nil {
		return x, nil
	}
	e := k.explain(err)
	if x.Head.Status != 0 {
		x.Truncated = e.reason()
	}
	return x, e
}

// call is one Fetch under way.
type call struct {
	client *Client
	ctx    context.Context
	req    *Request
	x      *Exchange
	target Target
	proxy  *Proxy    // nil: direct
	end    time.Time // when the total time is up
	limits Limits

	cn      *conn
	pace    pace
	began   bool  // a byte of the answer has come
	blank   int   // bytes of empty lines before the head
	readErr error // came with the last bytes
}

// begin sets the limits of this call.
func (k *call) begin() {
	cfg := &k.client.cfg
	k.x.Timings.Start = cfg.Clock.Now()
	total := cfg.Timeouts.Total
	if k.req.MaxTime > 0 {
		total = k.req.MaxTime
	}
	k.end = time.Now().Add(total)
	k.limits = cfg.Limits
	if k.req.MaxBody > 0 {
		k.limits.Body = k.req.MaxBody
	}
}

// run makes the request and exchanges it, a second time where the first met a dead connection.
func (k *call) run() error {
	if err := k.prepare(); err != nil {
		return as(BadRequest, err)
	}
	onlyH2, known := k.client.h2.get(k.target.Host, k.target.Port)
	if onlyH2 {
		return k.runH2()
	}
	err := k.attempt(false)
	if err != nil && k.x.Reused && k.silentEnd(err) {
		k.restart()
		err = k.attempt(true)
	}
	if !known && k.wantsH2(err) {
		return k.tryH2(err)
	}
	return err
}

// prepare takes the URL apart and builds the bytes of the request.
func (k *call) prepare() (err error) {
	if k.target, err = ParseTarget(k.req.URL); err != nil {
		return err
	}
	k.proxy = k.client.proxyFor(k.target.Host)
	absolute := k.proxy != nil && k.proxy.absolute() && !k.target.TLS
	b := k.x.pieces.request[:0]
	k.x.RequestBytes, err = k.client.basics.appendRequest(b, k.req, &k.target, absolute, k.client.cfg.Pool.PerHost > 0)
	return err
}

// attempt gets a connection, speaks, and keeps or closes the connection.
func (k *call) attempt(fresh bool) error {
	if err := k.connect(fresh); err != nil {
		return err
	}
	keep, err := k.speak()
	if err == nil && keep {
		k.client.pool.put(k.cn)
		return nil
	}
	k.cn.close()
	return err
}

// silentEnd tells whether the connection ended before any byte of an answer, and the request may
// be sent again.
func (k *call) silentEnd(err error) bool {
	if k.x.Response.Size() > 0 || len(k.x.Interim) > 0 || !k.req.idempotent() || k.ctx.Err() != nil {
		return false
	}
	class := classIn(err)
	return class == Reset || class == Disconnect
}

// restart forgets what an attempt brought.
func (k *call) restart() {
	x := k.x
	_ = x.Response.Close() // a temporary file at worst
	x.Response.reset()
	x.pieces.tally.reset()
	start, request := x.Timings.Start, x.RequestBytes
	*x = Exchange{client: x.client, pieces: x.pieces, Response: x.Response, RequestBytes: request, Notes: x.Notes}
	x.Timings.Start = start
	k.began, k.blank, k.readErr, k.pace = false, 0, nil, pace{}
}

// explain turns what happened into the error that the caller sees.
func (k *call) explain(err error) *Error {
	e := &Error{Class: Local, URL: k.target.redact(k.req.URL), Err: err}
	var f *fault
	if errors.As(err, &f) {
		e.Class, e.Err = f.class, f.err
	}
	switch {
	case k.ctx.Err() != nil && errors.Is(k.ctx.Err(), context.DeadlineExceeded):
		e.Class = TotalTimeout
	case k.ctx.Err() != nil && e.Class != BadRequest:
		e.Class, e.Err = Canceled, context.Cause(k.ctx)
	case e.Timeout() && e.Class != TooSlow && !time.Now().Before(k.end):
		e.Class = TotalTimeout
	}
	return e
}

// until gives the deadline of a phase that may take d.
func (k *call) until(d time.Duration) time.Time {
	t := time.Now().Add(d)
	if t.After(k.end) {
		return k.end
	}
	return t
}
