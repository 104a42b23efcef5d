package proxy

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"sync"
	"time"

	"varve/crawl/collect"
)

// ErrTooMany is why requests beyond the limit of a turn are refused.
var ErrTooMany = errors.New("the page asks for too much")

// Turn is the time in which one page uses a proxy. It is safe for concurrent use.
type Turn struct {
	proxy  *Proxy
	page   string
	net    collect.Net
	ctx    context.Context
	cancel context.CancelFunc

	mu       sync.Mutex
	fresh    bool                // the page itself is asked from the server the next time
	under    map[int]time.Time   // requests under way, by number, with their beginning
	seen     []Exchange          // in the order of their beginning
	refused  int                 // beyond the limit
	sockets  []string            // WebSocket addresses tried
	changed  chan struct{}       // closed when a request begins or ends
	last     time.Time           // of a change
	handling sync.WaitGroup      // requests under way
	known    map[string]struct{} // sockets, for telling each once
	novel    map[uint64]struct{} // requests, by what they ask for
}

func newTurn(ctx context.Context, p *Proxy, page string, net collect.Net) *Turn {
	t := &Turn{proxy: p, page: page, net: net, under: map[int]time.Time{}, changed: make(chan struct{}), last: time.Now(), known: map[string]struct{}{}, novel: map[uint64]struct{}{}}
	t.ctx, t.cancel = context.WithCancel(ctx)
	return t
}

// End gives the proxy free. Requests under way are given up.
func (t *Turn) End() {
	t.cancel()
	t.proxy.mu.Lock()
	if t.proxy.turn == t {
		t.proxy.turn = nil
	}
	t.proxy.mu.Unlock()
	t.handling.Wait()
}

// Fresh lets the next request for the page itself go to the server, although the crawl has an
// answer: the page asked for itself anew, so it expects another.
func (t *Turn) Fresh() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.fresh = true
}

// Exchanges gives what was asked for so far, in the order of asking.
func (t *Turn) Exchanges() []Exchange {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.seen)
}

// Counts gives the number of requests answered or under way, and of those refused as too many.
func (t *Turn) Counts() (asked, refused int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.seen), t.refused
}

// Novel gives the number of requests that differ: asking for the same again counts once.
func (t *Turn) Novel() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.novel)
}

// Sockets gives the WebSocket addresses that the page tried, each once.
func (t *Turn) Sockets() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.sockets)
}

// maxSockets bounds the addresses noted.
const maxSockets = 20

func (t *Turn) socket(url string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.known[url]; ok || len(t.sockets) >= maxSockets {
		return
	}
	t.known[url] = struct{}{}
	t.sockets = append(t.sockets, url)
}

// begin counts a request in and gives its number.
func (t *Turn) begin(x Exchange, body []byte) (int, bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ctx.Err() != nil {
		return 0, false, errors.New("the page has ended")
	}
	if len(t.seen) >= t.proxy.limits.Requests {
		t.refused++
		return 0, false, fmt.Errorf("%w: more than %d requests", ErrTooMany, t.proxy.limits.Requests)
	}
	fresh := t.fresh && x.URL == t.page
	if fresh {
		t.fresh = false
	}
	n := len(t.seen)
	h := fnv.New64a()
	io.WriteString(h, x.Method+" "+x.URL+"\n")
	h.Write(body)
	t.novel[h.Sum64()] = struct{}{}
	t.seen = append(t.seen, x)
	t.under[n] = time.Now()
	t.handling.Add(1)
	t.note()
	return n, fresh, nil
}

// end notes what became of a request.
func (t *Turn) end(n int, done func(*Exchange)) {
	t.mu.Lock()
	done(&t.seen[n])
	delete(t.under, n)
	t.note()
	t.mu.Unlock()
	t.handling.Done()
}

// note wakes those who wait for quiet. The lock is held.
func (t *Turn) note() {
	t.last = time.Now()
	close(t.changed)
	t.changed = make(chan struct{})
}

// Wait returns when the network has been quiet for the given time: nothing began or ended, and what
// is under way began more than stale ago. The error is the context's.
func (t *Turn) Wait(ctx context.Context, quiet, stale time.Duration) error {
	for {
		wait, changed := t.rest(time.Now(), quiet, stale)
		if wait <= 0 {
			return nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-changed:
			timer.Stop()
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		}
	}
}

// rest gives how long it takes at least until the network counts as quiet.
func (t *Turn) rest(now time.Time, quiet, stale time.Duration) (time.Duration, <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	wait := t.last.Add(quiet).Sub(now)
	for _, began := range t.under {
		wait = max(wait, began.Add(stale).Sub(now))
	}
	return wait, t.changed
}
