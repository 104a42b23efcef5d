package crawl

import (
	"sync"

	"varve/crawl/collect"
	"varve/crawl/frontier"
)

// answers are the answers of a run that the frontier does not know yet: under way, or recorded and
// waiting for their commit. They are what makes one request of two that want the same URL, whether a
// worker or a collector asks. Memory grows with what is under way.
//
//	worker:    take a URL and note it as under way, in one step; a URL that a collector fetches is left to it
//	collector: claim the URL; who comes second waits for the first
//	both:      have (there is an answer), drop (the frontier knows what came of it, or nothing did)
//
// A nil *answers, of a run without collectors, does nothing.
type answers struct {
	mu    sync.Mutex
	under map[string]*pending
}

// pending is one URL under way.
type pending struct {
	done chan struct{}  // closed when there is an answer, or none will come
	got  source         // under the lock; nil: no answer
	left *frontier.Item // a worker had taken the URL from the queue
	over bool           // done is closed
}

// source gives an answer as often as it is asked; ok is false when it is gone.
type source interface {
	open() (resp *collect.Response, ok bool, err error)
}

func newAnswers() *answers { return &answers{under: map[string]*pending{}} }

// take takes a URL from the frontier for a worker and notes it as under way. URLs that a collector
// fetches meanwhile are passed over: their visit settles them.
func (a *answers) take(next func() (frontier.Item, bool, error)) (frontier.Item, bool, error) {
	if a == nil {
		return next()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		item, ok, err := next()
		if err != nil || !ok {
			return item, ok, err
		}
		p := a.under[item.Key]
		if p == nil {
			a.under[item.Key] = &pending{done: make(chan struct{})}
			return item, true, nil
		}
		p.left = &item
	}
}

// claim notes a URL as under way; mine is false when it is so already.
func (a *answers) claim(key string) (p *pending, mine bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if p = a.under[key]; p != nil {
		return p, false
	}
	p = &pending{done: make(chan struct{})}
	a.under[key] = p
	return p, true
}

// have tells that a URL under way has an answer.
func (a *answers) have(key string, got source) {
	if a == nil || key == "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if p := a.under[key]; p != nil {
		p.got = got
		p.end()
	}
}

// drop ends the notice of a URL. It gives the item that a worker left, if one did.
func (a *answers) drop(key string) *frontier.Item {
	if a == nil || key == "" {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	p := a.under[key]
	if p == nil {
		return nil
	}
	delete(a.under, key)
	p.end()
	return p.left
}

// source gives what there is of a pending answer.
func (a *answers) source(p *pending) source {
	a.mu.Lock()
	defer a.mu.Unlock()
	return p.got
}

// end closes done once; the lock is held.
func (p *pending) end() {
	if !p.over {
		p.over = true
		close(p.done)
	}
}
