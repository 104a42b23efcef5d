package crawl

import (
	"context"
	"strings"
	"sync"
	"time"

	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/web/canon"
	"varve/web/robots"
)

// maxAuthorities bounds the robots.txt kept in memory; the ones beyond are asked for again.
const maxAuthorities = 20_000

// robotsCache keeps what the robots.txt of each authority (scheme, host, port) says.
type robotsCache struct {
	mu    sync.Mutex
	known map[string]robotsKnown
}

// robotsKnown is what is known of one authority.
type robotsKnown struct {
	robots.Record
	rules *robots.Rules // for our token
	class fetch.Class   // why there was no answer
}

func newRobotsCache() *robotsCache { return &robotsCache{known: map[string]robotsKnown{}} }

// of gives what is known of an authority; fresh is false when robots.txt must be asked for.
func (c *robotsCache) of(authority string, now time.Time) (known robotsKnown, fresh bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known = c.known[authority]
	return known, known.Fresh(now)
}

// delay gives the Crawl-delay of a host, whichever of its authorities has one.
func (c *robotsCache) delay(hostPort string, now time.Time) (time.Duration, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, scheme := range [...]string{"https://", "http://"} {
		if rules := c.known[scheme+hostPort].rules; rules != nil {
			if d, ok := rules.Delay(now); ok {
				return d, true
			}
		}
	}
	return 0, false
}

// learn takes an answer to the request for robots.txt. While there is none, it is asked for again
// when a URL would be tried again: the URLs of the host wait meanwhile.
func (c *robotsCache) learn(authority, token string, a robots.Answer, retry time.Duration) robots.Record {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= maxAuthorities {
		clear(c.known)
	}
	rec := c.known[authority].Next(a)
	if rec.Access == robots.Closed {
		rec.Expires = a.At.Add(retry << min(rec.Failures-1, maxDoublings))
	}
	c.known[authority] = robotsKnown{rec, rec.For(token), fetch.Class(a.Cause)}
	return rec
}

func authorityOf(u canon.URL) string { return u.Scheme() + "://" + u.HostPort() }

// token is the product token that robots.txt files name: the agent's name without its version.
func (r *Run) token() string {
	name, _, _ := strings.Cut(r.Def.UserAgent, "/")
	name, _, _ = strings.Cut(name, " ")
	return name
}

func (r *Run) ignoresRobots(s scope.Settings) bool {
	if s.IgnoreRobots != nil {
		return *s.IgnoreRobots
	}
	return r.Def.IgnoreRobots
}

// fetchRobots asks for robots.txt under the lease of the host, follows its redirects, records all
// of it, and queues the sitemaps it names. The redirects, five at most (RFC 9309), are followed under the same lease, also
// to other hosts: to wait for the lease of one while holding that of another could wait for ever, and it happens once a day.
func (w *worker) fetchRobots(ctx context.Context, page canon.URL, lease *polite.Lease) {
	r := w.r
	authority := authorityOf(page)
	target, err := canon.Parse(authority + "/robots.txt")
	if err != nil {
		w.abandon(lease)
		return
	}
	answer := robots.Answer{At: w.now()}
	var outcome polite.Outcome
	for hop := 0; ; hop++ {
		v := &visit{url: target, started: w.now(), item: frontier.Item{URL: target.String(), Via: page.String(), HopPath: "P"}}
		var next string
		answer, outcome, next = w.askRobots(ctx, v)
		if next == "" {
			break
		}
		target, err = target.Resolve(next)
		target = target.WithoutFragment()
		if err != nil || !target.IsHTTP() || hop == robots.MaxRedirects {
			answer.Status, answer.Body = 404, nil // too many redirects count as unavailable
			break
		}
	}
	if ctx.Err() != nil {
		w.abandon(lease)
		return
	}
	rec := r.robots.learn(authority, r.token(), answer, time.Duration(r.Def.RetryAfter))
	r.engine.polite.Limit(lease, r.limits(page.HostPort(), w.now()))
	r.engine.polite.Release(lease, outcome, w.now())
	r.events.add("robots", "authority", authority, "access", rec.Access, "why", rec.Why)
	if rec.File != nil {
		r.queueSitemaps(target, rec.File.Sitemaps)
	}
}

// askRobots makes one request for robots.txt and records it; next is where it redirects to.
func (w *worker) askRobots(ctx context.Context, v *visit) (a robots.Answer, o polite.Outcome, next string) {
	r := w.r
	req := &fetch.Request{URL: v.url.String(), MaxBody: 4 * robots.MaxBytes, MaxTime: time.Minute, AllowLoopback: r.loopback}
	r.exchanges.begin(v)
	x, err := r.engine.cfg.Fetcher.Fetch(ctx, req)
	r.exchanges.end(v)
	defer x.Release()
	v.took(x, err)
	o = outcomeOf(x, err, w.now())
	a = robots.Answer{At: w.now(), Status: v.status, Cause: string(v.class)}
	if v.status >= 300 && v.status < 400 {
		next = x.Head.Header.Get("Location")
	}
	if v.status >= 200 && v.status < 300 {
		a.Body, _ = x.AppendContent(nil, robots.MaxBytes+1<<10)
	}
	if err := w.recordRobots(v, x); err != nil {
		r.fail(err)
	}
	return a, o, next
}

// recordRobots keeps the answer in the archive. It is not a URL of the frontier, but it is
// counted and logged like one.
func (w *worker) recordRobots(v *visit, x *fetch.Exchange) error {
	if !v.answered() {
		return nil
	}
	if err := w.record(v, x); err != nil {
		return err
	}
	w.r.busy.Add(1)
	w.r.hand(v)
	return nil
}

// queueSitemaps queues the sitemaps that a robots.txt names, if they are in scope.
func (r *Run) queueSitemaps(base canon.URL, sitemaps []string) {
	var items []frontier.Item
	for _, s := range sitemaps {
		u, err := base.Resolve(s)
		if err != nil || !u.IsHTTP() {
			continue
		}
		u = u.WithoutFragment()
		c := scope.Candidate{URL: u, Via: base, Hops: scope.Hops(string(scope.HopListed))}
		if !r.scope.Load().Decide(&c, r.seeds).Accepted() {
			continue
		}
		items = append(items, frontier.Item{
			Key: u.FrontierKey(), URL: u.String(), Host: u.HostPort(), Domain: canon.PayLevelDomain(u.Host()),
			Via: base.String(), HopPath: string(scope.HopListed), Band: bandPart, Score: 1, Depth: 1,
		})
	}
	if len(items) == 0 {
		return
	}
	if _, err := r.frontier.Add(items...); err != nil {
		r.fail(err)
	}
}
