package nodes

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"varve/crawl"
	"varve/crawl/nodes/engine"
)

var errLost = errors.New("the lease of this node was lost")

// Status is what a node tells of itself with each renewal.
type Status struct {
	Node    string        `json:"node"`
	Name    string        `json:"name"`
	Session string        `json:"session"`
	Host    string        `json:"host,omitempty"`
	PID     int           `json:"pid,omitempty"`
	State   string        `json:"state"` // of its run
	Why     string        `json:"why,omitempty"`
	Leaving bool          `json:"leaving,omitempty"`
	Stuck   bool          `json:"stuck,omitempty"`  // under limits: it can capture nothing more, for want of URLs or of a ration
	Orders  uint64        `json:"orders,omitempty"` // serial of the orders in force there
	Age     time.Duration `json:"age"`              // of the crawl: for how long nodes have run

	Partitions int    `json:"partitions"` // that it has, ready
	Moving     int    `json:"moving"`     // that come or go
	Quiet      int    `json:"quiet"`      // 0: it works; 1: it has nothing left to visit; 2: nor has anything else of it something to do
	At         uint64 `json:"at"`         // place of the log that it was quiet at

	URLs     int64   `json:"urls"`
	Pages    int64   `json:"pages"`
	Bytes    int64   `json:"bytes"`
	Failed   int64   `json:"failed"`
	Refused  int64   `json:"refused"`
	Rate     float64 `json:"urlsPerSecond"`
	Queued   int64   `json:"queued"`
	Hosts    int64   `json:"hosts"`
	Routed   int64   `json:"routed"`   // links sent to other nodes
	Waiting  int64   `json:"waiting"`  // messages for it that it had not read when it read last
	Received int64   `json:"received"` // entries that came from them
	ReOwned  int64   `json:"reOwned"`  // nodes that died and whose partitions it took
	Given    int64   `json:"given"`    // partitions handed over
}

// status is what is told of the node with a renewal.
func (n *Node) status(s *Session) []byte {
	n.mu.Lock()
	st := n.told
	n.mu.Unlock()
	st.Age = n.age()
	n.ordering.Lock()
	st.Orders = n.orders.Serial
	n.ordering.Unlock()
	host, _ := os.Hostname()
	st.Node, st.Name, st.Session, st.Host, st.PID = n.cfg.ID, n.cfg.Name, s.ID, host, os.Getpid()
	st.Routed, st.Received, st.ReOwned, st.Given = n.routed.Load(), n.received.Load(), n.taken.Load(), n.given.Load()
	st.Waiting = n.waiting.Load()
	for p := range n.state {
		switch n.state[p].Load() {
		case ready:
			st.Partitions++
		case loading, releasing:
			st.Moving++
		}
	}
	if n.run != nil && n.started.Load() && n.ctx.Err() == nil {
		state, why := n.run.State()
		st.State, st.Why = string(state), why
		c, f := n.run.Counts(), n.run.Frontier().Stats()
		st.URLs, st.Pages, st.Bytes = c.URLs, c.Pages, c.Bytes
		st.Failed, st.Refused, st.Rate = c.Failed, c.Refused, n.run.Rate()
		st.Queued, st.Hosts = max(0, f.Queued-f.Retired)+f.InFlight, f.Hosts
	} else {
		st.State = "joining"
	}
	b, err := json.Marshal(st)
	if err != nil {
		return nil
	}
	return b
}

// Holds is part of crawl.Holder: while other nodes visit, they may find something for this one.
func (n *Node) Holds() bool { return !n.gate.Load() }

// Ends is part of crawl.Holder. It is asked when nothing of the run has anything left.
func (n *Node) Ends() bool {
	if n.ended.Load() {
		return true
	}
	if !n.asked.Swap(true) {
		n.wake()
	}
	return false
}

// findEnd finds out whether this node is quiet, and whether all are.
//
// A node is quiet at place L of the log when it has nothing to visit and nothing came for it up to L. If all are at the same L, which
// is still the last, and have all partitions between them, then nothing is on its way, for whatever is found is in the log before its page
// is done; and who has nothing to visit finds nothing.
func (n *Node) findEnd() error {
	if n.endedByOthers() {
		return nil
	}
	quiet, at, err := n.quietAt()
	if err != nil {
		return err
	}
	n.mu.Lock()
	changed := n.told.Quiet != quiet || n.told.At != at
	n.told.Quiet, n.told.At = quiet, at
	n.mu.Unlock()
	if changed {
		n.session.Load().Tell()
	}
	if quiet == 0 {
		return nil
	}
	least, all := n.allQuiet(at)
	if !all {
		return nil
	}
	if last, err := n.engine.Last(n.ctx); err != nil || last != at {
		return err
	}
	if !n.gate.Swap(true) {
		n.run.Wake()
	}
	if least < 2 || quiet < 2 {
		return nil
	}
	_, err = n.engine.Put(n.ctx, endKey, []byte(n.cfg.ID), 0)
	if err == nil || errors.Is(err, engine.ErrConflict) {
		n.end()
		return nil
	}
	return err
}

// endedByOthers reports whether the crawl is over, which is asked for only by who has nothing to do.
func (n *Node) endedByOthers() bool {
	if n.ended.Load() {
		return true
	}
	if n.told.Quiet == 0 { // only this goroutine writes it
		return false
	}
	if _, err := n.engine.Get(n.ctx, endKey); err != nil {
		return false
	}
	n.end()
	return true
}

// end lets the run end. What it has queued of others' sites is done by them.
func (n *Node) end() {
	n.gate.Store(true)
	n.ended.Store(true)
	n.run.Wake()
}

// quietAt reports how quiet this node is, and at which place of the log.
func (n *Node) quietAt() (quiet int, at uint64, err error) {
	if !n.spent() {
		return 0, 0, nil
	}
	last, err := n.engine.Last(n.ctx)
	if err != nil {
		return 0, 0, err
	}
	var subjects []string
	n.box.mu.Lock()
	after := last
	for p := range n.partitions {
		if n.state[p].Load() == ready {
			subjects = append(subjects, inboxSubject(p))
			after = min(after, n.box.pos[p])
		}
	}
	pos := slices.Clone(n.box.pos)
	n.box.mu.Unlock()
	came := errors.New("something came")
	err = n.engine.Read(n.ctx, subjects, after, last, func(m engine.Message) error {
		if m.Seq > pos[inboxOf(m.Subject)] {
			return came
		}
		return nil
	})
	if errors.Is(err, came) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, err
	}
	if !n.spent() { // it may have been applied meanwhile
		return 0, 0, nil
	}
	n.box.mu.Lock()
	for p := range n.partitions { // nothing was there for them: the next look begins here
		if n.state[p].Load() == ready {
			n.box.pos[p] = max(n.box.pos[p], last)
		}
	}
	n.box.mu.Unlock()
	if n.asked.Load() {
		return 2, last, nil
	}
	return 1, last, nil
}

// spent reports whether the node has nothing to do.
func (n *Node) spent() bool {
	if state, _ := n.run.State(); state != crawl.Running || !n.run.Spent() || n.seeds != nil {
		return false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.loose) > 0 {
		return false
	}
	for p := range n.state {
		if s := n.state[p].Load(); s == loading || s == releasing {
			return false
		}
	}
	return true
}

// allQuiet reports whether all nodes are quiet at a place and have all partitions, and how quiet the least of them is.
func (n *Node) allQuiet(at uint64) (least int, all bool) {
	own := n.session.Load().ID
	least = 2
	parts := 0
	for p := range n.state {
		if n.state[p].Load() == ready {
			parts++
		}
	}
	for id, b := range n.session.Load().others() {
		if id == own {
			continue
		}
		var s Status
		if json.Unmarshal(b, &s) != nil || s.Quiet == 0 || s.At != at || s.Moving > 0 {
			return 0, false
		}
		least = min(least, s.Quiet)
		parts += s.Partitions
	}
	return least, parts == n.partitions
}

// Overview is the state of a crawl of several nodes, for people.
type Overview struct {
	Crawl      string   `json:"crawl"`
	State      string   `json:"state"` // defined, running, complete
	Partitions int      `json:"partitions"`
	Owned      int      `json:"owned"`
	Released   int      `json:"released"`
	Orphans    int      `json:"orphans"` // whose owner is gone, and that nobody has taken yet
	Log        uint64   `json:"log"`     // place of the last message
	Nodes      []Status `json:"nodes"`
	Seeds      int      `json:"seeds"`

	Limits   crawl.Limits   `json:"limits"`
	Orders   crawl.Orders   `json:"orders"`
	Together crawl.Together `json:"together"` // with nodes that are gone
	Age      time.Duration  `json:"age"`      // for how long nodes have run
	Waiting  int64          `json:"waiting"`  // messages for nodes that they have not read yet, as they told last
	Leases   int            `json:"leases"`   // addresses that a node holds
}

// Messages is how many messages the log has had, as a number that screens can write.
func (o Overview) Messages() int64 { return int64(o.Log) }

// Look reads the state of a crawl.
func Look(ctx context.Context, e engine.Engine, name string) (o Overview, err error) {
	o.Crawl, o.State = name, "running"
	ended := false
	if _, err := e.Get(ctx, endKey); err == nil {
		ended = true
	}
	got, err := e.Get(ctx, definitionKey)
	if errors.Is(err, engine.ErrNotFound) {
		o.State = "not defined"
		return o, nil
	}
	if err != nil {
		return o, err
	}
	d, err := readDefined(ctx, e, string(got.Value))
	if err != nil {
		return o, err
	}
	o.Partitions, o.Seeds = d.Partitions, d.Definition.SeedCount()
	nodes, err := e.List(ctx, nodePrefix)
	if err != nil {
		return o, err
	}
	live := map[string]bool{}
	for _, entry := range nodes {
		var s Status
		if json.Unmarshal(entry.Value, &s) == nil {
			o.Nodes = append(o.Nodes, s)
			live[strings.TrimPrefix(entry.Key, nodePrefix)] = true
		}
	}
	parts, err := e.List(ctx, partPrefix)
	if err != nil {
		return o, err
	}
	for _, entry := range parts {
		var c Claim
		switch err := json.Unmarshal(entry.Value, &c); {
		case err != nil:
		case c.Owner == "":
			o.Released++
		case live[c.Owner]:
			o.Owned++
		default:
			o.Orphans++
		}
	}
	if o.Log, err = e.Last(ctx); err != nil {
		return o, err
	}
	if err := o.lookAtWhole(ctx, e, d.Definition); err != nil {
		return o, err
	}
	switch {
	case ended:
		o.State = "complete"
	case o.Orders.Stopped && len(o.Nodes) == 0:
		o.State = "stopped " + o.Orders.Why
	case o.Together.Reached != "" && len(o.Nodes) == 0:
		o.State = "stopped: " + o.Together.Reached
	case o.Orders.Paused:
		o.State = "paused " + o.Orders.Why
	case len(o.Nodes) == 0:
		o.State = "no node runs"
	}
	return o, nil
}

// lookAtWhole adds up what nodes tell, and reads what was decided.
func (o *Overview) lookAtWhole(ctx context.Context, e engine.Engine, def crawl.Definition) (err error) {
	if o.Orders, _, err = ReadOrders(ctx, e); err != nil {
		return err
	}
	o.Limits = crawl.Limits{MaxPages: def.MaxPages, MaxURLs: def.MaxURLs, MaxBytes: def.MaxBytes, MaxTime: def.MaxTime}
	if o.Orders.Limits != nil {
		o.Limits = *o.Orders.Limits
	}
	past, err := e.List(ctx, pastPrefix)
	if err != nil {
		return err
	}
	live, gone := map[string]Status{}, map[string]Status{}
	for _, s := range o.Nodes {
		live[s.Node] = s
		o.Age, o.Waiting = max(o.Age, s.Age), o.Waiting+s.Waiting
	}
	for _, entry := range past {
		var s Status
		if json.Unmarshal(entry.Value, &s) == nil {
			gone[s.Node] = s
			o.Age = max(o.Age, s.Age)
		}
	}
	o.Together.Name, o.Together.Orders = o.Crawl, o.Orders.Serial
	sum(&o.Together, live, gone)
	var b budget
	if got, err := e.Get(ctx, budgetKey); err == nil && json.Unmarshal(got.Value, &b) == nil && b.Limits == o.Limits {
		o.Together.Reached = b.Reached
	}
	addrs, err := e.List(ctx, addrPrefix)
	for _, entry := range addrs {
		var t tenure
		if json.Unmarshal(entry.Value, &t) == nil && t.Holder != "" {
			o.Leases++
		}
	}
	return err
}

// KeepReport puts the report of a node where the others find it.
func KeepReport(ctx context.Context, e engine.Engine, node string, rep *crawl.Report) error {
	b, err := json.Marshal(rep)
	if err != nil {
		return err
	}
	key := reportPrefix + node
	name := "report." + node + "." + randomWord()[:8]
	if err := e.Store(ctx, name, strings.NewReader(string(b))); err != nil {
		return err
	}
	for range 3 {
		var last uint64
		if old, err := e.Get(ctx, key); err == nil {
			last = old.Revision
		}
		if _, err = e.Put(ctx, key, []byte(name), last); !errors.Is(err, engine.ErrConflict) {
			return err
		}
	}
	return err
}

// Reports reads the reports that nodes have kept, by node.
func Reports(ctx context.Context, e engine.Engine) (map[string]*crawl.Report, error) {
	list, err := e.List(ctx, reportPrefix)
	if err != nil {
		return nil, err
	}
	out := map[string]*crawl.Report{}
	for _, entry := range list {
		r, err := e.Fetch(ctx, string(entry.Value))
		if err != nil {
			return nil, err
		}
		rep := new(crawl.Report)
		err = errors.Join(json.NewDecoder(r).Decode(rep), r.Close())
		if err != nil {
			return nil, err
		}
		out[strings.TrimPrefix(entry.Key, reportPrefix)] = rep
	}
	return out, nil
}

// Routed counts the links that went to inboxes and are still in the log.
func Routed(ctx context.Context, e engine.Engine) (count int64, err error) {
	got, err := e.Get(ctx, definitionKey)
	if err != nil {
		return 0, err
	}
	d, err := readDefined(ctx, e, string(got.Value))
	if err != nil {
		return 0, err
	}
	last, err := e.Last(ctx)
	if err != nil {
		return 0, err
	}
	var subjects []string
	for p := range d.Partitions {
		subjects = append(subjects, inboxSubject(p))
	}
	err = e.Read(ctx, subjects, 0, last, func(m engine.Message) error {
		return unpack(m.Data, func(e *entry) error {
			if e.kind == entryLink {
				count++
			}
			return nil
		})
	})
	return count, err
}
