package crawl

import (
	"fmt"
	"sync"
	"time"
)

// exchanges are the requests that are under way, with the instant at which they began. That is real time also in a
// crawl on a virtual clock: servers answer in it, and timeouts are measured in it.
type exchanges struct {
	mu    sync.Mutex
	since map[*Visit]time.Time
}

func newExchanges() *exchanges { return &exchanges{since: map[*Visit]time.Time{}} }

func (e *exchanges) begin(v *Visit) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.since[v] = time.Now()
}

func (e *exchanges) end(v *Visit) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.since, v)
}

// oldest returns the request that has been under way for the longest time, and how many there are.
func (e *exchanges) oldest() (url string, since time.Time, n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for v, at := range e.since {
		if url == "" || at.Before(since) {
			url, since = v.url.String(), at
		}
	}
	return url, since, len(e.since)
}

// maxLookedAt bounds the hosts that WaitsFor asks politeness about.
const maxLookedAt = 200

// WaitsFor says in words what the run waits for at this moment: an answer, its disk, a host that must be left alone, a retry,
// or a person. It is empty for a run that has ended.
func (r *Run) WaitsFor() string {
	state, why := r.State()
	switch state {
	case Ended:
		return ""
	case Paused:
		return "someone to resume it: it is paused " + why
	}
	if url, since, n := r.exchanges.oldest(); n > 0 {
		text := fmt.Sprintf("the answer of %s for %s", clipText(url, 120), time.Since(since).Round(time.Second))
		if n > 1 {
			text += fmt.Sprintf(" and %d other answers", n-1)
		}
		return text
	}
	if n := r.busy.Load(); n > 0 {
		return fmt.Sprintf("the disk: %d visits are being stored", n)
	}
	now := r.engine.cfg.Clock.Now()
	if host, rest, failures := r.firstRested(now); host != "" {
		text := fmt.Sprintf("%s, which is left alone for another %s", host, rest.Round(time.Second))
		if failures > 0 {
			text += fmt.Sprintf(" after %d failures", failures)
		}
		return text
	}
	if at, ok := r.frontier.NextDue(); ok && at.After(r.steady(now)) {
		return fmt.Sprintf("a URL that is tried again in %s", at.Sub(r.steady(now)).Round(time.Second))
	}
	return "its turn"
}

// firstRested returns the host of this run that may be asked first, among those that rest.
func (r *Run) firstRested(now time.Time) (host string, rest time.Duration, failures int) {
	r.mu.Lock()
	hosts := make([]string, 0, min(len(r.hosts), maxLookedAt))
	for h := range r.hosts {
		if len(hosts) == maxLookedAt {
			break
		}
		hosts = append(hosts, h)
	}
	r.mu.Unlock()
	for _, h := range hosts {
		s := r.engine.polite.Status(h)
		if d := s.Next.Sub(now); s.Known && d > 0 && (host == "" || d < rest) {
			host, rest, failures = h, d, s.Failures
		}
	}
	return host, rest, failures
}
