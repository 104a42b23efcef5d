package crawl

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/web/canon"
	"varve/web/links"
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
// after a while: the URLs of the host wait meanwhile.
func (c *robotsCache) learn(authority, token string, a robots.Answer, retry time.Duration) robots.Record {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= maxAuthorities {
		clear(c.known)
	}
	rec := c.known[authority].Next(a)
	if rec.Access == robots.Closed {
		rec.Expires = a.At.Add(retry)
	}
	c.known[authority] = robotsKnown{rec, rec.For(token)}
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
// A failure counts against the authority. The result is how long the server asks to be left alone.
func (w *Worker) fetchRobots(ctx context.Context, page canon.URL, lease *polite.Lease) (asked time.Duration) {
	r := w.r
	authority := authorityOf(page)
	target, err := canon.Parse(authority + "/robots.txt")
	if err != nil {
		w.abandon(lease)
		return 0
	}
	answer := robots.Answer{At: w.now()}
	var outcome polite.Outcome
	var cause error
	for hop := 0; ; hop++ {
		v := &Visit{url: target, started: w.now(), item: frontier.Item{URL: target.String(), Via: page.String(), HopPath: "P"}}
		var next string
		answer, outcome, next, cause = w.askRobots(ctx, v)
		asked = outcome.RetryAfter
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
		return 0
	}
	rec := r.learnRobots(page, answer, cause, &outcome)
	r.engine.polite.Limit(lease, r.limits(page.HostPort(), w.now()))
	r.engine.polite.Release(lease, outcome, w.now())
	r.events.add("robots", "authority", authority, "access", rec.Access, "why", rec.Why)
	if rec.File != nil {
		r.queueSitemaps(target, rec.File.Sitemaps)
	}
	return asked
}

// Allowed asks robots.txt about a visit under a lease. Where it had to be fetched, asked is true and the lease is over; a refusal
// ends it as well.
func (w *Worker) Allowed(ctx context.Context, v *Visit, lease *polite.Lease) (asked bool, refusal string) {
	r := w.r
	ignored := r.ignoresRobots(v.settings)
	if ignored && !r.scope.Load().Asks("robots") {
		return false, ""
	}
	known, fresh := r.robots.of(authorityOf(v.url), w.now())
	switch {
	case !fresh:
		w.fetchRobots(ctx, v.url, lease)
		return true, ""
	}
	d, out := r.ruledByRobots(v)
	switch {
	case out:
		w.abandon(lease)
		return false, "scope: " + d.String()
	case ignored:
	case known.Access == robots.Closed:
		w.abandon(lease)
		return false, "robots.txt: " + known.Why
	case !known.rules.Test(v.url.Target()).Allowed:
		w.abandon(lease)
		return false, "robots.txt"
	}
	return false, ""
}

// learnRobots takes the answer of the authority of a page. One that failed is left alone until it is asked again, or given up: no
// URL of it could be fetched meanwhile.
func (r *Run) learnRobots(page canon.URL, a robots.Answer, cause error, o *polite.Outcome) robots.Record {
	authority := authorityOf(page)
	why := "status " + strconv.Itoa(a.Status)
	if a.Status == 0 {
		why = clipText(errorText(cause), 300)
	}
	failed, _ := r.reach.givenUp(authority)
	class := fetch.Class(a.Cause)
	retries, wait := r.patience(class, page, failed.Attempts)
	rec := r.robots.learn(authority, r.token(), a, wait)
	if rec.Access != robots.Closed {
		r.reach.answered(authority, true)
		return rec
	}
	f := r.reach.failed(authority, failing{Why: "robots.txt: " + why, Class: class, Robots: true}, a.At)
	if f.Attempts > retries || class == fetch.Guarded || class == fetch.BadRequest {
		r.giveUp(authority, f)
		return rec
	}
	o.RetryAfter = max(o.RetryAfter, rec.Expires.Sub(a.At))
	if o.Failure == polite.Abandoned { // nothing was sent, and still there is nothing to be done here for a while
		o.Failure = polite.Answered
	}
	return rec
}

// errorText says what ended a request: its class and the cause, without the address.
func errorText(err error) string {
	var e *fetch.Error
	switch {
	case err == nil:
		return "no answer"
	case errors.As(err, &e) && e.Err != nil:
		return string(e.Class) + ": " + e.Err.Error()
	}
	return err.Error()
}

// askRobots makes one request for robots.txt and records it; next is where it redirects to.
func (w *Worker) askRobots(ctx context.Context, v *Visit) (a robots.Answer, o polite.Outcome, next string, cause error) {
	r := w.r
	req := &fetch.Request{URL: v.url.String(), MaxBody: 4 * robots.MaxBytes, MaxTime: time.Minute, AllowLoopback: r.loopback}
	r.exchanges.begin(v)
	x, err := r.engine.cfg.Fetcher.Fetch(ctx, req)
	r.exchanges.end(v)
	defer x.Release()
	v.took(x, err)
	cause = err
	o = outcomeOf(x, err, w.now())
	a = robots.Answer{At: w.now(), Status: v.status, Cause: string(v.class)}
	if v.status >= 300 && v.status < 400 {
		next = x.Head.Header.Get("Location")
	}
	switch {
	case v.status < 200 || v.status >= 300:
	case v.truncated && v.class != fetch.BodyLarge:
		a.Status = 0 // the rules that did not come are not known
	default:
		var bad error
		a.Body, bad = x.AppendContent(nil, robots.MaxBytes+1<<10)
		if bad != nil && len(a.Body) <= robots.MaxBytes {
			a.Status, a.Body, a.Cause = 0, nil, string(fetch.Protocol)
			cause = fmt.Errorf("its content cannot be decoded: %w", bad)
		}
	}
	if err := w.recordRobots(v, x, len(a.Body) > robots.MaxBytes); err != nil {
		r.Fail(err)
	}
	return a, o, next, cause
}

// recordRobots keeps the answer in the archive. It is not a URL of the frontier, but it is
// counted and logged like one. One that is longer than is read is told.
func (w *Worker) recordRobots(v *Visit, x *fetch.Exchange, long bool) error {
	if !v.answered() {
		return nil
	}
	if err := w.record(v, x); err != nil {
		return err
	}
	v.cutContent = long
	w.r.load.busy.Add(1)
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
		set := r.scope.Load()
		r.inform(set, &c)
		if !set.Decide(&c, r.seeds).Accepted() {
			continue
		}
		items = append(items, frontier.Item{
			Key: u.FrontierKey(), URL: u.String(), Host: u.HostPort(), Domain: canon.PayLevelDomain(u.Host()),
			Via: base.String(), HopPath: string(scope.HopListed), Band: BandPart, Score: 1, Depth: 1,
		})
		a := Admission{URL: u, Item: &items[len(items)-1], Link: &links.Link{URL: u.String(), Kind: links.RobotsSitemap, Hop: links.HopFeed}}
		if !r.stages.admits(&a) {
			items = items[:len(items)-1]
		}
	}
	if len(items) == 0 {
		return
	}
	if _, err := r.frontier.Add(items...); err != nil {
		r.Fail(err)
	}
}
