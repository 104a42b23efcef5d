package websim

import (
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Gate is the memory of a server: how fast clients come, and how often a URL was asked for. All
// else about a web depends on the request and the instant only.
type Gate struct {
	web *Web

	mu    sync.Mutex
	next  map[*site]time.Time // rate limit: when the last token is used up
	asked map[string]int
}

// NewGate gives a gate without memories.
func NewGate(w *Web) *Gate {
	return &Gate{web: w, next: map[*site]time.Time{}, asked: map[string]int{}}
}

const maxAsked = 1 << 20 // URLs that are counted

// Fetch answers a request at a simulated instant; now is the time by which the rate is measured.
func (g *Gate) Fetch(r *Request, at, now time.Time) *Answer {
	s, _ := g.web.site(r.Host)
	if s == nil || !s.remembers() {
		return g.web.Fetch(r, at)
	}
	if wait := g.wait(s, now); wait > 0 {
		a := document(http.StatusTooManyRequests, "text/plain", []byte("too many requests\n"))
		a.Fault = "limit"
		seconds := (time.Duration(s.spec.Limit.RetryAfter) + time.Second - 1) / time.Second
		a.set("Retry-After", strconv.Itoa(int(seconds)))
		g.web.complete(a, r, at)
		return a
	}
	r.Attempt = g.count(s, r.Target)
	return g.web.Fetch(r, at)
}

// remembers tells whether a site needs a gate.
func (s *site) remembers() bool {
	if s.spec.Limit.Every > 0 {
		return true
	}
	for k := range s.spec.Fault {
		if s.spec.Fault[k].Times > 0 {
			return true
		}
	}
	return false
}

// wait is how long a client has come too early. This is the generic cell rate algorithm: next is
// when the tokens used so far are refilled, and may be ahead of now by the burst.
func (g *Gate) wait(s *site, now time.Time) time.Duration {
	every := time.Duration(s.spec.Limit.Every)
	if every == 0 {
		return 0
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	next := g.next[s]
	if next.Before(now) {
		next = now
	}
	if early := next.Sub(now) - every*time.Duration(s.spec.Limit.Burst-1); early > 0 {
		return early
	}
	g.next[s] = next.Add(every)
	return 0
}

func (g *Gate) count(s *site, target string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	key := s.host + target
	n, known := g.asked[key]
	if known || len(g.asked) < maxAsked {
		g.asked[key] = n + 1
	}
	return n
}
