package nodes

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"time"

	"varve/crawl"
	"varve/crawl/nodes/engine"
	"varve/crawl/polite"
	"varve/web/canon"
)

// Politeness between nodes. A host belongs to one node, whose own registry knows when it may be contacted; only when its partition
// has just changed hands nobody here knows of the last request, and the host rests once. An address may serve sites of several nodes, so one of them at a
// time may contact it:
//
//	enter(address):  held?  go on.            not?  ask for it beside, and say when to come again
//	ask:             nobody has it: take it by compare-and-set.   A node has it: leave a word, want.SESSION.ADDRESS.   Its session is over: take it, and rest
//	word came:       after its slice, when no request is under way, the holder passes it on, with the rest that is left as a duration
//
// While nobody else wants an address, its holder asks nobody: the cost is one write for each address that a node comes to, and one when it was idle
// for long. Where several nodes want one, it is three writes for each slice.

const (
	addrPrefix = "addr."
	wantPrefix = "want."

	leastSlice = 500 * time.Millisecond // that an address is kept while another waits
	idleMost   = 30 * time.Second       // after which an address is given back that is not used
	leastPoll  = 5 * time.Millisecond
	mostPoll   = 250 * time.Millisecond
	askMost    = 16              // questions at a time
	listEvery  = 2 * time.Second // between looks at all words that others have left
)

// tenure is the record of an address.
type tenure struct {
	Holder string        `json:"holder,omitempty"` // session
	For    string        `json:"for,omitempty"`    // of one that was passed on: who left a word
	Rest   time.Duration `json:"rest,omitempty"`   // from when it is read
}

// address is what this node knows of one.
type address struct {
	held    bool
	session string // with which it is held
	rev     uint64
	since   time.Time
	used    time.Time
	next    time.Time // not before
	active  int
	asking  bool
	passing bool
	wanted  string // session that left a word
	first   time.Time
	firstOf uint64 // revision that was first seen then, reserved for another
}

// addresses implements polite.Shared.
type addresses struct {
	n      *Node
	places chan struct{}

	mu      sync.Mutex
	by      map[string]*address
	listed  time.Time // when the words were last looked at
	listing bool
}

// Addresses returns the politeness towards addresses that serve sites of several nodes.
func (n *Node) Addresses() polite.Shared { return n.addrs }

// addrKey is the part of a key for an address; false for a claim that is about something else.
func addrKey(claim string) (string, bool) {
	ip, ok := strings.CutPrefix(claim, "address ")
	return strings.NewReplacer(".", "-", ":", "_", "%", "_").Replace(ip), ok
}

// Enter is part of polite.Shared.
func (a *addresses) Enter(claims []polite.Claim, now time.Time) (polite.Denial, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range claims {
		if at, why, ok := a.admits(&claims[i], now); !ok {
			return polite.Denial{Claim: i, At: at, Why: why}, false
		}
	}
	for i := range claims {
		if key, ok := addrKey(claims[i].Key); ok {
			x := a.by[key]
			x.active++
			x.used = now
		}
	}
	return polite.Denial{}, true
}

func (a *addresses) admits(c *polite.Claim, now time.Time) (at time.Time, why string, ok bool) {
	key, isAddr := addrKey(c.Key)
	if !isAddr {
		if rested := a.n.restedAt(c); now.Before(rested) {
			return rested, "another node had its site", false
		}
		return at, "", true
	}
	x := a.by[key]
	if x == nil {
		x = &address{}
		a.by[key] = x
	}
	poll := now.Add(min(max(c.Rest/8, leastPoll), mostPoll))
	switch {
	case !x.held || x.session != a.n.session.Load().ID:
		x.held, x.used = false, now
		a.ask(key, x, c.Rest)
		return poll, "another node may contact the address", false
	case x.passing, x.wanted != "" && now.Sub(x.since) >= max(leastSlice, 4*c.Rest):
		a.pass(key, x, now)
		return poll, "the address is another node's turn", false
	case now.Before(x.next) && !c.Ahead:
		return x.next, "resting after another node", false
	}
	return at, "", true
}

// Leave is part of polite.Shared.
func (a *addresses) Leave(stays []polite.Stay, now time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range stays {
		key, ok := addrKey(stays[i].Key)
		x := a.by[key]
		if !ok || x == nil || x.active == 0 {
			continue
		}
		x.active--
		if stays[i].Next.After(x.next) {
			x.next = stays[i].Next
		}
		if x.wanted != "" {
			a.pass(key, x, now)
		}
	}
}

// restedAt is when a host may be contacted whose partition has changed hands.
func (n *Node) restedAt(c *polite.Claim) time.Time {
	if !n.moved.Load() {
		return time.Time{}
	}
	host := crawl.HostName(strings.TrimPrefix(c.Key, "host "))
	at := n.movedAt[PartitionOf(canon.PayLevelDomain(host), n.partitions)].Load()
	if at == nil {
		return time.Time{}
	}
	return at.Add(c.Rest)
}

// ask asks for an address beside the work; it is under a.mu.
func (a *addresses) ask(key string, x *address, rest time.Duration) {
	if x.asking || a.n.ctx.Err() != nil {
		return
	}
	select {
	case a.places <- struct{}{}:
	default:
		return // with the next request
	}
	x.asking = true
	a.n.tasks.Go(func() {
		s := a.n.session.Load()
		rev, wait, ok := a.obtain(s, key, rest)
		a.mu.Lock()
		defer a.mu.Unlock()
		x.asking = false
		<-a.places
		if ok {
			now := a.n.cfg.Clock.Now()
			// A word that another has left stays: it may have come before we knew that the address is ours, and comes only once.
			x.held, x.passing, x.session, x.rev, x.since, x.used = true, false, s.ID, rev, now, now
			if at := now.Add(wait); at.After(x.next) {
				x.next = at
			}
		}
	})
}

// obtain tries to get an address; wait is how long it must be left alone.
func (a *addresses) obtain(s *Session, key string, rest time.Duration) (rev uint64, wait time.Duration, ok bool) {
	n := a.n
	e, err := n.engine.Get(n.ctx, addrPrefix+key)
	var t tenure
	switch {
	case errors.Is(err, engine.ErrNotFound):
	case err != nil || json.Unmarshal(e.Value, &t) != nil:
		return 0, 0, false
	case t.Holder == s.ID: // a write that came through unheard
		return e.Revision, rest, true
	case t.Holder != "":
		if !n.isOver(t.Holder, n.known()) {
			_, _ = n.engine.Put(n.ctx, wantPrefix+t.Holder+"."+key, []byte(s.ID), 0) // another's word does as well
			return 0, 0, false
		}
		wait = rest // nobody knows when its last request was
	default:
		wait = t.Rest
		if t.For != s.ID && !a.mayGoFirst(key, e.Revision) {
			return 0, 0, false
		}
	}
	b, err := json.Marshal(tenure{Holder: s.ID})
	if err != nil {
		return 0, 0, false
	}
	rev, err = n.engine.Put(n.ctx, addrPrefix+key, b, e.Revision)
	return rev, wait, err == nil
}

// mayGoFirst reports whether who an address was passed on to does not come.
func (a *addresses) mayGoFirst(key string, rev uint64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	x, now := a.by[key], a.n.cfg.Clock.Now()
	if x == nil {
		return false
	}
	if x.firstOf != rev {
		x.first, x.firstOf = now, rev
	}
	return now.Sub(x.first) > 2*mostPoll
}

// pass passes an address on when no request is under way; it is under a.mu.
func (a *addresses) pass(key string, x *address, now time.Time) {
	if x.active > 0 || x.passing || !x.held || now.Sub(x.since) < leastSlice {
		return
	}
	x.passing = true
	a.n.tasks.Go(func() {
		n := a.n
		a.mu.Lock()
		t := tenure{For: x.wanted, Rest: max(0, x.next.Sub(n.cfg.Clock.Now()))}
		rev, session := x.rev, x.session
		a.mu.Unlock()
		b, err := json.Marshal(t)
		if err == nil {
			_, err = n.engine.Put(n.ctx, addrPrefix+key, b, rev)
		}
		word := wantPrefix + session + "." + key
		if w, werr := n.engine.Get(n.ctx, word); werr == nil {
			_ = n.engine.Delete(n.ctx, word, w.Revision)
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		x.passing = false
		if err == nil || errors.Is(err, engine.ErrConflict) {
			x.held, x.wanted = false, ""
		}
	})
}

// watch hears the words that others leave.
func (a *addresses) watch(s *Session) {
	prefix := wantPrefix + s.ID + "."
	for a.n.ctx.Err() == nil && !s.Lost() {
		_ = a.n.engine.Watch(a.n.ctx, prefix, func(e engine.Entry) {
			a.mu.Lock()
			defer a.mu.Unlock()
			if x := a.by[strings.TrimPrefix(e.Key, prefix)]; x != nil && e.Value != nil {
				x.wanted = string(e.Value)
				a.pass(strings.TrimPrefix(e.Key, prefix), x, a.n.cfg.Clock.Now())
			}
		})
		s.pause(a.n.ctx, a.n.cfg.Timing.Renew/4, nil)
	}
}

// look looks at all words that others have left here. Each is heard when it comes; but one that came while the address was being passed on, or was not
// the node's yet, could be forgotten, and who left it leaves no other. It is under a.mu.
func (a *addresses) look(now time.Time) {
	if a.listing || len(a.by) == 0 || now.Sub(a.listed) < listEvery || a.n.ctx.Err() != nil {
		return
	}
	a.listing, a.listed = true, now
	a.n.tasks.Go(func() {
		s := a.n.session.Load()
		prefix := wantPrefix + s.ID + "."
		words, err := a.n.engine.List(a.n.ctx, prefix)
		var stale []engine.Entry
		a.mu.Lock()
		for _, w := range words {
			key := strings.TrimPrefix(w.Key, prefix)
			switch x := a.by[key]; {
			case x != nil && x.held && x.session == s.ID && x.wanted == "":
				x.wanted = string(w.Value)
				a.pass(key, x, a.n.cfg.Clock.Now())
			case x == nil || !x.held && !x.asking:
				stale = append(stale, w)
			}
		}
		a.listing = false
		a.mu.Unlock()
		for _, w := range stale {
			if err == nil {
				_ = a.n.engine.Delete(a.n.ctx, w.Key, w.Revision) // so that the next word is heard
			}
		}
	})
}

// tidy passes on what others wait for, and gives back what is not used.
func (a *addresses) tidy() {
	a.mu.Lock()
	now := a.n.cfg.Clock.Now()
	a.look(now)
	idle := map[string]uint64{}
	for key, x := range a.by {
		switch {
		case x.active > 0 || x.asking || x.passing:
		case x.held && x.wanted != "":
			a.pass(key, x, now)
		case x.held && now.Sub(x.used) > idleMost && now.After(x.next):
			idle[key] = x.rev
			delete(a.by, key)
		case !x.held && now.Sub(x.used) > idleMost:
			delete(a.by, key)
		}
	}
	a.mu.Unlock()
	for key, rev := range idle {
		_ = a.n.engine.Delete(a.n.ctx, addrPrefix+key, rev) // else it is taken from us when our session is over
	}
}

// known are the sessions that there are.
func (n *Node) known() map[string]Status {
	out := map[string]Status{}
	for id := range n.session.Load().others() {
		out[id] = Status{}
	}
	return out
}

// Both is politeness in common with two circles: the processes of this machine, and the other nodes.
func Both(first, second polite.Shared) polite.Shared {
	if first == nil {
		return second
	}
	return both{first, second}
}

type both [2]polite.Shared

// Enter is part of polite.Shared.
func (b both) Enter(claims []polite.Claim, now time.Time) (polite.Denial, bool) {
	if d, ok := b[0].Enter(claims, now); !ok {
		return d, false
	}
	d, ok := b[1].Enter(claims, now)
	if !ok {
		stays := make([]polite.Stay, len(claims))
		for i := range claims {
			stays[i].Key = claims[i].Key
		}
		b[0].Leave(stays, now)
	}
	return d, ok
}

// Leave is part of polite.Shared.
func (b both) Leave(stays []polite.Stay, now time.Time) {
	b[1].Leave(stays, now)
	b[0].Leave(stays, now)
}
