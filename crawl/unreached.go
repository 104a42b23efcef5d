package crawl

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"varve"
	"varve/crawl/fetch"
	"varve/crawl/polite"
	"varve/web/canon"
)

// When a crawl gives up. An authority (scheme, host and port) that fails is left alone for longer and longer, as
// politeness has it, and then given up, so that a crawl ends whatever a server does:
//
//	robots.txt fails     1 + Retries attempts in a row, the wait between two doubled each time, maxRetryWait at most:
//	                     4 in at least 3.5 minutes by default, so that an outage of a few minutes costs nothing
//	no such name         2 attempts, nameWait apart: a name that does not exist will not soon. So it is with lookups that fail
//	                     for hosts of no seed: nobody asked for them, and our own resolver may be all that is broken
//	pages fail           lostAfter failures in a row, over lostFor or longer; answers that are cut short count
//	Retry-After          over maxRetryWait: the host is set aside, its URLs stay queued for a resume
//
// What is queued of an authority that was given up is settled with the cause and without asking; so is what is found of it
// later. The count is kept with the frontier, so that a resume goes on with it; an answer ends it.
const (
	maxRetryWait = time.Hour
	lostAfter    = 8
	lostFor      = 10 * time.Minute
	nameWait     = 2 * time.Second
)

// patience returns how often a failed request is made again, and the wait before the next time after so many that failed.
func (r *Run) patience(class fetch.Class, u canon.URL, failed int) (retries int, wait time.Duration) {
	retries, wait = max(0, r.Def.Retries), r.retryWait(failed)
	if class == fetch.NoName || (class == fetch.DNSFailure || class == fetch.DNSTimeout) && !r.seeds.HasHost(u) {
		return min(retries, 1), min(wait, nameWait)
	}
	return retries, wait
}

// Unreached is an authority that a crawl gave up.
type Unreached struct {
	Why      string    `json:"why"`
	Attempts int       `json:"attempts"` // in a row, without an answer that counts
	Since    time.Time `json:"since"`    // the first of them
	URLs     int64     `json:"urls"`     // that were not asked for
}

// failing is an authority that failed last, and how often in a row.
type failing struct {
	Why      string      `json:"why"`
	Class    fetch.Class `json:"class,omitempty"`
	Robots   bool        `json:"robots,omitempty"` // it is robots.txt that fails
	Attempts int         `json:"attempts"`
	Since    time.Time   `json:"since"`
	GivenUp  bool        `json:"givenUp,omitempty"`
}

// reach knows the authorities that fail.
type reach struct {
	mu      sync.Mutex
	by      map[string]failing
	changed map[string]struct{}
	hosts   map[string]int // with an authority that was given up
}

func newReach() *reach {
	return &reach{by: map[string]failing{}, changed: map[string]struct{}{}, hosts: map[string]int{}}
}

// reachNote comes before the authority in the names of the frontier's notes.
const reachNote = "reach "

// failed counts a failure and returns what is known of the authority now.
func (c *reach) failed(authority string, f failing, now time.Time) failing {
	c.mu.Lock()
	defer c.mu.Unlock()
	was := c.by[authority]
	if was.GivenUp {
		return was
	}
	f.Attempts, f.Since = was.Attempts+1, was.Since
	if was.Attempts == 0 || was.Robots != f.Robots {
		f.Attempts, f.Since = 1, now
	}
	c.put(authority, f)
	return f
}

// answered ends a row of failures: of robots.txt, or of pages.
func (c *reach) answered(authority string, robots bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f, there := c.by[authority]; there && f.Robots == robots && !f.GivenUp {
		delete(c.by, authority)
		c.changed[authority] = struct{}{}
	}
}

func (c *reach) giveUp(authority string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.by[authority]
	f.GivenUp = true
	c.put(authority, f)
}

// put keeps what is known; the lock is held. Of too many that were given up one is forgotten: who comes across it again
// tries it again, as often as any other.
func (c *reach) put(authority string, f failing) {
	if was := c.by[authority]; f.GivenUp && !was.GivenUp {
		c.hosts[hostOfAuthority(authority)]++
	}
	c.by[authority] = f
	c.changed[authority] = struct{}{}
	if len(c.by) <= maxAuthorities {
		return
	}
	for old, f := range c.by {
		if f.GivenUp && old != authority {
			delete(c.by, old)
			if h := hostOfAuthority(old); c.hosts[h] == 1 {
				delete(c.hosts, h)
			} else {
				c.hosts[h]--
			}
			return
		}
	}
}

// hostOfAuthority is the host of the frontier that an authority belongs to.
func hostOfAuthority(authority string) string {
	_, host, _ := strings.Cut(authority, "://")
	return host
}

// givenUp returns why an authority is not asked any more.
func (c *reach) givenUp(authority string) (failing, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.by[authority]
	return f, f.GivenUp
}

// concerns reports whether an authority of the host was given up: its URLs may need no lease.
func (c *reach) concerns(host string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.hosts) > 0 && c.hosts[host] > 0
}

// note adds what changed to the notes of a commit.
func (c *reach) note(notes *Notes) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for authority := range c.changed {
		var b []byte // deleted
		if f, there := c.by[authority]; there {
			var err error
			if b, err = json.Marshal(f); err != nil {
				return err
			}
		}
		notes.Put(reachNote+authority, b)
	}
	clear(c.changed)
	return nil
}

// load reads what an earlier run of the crawl found.
func (r *Run) loadReach() error {
	return r.frontier.EachNote(reachNote, func(name string, note []byte) error {
		var f failing
		if err := json.Unmarshal(note, &f); err != nil {
			return &varve.Error{Kind: varve.Internal, Op: "resume crawl", Msg: name + " cannot be read", Err: err}
		}
		r.reach.mu.Lock()
		defer r.reach.mu.Unlock()
		r.reach.put(strings.TrimPrefix(name, reachNote), f)
		return nil
	})
}

// keepReach stores what is known of failing authorities at the end of a run: no commit may have followed it.
func (r *Run) keepReach() error {
	var notes Notes
	if err := r.reach.note(&notes); err != nil || len(notes.by) == 0 {
		return err
	}
	_, err := r.frontier.FinishWith(nil, notes.by)
	return err
}

// noteReach takes what a request for a page says about its authority, and gives it up after too many failures. An answer that the
// server did not end is one: politeness leaves the host alone for it, for longer each time.
func (r *Run) noteReach(v *Visit, o polite.Outcome, now time.Time) {
	authority := authorityOf(v.url)
	cut := o.Failure != polite.Answered && o.Failure != polite.Abandoned
	if v.answered() && !tryAgain(v.status) && !cut {
		r.reach.answered(authority, false)
		return
	}
	f := failing{Class: v.class, Why: string(v.class)}
	switch {
	case v.answered() && tryAgain(v.status):
		f.Why, f.Class = fmt.Sprintf("status %d", v.status), ""
	case v.answered():
		f.Why = "answer cut short: " + f.Why
	case o.Failure == polite.Abandoned && !neverReached(v.class):
		return // it was not the server
	}
	f = r.reach.failed(authority, f, now)
	if f.Attempts >= lostAfter && now.Sub(f.Since) >= lostFor {
		r.giveUp(authority, f)
	}
}

// giveUp has nothing more asked of an authority.
func (r *Run) giveUp(authority string, f failing) {
	r.reach.giveUp(authority)
	r.events.add("unreached", "authority", authority, "why", f.Why, "attempts", f.Attempts, "since", f.Since)
}

// notReached settles a URL of an authority that was given up, with the cause: of one that let nobody in, as its failure; else
// as refused, since without its robots.txt nothing is allowed (RFC 9309).
func (v *Visit) notReached(f failing) *Visit {
	v.gaveUp = &f
	if neverReached(f.Class) {
		v.class, v.fetched = f.Class, v.started
		return v
	}
	if !f.Robots {
		return v.refuse("not reached: " + f.Why)
	}
	return v.refuse(f.Why)
}

// countUnreached counts a URL that was not asked for. The authorities are as many as servers like, so the last are counted together.
func (c *Totals) countUnreached(authority string, f *failing) {
	if c.Unreached == nil {
		c.Unreached = map[string]Unreached{}
	}
	u, there := c.Unreached[authority]
	if !there && len(c.Unreached) >= maxKinds {
		authority = "other"
		u = c.Unreached[authority]
	}
	u.Why, u.Attempts, u.Since = f.Why, f.Attempts, f.Since
	if authority == "other" {
		u = Unreached{Why: "several causes", URLs: u.URLs}
	}
	u.URLs++
	c.Unreached[authority] = u
}

// parkedByServer begins the reason of a host that is set aside because it asked for that.
const parkedByServer = "asked to be left alone"

// leaveAlone parks a claimed host that asks to be left alone for longer than a crawl waits, and reports whether it did.
func (r *Run) leaveAlone(host string, asked time.Duration, now time.Time) bool {
	if asked <= maxRetryWait {
		return false
	}
	r.park(host, fmt.Sprintf("%s until %s", parkedByServer, now.Add(asked).UTC().Format(time.RFC3339)))
	return true
}

// leftAlone says which hosts asked to be left alone; "" if none did.
func (r *Run) leftAlone() string {
	r.hosts.mu.Lock()
	defer r.hosts.mu.Unlock()
	var list []string
	for _, host := range slices.Sorted(maps.Keys(r.hosts.parked)) {
		if why := r.hosts.parked[host]; strings.HasPrefix(why, parkedByServer) {
			list = append(list, host+" "+why)
		}
	}
	if n := len(list) - 5; n > 0 {
		list = append(list[:5], fmt.Sprintf("and %d more", n))
	}
	return strings.Join(list, "; ")
}
