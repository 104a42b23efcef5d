package crawl

import (
	"context"
	"errors"
	"fmt"
	"time"

	"varve/crawl/collect"
	"varve/crawl/fetch"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/web/canon"
	"varve/web/robots"
)

// exchange makes the request when politeness and robots.txt let it. The result is nil where no request
// was made.
func (n *pageNet) exchange(ctx context.Context, w *Worker, q *question, v *Visit) (*held, error) {
	r := n.r
	for {
		lease, err := n.admitted(ctx, w, q, v)
		if err != nil {
			return nil, err
		}
		if lease == nil {
			continue // robots.txt was asked for
		}
		req := w.request(v)
		req.Method, req.Body, req.Header = q.method, q.body, append(req.Header, q.header...)
		q.cookies(req, r.jar)
		if q.plain() && v.queued() {
			r.askConditionally(req, v)
		}
		sent, done := n.outlive(ctx)
		x, err := r.engine.cfg.Fetcher.Fetch(sent, req)
		cut := sent.Err() != nil
		done()
		h := hold(x)
		v.took(x, err)
		outcome := outcomeOf(x, err, w.now())
		pause := r.engine.polite.Release(lease, outcome, w.now())
		if err != nil && cut {
			h.release()
			return nil, errors.Join(context.Cause(ctx), err) // we gave up, not the server
		}
		if q.plain() && v.queued() {
			r.retry(v, err, pause, w.now())
		}
		if !cut {
			r.noteReach(v, outcome, w.now())
		}
		if v.answered() {
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
func (n *pageNet) admitted(ctx context.Context, w *Worker, q *question, v *Visit) (*polite.Lease, error) {
	r := n.r
	if f, gone := r.reach.givenUp(authorityOf(v.url)); gone {
		return nil, fmt.Errorf("%s: %w", f.Why, collect.ErrRefused)
	}
	answer, err := r.engine.cfg.Fetcher.Resolve(ctx, v.url.Host())
	if err != nil {
		return nil, err
	}
	if len(answer.Addrs) == 0 {
		return nil, &fetch.Error{Class: fetch.NoName, URL: v.url.String()}
	}
	lease, err := n.lease(ctx, v.item.Host, answer.Addrs[0], q.part)
	if err != nil || r.ignoresRobots(v.settings) {
		return lease, err
	}
	known, fresh := r.robots.of(authorityOf(v.url), w.now())
	if !fresh {
		w.fetchRobots(ctx, v.url, lease)
		return nil, context.Cause(ctx)
	}
	if known.Access == robots.Closed {
		w.abandon(lease)
		return nil, fmt.Errorf("robots.txt: %s: %w", known.Why, collect.ErrRefused)
	}
	if verdict := known.rules.Test(v.url.Target()); !verdict.Allowed {
		w.abandon(lease)
		return nil, fmt.Errorf("robots.txt: %w", collect.ErrRefused)
	}
	return lease, nil
}

// begin takes a place for one more visit, or tells why it is not made.
func (n *pageNet) begin(q *question, v *Visit) string {
	n.r.budget.Lock()
	defer n.r.budget.Unlock()
	why := n.forbidden(q, v)
	if why == "" {
		n.r.busy.Add(1)
	}
	return why
}

// forbidden tells why a request is not made: scope, the budget of the crawl or of the host, or the
// curator.
func (n *pageNet) forbidden(q *question, v *Visit) string {
	r := n.r
	v.settings = r.scope.Load().Settings(v.url.Host())
	c := scope.Candidate{URL: q.url, Hops: scope.Hops(q.hops)}
	c.Via, _ = canon.Parse(n.page.item.URL)
	if d := r.scope.Load().Decide(&c, r.seeds); !d.Accepted() {
		return "scope: " + d.String()
	}
	if p := v.settings.Paused; p != nil && *p {
		return parkedByCurator
	}
	t, busy, most := r.tally.totals(), r.busy.Load(), r.most.Load()
	switch {
	case most.MaxURLs > 0 && t.URLs-t.Again+busy >= most.MaxURLs:
		return "budget: max-urls"
	case most.MaxBytes > 0 && t.Bytes-t.AgainBytes+r.got.Load() >= most.MaxBytes:
		return "budget: max-bytes"
	}
	if over, why := r.hostOverBudget(v); over && why != "" {
		return "budget of the host: " + why
	}
	return ""
}

// plan puts the visit into the group of its page, in a planned crawl.
func (n *pageNet) plan(q *question, v *Visit, unseen bool) error {
	if !q.plain() {
		return nil // its answer depends on more than its URL: nothing to compare it with
	}
	if unseen {
		n.r.coh.dress(&v.item, n.page, q.link())
	}
	return n.r.coh.plan(v)
}
