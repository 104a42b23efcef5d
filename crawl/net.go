package crawl

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"varve/archive/warc"
	"varve/crawl/collect"
	"varve/crawl/frontier"
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
	c    *collecting
	r    *Run
	page *Visit
	by   string              // the collectors at work
	own  map[string]struct{} // keys that the parser found on the page

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
		if err := errors.Join(n.r.fatalError(), context.Cause(ctx)); err != nil {
			return nil, err
		}
		p, mine := n.r.answers.claim(q.key)
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
		if src := n.r.answers.source(p); src != nil {
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
	v := &Visit{url: q.url, item: q.item(frontier.Entry{}, n.page), started: n.r.engine.cfg.Clock.Now(), part: true, asked: &again}
	v.item.Key = ""
	resp, _, err := n.fetch(ctx, &again, v, false)
	return resp, err
}

// answer finds or fetches what was claimed. Again means that all must be looked at anew.
func (n *pageNet) answer(ctx context.Context, q *question) (resp *collect.Response, again bool, err error) {
	known, err := n.r.frontier.Lookup(q.key)
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
		at, ok := parseLocation(known.Outcome.Record)
		if !ok {
			return nil, false, fmt.Errorf("it failed before, with code %d", known.Outcome.Status)
		}
		resp, _, err = recorded{n.r, at.File, warc.Place{Offset: at.Offset, URI: q.url.String()}}.open()
		return resp, false, err
	case known.State == frontier.Dropped:
		n.letGo(q.key)
		return nil, false, fmt.Errorf("%s: %w", known.Reason, collect.ErrRefused)
	}
	v := &Visit{url: q.url, item: q.item(known, n.page), started: n.r.engine.cfg.Clock.Now(), part: true, asked: q}
	if known.State == frontier.Done {
		v.item.Key = "" // it is settled: this answer stands beside it
	}
	resp, handed, err := n.fetch(ctx, q, v, known.State == frontier.Unseen)
	if !handed {
		n.letGo(q.key)
	}
	return resp, false, err
}

// letGo ends a claim that came to nothing.
func (n *pageNet) letGo(key string) { n.r.settled(key) }

// pause waits a moment for somebody else.
func (n *pageNet) pause(ctx context.Context) error {
	timer := n.r.engine.cfg.Clock.NewTimer(10 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// fetch asks the server. Handed tells that the visit is with the committer, who ends the claim.
func (n *pageNet) fetch(ctx context.Context, q *question, v *Visit, unseen bool) (resp *collect.Response, handed bool, err error) {
	r := n.r
	if why := n.begin(q, v); why != "" {
		return nil, false, fmt.Errorf("%s: %w", why, collect.ErrRefused)
	}
	r.parts.Add(1)
	defer func() {
		if !handed {
			r.parts.Add(-1)
			r.end()
		}
	}()
	if r.coh != nil && v.queued() {
		if err := n.plan(q, v, unseen); err != nil {
			return nil, false, err
		}
	}
	leave, err := n.c.doors.enter(ctx, v.item.Host)
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
	defer h.release()
	switch {
	case v.answered():
		w.examine(v, h.x)
		if w.collectPart(v, h, n.by) {
			n.count(q, v, unseen)
			resp, _, err := w.sourceOf(v, h).open()
			return resp, true, err
		}
		if err := w.append(v, h.x); err != nil {
			r.Fail(err)
			return nil, false, err
		}
	case !q.plain() || !v.queued():
		return nil, false, err // nothing came, and no worker will ask for it
	}
	h.id = v.recordID
	resp, rerr := n.settle(q, v, h, unseen)
	return resp, true, errors.Join(err, rerr)
}

// settle hands the visit to the committer and gives the answer.
func (n *pageNet) settle(q *question, v *Visit, h *held, unseen bool) (*collect.Response, error) {
	n.count(q, v, unseen)
	if !v.answered() {
		n.r.hand(v) // its failure is settled; whoever waits for it finds that
		return nil, nil
	}
	src := source(h)
	if v.status == 304 && v.revisit != nil {
		src = original(n.r, v.revisit.Reference)
	}
	resp, ok, err := src.open()
	if err == nil && !ok {
		err = errors.New("the answer is gone")
	}
	if v.revisit != nil {
		n.r.answers.have(q.key, original(n.r, v.revisit.Reference))
	} else {
		n.r.answers.have(q.key, v.recorded(n.r))
	}
	if !v.queued() {
		n.r.answers.drop(q.key) // no commit will
	}
	n.r.hand(v)
	return resp, err
}

// count notes what the request brought.
func (n *pageNet) count(q *question, v *Visit, unseen bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.yield.Cost.Requests++
	_, parsed := n.own[q.key]
	switch {
	case v.status >= 400:
		n.yield.Missing++
	case v.status >= 200 && v.status < 300 && unseen && !parsed:
		n.yield.Parts++
	}
}
