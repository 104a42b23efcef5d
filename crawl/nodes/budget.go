package nodes

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"varve/crawl"
	"varve/crawl/nodes/engine"
)

// Limits are of the crawl, not of a node. What may be captured is given out in rations, from one record of the table by compare-and-set:
//
//	granted(n) for each node that ever took part;   sum of granted <= limit;   used(n) <= granted(n), as a run of its own keeps it
//
//	ask:       granted(n) += ration(limit - sum)       beside the work, when half of the last ration is used
//	give back: granted(n)  = used(n)                   who has nothing to visit, or leaves
//	reached:   nothing is left to grant, and every node has used its ration or has nothing to visit: written into the record, so that
//	           who gave something back meanwhile is not overlooked
//
// So a limit is never exceeded by more than one process would, whatever dies; what a dead node was granted and had not used stays granted to it, a ration at
// most, until it comes back.
//
// Time is that in which nodes run. Each tells with its renewals how old the crawl is, by its own clock since it heard the most that others told; no
// instant travels.

const budgetKey = "crawl.budget"

// rationMost are the largest rations. A node at full speed asks every few seconds.
var rationMost = amount{Pages: 256, URLs: 1024, Bytes: 64 << 20}

// amount is what limits are about.
type amount struct {
	Pages int64 `json:"pages,omitempty"`
	URLs  int64 `json:"urls,omitempty"`
	Bytes int64 `json:"bytes,omitempty"`
}

// budget is the record of what was granted.
type budget struct {
	Granted map[string]amount `json:"granted"` // by node
	Reached string            `json:"reached,omitempty"`
	Limits  crawl.Limits      `json:"limits"` // under which it was reached
}

// kind is one of the limits.
type kind struct {
	reached string
	limit   func(*crawl.Limits) int64
	of      func(*amount) *int64
}

var kinds = [3]kind{
	{"max-pages reached", func(l *crawl.Limits) int64 { return l.MaxPages }, func(a *amount) *int64 { return &a.Pages }},
	{"max-urls reached", func(l *crawl.Limits) int64 { return l.MaxURLs }, func(a *amount) *int64 { return &a.URLs }},
	{"max-bytes reached", func(l *crawl.Limits) int64 { return l.MaxBytes }, func(a *amount) *int64 { return &a.Bytes }},
}

const timeReached = "max-time reached"

// left is what can still be granted of a limit.
func (b *budget) left(k kind, l *crawl.Limits) int64 {
	left := k.limit(l)
	for _, a := range b.Granted {
		left -= *k.of(&a)
	}
	return max(0, left)
}

// grant gives a node more of what it asks for, and reports whether it did: of what is left, what falls on it if all get the same twice, at most most.
func (b *budget) grant(node string, l *crawl.Limits, used, most amount, nodes int) (got amount, changed bool) {
	got = b.Granted[node]
	for _, k := range kinds {
		if k.limit(l) == 0 {
			continue
		}
		have, want := k.of(&got), *k.of(&most)
		if *have-*k.of(&used) >= want/2+1 {
			continue // enough for now
		}
		more := min(want, b.left(k, l)/int64(2*max(nodes, 1))+1, b.left(k, l))
		if *have+more < *k.of(&used) { // parts of pages were fetched beyond the ration
			more = min(*k.of(&used)-*have, b.left(k, l))
		}
		*have += more
		changed = changed || more > 0
	}
	if b.Granted == nil {
		b.Granted = map[string]amount{}
	}
	b.Granted[node] = got
	return got, changed
}

// ration is what a node has of the limits.
type ration struct {
	mu      sync.Mutex
	have    amount
	reached string
	under   crawl.Limits // the limits for which it was reached
	dry     bool         // the last question brought nothing
	asking  bool
	base    time.Duration // age of the crawl
	at      time.Time     // when base was known
}

// renew forgets what was found out under other limits.
func (r *ration) renew() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dry, r.reached = false, ""
}

// age is how long nodes of the crawl have run.
func (n *Node) age() time.Duration {
	n.ration.mu.Lock()
	defer n.ration.mu.Unlock()
	return n.ration.base + n.cfg.Clock.Now().Sub(n.ration.at)
}

// older notes that a crawl is at least as old as another node says.
func (n *Node) older(age time.Duration) {
	n.ration.mu.Lock()
	defer n.ration.mu.Unlock()
	now := n.cfg.Clock.Now()
	if age > n.ration.base+now.Sub(n.ration.at) {
		n.ration.base, n.ration.at = age, now
	}
}

// soonOf is what a run will have used when all that is under way has come.
func soonOf(u *crawl.Usage) amount {
	return amount{u.Pages + u.Busy - u.Parts, u.URLs + u.Busy, u.Bytes + u.Got}
}

// Ration is part of crawl.Rationer.
func (n *Node) Ration(_ time.Time, u crawl.Usage) string {
	if !n.ordered.Load() {
		return crawl.RationWait // other limits may be in force than those of the definition
	}
	l := n.run.Limits()
	if l == (crawl.Limits{}) {
		return ""
	}
	r := &n.ration
	r.mu.Lock()
	if r.reached != "" && r.under == l {
		defer r.mu.Unlock()
		return r.reached
	}
	soon := soonOf(&u)
	over, low := false, false
	for _, k := range kinds {
		if k.limit(&l) > 0 {
			have := *k.of(&r.have)
			over = over || *k.of(&soon) >= have
			low = low || have-*k.of(&soon) < min(*k.of(&rationMost), have)/2
		}
	}
	ask := (over || low) && !r.dry && !r.asking
	r.asking = r.asking || ask
	r.mu.Unlock()
	if ask {
		n.tasks.Go(func() { n.askRation(&l) })
	}
	if over && !n.run.Spent() { // who has nothing to visit needs none
		return crawl.RationWait
	}
	return ""
}

// askRation asks for more of the limits.
func (n *Node) askRation(l *crawl.Limits) {
	r := &n.ration
	u := n.run.Usage()
	used := amount{u.Pages, u.URLs, u.Bytes}
	ids, _ := n.members()
	changed := false
	got, err := n.changeBudget(n.ctx, func(b *budget) bool {
		_, changed = b.grant(n.cfg.ID, l, used, rationMost, len(ids))
		return changed
	})
	r.mu.Lock()
	r.asking = false
	if err == nil {
		r.have = got.Granted[n.cfg.ID]
		r.dry = !changed
	}
	r.mu.Unlock()
	if err == nil && changed {
		n.run.Wake()
	}
}

// changeBudget changes the record; change reports whether there is something to write.
func (n *Node) changeBudget(ctx context.Context, change func(*budget) bool) (b budget, err error) {
	for {
		b = budget{}
		e, err := n.engine.Get(ctx, budgetKey)
		if err == nil {
			err = json.Unmarshal(e.Value, &b)
		} else if errors.Is(err, engine.ErrNotFound) {
			err = nil
		}
		if err != nil || !change(&b) {
			return b, err
		}
		v, err := json.Marshal(b)
		if err != nil {
			return b, err
		}
		if _, err = n.engine.Put(ctx, budgetKey, v, e.Revision); !errors.Is(err, engine.ErrConflict) {
			return b, err
		}
		if !wait(ctx, 10*time.Millisecond) {
			return b, ctx.Err()
		}
	}
}

// budgetCame hears of the record: whether a limit was reached.
func (n *Node) budgetCame(e engine.Entry) {
	var b budget
	if e.Value == nil || json.Unmarshal(e.Value, &b) != nil {
		return
	}
	n.ration.mu.Lock()
	n.ration.dry = false // perhaps something was given back
	n.ration.have = b.Granted[n.cfg.ID]
	n.ration.reached, n.ration.under = b.Reached, b.Limits
	n.ration.mu.Unlock()
	if n.run != nil {
		n.run.Wake()
	}
}

// tend gives back what is not needed, and finds out whether a limit of the crawl was reached.
func (n *Node) tend() error {
	l := n.run.Limits()
	if l == (crawl.Limits{}) {
		return nil
	}
	for _, b := range n.session.Load().others() {
		var s Status
		if json.Unmarshal(b, &s) == nil {
			n.older(s.Age)
		}
	}
	if l.MaxTime > 0 && n.age() >= time.Duration(l.MaxTime) {
		return n.reach(timeReached, &l, func(*budget) bool { return true })
	}
	if l.MaxPages == 0 && l.MaxURLs == 0 && l.MaxBytes == 0 {
		return nil
	}
	stuck, which := n.stuck(&l)
	if stuck && which == nil {
		if err := n.giveBack(&l); err != nil {
			return err
		}
	}
	n.mu.Lock()
	changed := n.told.Stuck != stuck
	n.told.Stuck = stuck
	n.mu.Unlock()
	if changed {
		n.session.Load().Tell()
	}
	if which == nil || !n.allStuck() {
		return nil
	}
	return n.reach(which.reached, &l, func(b *budget) bool { return b.left(*which, &l) == 0 })
}

// stuck reports whether the node can capture nothing more: because it has nothing to visit, or because its ration of one of the limits is used up.
func (n *Node) stuck(l *crawl.Limits) (stuck bool, which *kind) {
	if n.run.Spent() {
		return n.spent(), nil
	}
	u := n.run.Usage()
	used := amount{u.Pages, u.URLs, u.Bytes}
	n.ration.mu.Lock()
	defer n.ration.mu.Unlock()
	if u.Busy > 0 || n.ration.asking || !n.ration.dry {
		return false, nil
	}
	for i := range kinds {
		if k := &kinds[i]; k.limit(l) > 0 && *k.of(&used) >= *k.of(&n.ration.have) {
			return true, k
		}
	}
	return false, nil
}

func (n *Node) allStuck() bool {
	own := n.session.Load().ID
	for id, b := range n.session.Load().others() {
		var s Status
		if id != own && (json.Unmarshal(b, &s) != nil || !s.Stuck) {
			return false
		}
	}
	return true
}

// reach writes that a limit was reached, if it still is so.
func (n *Node) reach(limit string, l *crawl.Limits, still func(*budget) bool) error {
	is := false
	b, err := n.changeBudget(n.ctx, func(b *budget) bool {
		is = still(b)
		if !is || b.Reached == limit && b.Limits == *l {
			return false
		}
		b.Reached, b.Limits = limit, *l
		return true
	})
	if err != nil || !is {
		return err
	}
	n.ration.mu.Lock()
	n.ration.reached, n.ration.under = b.Reached, b.Limits
	n.ration.mu.Unlock()
	n.run.Wake()
	return nil
}

// giveBack returns what was granted and is not needed.
func (n *Node) giveBack(l *crawl.Limits) error { return n.giveBackIn(n.ctx, l) }

func (n *Node) giveBackIn(ctx context.Context, l *crawl.Limits) error {
	u := n.run.Usage()
	used := soonOf(&u)
	n.ration.mu.Lock()
	less := false
	for _, k := range kinds {
		if have := k.of(&n.ration.have); k.limit(l) > 0 && *have > *k.of(&used) {
			*have, less = *k.of(&used), true // before others can have it
		}
	}
	n.ration.mu.Unlock()
	if !less {
		return nil
	}
	b, err := n.changeBudget(ctx, func(b *budget) bool {
		have, changed := b.Granted[n.cfg.ID], false
		for _, k := range kinds {
			if h := k.of(&have); k.limit(l) > 0 && *h > *k.of(&used) {
				*h, changed = *k.of(&used), true
			}
		}
		if changed {
			b.Granted[n.cfg.ID] = have
		}
		return changed
	})
	if err == nil {
		n.ration.mu.Lock()
		n.ration.have = b.Granted[n.cfg.ID]
		n.ration.mu.Unlock()
	}
	return err
}

// leaveBudget gives back what a node that leaves has not used.
func (n *Node) leaveBudget(ctx context.Context) {
	l := n.run.Limits()
	if l == (crawl.Limits{}) {
		return
	}
	if err := n.giveBackIn(ctx, &l); err != nil {
		n.cfg.Log.Warn("what this node had left of the limits of the crawl could not be given back", "err", err)
	}
}

// Progress is part of crawl.Teller: what all nodes together have done.
func (n *Node) Progress(p *crawl.Progress) {
	t := &crawl.Together{Name: n.cfg.Crawl, Here: n.cfg.ID}
	n.ordering.Lock()
	t.Orders = n.orders.Serial
	n.ordering.Unlock()
	n.ration.mu.Lock()
	if n.ration.under == n.run.Limits() {
		t.Reached = n.ration.reached
	}
	n.ration.mu.Unlock()
	live := map[string]Status{}
	for _, b := range n.session.Load().others() {
		var s Status
		if json.Unmarshal(b, &s) == nil && s.Node != "" {
			live[s.Node] = s
		}
	}
	own := live[n.cfg.ID]
	own.Node, own.Name, own.State, own.Why = n.cfg.ID, n.cfg.Name, string(p.State), p.Why
	own.URLs, own.Pages, own.Bytes, own.Failed, own.Refused, own.Queued, own.Hosts, own.Rate = p.URLs, p.Pages, p.Bytes, p.Failed, p.Refused, n.queued(), p.Hosts, p.Rate
	live[n.cfg.ID] = own
	n.mu.Lock()
	gone := maps.Clone(n.past)
	n.mu.Unlock()
	sum(t, live, gone)
	p.Together = t
}

// Report is part of crawl.Teller.
func (n *Node) Report(*crawl.Report) {}

// queued is what waits here of the node's own sites.
func (n *Node) queued() int64 {
	f := n.run.Frontier().Stats()
	return max(0, f.Queued-f.Retired) + f.InFlight
}

// sum adds up what nodes tell of themselves; gone are those that have left or died, as they were.
func sum(t *crawl.Together, live, gone map[string]Status) {
	add := func(s Status) {
		t.URLs += s.URLs
		t.Pages += s.Pages
		t.Bytes += s.Bytes
		t.Failed += s.Failed
		t.Refused += s.Refused
		t.Queued += s.Queued
		t.Hosts += s.Hosts
		t.Rate += s.Rate
		t.Nodes = append(t.Nodes, crawl.NodeStands{
			Node: s.Node, Name: s.Name, State: s.State, Why: s.Why, Partitions: s.Partitions,
			URLs: s.URLs, Pages: s.Pages, Bytes: s.Bytes, Queued: s.Queued, Rate: s.Rate,
		})
	}
	for _, s := range live {
		add(s)
	}
	for id, s := range gone {
		if _, there := live[id]; !there {
			s.State, s.Why, s.Partitions, s.Queued, s.Hosts, s.Rate = Gone, "", 0, 0, 0, 0 // others have its queue
			add(s)
		}
	}
	slices.SortFunc(t.Nodes, func(a, b crawl.NodeStands) int { return strings.Compare(a.Node, b.Node) })
}

// Gone is the state of a node that has left, or died.
const Gone = "gone"

// What is known of nodes that are gone is kept, so that the sums do not shrink: by themselves when they leave, by who ends their session when they die.

const pastPrefix = "past."

// remember keeps what a node told last. What is there of it and tells of more stays.
func (n *Node) remember(value []byte) {
	n.rememberIn(n.ctx, value)
}

func (n *Node) rememberIn(ctx context.Context, value []byte) {
	var s Status
	if json.Unmarshal(value, &s) != nil || s.Node == "" {
		return
	}
	for range 5 {
		e, err := n.engine.Get(ctx, pastPrefix+s.Node)
		var was Status
		if err == nil && json.Unmarshal(e.Value, &was) == nil && was.URLs >= s.URLs && was.Age >= s.Age {
			return
		}
		if err != nil && !errors.Is(err, engine.ErrNotFound) {
			return
		}
		if _, err := n.engine.Put(ctx, pastPrefix+s.Node, value, e.Revision); !errors.Is(err, engine.ErrConflict) {
			return // else it tells less in the sums, until the node is back
		}
	}
}

// watchPast hears of nodes that are gone.
func (n *Node) watchPast() {
	for n.ctx.Err() == nil {
		_ = n.engine.Watch(n.ctx, pastPrefix, func(e engine.Entry) {
			var s Status
			if e.Value == nil || json.Unmarshal(e.Value, &s) != nil || s.Node == "" {
				return
			}
			n.older(s.Age)
			n.mu.Lock()
			n.past[s.Node] = s
			n.mu.Unlock()
		})
		n.session.Load().pause(n.ctx, n.cfg.Timing.Renew/4, nil)
	}
}
