package gather

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"varve/archive/warc"
	"varve/crawl"
	"varve/crawl/collect"
	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/crawl/polite"
)

// pageNet is the Net of one visit that is collected.
//
//	Fetch:  check the request -> key
//	        somebody fetches the key?      wait, and take the same answer
//	        the crawl has it?              the record, read back
//	        scope, budget, settings        or refused
//	        door of the host, politeness, robots.txt
//	        fetch -> records -> visit, handed to the committer -> answer, out of memory or the spool
//
// What is fetched is a visit like any other: its links are queued, it is counted and logged, and
// settled by the commit; a URL that was queued leaves the queue. So a replay of the WARC files after a
// kill settles it as well.
type pageNet struct {
	c    *Stage
	r    *crawl.Run
	page *crawl.Visit
	by   string           // the collectors at work
	own  map[string]uint8 // keys that the parser found on the page

	ctx   context.Context // of the collector: what outlives its call is given up
	under sync.WaitGroup  // requests

	mu     sync.Mutex
	closed bool
	burst  map[string]int // parts that went ahead, by host
	yield  collect.Yield
}

var _ collect.Net = (*pageNet)(nil)

// Fetch gives the answer to a collector's request.
func (n *pageNet) Fetch(ctx context.Context, req *collect.Request) (*collect.Response, error) {
	if !n.enter() {
		return nil, fmt.Errorf("fetch %.200q: the collector's time is over: %w", req.URL, collect.ErrRefused)
	}
	defer n.under.Done()
	q, err := questionOf(req, n.page)
	if err != nil {
		return nil, fmt.Errorf("fetch %.200q: %w", req.URL, err)
	}
	both, cancel := context.WithCancelCause(n.ctx)
	defer cancel(nil)
	defer context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })()
	return n.find(both, q)
}

// enter counts a request under way, if the collector has time left.
func (n *pageNet) enter() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.closed {
		n.under.Add(1)
	}
	return !n.closed
}

// close ends the Net when its collector has returned; requests that it left behind have been given up.
func (n *pageNet) close() {
	n.mu.Lock()
	n.closed = true
	n.mu.Unlock()
	n.under.Wait()
}

// find gives the answer, from whoever fetches it, from the records, or from the server.
func (n *pageNet) find(ctx context.Context, q *question) (*collect.Response, error) {
	for {
		if err := errors.Join(n.r.FatalError(), context.Cause(ctx)); err != nil {
			return nil, err
		}
		p, mine := n.c.answers.claim(q.key)
		if mine {
			resp, again, err := n.answer(ctx, q)
			if again {
				continue
			}
			if err != nil {
				err = fmt.Errorf("fetch %.200q: %w", q.url.String(), err)
			}
			return resp, err
		}
		select {
		case <-p.done:
			if q.fresh {
				return n.beside(ctx, q)
			}
		default:
		}
		select {
		case <-p.done:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if src := n.c.answers.source(p); src != nil {
			resp, ok, err := src.open()
			if ok {
				resp.Cached = true
			}
			if ok || err != nil {
				return resp, err
			}
		}
	}
}

// beside asks the server for what has an answer that the frontier does not know yet: both stand beside
// each other.
func (n *pageNet) beside(ctx context.Context, q *question) (*collect.Response, error) {
	again := *q
	again.key = ""
	v := n.r.NewPart(q.url, q.item(frontier.Entry{}, n.page), !q.plain())
	v.Detach()
	resp, _, err := n.fetch(ctx, &again, v, false)
	return resp, err
}

// answer finds or fetches what was claimed. Again means that all must be looked at anew.
func (n *pageNet) answer(ctx context.Context, q *question) (resp *collect.Response, again bool, err error) {
	known, err := n.r.Frontier().Lookup(q.key)
	if err != nil {
		n.letGo(q.key)
		return nil, false, err
	}
	switch {
	case known.State == frontier.InFlight:
		// A worker took it before collectors had a say, or lost it; its visit is about to end.
		n.letGo(q.key)
		return nil, true, n.pause(ctx)
	case known.State == frontier.Done && !q.fresh:
		n.letGo(q.key)
		at, ok := crawl.ParseLocation(known.Outcome.Record)
		if !ok {
			return nil, false, fmt.Errorf("it failed before, with code %d", known.Outcome.Status)
		}
		resp, _, err = recorded{n.r, at.File, warc.Place{Offset: at.Offset, URI: q.url.String()}}.open()
		return resp, false, err
	case known.State == frontier.Dropped && q.band >= known.Band: // else it was refused for a worse reason than the page has
		n.letGo(q.key)
		return nil, false, fmt.Errorf("%s: %w", known.Reason, collect.ErrRefused)
	}
	v := n.r.NewPart(q.url, q.item(known, n.page), !q.plain())
	if known.State == frontier.Done {
		v.Detach() // it is settled: this answer stands beside it
	}
	resp, handed, err := n.fetch(ctx, q, v, known.State == frontier.Unseen || known.State == frontier.Dropped)
	if !handed {
		n.letGo(q.key)
	}
	return resp, false, err
}

// letGo ends a claim that came to nothing.
func (n *pageNet) letGo(key string) { n.c.Settled(key) }

// pause waits a moment for somebody else.
func (n *pageNet) pause(ctx context.Context) error {
	timer := n.r.Clock().NewTimer(10 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// fetch asks the server. Handed tells that the visit is with the committer, who ends the claim.
func (n *pageNet) fetch(ctx context.Context, q *question, v *crawl.Visit, unseen bool) (resp *collect.Response, handed bool, err error) {
	r := n.r
	if why := r.BeginPart(v, q.hops, n.page.Item().URL); why != "" {
		return nil, false, fmt.Errorf("%s: %w", why, collect.ErrRefused)
	}
	defer func() {
		if !handed {
			r.EndPart()
		}
	}()
	if v.Queued() && q.plain() { // else its answer depends on more than its URL: nothing is known of it
		link := q.link()
		if !unseen {
			link = nil
		}
		if err := r.Enter(v, n.page, link); err != nil {
			return nil, false, fmt.Errorf("%w: %w", err, collect.ErrRefused)
		}
	}
	leave, err := n.c.hosts.acquire(ctx, v.Item().Host)
	if err != nil {
		return nil, false, err
	}
	w := n.c.worker()
	defer n.c.give(w)
	h, err := n.exchange(ctx, w, q, v)
	leave()
	if h == nil {
		return nil, false, err
	}
	defer h.Release()
	if v.Answered() && !v.Refused() {
		w.Examine(v, h)
	}
	switch {
	case v.Refused(): // by a rule of the scope, when the answer was there
		n.count(q, v, unseen)
		if !v.Queued() {
			n.c.answers.drop(q.key) // no commit will
		}
		r.Hand(v)
		return nil, true, fmt.Errorf("%s: %w", v.Reason(), collect.ErrRefused)
	case v.Answered():
		if n.c.takePart(v, w.Answer(v, h), n.by) {
			n.count(q, v, unseen)
			resp, _, err := n.c.sourceOf(v, h).open()
			return resp, true, err
		}
		if err := w.Record(v, h); err != nil {
			r.Fail(err)
			return nil, false, err
		}
	case !q.plain() || !v.Queued():
		return nil, false, err // nothing came, and no worker will ask for it
	}
	resp, rerr := n.settle(q, v, h, unseen)
	return resp, true, errors.Join(err, rerr)
}

// settle hands the visit to the committer and gives the answer.
func (n *pageNet) settle(q *question, v *crawl.Visit, h *crawl.Held, unseen bool) (*collect.Response, error) {
	n.count(q, v, unseen)
	if !v.Answered() {
		n.r.Hand(v) // its failure is settled; whoever waits for it finds that
		return nil, nil
	}
	src := source(fetched{h, v.RecordID()})
	ref, digest := v.RefersTo()
	if v.Status() == 304 && digest != "" {
		src = original(n.r, ref)
	}
	resp, ok, err := src.open()
	if err == nil && !ok {
		err = errors.New("the answer is gone")
	}
	if digest != "" {
		n.c.answers.have(q.key, original(n.r, ref))
	} else {
		n.c.answers.have(q.key, recordOf(n.r, v))
	}
	if !v.Queued() {
		n.c.answers.drop(q.key) // no commit will
	}
	n.r.Hand(v)
	return resp, err
}

// count notes what the request brought.
func (n *pageNet) count(q *question, v *crawl.Visit, unseen bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.yield.Cost.Requests++
	_, parsed := n.own[q.key]
	switch {
	case v.Status() >= 400:
		n.yield.Missing++
	case v.Status() >= 200 && v.Status() < 300 && unseen && !parsed:
		n.yield.Parts++
	}
}

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
