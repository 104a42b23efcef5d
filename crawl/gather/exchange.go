package gather

import (
	"context"
	"errors"
	"fmt"
	"time"

	"varve/crawl"
	"varve/crawl/collect"
	"varve/crawl/fetch"
	"varve/crawl/polite"
)

// exchange makes the request when politeness and robots.txt let it. The result is nil where no request
// was made.
func (n *pageNet) exchange(ctx context.Context, w *crawl.Worker, q *question, v *crawl.Visit) (*crawl.Held, error) {
	for {
		lease, err := n.admitted(ctx, w, q, v)
		if err != nil {
			return nil, err
		}
		if lease == nil {
			continue // robots.txt was asked for
		}
		req := w.Request(v)
		req.Method, req.Body, req.Header = q.method, q.body, append(req.Header, q.header...)
		q.cookies(req, n.r.Jar())
		sent, done := n.outlive(ctx)
		h, err := w.Exchange(sent, v, req, lease)
		done()
		if h == nil {
			return nil, errors.Join(context.Cause(ctx), err)
		}
		if v.Answered() {
			err = nil // what there is of it is told by Truncated
		}
		return h, err
	}
}

// lastWords is how long an exchange may take on when nobody waits for it any more: what a server has sent
// is worth a record.
const lastWords = 2 * time.Second

// outlive gives a context that ends a little after another one, or with the run.
func (n *pageNet) outlive(ctx context.Context) (context.Context, func()) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stopRun := context.AfterFunc(n.c.ctx, cancel)
	stop := context.AfterFunc(ctx, func() {
		timer := time.AfterFunc(lastWords, cancel)
		context.AfterFunc(longer, func() { timer.Stop() })
	})
	return longer, func() { stop(); stopRun(); cancel() }
}

// admitted waits for politeness and asks robots.txt. Without a lease and an error, robots.txt has
// just been fetched.
func (n *pageNet) admitted(ctx context.Context, w *crawl.Worker, q *question, v *crawl.Visit) (*polite.Lease, error) {
	if why, gone := n.r.GivenUp(v.URL()); gone {
		return nil, fmt.Errorf("%s: %w", why, collect.ErrRefused)
	}
	answer, err := n.r.Resolve(ctx, v.URL().Host())
	if err != nil {
		return nil, err
	}
	if len(answer.Addrs) == 0 {
		return nil, &fetch.Error{Class: fetch.NoName, URL: v.URL().String()}
	}
	lease, err := n.lease(ctx, v.Item().Host, answer.Addrs[0], q.part)
	if err != nil {
		return nil, err
	}
	switch asked, refusal := w.Allowed(ctx, v, lease); {
	case asked:
		return nil, context.Cause(ctx)
	case refusal != "":
		return nil, fmt.Errorf("%s: %w", refusal, collect.ErrRefused)
	}
	return lease, nil
}
